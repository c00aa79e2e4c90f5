"""New types, and new edits if wanted, for annotations that exist: what ERRANT's `errant_m2` computes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from errata.edits.en.align import Step
from errata.edits.en.analysis import Analysis
from errata.edits.en.extractor import BATCH, EnglishExtractor, typed_edit
from errata.model import AnnotatedSentence, Annotation, Edit, span

DETECTED = frozenset({"UNK", "Um"})  # errors somebody saw but could not correct; their text is only a remark


class _Placed(NamedTuple):
    """An edit and the target tokens it produced."""

    edit: Edit
    step: Step


def retype(
    sentences: Iterable[AnnotatedSentence],
    extractor: EnglishExtractor,
    *,
    extract: bool = False,
    minimise: bool = True,
    keep_types: bool = False,
) -> Iterator[AnnotatedSentence]:
    """Sentences whose edits got ERRANT's types, annotators sorted by name as ERRANT does.

    With `extract` the edits are found anew from the corrected text. Otherwise they stay, except that `minimise` cuts
    equal words off their ends; `keep_types` leaves their types alone. An annotator of whose edits nothing is left
    (they changed nothing) is left out, as ERRANT does.
    """
    stream = iter(sentences)
    while batch := list(islice(stream, BATCH)):
        placed = [[(one, *_apply(sentence, one)) for one in sentence.annotations] for sentence in batch]
        sources = [" ".join(sentence.sentence.tokens) for sentence in batch]
        changed = [target for group in placed for one, target, _ in group if one.edits]
        analyses = extractor.analyse([*(s for s, g in zip(sources, placed, strict=True) if g), *changed])
        for sentence, source, group in zip(batch, sources, placed, strict=True):
            annotations = []
            for annotation, target, edits in sorted(group, key=lambda one: one[0].annotator):
                if annotation.edits:
                    sides = analyses[source], analyses[target]
                    kept = [one for one in edits if not extract or one.edit.type in DETECTED]
                    new = [_retyped(*sides, one, minimise, keep_types) for one in kept]
                    if extract:
                        new = sorted([*new, *extractor.edits(*sides)], key=span)
                    annotations += [replace(annotation, edits=tuple(new))] if new else []
                else:
                    annotations.append(annotation)
            yield replace(sentence, annotations=tuple(annotations))


def _apply(sentence: AnnotatedSentence, annotation: Annotation) -> tuple[str, list[_Placed]]:
    """The corrected text, and where in it each edit ended up; errors only detected are left as they are."""
    target = list(sentence.sentence.tokens)
    placed: list[_Placed] = []
    shift = 0
    for edit in sorted(annotation.edits, key=span):
        start, end = edit.start + shift, edit.end + shift
        new = target[start:end] if edit.type in DETECTED else list(edit.replacement)
        target[start:end] = new
        placed.append(_Placed(edit, Step("X", edit.start, edit.end, start, start + len(new))))
        shift += len(new) - (edit.end - edit.start)
    return " ".join(target), placed


def _retyped(source: Analysis, target: Analysis, placed: _Placed, minimise: bool, keep_types: bool) -> Edit:
    edit, step = placed
    if edit.type in DETECTED:
        return Edit(edit.start, edit.end, edit.replacement, edit.type if keep_types else "UNK")
    typed = typed_edit(source, target, _minimised(source, target, step) if minimise else step)
    return replace(typed, type=edit.type) if keep_types else typed


def _minimised(source: Analysis, target: Analysis, step: Step) -> Step:
    """The step without equal words at its ends: [a b → a c] is [b → c]."""
    op, start, end, target_start, target_end = step
    while start < end and target_start < target_end and source.words[start] == target.words[target_start]:
        start, target_start = start + 1, target_start + 1
    while start < end and target_start < target_end and source.words[end - 1] == target.words[target_end - 1]:
        end, target_end = end - 1, target_end - 1
    return Step(op, start, end, target_start, target_end)
