"""No clause gets a capital after a comma that stays; a full stop brings one."""

from __future__ import annotations

import pytest

from errata.edits.capitals import begins_list_item, bring_capitals, comma_before_capital, without_capital
from errata.model import Correction, TextEdit


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


@pytest.mark.parametrize(
    ("edits", "corrected"),
    [
        ([(11, 11, ".")], "It was late. We left"),
        ([(11, 11, "."), (12, 14, "they")], "It was late. they left"),  # the next word changes anyhow
        ([(11, 11, "."), (11, 12, "  ")], "It was late.  we left"),  # so does the space before it
        ([(7, 11, "later"), (11, 11, ".")], "It was later. We left"),
    ],
    ids=["alone", "word", "space", "before"],
)
def test_a_capital_of_a_full_stop_overlaps_no_edit(edits: list[tuple[int, int, str]], corrected: str) -> None:
    text = "It was late we left"
    brought = bring_capitals(text, [TextEdit(*edit) for edit in edits], (0, len(text)))
    assert Correction(text, tuple(brought)).target == corrected


def test_the_capital_of_a_full_stop_keeps_what_the_edit_says() -> None:
    [edit] = bring_capitals("It was late we left", [TextEdit(11, 11, ".", "M:PUNCT", 0.9, about="why")], (0, 19))
    assert (edit.type, edit.confidence, edit.about) == ("M:PUNCT", 0.9, "why")
