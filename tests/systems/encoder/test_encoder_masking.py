"""Which words are hidden, and what is shown in their place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.systems.encoder.masking import IGNORED, Alphabet, hide_words, n_hidden
from errata.systems.encoder.settings import MaskingSettings

MASK, N_MARKS, N_SUBWORDS = 4, 5, 60
ALPHABET = Alphabet(np.arange(N_SUBWORDS) < N_MARKS, MASK)
ONLY_MASKS = MaskingSettings(keep=0.0, random=0.0)


def text(seed: int, rows: int, positions: int, marks: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """Inputs of random subwords, some of them marks, cut into words at random."""
    rng = np.random.default_rng(seed)
    ids = rng.integers(N_MARKS, N_SUBWORDS, (rows, positions))
    ids[rng.random(ids.shape) < marks] = 3
    ids[:, 0], ids[:, -1] = 2, 3
    return ids.astype(np.uint16), rng.random(ids.shape) < 0.6


SETTINGS = st.builds(
    MaskingSettings,
    rate=st.floats(0.05, 0.6),
    join=st.sampled_from([0.0, 0.4]),
    keep=st.sampled_from([0.0, 0.1]),
    random=st.sampled_from([0.0, 0.1]),
    corrupt=st.sampled_from([0.0, 0.5]),
)


@given(st.integers(0, 2**20), st.integers(1, 6), st.integers(8, 40), SETTINGS)
def test_places_and_labels(seed: int, rows: int, positions: int, settings: MaskingSettings) -> None:
    ids, starts = text(seed, rows, positions)
    batch = hide_words(ids, starts, settings, ALPHABET, np.random.default_rng(seed))
    assert batch["places"].shape == batch["labels"].shape == (rows, n_hidden(settings, positions))
    for row in range(rows):
        is_asked = batch["labels"][row] != IGNORED
        places = batch["places"][row][is_asked]
        assert len(set(places)) == len(places)
        assert (ids[row, places] == batch["labels"][row][is_asked]).all()
        assert not ALPHABET.is_mark[ids[row, places]].any()
        changed = np.flatnonzero(batch["ids"][row] != ids[row])
        assert set(changed) <= set(places)


@given(st.integers(0, 2**20), st.integers(1, 6), st.integers(8, 40))
def test_words_are_hidden_whole(seed: int, rows: int, positions: int) -> None:
    ids, starts = text(seed, rows, positions)
    hidden = hide_words(ids, starts, ONLY_MASKS, ALPHABET, np.random.default_rng(seed))["ids"] == MASK
    is_mark = ids < N_MARKS
    for row in range(rows):
        for place in range(1, positions):
            is_inside = not starts[row, place] and not is_mark[row, place] and not is_mark[row, place - 1]
            if is_inside:
                assert hidden[row, place] == hidden[row, place - 1]


def test_the_same_generator_hides_the_same_words() -> None:
    ids, starts = text(3, 4, 50)
    first, again = (hide_words(ids, starts, MaskingSettings(), ALPHABET, np.random.default_rng(5)) for _ in range(2))
    other = hide_words(ids, starts, MaskingSettings(), ALPHABET, np.random.default_rng(6))
    assert all((first[name] == again[name]).all() for name in first)
    assert (first["ids"] != other["ids"]).any()


def test_shares() -> None:
    ids, starts = text(4, 300, 100, marks=0.0)
    batch = hide_words(ids, starts, MaskingSettings(), ALPHABET, np.random.default_rng(1))
    row, column = np.nonzero(batch["labels"] != IGNORED)
    labels, shown = batch["labels"][row, column], batch["ids"][row, batch["places"][row, column]]
    assert len(labels) / ids.size == pytest.approx(0.15, abs=0.01)
    assert (shown == MASK).mean() == pytest.approx(0.8, abs=0.02)
    assert (shown == labels).mean() == pytest.approx(0.1, abs=0.02)


def test_joined_words_make_longer_runs() -> None:
    ids, starts = text(4, 200, 100, marks=0.0)

    def n_runs(join: float) -> int:
        settings = replace(ONLY_MASKS, join=join)
        hidden = hide_words(ids, starts, settings, ALPHABET, np.random.default_rng(1))["ids"] == MASK
        return int((hidden[:, 1:] & ~hidden[:, :-1]).sum())

    assert n_runs(0.5) < 0.8 * n_runs(0.0)


def test_corrupted_words_sound_alike() -> None:
    alike = np.zeros((N_SUBWORDS, 2), np.uint16)
    alike[:, 0] = np.arange(N_SUBWORDS) ^ 1  # each has one that sounds alike; the last two have none
    n_alike = np.where(np.arange(N_SUBWORDS) < N_SUBWORDS - 2, 1, 0)
    alphabet = replace(ALPHABET, alike=alike, n_alike=n_alike)
    ids, starts = text(4, 200, 100, marks=0.0)
    settings = MaskingSettings(keep=0.0, random=0.0, corrupt=1.0)
    batch = hide_words(ids, starts, settings, alphabet, np.random.default_rng(1))
    row, column = np.nonzero((batch["labels"] != IGNORED) & (batch["labels"] < N_SUBWORDS - 2))
    labels, shown = batch["labels"][row, column], batch["ids"][row, batch["places"][row, column]]
    assert set((labels ^ shown).tolist()) == {0, 1}
    assert (labels == shown).mean() == pytest.approx(0.5, abs=0.05)
