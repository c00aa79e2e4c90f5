"""The ways of planting copies change what they say they change."""

from __future__ import annotations

import random

import pytest
from benchmarks.contamination.planting import WAYS, Words, count, split

from errata.datasets.similar import EXACT, Collection

ENGLISH = (
    "The committee will decide about the new school in our town on Monday morning , if at all possible , or Tuesday ."
)
CHINESE = "我每天早上都在公园里跑步，因为医生说这样对身体很好。"
OTHERS = ["zzz", "yyy"]


@pytest.mark.parametrize(("text", "glue", "others"), [(ENGLISH, " ", OTHERS), (CHINESE, "", ["零", "壹"])])
@pytest.mark.parametrize(
    ("way", "is_found"),
    [(way, not way.startswith("30 %")) for way in WAYS],
)
def test_a_planted_copy_is_found(text: str, glue: str, others: list[str], way: str, is_found: bool) -> None:
    units = split(text)
    planted = WAYS[way](units, Words(others, [others[0] * 20], glue), random.Random(1))
    found = Collection([text]).find(planted)
    assert bool(found) is is_found
    assert (planted == glue.join(units)) is (way == "copied")
    assert (found == [(0, EXACT)]) is (way in ("copied", "other case and punctuation"))


def test_units_are_words_or_characters() -> None:
    assert split("She goes .") == ["She", "goes", "."] and count(split("She goes .")) == 2
    assert split("我 走。") == ["我", "走", "。"]
