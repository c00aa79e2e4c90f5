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
    ],
)
def test_insertions_and_deletions_take_a_neighbour(
    text: str, edit: tuple[int, int, str], shown: tuple[str, str]
) -> None:
    [wide] = widen_edits(text, [TextEdit(*edit)])
    assert (text[wide.start : wide.end], wide.replacement) == shown


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    text = draw(st.text(st.sampled_from("ab 中\n😀,"), max_size=25))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = zip(cuts[::2], cuts[1::2], strict=False)
    edits = [TextEdit(a, b, draw(st.sampled_from(["", " ", "x", " x", "x ", ",", "去"]))) for a, b in spans]
    starts = {edit.start for edit in edits if edit.start == edit.end}
    return text, [e for e in edits if len(starts) == len([1 for f in edits if f.start == f.end])]


@given(edited_texts())
def test_widening_changes_no_result(case: tuple[str, list[TextEdit]]) -> None:
    text, edits = case
    wide = widen_edits(text, edits)
    assert apply_text_edits(text, wide) == apply_text_edits(text, edits)
    assert all(left.end <= right.start for left, right in pairwise(wide))
    assert len(wide) == len(edits)
