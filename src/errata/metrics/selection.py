"""Which sentences are scored, in which shape, and in which groups: what FCGEC's evaluation needs around its metrics."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from errata.edits.operations import derive_operations, operation_kinds
from errata.edits.texts import source_text
from errata.metrics.base import Item
from errata.metrics.texts import side_text
from errata.model import AnnotatedSentence, Annotation, Sentence, Status
from errata.text.tokens import split_characters


def strip_punctuation(text: str) -> str:
    """The text without punctuation (every Unicode category P) and white space: `不，行。` is `不行`."""
    return "".join(char for char in text if not (char.isspace() or unicodedata.category(char).startswith("P")))


def without_punctuation(item: Item) -> Item:
    """The item as Chinese text without punctuation on every side; annotations become texts."""
    bare = strip_punctuation(source_text(item.source))

    def strip(side: str | Annotation) -> str | Annotation:
        if isinstance(side, Annotation) and side.status is not Status.ANNOTATED:
            return side
        return strip_punctuation(side_text(item.source, side))

    return replace(
        item,
        source=Sentence(split_characters(bare), bare, item.source.id),
        hypothesis=strip(item.hypothesis),
        references=tuple(map(strip, item.references)),
    )


def error_types(sentence: AnnotatedSentence) -> tuple[str, ...]:
    """The groups of a sentence by error type; it is in several if it has several types."""
    if sentence.labels is None:
        return ("unlabelled",)
    return sentence.labels or ("correct",)


def operation_kind(sentence: AnnotatedSentence) -> tuple[str, ...]:
    """The kind of operation that corrects the sentence, "mixed" where references differ or one needs several kinds."""
    used = {kind for annotation in sentence.annotations for kind in _kinds(sentence.sentence, annotation)}
    if not used:
        return ("none",)
    return tuple(used) if len(used) == 1 else ("mixed",)


def _kinds(sentence: Sentence, annotation: Annotation) -> frozenset[str]:
    if annotation.status is not Status.ANNOTATED:
        return frozenset()
    if annotation.operations is not None:
        return operation_kinds(annotation.operations)
    return operation_kinds(derive_operations(source_text(sentence), side_text(sentence, annotation)))


GROUPINGS: Mapping[str, Callable[[AnnotatedSentence], tuple[str, ...]]] = {
    "error-type": error_types,
    "operation": operation_kind,
}


def group_sentences(sentences: Sequence[AnnotatedSentence], grouping: str) -> dict[str, list[int]]:
    """The places of the sentences in each group, groups in alphabetical order."""
    groups: dict[str, list[int]] = {}
    for place, sentence in enumerate(sentences):
        for name in GROUPINGS[grouping](sentence):
            groups.setdefault(name, []).append(place)
    return dict(sorted(groups.items()))
