"""What a sentence says beyond its tokens, so that a conversion can tell what it loses.

A format names in `keeps` the features it can say; `find_losses` names those of a sentence it would drop.
"""

from __future__ import annotations

from collections.abc import Callable

from errata.edits.texts import source_text
from errata.formats.base import Format
from errata.model import AnnotatedSentence, Annotation, Edit, Operations, Sentence, Status
from errata.text.tokens import is_char_level, join_tokens

# feature → what people read when it is lost
FEATURES: dict[str, str] = {
    "ids": "sentence ids",
    "text": "original spacing of the source",
    "targets": "corrected texts as such (they follow from the edits or operations)",
    "edits": "edits (applied; only the corrected text is left)",
    "types": "edit types",
    "alternatives": "alternative corrections of an edit (the first is kept)",
    "severity": "optional marks, comments and severities of edits",
    "annotators": "names or numbers of annotators",
    "statuses": "“not annotatable” marks",
    "alignments": "numbering of several alignments of one correction (pooled)",
    "operations": "operations (applied; only the corrected text is left)",
    "labels": "error types of sentences",
    "meta": "additional fields",
}


def find_losses(annotated: AnnotatedSentence, target: Format) -> list[str]:
    """The features of a sentence that `target` cannot say."""
    return [name for name, is_there in _TESTS.items() if name not in target.keeps and is_there(annotated)]


def needs_extraction(annotated: AnnotatedSentence) -> bool:
    """Whether a correction is known only as a text or as operations, so that its edits have to be found first."""
    return any(not a.edits and _changes(annotated.sentence, a) for a in annotated.annotations)


def _changes(sentence: Sentence, annotation: Annotation) -> bool:
    if annotation.target is None:
        return annotation.operations is not None and annotation.operations != Operations()
    target = annotation.target.split()
    if is_char_level(sentence.tokens):  # white space is nothing there
        return "".join(target) != "".join(sentence.tokens)
    # A target of segmented words against raw Chinese, or the other way round, is compared with the tokens.
    return all(target != text.split() for text in (source_text(sentence), " ".join(sentence.tokens)))


def _in_annotations(test: Callable[[Annotation], bool]) -> Callable[[AnnotatedSentence], bool]:
    return lambda annotated: any(map(test, annotated.annotations))


def _in_edits(test: Callable[[Edit], bool]) -> Callable[[AnnotatedSentence], bool]:
    return _in_annotations(lambda annotation: any(map(test, annotation.edits)))


def _has_own_spacing(annotated: AnnotatedSentence) -> bool:
    text = annotated.sentence.text
    return text is not None and text != join_tokens(annotated.sentence.tokens)


def _has_named_annotators(annotated: AnnotatedSentence) -> bool:
    names = list(dict.fromkeys(annotation.annotator for annotation in annotated.annotations))
    return names != [str(i) for i in range(len(names))]


_TESTS: dict[str, Callable[[AnnotatedSentence], bool]] = {
    "ids": lambda annotated: annotated.sentence.id is not None,
    "text": _has_own_spacing,
    "targets": _in_annotations(lambda annotation: annotation.target is not None),
    "edits": _in_annotations(lambda annotation: bool(annotation.edits)),
    "types": _in_edits(lambda edit: edit.type != "UNK"),
    "alternatives": _in_edits(lambda edit: bool(edit.alternatives)),
    "severity": _in_edits(lambda edit: bool(edit.comment or edit.severity) or not edit.is_required),
    "annotators": _has_named_annotators,
    "statuses": _in_annotations(lambda annotation: annotation.status is not Status.ANNOTATED),
    "alignments": _in_annotations(lambda annotation: annotation.alignment > 0),
    "operations": _in_annotations(lambda annotation: annotation.operations is not None),
    "labels": lambda annotated: annotated.labels is not None,
    "meta": lambda annotated: bool(annotated.meta),
}
