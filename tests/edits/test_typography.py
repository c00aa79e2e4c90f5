"""Quotation marks and symbols stay as they are written."""

from __future__ import annotations

import pytest

from errata.edits.typography import drops_symbol, keep_quotes
from errata.model import TextEdit


@pytest.mark.parametrize(
    ("text", "old", "new", "kept"),
    [
        ("“Complete neglect,” he said.", "“", '"', "“"),
        ("He is here,” she said.", "here,”", 'here."', "here.”"),
        ('He said "hi".', '"hi"', "“Hi”", '"Hi"'),
        ("It’s there car.", "It’s there", "It's their", "It’s their"),
        ("He dont know.", "dont", "don't", "don't"),
        ("the girl's", "girl's", "girls'", "girls'"),
        ("the ‘girl", "‘girl", '"girl', '"girl'),
    ],
)
def test_marks_stay(text: str, old: str, new: str, kept: str) -> None:
    edit = TextEdit(text.index(old), text.index(old) + len(old), new)
    assert keep_quotes(text, edit).replacement == kept


@pytest.mark.parametrize(
    ("old", "new", "is_dropped"),
    [
        ("🤗", '"', True),
        (" 🤗", "", True),
        ("🤗 goood", "🤗 good", False),
        ("©", "", True),
        ("—", ",", False),
        ("…", ".", False),
    ],
)
def test_symbols_stay(old: str, new: str, is_dropped: bool) -> None:
    assert drops_symbol(f"We are {old} here", TextEdit(7, 7 + len(old), new)) is is_dropped
