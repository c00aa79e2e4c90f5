"""The table of confusable Chinese words: every entry is a slip, not a word twice."""

from __future__ import annotations

import pytest

from errata.synth import NoiseModel
from errata.synth.confusables import CONFUSABLES


@pytest.mark.parametrize("right", CONFUSABLES)
def test_entries_differ_in_few_characters(right: str) -> None:
    for wrong in CONFUSABLES[right]:
        assert len(wrong) == len(right) >= 2
        assert sum(a != b for a, b in zip(right, wrong, strict=True)) == 1
    assert len(set(CONFUSABLES[right])) == len(CONFUSABLES[right])


def test_a_word_is_written_with_the_wrong_character(chinese: NoiseModel) -> None:
    only = chinese.with_options(clean=0.0, rate=0.2, mix={name: float(name == "confusable") for name in chinese.shares})
    seen = {"".join(only.corrupt_at("我想充值。", seed=1, index=i).tokens) for i in range(60)}
    assert seen == {"我想充值。", "我想冲值。"} or seen == {"我想冲值。"}
