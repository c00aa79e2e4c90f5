"""References as the columns of a table: what parallel text and MuCGEC's TSV share.

Column n is annotator n. An empty cell is a reference that is not there, so that rows may have uneven numbers of
references and gaps; a correction to nothing at all cannot be said.
"""

from __future__ import annotations

from collections.abc import Sequence

from errata.errors import DataError
from errata.formats.spacing import target_text
from errata.model import AnnotatedSentence, Annotation, Status

NO_ERROR = "没有错误"
NOT_ANNOTATABLE = "无法标注"
# Annotators with higher numbers are written side by side instead of leaving that many columns empty.
_MAX_COLUMNS = 64
_FORBIDDEN = frozenset("\t\r\n")


def parse_references(cells: Sequence[str], *, with_marks: bool) -> tuple[Annotation, ...]:
    """One annotation per cell that is not empty; `with_marks` reads 没有错误 and 无法标注 as what they mean."""
    return tuple(
        _parse_reference(str(column), cell, with_marks=with_marks) for column, cell in enumerate(cells) if cell
    )


def _parse_reference(annotator: str, cell: str, *, with_marks: bool) -> Annotation:
    if with_marks and cell == NO_ERROR:
        return Annotation(annotator)
    if with_marks and cell == NOT_ANNOTATABLE:
        return Annotation(annotator, status=Status.NOT_ANNOTATABLE)
    return Annotation(annotator, target=cell)


def format_references(annotated: AnnotatedSentence, *, with_marks: bool) -> list[str]:
    """The cells; several alignments of one annotator are one correction and make one cell.

    Without marks, a sentence that could not be annotated has an empty cell.
    """
    firsts = {annotation.annotator: annotation for annotation in reversed(annotated.annotations)}
    order = list(dict.fromkeys(annotation.annotator for annotation in annotated.annotations))
    cells: list[str] = []
    for name in order:
        if _are_columns(order):
            cells.extend([""] * (int(name) - len(cells)))
        cells.append(_format_reference(annotated, firsts[name], with_marks=with_marks))
    return cells


def _are_columns(annotators: Sequence[str]) -> bool:
    """Whether annotators are column numbers in order."""
    if not all(name.isascii() and name.isdecimal() and str(int(name[:9])) == name for name in annotators):
        return False
    numbers = [int(name) for name in annotators]
    return numbers == sorted(set(numbers)) and numbers[-1] < _MAX_COLUMNS


def _format_reference(annotated: AnnotatedSentence, annotation: Annotation, *, with_marks: bool) -> str:
    if annotation.status is Status.NOT_ANNOTATABLE:
        return NOT_ANNOTATABLE if with_marks else ""
    if with_marks and not annotation.edits and annotation.target is None:
        return NO_ERROR
    text = target_text(annotated.sentence, annotation)
    if not text:
        raise DataError("a correction to nothing at all would read as a missing reference")
    if with_marks and text in (NO_ERROR, NOT_ANNOTATABLE):
        raise DataError(f"a correction that reads {text} would be taken for a mark")
    return check_cell(text)


def check_cell(text: str) -> str:
    """The text itself; `DataError` when it contains a tab or line break."""
    if not _FORBIDDEN.isdisjoint(text):
        raise DataError(f"a cell cannot contain a tab or line break: {text[:60]!r}")
    return text
