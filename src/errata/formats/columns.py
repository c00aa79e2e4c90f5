"""References as the columns of a table: what parallel text and MuCGEC's TSV share.

Reference column n is annotator n. Rows may be of uneven length; an empty cell is a correction that leaves nothing (some
annotators of CoNLL-2014 delete whole sentences).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.edits.texts import target_text
from errata.errors import DataError
from errata.model import AnnotatedSentence, Annotation, Status
from errata.text.tokens import NO_ERROR, NOT_ANNOTATABLE

_FORBIDDEN = frozenset("\t\r\n")
_ID = re.compile(r"(?=.*\d)[\w.:-]{1,64}", re.ASCII)


def has_ids(head: str) -> bool | None:
    """Whether the first column of a table looks like ids (no two alike, a digit in each); None when it is no table."""
    rows = [line.split("\t") for line in head.split("\n")[:-1] or [head]]
    if not all(len(row) > 1 for row in rows):
        return None
    ids = [row[0] for row in rows]
    return all(map(_ID.fullmatch, ids)) and len(set(ids)) == len(ids)


def parse_references(cells: Sequence[str], *, with_marks: bool) -> tuple[Annotation, ...]:
    """One annotation per cell; `with_marks` reads 没有错误 and 无法标注 as what they mean."""
    return tuple(_parse_reference(str(column), cell, with_marks=with_marks) for column, cell in enumerate(cells))


def _parse_reference(annotator: str, cell: str, *, with_marks: bool) -> Annotation:
    if with_marks and cell == NO_ERROR:
        return Annotation(annotator)
    if with_marks and cell == NOT_ANNOTATABLE:
        return Annotation(annotator, status=Status.NOT_ANNOTATABLE)
    return Annotation(annotator, target=cell)


def format_references(annotated: AnnotatedSentence, *, with_marks: bool) -> list[str]:
    """The cells; several alignments of one annotator are one correction and make one cell.

    Without marks there is no cell for an annotator who could not annotate.
    """
    firsts: dict[str, Annotation] = {}
    for annotation in annotated.annotations:
        firsts.setdefault(annotation.annotator, annotation)
    return [
        _format_reference(annotated, annotation, with_marks=with_marks)
        for annotation in firsts.values()
        if with_marks or annotation.status is Status.ANNOTATED
    ]


def _format_reference(annotated: AnnotatedSentence, annotation: Annotation, *, with_marks: bool) -> str:
    if annotation.status is Status.NOT_ANNOTATABLE:
        return NOT_ANNOTATABLE
    if with_marks and not annotation.edits and annotation.target is None:
        return NO_ERROR
    text = target_text(annotated.sentence, annotation)
    if with_marks and text in (NO_ERROR, NOT_ANNOTATABLE):
        raise DataError(f"a correction that reads {text} would be taken for a mark")
    return check_cell(text)


def check_cell(text: str) -> str:
    """The text itself; `DataError` when it contains a tab or line break."""
    if not _FORBIDDEN.isdisjoint(text):
        raise DataError(f"a cell cannot contain a tab or line break: {text[:60]!r}")
    return text
