"""Say a sentence the way a format says it: corrected texts from FCGEC's operations, and operations from texts.

Edits from texts are not made here: extraction needs a language (`errata extract`).
"""

from __future__ import annotations

from dataclasses import replace

from errata.edits.operations import apply_all_operations, derive_operations
from errata.edits.texts import source_text, target_text
from errata.formats.base import Format
from errata.model import AnnotatedSentence, Annotation, Status


def adapt(annotated: AnnotatedSentence, target: Format) -> AnnotatedSentence:
    """The sentence with what `target` needs; unchanged where it has it already."""
    if "operations" not in target.keeps:
        if any(item.operations is not None and item.target is None for item in annotated.annotations):
            return _spell_out(annotated)
    elif "targets" not in target.keeps and any(map(_lacks_operations, annotated.annotations)):
        return replace(annotated, annotations=tuple(_derive(annotated, item) for item in annotated.annotations))
    return annotated


def _spell_out(annotated: AnnotatedSentence) -> AnnotatedSentence:
    """Every combination of alternative texts as a correction of its own, numbered through."""
    text = source_text(annotated.sentence)
    annotations: list[Annotation] = []
    for item in annotated.annotations:
        if item.operations is None or item.target is not None:
            annotations.append(item)
        else:
            targets = apply_all_operations(text, item.operations)
            annotations.extend(replace(item, operations=None, target=target) for target in targets)
    numbered = (replace(item, annotator=str(number)) for number, item in enumerate(annotations))
    return replace(annotated, annotations=tuple(numbered))


def _lacks_operations(annotation: Annotation) -> bool:
    is_correction = bool(annotation.edits) or annotation.target is not None
    return annotation.operations is None and is_correction and annotation.status is Status.ANNOTATED


def _derive(annotated: AnnotatedSentence, annotation: Annotation) -> Annotation:
    if not _lacks_operations(annotation):
        return annotation
    source, target = source_text(annotated.sentence), target_text(annotated.sentence, annotation)
    operations = None if source == target else derive_operations(source, target)
    return Annotation(annotation.annotator, operations=operations, alignment=annotation.alignment)
