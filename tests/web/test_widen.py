"""Edits as editors underline them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.web.languagetool.widen import widen_edits


@pytest.mark.parametrize(
    ("text", "edit", "shown"),
    [
        ("I go school.", (4, 4, " to"), ("go", "go to")),
        ("I very like it.", (1, 6, ""), ("I very", "I")),
        ("Very good.", (0, 5, ""), ("Very good", "good")),
        ("I go home.", (2, 4, "went"), ("go", "went")),
        ("I do not.", (4, 8, "n't"), ("do not", "don't")),
        ("park is big", (0, 0, "The "), ("park", "The park")),
        ("word , then", (4, 5, ""), ("word ,", "word,")),
        ("我学校。", (1, 1, "去"), ("我", "我去")),
        ("我很很好。", (2, 3, ""), ("很好", "好")),
        ("one\ntwo", (3, 3, "."), ("one", "one.")),
        ("a", (0, 1, ""), ("a", "")),
        ("a" * 150, (150, 150, "."), ("a", "a.")),
    ],
)
def test_insertions_and_deletions_take_a_neighbour(
    text: str, edit: tuple[int, int, str], shown: tuple[str, str]
) -> None:
    [wide] = widen_edits(text, [TextEdit(*edit)])
    assert (text[wide.edit.start : wide.edit.end], wide.edit.replacement) == shown


@pytest.mark.parametrize(
    ("text", "edits", "shown"),
    [
        (
            "go school",
            [(0, 2, "went"), (2, 2, " to"), (3, 9, "the school")],
            [("go", "went to"), ("school", "the school")],
        ),
        ("Very good.", [(0, 5, ""), (5, 9, "Good")], [("Very good", "Good")]),
        (
            "my friend dont",
            [(3, 9, "friends"), (9, 9, ","), (10, 14, "don't")],
            [("friend", "friends,"), ("dont", "don't")],
        ),
        ("one\ntwo", [(0, 3, "1"), (3, 3, "."), (4, 7, "2")], [("one", "1."), ("two", "2")]),
        ("我很很好", [(0, 1, "你"), (1, 1, "们"), (1, 2, "")], [("我", "你们"), ("很很", "很")]),
    ],
)
def test_neighbours_that_change_too_are_one_edit(
    text: str, edits: list[tuple[int, int, str]], shown: list[tuple[str, str]]
) -> None:
    wide = widen_edits(text, [TextEdit(*edit) for edit in edits])
    assert [(text[one.edit.start : one.edit.end], one.edit.replacement) for one in wide] == shown


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    text = draw(st.text(st.sampled_from("ab 中\n😀,"), max_size=15))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    spans = zip(cuts[::2], cuts[1::2], strict=False)
    edits = [TextEdit(a, b, draw(st.sampled_from(["", " ", "x", " x", "x ", ",", "去"]))) for a, b in spans]
    starts = {edit.start for edit in edits if edit.start == edit.end}
    return text, [e for e in edits if len(starts) == len([1 for f in edits if f.start == f.end])]


@given(edited_texts())
def test_widening_changes_no_result(case: tuple[str, list[TextEdit]]) -> None:
    text, edits = case
    wide = widen_edits(text, edits)
    made = [one.edit for one in wide]
    assert apply_text_edits(text, made) == apply_text_edits(text, edits)
    assert all(left.end <= right.start for left, right in pairwise(made))
    assert [number for one in wide for number in one.members] == list(range(len(edits)))


@given(edited_texts())
def test_what_is_underlined_begins_and_ends_with_a_word(case: tuple[str, list[TextEdit]]) -> None:
    text, edits = case
    for edit in (one.edit for one in widen_edits(text, edits)):
        old = text[edit.start : edit.end]
        line = text[text.rfind("\n", 0, edit.start) + 1 : (text + "\n").index("\n", edit.end)]
        assert old.strip() or not line.strip()
        before, after = text[: edit.start].rpartition("\n")[2], text[edit.end :].partition("\n")[0]
        assert not old[:1].isspace() or not before.strip()
        assert not old[-1:].isspace() or not after.strip()
