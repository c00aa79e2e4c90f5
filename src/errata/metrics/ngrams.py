"""How the n-grams of a source, a hypothesis and a reference overlap, for many sentences at once.

A text is the multiset of its n-grams. What metrics count follows from the sizes of these multisets and of their
intersections. `count_overlaps` computes them with sorted arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from errata.model import Tokens

Triple = tuple[Tokens, Tokens, Tokens]
"""The tokens of a source, a hypothesis and a reference."""


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Sizes of multisets of n-grams and of their intersections, each (triples, orders).

    `kept` is what the source has in common with the hypothesis, `shared` the hypothesis with the reference, `wanted`
    the source with the reference, and `common` all three.
    """

    source: np.ndarray
    hypothesis: np.ndarray
    reference: np.ndarray
    kept: np.ndarray
    shared: np.ndarray
    wanted: np.ndarray
    common: np.ndarray


def count_overlaps(triples: Sequence[Triple], order: int) -> Overlaps:
    """The overlaps of every triple, for n-grams of 1 … order tokens."""
    lengths = np.array([len(side) for triple in triples for side in triple], dtype=np.int64)
    flat = list(chain.from_iterable(chain.from_iterable(triples)))
    places = {token: place for place, token in enumerate(dict.fromkeys(flat))}
    words = np.fromiter(map(places.__getitem__, flat), dtype=np.int64, count=len(flat))
    text = np.repeat(np.arange(len(lengths)), lengths)  # which text each token stands in; three texts make a triple
    # Two n-grams have the same number if they are equal and belong to the same triple.
    first = _number_distinct(text // 3 * (len(places) + 1) + words)
    columns = []
    ngrams = first
    for size in range(1, order + 1):
        if size > 1:
            ngrams = _number_distinct(ngrams[:-1] * (len(words) + 1) + first[size - 1 :])
        # The last n-gram that begins in a text may reach into the next one. Such an n-gram counts nowhere.
        inside = text[: len(ngrams)] == text[size - 1 :]
        columns.append(_sizes(ngrams[inside], text[: len(ngrams)][inside], len(triples)))
    return Overlaps(*np.stack(columns, axis=-1))


def _number_distinct(keys: np.ndarray) -> np.ndarray:
    """A number for each key, the same for equal keys."""
    numbers: np.ndarray = np.unique(keys, return_inverse=True)[1]
    return numbers


def _sizes(ngrams: np.ndarray, text: np.ndarray, n_triples: int) -> np.ndarray:
    """The seven sizes of each triple, (7, triples), from n-grams and the text that each of them stands in."""
    n_distinct = int(ngrams.max(initial=-1)) + 1
    triple = np.zeros(n_distinct, dtype=np.int64)
    triple[ngrams] = text // 3
    source, hypothesis, reference = (np.bincount(ngrams[text % 3 == side], minlength=n_distinct) for side in range(3))
    kept = np.minimum(source, hypothesis)
    sides = (source, hypothesis, reference, kept)
    overlaps = (np.minimum(hypothesis, reference), np.minimum(source, reference), np.minimum(kept, reference))
    return np.array([np.bincount(triple, counts, minlength=n_triples) for counts in chain(sides, overlaps)])
