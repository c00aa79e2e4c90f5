"""Prefixes and numbers stay whole."""

from __future__ import annotations

import pytest

from errata.edits.word_parts import breaks_number, drops_prefix
from errata.model import TextEdit


def replacing(text: str, old: str, new: str) -> TextEdit:
    return TextEdit(text.index(old), text.index(old) + len(old), new)


@pytest.mark.parametrize(
    ("text", "old", "new", "is_dropped"),
    [
        ("This re-implementation is fast.", "re-implementation", "implementation", True),
        ("You only re-download it.", "re-", "", True),
        ("De-duplicate any headers.", "De-duplicate", "duplicate", True),
        ("Re-initialize the store.", "Re-initialize", "initialized", True),
        ("They re-write it.", "re-write", "rewrite", False),
        ("They re-writes it.", "re-writes", "re-write", False),
        ("They pre-build it.", "pre-", "pre", False),
        ("He is co-author of it.", "is", "is a", False),
        ("A well-re-made thing.", "well-re-made", "made", False),
        ("", "", "a", False),
    ],
)
def test_prefixes_stay(text: str, old: str, new: str, is_dropped: bool) -> None:
    assert drops_prefix(text, replacing(text, old, new)) is is_dropped


@pytest.mark.parametrize(
    ("text", "old", "new", "is_broken"),
    [
        ("It takes 0.5ms.", ".5", "-5", True),
        ("It is faster than v2.1", ".", " ", True),
        ("It costs 1,000 euros.", ",", " ", True),
        ("We use ERRANT v2.0.0 here.", " v2", "-v2", True),
        ("At 5.30 we left.", ".", ":", False),
        ("It costs 10.000 euros.", ".", ",", False),
        ("He came.5 people left.", ".", ". ", False),
        ("A 5 year plan.", " year", "-year", False),
    ],
)
def test_numbers_stay_whole(text: str, old: str, new: str, is_broken: bool) -> None:
    assert breaks_number(text, replacing(text, old, new)) is is_broken
