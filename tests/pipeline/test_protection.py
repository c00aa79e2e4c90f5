from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.pipeline.protection import Protection
from errata.text.literals import literal_spans


def replaced(text: str, old: str, new: str, words: Sequence[str] = (), terms: Sequence[str] = ()) -> str:
    """The text after an edit that turns `old` into `new`, if the guard lets it."""
    start = text.index(old)
    return apply_text_edits(text, Protection(words, terms).keep(text, [TextEdit(start, start + len(old), new)]))


@pytest.mark.parametrize(
    ("text", "old", "new", "allowed"),
    [
        ("see https://exmaple.com here", "exmaple", "example", False),
        ("see https://a.com", "a.com", "a.com.", True),
        ("see https://a.com", "a.com", "a.com!", True),
        ("see https://a.com", "a.com", "a.coms", False),
        ("on https://a.com，我", "，", "", False),
        ("the https://a.com", "the ", "the", False),
        ("go #tag", "go ", "gone ", True),
        ("用`go`命令", "`", "的`", True),
        ("mail a@b.org now", "@b", "at b", False),
        ("a thing here", "a thing", "the things", True),
    ],
)
def test_edits_beside_and_inside_literals(text: str, old: str, new: str, allowed: bool) -> None:
    assert (replaced(text, old, new) != text) is allowed


@pytest.mark.parametrize(
    ("text", "old", "new", "words", "terms", "allowed"),
    [
        ("I use Foobar daily", "Foobar", "Football", ["Foobar"], [], False),
        ("I use Foobar daily", "Foobar", "Football", ["foobar"], [], False),
        ("I use foobar daily", "foobar", "football", ["Foobar"], [], True),
        ("I use Foobar daily", "Foobar daily", "Foobar weekly", ["Foobar"], [], True),
        ("I use Foobar daily", "Foobar", "Foobars", ["Foobar"], [], False),
        ("I use Foobar daily", "Foobar d", "Foobard", ["Foobar"], [], False),
        ("I use Foobars daily", "Foobars", "Football", ["Foobar"], [], True),
        ("I use Foobar", "Foobar", "Foobar.", ["Foobar"], [], True),
        ("the Data Lake Houses", "Lake", "lake", [], ["Data Lake"], False),
        ("the Data Lake Houses", "Houses", "House", [], ["Data Lake"], True),
        ("a well-known-ish", "well", "good", ["well-known"], [], False),
        ("我是张三封的", "封", "丰", ["张三封"], [], False),
        ("我是张三封", "封", "封的", ["张三封"], [], True),
        ("我是张三丰的", "的", "得", ["张三丰"], [], True),
        ("cafe\u0301 are", "cafe\u0301", "coffee", ["café"], [], False),
        ("İİ go", "go", "goes", ["x", "ii"], [""], True),
    ],
)
def test_words_and_terms(text: str, old: str, new: str, words: list[str], terms: list[str], allowed: bool) -> None:
    assert (replaced(text, old, new, words, terms) != text) is allowed


def test_the_rest_is_corrected() -> None:
    text = "Errata is a big deal at www.a.com"
    edits = [TextEdit(i, i + 1, c.swapcase()) for i, c in enumerate(text) if c.swapcase() != c]
    kept = Protection(["errata"], ["big deal"]).keep(text, edits)
    assert apply_text_edits(text, kept) == "Errata IS A big deal AT www.a.com"


def test_nothing_is_protected_where_nobody_asks() -> None:
    edit = TextEdit(4, 9, "b.com")
    assert Protection(literals=False).keep("www.a.com", [edit]) == [edit] and not Protection().keep("www.a.com", [edit])


pieces = st.sampled_from(
    ["a", "go", " ", ".", "#", "@", "`", "/", "https://", "x.py", "我", "foo", "-", "\n", "a@b.co"]
)
texts = st.lists(pieces, max_size=12).map("".join)


@settings(deadline=None)
@given(texts, st.data())
def test_protected_spans_come_back_whole(text: str, data: st.DataObject) -> None:
    bounds = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    edits = [TextEdit(a, b, data.draw(st.sampled_from(["", "z", " z", ".", "我"]))) for a, b in pairwise(bounds)]
    kept = Protection(["foo"]).keep(text, edits)
    for start, end in literal_spans(text):
        inside = [edit for edit in kept if edit.start < end and start < edit.end]
        assert all(text[e.start : e.end] == e.replacement or not _changes(text, e, start, end) for e in inside)


def _changes(text: str, edit: TextEdit, start: int, end: int) -> bool:
    """Whether the span is gone from the text around the edit."""
    near = slice(min(edit.start, start), max(edit.end, end))
    here = TextEdit(edit.start - near.start, edit.end - near.start, edit.replacement)
    return text[start:end] not in apply_text_edits(text[near], [here])
