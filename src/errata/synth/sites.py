"""Everyday slips counted in a corpus: how often each was made, and how often it could have been."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from errata.model import Tokens
from errata.synth.english import English
from errata.synth.everyday import ANY_KEY, START_SLIPS, Everyday, Slip
from errata.synth.sampler import Change, Sampler
from errata.synth.statistics import Statistics
from errata.synth.tables import EnglishTables

# Places that the mean rate of a noise counts for beside those of a key: one slip at the only place says little.
PRIOR_SITES = 300.0
# The mean rate of a noise that the corpus does not show.
RARE = 1e-5
# Corpora tokenise what is left of a clitic as a word of its own (`do nt`); these are compared without spaces.
UNSPACED = frozenset({"contraction", "possessive"})

Key = tuple[str, str]  # noise and key


class SlipCounter:
    """Counts the places of all everyday slips in corrected sentences, and the errors that are such slips."""

    def __init__(self, tables: EnglishTables) -> None:
        self.sites: Counter[Key] = Counter()
        self.slips: Counter[Key] = Counter()
        self._everyday = Everyday(tables, {})
        self._sampler = Sampler(English(Statistics(), tables), {})
        self._rng = Random(0)  # no slip draws a number

    def count(self, clean: Tokens, errors: Sequence[Change]) -> list[str | None]:
        """Count one sentence; the noise of each error, None for errors that are no everyday slips."""
        noises: list[str | None] = [None] * len(errors)
        for noise, key, change in self._possible(clean):
            self.sites[noise, key] += 1
            for number, error in enumerate(errors):
                if noises[number] is None and is_same(clean, change, error, unspaced=noise in UNSPACED):
                    noises[number] = noise
                    self.slips[noise, key] += 1
        return noises

    def rates(self) -> dict[str, dict[str, float]]:
        """Slips per place by noise and key; a key with few places leans on the mean of its noise."""
        made, possible = _by_noise(self.slips), _by_noise(self.sites)
        rates: dict[str, dict[str, float]] = {}
        for (noise, key), n_sites in sorted(self.sites.items()):
            mean = max(made[noise] / possible[noise], RARE)
            rate = (self.slips[noise, key] + PRIOR_SITES * mean) / (n_sites + PRIOR_SITES)
            rates.setdefault(noise, {ANY_KEY: float(f"{mean:.4g}")})[key] = float(f"{rate:.4g}")
        return rates

    def _possible(self, clean: Tokens) -> Iterator[tuple[str, str, Change]]:
        """Every slip that the sentence has a place for, as (noise, key, change)."""
        if not clean:
            return
        key = self._sampler.language.start_key(clean[0])
        looked_up = clean if key == clean[0] else (key, *clean[1:])
        places: list[tuple[int, Slip]] = [(0, slip) for slip in START_SLIPS]
        places += [(i, slip) for i, token in enumerate(looked_up) for slip in self._everyday.slips(token)]
        places += [(i, slip) for i, pair in enumerate(pairwise(looked_up)) for slip in self._everyday.pair_slips(*pair)]
        for i, (noise, rate_key, action) in places:
            slot = self._sampler.outcome(clean, looked_up, i, action, self._rng)
            if slot is not None:
                yield noise, rate_key, slot[:3]


def is_same(clean: Tokens, first: Change, second: Change, *, unspaced: bool) -> bool:
    """Whether two changes of a sentence give the same text, with `unspaced` whatever its tokens are."""
    if max(first[0], second[0]) > min(first[1], second[1]):
        return False
    start, end = min(first[0], second[0]), max(first[1], second[1])
    one, other = ((*clean[start:a], *new, *clean[b:end]) for a, b, new in (first, second))
    if one == other:
        return True
    return unspaced and "".join(one) == "".join(other) != "".join(clean[start:end])


def _by_noise(counts: Counter[Key]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for (noise, _), n in counts.items():
        totals[noise] += n
    return totals
