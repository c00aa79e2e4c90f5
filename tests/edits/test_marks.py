"""Slips of punctuation: spaces around commas, question marks after reported questions, and what stays."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.edits.marks import find_slips


def mend(text: str) -> str:
    return apply_text_edits(text, list(find_slips(text, (0, len(text)))))


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("I like tea , but not now.", "I like tea, but not now."),
        ("It was small,and it was cold.", "It was small, and it was cold."),
        ("She asked me where I lived?", "She asked me where I lived."),
        ("I don't know what it means?", "I don't know what it means."),
        ("I was wondering if you could come?", "I was wondering if you could come."),
    ],
)
def test_slips_are_mended(text: str, mended: str) -> None:
    assert mend(text) == mended
    assert mend(mended) == mended


@pytest.mark.parametrize(
    "text",
    [
        "He came , saw , and left .",  # tokenised text has spaces of its own
        "It does n't matter , she said .",
        "Call f(x,and_y) or x,it=3.",
        "Did she ask where I lived?",
        "Do you know what it means?",
        "Where is it?",
        "She asked, where is it?",
    ],
)
def test_what_is_right_or_not_prose_stays(text: str) -> None:
    assert mend(text) == text


@given(st.text(alphabet="ab ,;?!.I\n", max_size=60))
def test_the_edits_are_in_order_and_apart(text: str) -> None:
    spans = [(edit.start, edit.end) for edit in find_slips(text, (0, len(text)))]
    assert spans == sorted(spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
