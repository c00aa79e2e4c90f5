"""No clause gets a capital after a comma that stays."""

from __future__ import annotations

import pytest

from errata.edits.capitals import begins_list_item, comma_before_capital, without_capital
from errata.model import TextEdit


def replacing(text: str, old: str, new: str) -> TextEdit:
    return TextEdit(text.index(old), text.index(old) + len(old), new)


@pytest.mark.parametrize(
    ("text", "old", "new", "lowered"),
    [
        ("I like it, its good.", "its", "It's", "it's"),
        ("I like it , its good .", "its", "It's", "it's"),
        ("He came, that way.", "that", "That", "that"),
        ("He came, and left.", " and", " And", " and"),
        ("I came, i left.", "i left", "I left", "I left"),
        ("I came, im tired.", "im", "I'm", "I'm"),
        ("In May, june and july.", "june", "June", "June"),
        ("He met will, may and us.", "may", "May", "May"),
        ("He came. its good.", "its", "It's", "It's"),
        ("its good.", "its", "It's", "It's"),
        ("He came, It good.", "It", "It's", "It's"),
        ('He said, "its good."', "its", "It's", "It's"),
    ],
)
def test_capitals_after_commas(text: str, old: str, new: str, lowered: str) -> None:
    edit = replacing(text, old, new)
    comma = comma_before_capital(text, edit)
    assert (edit if comma is None else without_capital(edit)).replacement == lowered
    assert comma is None or text[comma] == ","


@pytest.mark.parametrize(
    ("text", "old", "new", "begins"),
    [
        ("the title, if supplied;", "the", "The", True),
        ("the title, if supplied.", "the", "The", False),
        ("the title, if supplied;", "title", "Title", False),
        ("the titel, if supplied;", "the titel", "the title", False),
        ("", "", "A", False),
    ],
)
def test_items_of_lists_begin_as_they_do(text: str, old: str, new: str, begins: bool) -> None:
    assert begins_list_item(text, replacing(text, old, new), (0, len(text))) is begins
