"""Statements stay statements, and rows of tables, titles and items of lists get no full stop."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.sentence_ends import spoils_end
from errata.model import TextEdit


def ending(text: str, old: str, new: str) -> tuple[str, TextEdit, tuple[int, int]]:
    """A text, the edit of the mark at its end, and where the text is."""
    at = text.rindex(old) if old else len(text)
    return text, TextEdit(at, at + len(old), new), (0, len(text))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("You are coming tomorrow.", ".", "?"),
        ("He asked me where I was going.", ".", "?"),
        ("I wonder why he did that.", ".", "?"),
        ("I like the book, which is new.", ".", "?"),
        ("I know that he did it.", ".", "?"),
        ("He is here", "", "?"),
        ("He is here!", "!", "?"),
        ("我来了。", "。", "？"),
        ("他不来", "", "？"),
        ("Name\tAge\tCity", "", "."),
        ("blue pen | 3 | yes", "", "."),
        ("Monday  He goes to school  yes", "", "."),
        ("Bob       New York", "", "."),
        ("小明\t十岁\t北京", "", "。"),
        ('"I am here"', "", "."),
        ("“我来了”", "", "。"),
        ("About importing XML data", "", "."),
        ("Moving fields to the data area", "", "."),
        ("Moving a field whose parent is a group", "", "."),
        ("the title of the work, if supplied;", ";", "."),
        ("順序決定。", "", "."),
    ],
)
def test_ends_that_stay(text: str, old: str, new: str) -> None:
    assert spoils_end(*ending(text, old, new))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("Do you like it.", ".", "?"),
        ("How are you .", ".", "?"),
        ("Hello Alex, how are you.", ".", "?"),
        ("Is n't it time to go .", ".", "?"),
        ('"Are you coming."', ".", "?"),
        ("And what do you think.", ".", "?"),
        ("If you come, will you call me.", ".", "?"),
        ("You like it, don't you.", ".", "?"),
        ("I am late, right.", ".", "?"),
        ("What's this", "", "?"),
        ("你好吗。", "。", "？"),
        ("他是谁。", "。", "？"),
        ("你去不去。", "。", "？"),
        ("Hello world", "", "."),
        ('He said "I am here"', "", "."),
        ('"I like it" she said', "", "."),
        ("He came home,", ",", "."),
        ("Are you there?", "?", "."),
        ("Two  spaces", "", "."),
        ("他来了", "", "。"),
        ("Looking forward to your answer", "", "."),
        ("Playing football is fun", "", "."),
        ("Bring the book", "", "."),
        ("He came; she left,", ",", "."),
    ],
)
def test_ends_that_may_change(text: str, old: str, new: str) -> None:
    assert not spoils_end(*ending(text, old, new))


def test_a_mark_in_the_middle_is_no_end() -> None:
    assert not spoils_end("He came. She left.", TextEdit(7, 8, "?"), (0, 18))
    assert spoils_end("He came. She left.", TextEdit(7, 8, "?"), (0, 8))
    assert spoils_end("Tuesday  at home  no", TextEdit(16, 16, "."), (0, 20))
    assert spoils_end('He said: "She left."', TextEdit(18, 19, "?"), (0, 20))


@given(st.text("ab \t|\"'.,?是吗。？", max_size=20), st.data())
def test_only_end_marks_are_refused(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(st.text("ab ?.。？", max_size=3))
    if spoils_end(text, TextEdit(start, end, new), (0, len(text))):
        assert set(new) & set(".?。？")
