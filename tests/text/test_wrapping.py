from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.text.wrapping import keep_line_ends, unwrap

LICENCE = """Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
Everybody has. The above copyright notice shall be included in all copies."""


def test_a_wrapped_paragraph_is_one_line() -> None:
    assert unwrap(LICENCE) == LICENCE.replace("\n", " ")
    assert unwrap(LICENCE.replace("\n", "\r\n")) == LICENCE.replace("\n", "  ")
    indented = LICENCE.replace("\n", "\n   ")
    assert unwrap(f"   {indented}\n\nA title\n\n{LICENCE}") == (
        f"   {indented}".replace("\n", " ") + "\n\nA title\n\n" + LICENCE.replace("\n", " ")
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "bread\nmilk\nsugar",
        "Milk and honey\nButter",
        "12 High Street\nBath\nEngland",
        "It was a good day for us all.\nthen it rained",
        "Hi Pat,\nI am fine and you?\nsee you",
        "- an item of a list that is rather long\n- another item of the same list, also long",
        "An introduction of some length that ends like this:\nfirst the one and then the other",
        "我昨天去了学校，学习到很多的知识，\n也认识了很多朋友，玩得很开心",
        "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:",
        "The first paragraph of all of them goes on and on\n\nand the second begins in lower case",
        "Prime minister resigns after long night of talks in city\n"
        "Stock markets fall sharply as investors fear new tariffs\n"
        "Scientists discover ancient forest below Antarctic glacier",
        "2019\tthe city of the north\t120\t340\tgood and better\tno\n"
        "2020\tthe city of the south\t130\t350\tgood and better\tyes\n",
        "buy milk and bread at the big store\ncall the dentist about the appointment\npay the bills until friday",
        "alice: we could meet tomorrow after work or so\nbob: that would be fine with me I think and you\n",
        "我们在上海的公司里一共工作了很长的时间，学习到很多的知识，也认识了很多朋友，大家都过得非常非常开心，\n2020年",
        "a line that ends with a separator of its own, not a newline\u2028and goes on",
    ],
)
def test_lines_of_their_own_stay_apart(text: str) -> None:
    assert unwrap(text) == text


@pytest.mark.parametrize(
    ("text", "edit", "target"),
    [
        ("got the\nthe files", TextEdit(7, 11, ""), "got the\nfiles"),
        ("got the the\nfiles", TextEdit(8, 12, ""), "got the\nfiles"),
        ("a well\nknown man", TextEdit(6, 7, "-"), None),
        ("we do\nnot go", TextEdit(5, 9, "n't"), None),
        ("a well\nknown man", TextEdit(2, 7, "well-"), None),
        ("saw\nthe\nhouse", TextEdit(3, 7, ""), None),
        ("in\nfact we", TextEdit(0, 7, "Actually"), None),
        ("we go\nhome", TextEdit(3, 5, "went"), "we went\nhome"),
    ],
)
def test_edits_keep_line_ends(text: str, edit: TextEdit, target: str | None) -> None:
    assert apply_text_edits(text, keep_line_ends(text, [edit])) == (text if target is None else target)


texts = st.lists(st.text("abC .,;-\n\r\u2028(1", max_size=40), max_size=6).map("\n".join)


@given(texts, st.data())
def test_nothing_but_line_ends_changes(text: str, data: st.DataObject) -> None:
    read = unwrap(text)
    assert len(read) == len(text) and unwrap(read) == read
    assert all(a == b or (a.isspace() and b == " ") for a, b in zip(text, read, strict=True))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = st.sampled_from(["", " ", "x", " x", "x y "])
    second = data.draw(st.integers(end, len(text)))
    edits = [TextEdit(start, end, data.draw(new)), TextEdit(end, second, data.draw(new))]
    after = apply_text_edits(text, keep_line_ends(text, [edit for edit in edits if edit.start < edit.end]))
    assert [c for c in after if c in "\r\n"] == [c for c in text if c in "\r\n"]
