"""The corrections of a sentence as references: who made them, whether they change it, and by which edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from errata.edits.base import Extractor, get_extractor
from errata.edits.operations import apply_all_operations
from errata.edits.texts import source_text
from errata.metrics.texts import split_like
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status, correction

CHUNK = 512  # sentences whose edits are extracted together
UNKNOWN = "UNK"  # an edit that says where an error is and not how to correct it


@dataclass(frozen=True, slots=True)
class Reference:
    """One correction of a sentence; `edits` is None where only the corrected text is known.

    `key` is equal for equal corrections of a sentence.
    """

    annotator: str
    is_changed: bool
    edits: tuple[Edit, ...] | None
    key: object


def list_references(annotated: AnnotatedSentence) -> list[Reference]:
    """The references of a sentence: of equally cheap alignments the first, of alternatives (FCGEC) each."""
    sentence = annotated.sentence
    return [
        _read_reference(sentence, one)
        for annotation in annotated.annotations
        if annotation.status is Status.ANNOTATED and annotation.alignment == 0
        for one in spell_out(sentence, annotation)
    ]


def spell_out(sentence: Sentence, annotation: Annotation) -> list[Annotation]:
    """The annotation, or one with a corrected text for each combination of the alternatives of its operations.

    The first of these keeps the operations, so that they are counted once.
    """
    if annotation.operations is None or annotation.edits or annotation.target is not None:
        return [annotation]
    first, *others = apply_all_operations(source_text(sentence), annotation.operations)
    return [replace(annotation, target=first), *(replace(annotation, target=one, operations=None) for one in others)]


def _read_reference(sentence: Sentence, annotation: Annotation) -> Reference:
    if annotation.edits or annotation.target is None:
        edits = annotation.edits
        return Reference(annotation.annotator, bool(edits), edits, frozenset(map(correction, edits)))
    if not is_text_changed(sentence, annotation.target):
        return Reference(annotation.annotator, False, (), frozenset())
    return Reference(annotation.annotator, True, None, annotation.target)


def is_text_changed(sentence: Sentence, target: str) -> bool:
    """Whether a corrected text differs from the source, spaces between tokens aside."""
    source = source_text(sentence)
    return target != source and split_like(sentence, target) != split_like(sentence, source)


def extract_edits(
    sentences: Iterable[AnnotatedSentence], language: str, extractor: Extractor | None = None
) -> Iterator[AnnotatedSentence]:
    """The sentences with the edits of corrected texts; a sentence whose edits are known stays as it is."""
    stream = iter(sentences)
    while chunk := list(islice(stream, CHUNK)):
        texts = [_list_targets(one) for one in chunk]
        if any(texts):
            extractor = extractor or get_extractor(language)
        pairs = ((source_text(one.sentence), found) for one, found in zip(chunk, texts, strict=True) if found)
        extracted = extractor.annotate(pairs) if extractor is not None else iter(())
        for one, found in zip(chunk, texts, strict=True):
            yield _fill_in(one, next(extracted)) if found else one


def _list_targets(annotated: AnnotatedSentence) -> list[str]:
    """The corrected texts of a sentence, if none of its corrections is known as edits."""
    if any(one.edits for one in annotated.annotations):
        return []
    return [one.target for one in _spell_out_all(annotated) if one.target is not None]


def _spell_out_all(annotated: AnnotatedSentence) -> list[Annotation]:
    return [one for annotation in annotated.annotations for one in spell_out(annotated.sentence, annotation)]


def _fill_in(annotated: AnnotatedSentence, extracted: AnnotatedSentence) -> AnnotatedSentence:
    """The sentence over the extractor's tokens, with the first of the alignments that it found for each text."""
    found = iter([one for one in extracted.annotations if one.alignment == 0])
    annotations: Sequence[Annotation] = [
        one if one.target is None else replace(one, edits=next(found).edits) for one in _spell_out_all(annotated)
    ]
    return replace(
        annotated,
        sentence=replace(annotated.sentence, tokens=extracted.sentence.tokens),
        annotations=tuple(annotations),
    )
