"""The type-token ratio: the fast way and the obvious one agree, and order matters only where it should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.analysis.variety import TokenNumbers, type_token_ratio

TOKENS = st.lists(st.integers(0, 8), max_size=60)


def slow_ratio(tokens: list[int], window: int) -> float | None:
    """Window by window."""
    shares = [len(set(tokens[start : start + window])) / window for start in range(len(tokens) - window + 1)]
    return sum(shares) / len(shares) if shares else None


@given(TOKENS, st.integers(1, 12))
def test_no_window_has_to_be_looked_at(tokens: list[int], window: int) -> None:
    assert type_token_ratio(np.array(tokens, dtype=np.int64), window) == pytest.approx(slow_ratio(tokens, window))


def test_case_does_not_make_another_type() -> None:
    numbers = TokenNumbers()
    numbers.add(["The", "the"])
    numbers.add(["THE", "cat"])
    assert numbers.ratio(4) == 0.5


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=5), min_size=1, max_size=12), st.integers(0, 9))
def test_shuffling_keeps_sentences_whole(sentences: list[list[str]], seed: int) -> None:
    """In a window as long as the text, the order cannot matter."""
    numbers = TokenNumbers()
    for tokens in sentences:
        numbers.add(tokens)
    n_tokens = sum(map(len, sentences))
    if n_tokens:
        assert numbers.shuffled_ratio(seed, n_tokens) == numbers.ratio(n_tokens)


def test_a_subject_at_a_time_varies_less_than_all_at_once() -> None:
    numbers = TokenNumbers()
    for subject in "abcdefgh":
        for word in "12345678" * 4:
            numbers.add([subject + word])
    ordered, shuffled = numbers.ratio(32), numbers.shuffled_ratio(1, 32)
    assert ordered is not None and shuffled is not None and shuffled > ordered


def test_a_short_text_has_none() -> None:
    assert TokenNumbers().ratio() is None and TokenNumbers().shuffled_ratio(1) is None
