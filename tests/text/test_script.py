from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.model import TextEdit
from errata.text.script import simplify_traditional, write_traditional


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("這個問題很簡單。", "这个问题很简单。"),
        ("这個问题很简单。", "这個问题很简单。"),  # a slip in a Simplified text
        ("你好", "你好"),
        ("plain text", "plain text"),
        ("", ""),
    ],
)
def test_traditional_texts_are_read_in_simplified_characters(text: str, read: str) -> None:
    assert simplify_traditional(text) == read


@pytest.mark.parametrize(
    ("text", "edit", "replacement"),
    [
        ("他來學較了", TextEdit(2, 4, "学校"), "學校"),
        ("他來學校上科", TextEdit(5, 6, "课"), "課"),
        ("因未這很重要，為什麼", TextEdit(0, 2, "因为"), "因為"),
        ("他住在這理", TextEdit(3, 5, "这里"), "這裡"),
        ("他看着這理", TextEdit(3, 5, "这里"), "這裏"),
        ("他來學校", TextEdit(1, 2, "来"), None),  # only the script differs
        ("我有頭發", TextEdit(2, 4, "头发"), None),  # what is there stays
    ],
)
def test_edits_are_in_traditional_characters(text: str, edit: TextEdit, replacement: str | None) -> None:
    told = [one.replacement for one in write_traditional(text, [edit])]
    assert told == ([] if replacement is None else [replacement])


@given(st.text("這个問题簡单你好 a。"))
def test_what_is_read_has_the_same_length(text: str) -> None:
    assert len(simplify_traditional(text)) == len(text)
