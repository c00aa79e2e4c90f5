"""Pairs of corrections of one source, the better one known by what people said of it. Not in the paper.

Pairs from parallel data differ in gold edits and in those that a corrector of today gets wrong. Pairs of rated
corrections differ as the outputs of correctors do, and people weighed what is right in them against what is wrong.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean

from errata.errors import DataError
from errata.judges.impara.supervision import RankedPair
from errata.judges.ratings import RatedCorrection
from errata.model import Tokens

log = logging.getLogger(__name__)

# The corrections of every so many sources are kept apart.
DEV_EVERY = 10


def rank_rated(rated: Iterable[RatedCorrection], seed: int) -> tuple[list[RankedPair], list[RankedPair]]:
    """All pairs of different corrections of a source whose mean ratings differ: for training, and kept apart.

    Which sources are kept apart depends on the seed.
    """
    by_source: dict[Tokens, dict[Tokens, list[float]]] = {}
    for one in rated:
        by_source.setdefault(one.source, {}).setdefault(one.output, []).append(fmean(one.ratings))
    parts: tuple[list[RankedPair], list[RankedPair]] = ([], [])
    for number, outputs in enumerate(by_source.values()):
        parts[(number + seed) % DEV_EVERY == 0].extend(_rank(outputs))
    log.info("%d pairs of rated corrections, %d of them kept apart", sum(map(len, parts)), len(parts[1]))
    return parts


def _rank(outputs: Mapping[Tokens, Sequence[float]]) -> Iterator[RankedPair]:
    # Rounded, so that equal ratings are equal in whichever order they were added up.
    means = {output: round(fmean(ratings), 6) for output, ratings in outputs.items()}
    for first, second in combinations(sorted(means, key=means.__getitem__, reverse=True), 2):
        if means[first] > means[second]:
            yield RankedPair(first, second)


def repeat_pairs(pairs: Sequence[RankedPair], n_others: int, share: float) -> list[RankedPair]:
    """The pairs as often as makes them `share` of all, `n_others` being the others; each at least once."""
    if not pairs:
        raise DataError("no two rated corrections of a source differ in their ratings, so there is nothing to learn")
    wanted = round(n_others * share / (1 - share))
    if wanted < len(pairs):
        log.warning("%d rated pairs are more than the share of %g that was asked for", len(pairs), share)
    return [pairs[place % len(pairs)] for place in range(max(wanted, len(pairs)))]
