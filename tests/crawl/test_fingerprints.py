"""Numbers for texts: equal for duplicates, likely to meet for near duplicates, apart for others."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from benchmarks.crawl.prose import Prose
from hypothesis import given
from hypothesis import strategies as st

from errata.crawl.fingerprints import BANDS, EXACT, NEAR, ROWS, RUN, exact_key, near_keys, shuffle_key


def meet(one: str, other: str, language: str = "en") -> bool:
    return bool(np.intersect1d(near_keys(one, language), near_keys(other, language)).size)


def similarity(one: str, other: str) -> float:
    """How many runs of words two texts have in common, of all that either has (Jaccard)."""
    runs = [set(zip(*(text.lower().split()[n:] for n in range(RUN["en"])), strict=False)) for text in (one, other)]
    return len(runs[0] & runs[1]) / len(runs[0] | runs[1])


@given(st.text(), st.text())
def test_the_same_letters_have_the_same_key(one: str, other: str) -> None:
    letters = ["".join(filter(str.isalnum, text.casefold())) for text in (one, other)]
    if letters[0] and letters[1] and "_" not in one + other:
        assert (exact_key(one) == exact_key(other)) == (letters[0] == letters[1])
    assert exact_key(one) & 1 == EXACT


def test_keys_do_not_change() -> None:
    """What was written by another process, or another version of Python, must be found again."""
    assert exact_key("It's late.") == 0x4B5C13C54F59EB0C
    assert shuffle_key(17, 3) == 0xBCFB34AF66B240CF
    assert near_keys("one two three four five", "en")[0] == 0x297D92A5C976F0A1


def test_the_kind_stands_in_the_key() -> None:
    keys = near_keys(Prose(1).paragraph(), "en")
    assert len(keys) == BANDS and set(keys & np.uint64(1)) == {NEAR}


@pytest.mark.parametrize(("language", "text"), [("en", ""), ("en", "two words"), ("zh", "四个汉字"), ("zh", "……")])
def test_short_texts_have_no_neighbours(language: str, text: str) -> None:
    assert len(near_keys(text, language)) == 0


def test_neighbours_meet_as_often_as_they_should() -> None:
    """Over pairs of all similarities, the bands meet as often as the formula of MinHash says."""
    rng, prose = Random(5), Prose(5)
    n_met, expected, variance = 0, 0.0, 0.0
    for _ in range(400):
        words = prose.paragraph(5).split()
        changed = list(words)
        for place in rng.sample(range(len(words)), rng.randrange(12)):
            changed[place] = prose.word()
        one, other = " ".join(words), " ".join(changed)
        chance = 1 - (1 - similarity(one, other) ** ROWS) ** BANDS
        n_met += meet(one, other)
        expected += chance
        variance += chance * (1 - chance)
    assert abs(n_met - expected) < 4 * variance**0.5


def test_other_paragraphs_do_not_meet() -> None:
    prose = Prose(7)
    keys = np.concatenate([near_keys(prose.paragraph(), "en") for _ in range(2000)])
    assert len(np.unique(keys)) == len(keys)


def test_chinese_neighbours() -> None:
    text = "今天天气很好，我们一起去公园散步，然后回家吃饭，聊了很久才去睡觉。明天我们还要去看望住在乡下的外婆。"
    assert meet(text, text.replace("。", "！"), "zh")
    assert meet(text * 2, text * 2 + "好", "zh")
    assert not meet(text, "会议决定从下个月开始实行新的规定，所有员工都必须参加培训，否则不能继续工作下去了。", "zh")


def test_the_order_depends_on_the_seed() -> None:
    keys = [exact_key(str(number)) for number in range(200)]
    orders = [sorted(keys, key=lambda key, seed=seed: shuffle_key(key, seed)) for seed in (0, 1, 0)]
    assert orders[0] == orders[2] != orders[1]
