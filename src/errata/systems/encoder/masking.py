"""Hiding whole words of a batch: what the network reads, and what it has to find."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errata.systems.encoder.settings import MaskingSettings

IGNORED = -100  # the label of a place that counts for nothing


@dataclass(frozen=True, slots=True)
class Alphabet:
    """What masking knows of a vocabulary: marks, the number of `[MASK]`, and which subwords sound alike.

    `alike` (subwords, n) lists those of each subword, `n_alike` how many there are; None where nothing is known.
    """

    is_mark: np.ndarray  # (subwords,)
    mask: int
    alike: np.ndarray | None = None
    n_alike: np.ndarray | None = None


def n_hidden(settings: MaskingSettings, positions: int) -> int:
    """How many subwords of an input are hidden at most: the places that the network is asked about."""
    return max(1, round(settings.rate * positions))


def hide_words(
    ids: np.ndarray, starts: np.ndarray, settings: MaskingSettings, alphabet: Alphabet, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """A batch: `ids` with words hidden, the `places` of these, and the `labels` there (`IGNORED` where fewer are).

    All inputs have the same number of places, so that batches have one shape.
    """
    rows, positions = ids.shape
    places_per_row = n_hidden(settings, positions)
    is_mark = alphabet.is_mark[ids]
    first = np.flatnonzero(_joined(starts, is_mark, settings.join, rng))
    lengths = np.diff(first, append=ids.size)
    allowed = np.flatnonzero(~np.logical_or.reduceat(is_mark.ravel(), first))
    chosen = allowed[_within(first[allowed] // positions, lengths[allowed], places_per_row, rng)]
    chosen.sort()
    where = _ranges(first[chosen], lengths[chosen])  # of all hidden subwords, in the flattened batch
    row = where // positions
    rank = np.arange(len(where)) - np.searchsorted(row, np.arange(rows))[row]
    places = np.zeros((rows, places_per_row), np.int64)
    labels = np.full((rows, places_per_row), IGNORED, np.int64)
    places[row, rank] = where % positions
    labels[row, rank] = ids.ravel()[where]
    shown = ids.astype(np.int64)
    fate = np.repeat(rng.random(len(chosen)), lengths[chosen])  # a word is hidden in one way
    shown.ravel()[where] = _shown(labels[row, rank], fate, ids, settings, alphabet, rng)
    return {"ids": shown, "places": places, "labels": labels}


def _joined(starts: np.ndarray, is_mark: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """The starts, without a share of those between words: a mark is never joined to anything."""
    alone: np.ndarray = is_mark.copy()
    alone[:, 0] = True
    alone[:, 1:] |= is_mark[:, :-1]
    if share:
        starts = starts & (rng.random(starts.shape) >= share)
    alone |= starts
    return alone


def _within(rows: np.ndarray, lengths: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """A random choice of words of each row that are `most` subwords together, or a few less."""
    order = np.argsort(rows + rng.random(len(rows)))
    rows, sizes = rows[order], lengths[order].cumsum()
    before = np.concatenate([[0], sizes])[np.searchsorted(rows, rows)]  # subwords of the rows above
    chosen: np.ndarray = order[sizes - before <= most]
    return chosen


def _ranges(first: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """first … first + length − 1 of each, one after the other."""
    before: np.ndarray = lengths.cumsum() - lengths
    ranges: np.ndarray = np.repeat(first - before, lengths)
    ranges += np.arange(len(ranges))
    return ranges


def _shown(
    labels: np.ndarray,
    fate: np.ndarray,
    ids: np.ndarray,
    settings: MaskingSettings,
    alphabet: Alphabet,
    rng: np.random.Generator,
) -> np.ndarray:
    """What is shown in place of `labels`: a mask, a random subword, a likely error, or what was there."""
    shown = np.full(len(labels), alphabet.mask, np.int64)
    is_kept = fate < settings.keep
    shown[is_kept] = labels[is_kept]
    is_random = ~is_kept & (fate < settings.keep + settings.random)
    shown[is_random] = rng.choice(np.flatnonzero(~alphabet.is_mark), is_random.sum())
    is_corrupt = ~is_kept & ~is_random & (fate < settings.keep + settings.random + settings.corrupt)
    if settings.corrupt:
        shown[is_corrupt] = _corrupted(labels[is_corrupt], ids, alphabet, rng)
    return shown


def _corrupted(labels: np.ndarray, ids: np.ndarray, alphabet: Alphabet, rng: np.random.Generator) -> np.ndarray:
    """Likely errors: half of the subwords stay, since few words are wrong in every character."""
    wrong = ids.ravel()[rng.integers(ids.size, size=len(labels))].astype(np.int64)  # as frequent as in the text
    wrong = np.where(alphabet.is_mark[wrong], labels, wrong)
    if alphabet.alike is not None and alphabet.n_alike is not None:
        n_alike = alphabet.n_alike[labels]
        drawn = alphabet.alike[labels, rng.integers(np.maximum(n_alike, 1))]
        wrong = np.where(n_alike > 0, drawn, wrong)
    return np.where(rng.random(len(labels)) < 0.5, wrong, labels)
