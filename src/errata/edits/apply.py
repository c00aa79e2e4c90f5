"""Apply edits: token edits to tokens, character edits to text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from errata.errors import DataError
from errata.model import Correction, Edit, TextEdit, Tokens


def apply_edits(tokens: Sequence[str], edits: Iterable[Edit]) -> Tokens:
    """The corrected tokens: `apply_edits(["a", "b"], [Edit(1, 2, ("c",))])` is `("a", "c")`.

    Edits may come in any order; insertions at one place keep theirs. Overlapping edits raise `DataError`.
    """
    out: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise DataError(f"edits overlap at token {edit.start}: {' '.join(edit.replacement)!r}")
        if edit.end > len(tokens):
            raise DataError(f"edit span {edit.start}:{edit.end} ends after token {len(tokens)}")
        out.extend(tokens[position : edit.start])
        out.extend(edit.replacement)
        position = edit.end
    out.extend(tokens[position:])
    return tuple(out)


def apply_text_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """The corrected text; edits may come in any order, and overlapping ones raise `DataError`."""
    try:
        return Correction(text, tuple(sorted(edits, key=lambda e: (e.start, e.end)))).target
    except ValueError as error:
        raise DataError(str(error)) from error
