"""How well a metric agrees with people: by systems, by pairs of corrections, by rated corrections, in windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any

import numpy as np

from errata.errors import UnknownName
from errata.meta_eval.base import Judgement, Rated
from errata.stats.correlation import COEFFICIENTS, kendall, pearson, rank_numbers, row_pearson, spearman
from errata.stats.resampling import percentiles

CONFIDENCE = 0.95
SYSTEM, SENTENCE, CHOICE = "system", "sentence", "choice"


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of a metric with people in one respect: the numbers, and their 95 % intervals.

    `against` is what people's word was made of (EW, TS, pairs, ratings …), `group` the choice of systems and `n` the
    number of systems, pairs or corrections compared.
    """

    track: str
    level: str
    against: str
    group: str
    n: int
    values: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """JSON has no nan: a number that is not defined is null."""
        return {
            "track": self.track,
            "level": self.level,
            "against": self.against,
            "group": self.group,
            "n": self.n,
            "values": {name: _number(value) for name, value in self.values.items()},
            "intervals": {name: [_number(bound) for bound in bounds] for name, bounds in self.intervals.items()},
        }


def _number(value: float) -> float | None:
    return None if isnan(value) else value


# --- Systems.


def correlate_systems(metric: Sequence[float], human: Sequence[float]) -> dict[str, float]:
    """The three coefficients of systems' scores."""
    return {name: coefficient(metric, human) for name, coefficient in COEFFICIENTS.items()}


def system_intervals(resampled: np.ndarray, human: np.ndarray) -> dict[str, tuple[float, float]]:
    """Intervals of Pearson's and Spearman's coefficients, from scores (resamples, systems) and human ones like them.

    Rows in which a side does not vary have no coefficient and do not count.
    """
    ranks, human_ranks = np.apply_along_axis(rank_numbers, 1, resampled), np.apply_along_axis(rank_numbers, 1, human)
    rows = {"pearson": row_pearson(resampled, human), "spearman": row_pearson(ranks, human_ranks)}
    known = {name: row[~np.isnan(row)] for name, row in rows.items()}
    return {name: percentiles(row, CONFIDENCE) for name, row in known.items() if len(row)}


def slide_windows(
    metric: Mapping[str, float], human: Mapping[str, float], size: int
) -> tuple[list[tuple[str, ...]], list[float], list[float]]:
    """The systems in each window of `size` along the human ranking, the best first; Pearson and Spearman in each."""
    order = sorted(human, key=lambda name: -human[name])
    windows = [tuple(order[start : start + size]) for start in range(len(order) - size + 1)]
    sides = [([metric[name] for name in names], [human[name] for name in names]) for names in windows]
    return windows, [pearson(*side) for side in sides], [spearman(*side) for side in sides]


# --- Pairs of corrections of one sentence.


def _tie_is_wrong(agreed: np.ndarray, tied: np.ndarray, first_better: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return agreed.astype(float), np.ones_like(agreed, dtype=float)


def _tie_is_half(agreed: np.ndarray, tied: np.ndarray, first_better: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return agreed + 0.5 * tied, np.ones_like(agreed, dtype=float)


def _tie_is_left_out(agreed: np.ndarray, tied: np.ndarray, first_better: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return agreed.astype(float), (~tied).astype(float)


def _tie_is_loss(agreed: np.ndarray, tied: np.ndarray, first_better: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return agreed + (tied & ~first_better), np.ones_like(agreed, dtype=float)


# What a pair counts in which people see a difference and the metric sees none. `loss` is what gec-metrics computes: the
# system that comes first in the alphabet loses, which is right or wrong as chance has it.
TIES: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]] = {
    "wrong": _tie_is_wrong,
    "half": _tie_is_half,
    "skip": _tie_is_left_out,
    "loss": _tie_is_loss,
}


@dataclass(frozen=True, slots=True)
class PairCounts:
    """For each sentence, how many pairs count, and how much of them the metric judges as people do."""

    agreed: np.ndarray
    counted: np.ndarray

    @property
    def n_pairs(self) -> int:
        return int(self.counted.sum())

    def values(self) -> dict[str, float]:
        """Accuracy, and Kendall's τ of the pairs: those judged alike less the others, over all."""
        total = float(self.counted.sum())
        accuracy = float(self.agreed.sum()) / total if total else float("nan")
        return {"accuracy": accuracy, "kendall": 2 * accuracy - 1}

    def intervals(self, indices: np.ndarray) -> dict[str, tuple[float, float]]:
        """Intervals when sentences are resampled, (resamples, sentences)."""
        agreed, counted = self.agreed[indices].sum(axis=1), self.counted[indices].sum(axis=1)
        accuracy = (agreed / np.maximum(counted, 1))[counted > 0]
        if not len(accuracy):
            return {}
        low, high = percentiles(accuracy, CONFIDENCE)
        return {"accuracy": (low, high), "kendall": (2 * low - 1, 2 * high - 1)}


def check_ties(rule: str) -> None:
    """Refuse a rule for ties that there is not."""
    if rule not in TIES:
        raise UnknownName("rule for ties", rule, TIES)


def count_pairs(
    judgements: Sequence[Judgement],
    scores: Mapping[str, np.ndarray],
    systems: Sequence[str],
    n_sentences: int,
    ties: str,
) -> PairCounts:
    """The judgements of pairs among `systems` in which people see a difference, and whether the metric agrees."""
    places = {name: place for place, name in enumerate(sorted(systems))}
    table = np.array([scores[name] for name in places])  # (systems, sentences)
    rows = [
        (places[one.first], places[one.second], one.sentence, one.outcome)
        for one in judgements
        if one.outcome and one.first in places and one.second in places
    ]
    first, second, sentence, outcome = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    turned = first > second  # the rule `loss` depends on which of the two comes first
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    outcome = np.where(turned, -outcome, outcome)
    return _judge(np.sign(table[first, sentence] - table[second, sentence]), outcome, sentence, n_sentences, ties)


def count_rated_pairs(rated: Sequence[Rated], scores: Sequence[np.ndarray], n_sentences: int, ties: str) -> PairCounts:
    """The same for each two corrections of a row whose values differ."""
    signs, outcomes, sentences = [], [], []
    for row, own in zip(rated, scores, strict=True):
        above = np.triu_indices(len(own), 1)
        values = np.array(row.values)
        signs.append(np.sign(own[above[0]] - own[above[1]]))
        outcomes.append(np.sign(values[above[0]] - values[above[1]]))
        sentences.append(np.full(len(above[0]), row.sentence))
    outcome = np.concatenate(outcomes)
    seen = outcome != 0
    return _judge(np.concatenate(signs)[seen], outcome[seen], np.concatenate(sentences)[seen], n_sentences, ties)


def _judge(signs: np.ndarray, outcome: np.ndarray, sentence: np.ndarray, n_sentences: int, ties: str) -> PairCounts:
    agreed, counted = TIES[ties](signs == outcome, signs == 0, outcome > 0)
    return PairCounts(
        np.bincount(sentence, agreed, n_sentences),
        np.bincount(sentence, counted, n_sentences),
    )


# --- Rated corrections.


def correlate_rated(rated: Sequence[Rated], scores: Sequence[np.ndarray]) -> dict[str, float]:
    """Pearson and Spearman over all corrections together."""
    values = np.concatenate([row.values for row in rated])
    own = np.concatenate(list(scores))
    return {"pearson": pearson(own, values), "spearman": spearman(own, values)}


def rated_intervals(
    rated: Sequence[Rated], scores: Sequence[np.ndarray], indices: np.ndarray
) -> dict[str, tuple[float, float]]:
    """Their intervals when rows are resampled, (resamples, rows)."""
    found: dict[str, list[float]] = {"pearson": [], "spearman": []}
    for row in indices:
        chosen = correlate_rated([rated[place] for place in row], [scores[place] for place in row])
        for name, value in chosen.items():
            if not isnan(value):
                found[name].append(value)
    return {name: percentiles(np.array(values), CONFIDENCE) for name, values in found.items() if values}


def correlate_order(rated: Sequence[Rated], scores: Sequence[np.ndarray]) -> np.ndarray:
    """Kendall's τ-b of each row that people's values order; 0 where the metric sees no difference at all."""
    found = []
    for row, own in zip(rated, scores, strict=True):
        if len(set(row.values)) > 1:
            value = kendall(own, row.values)
            found.append(0.0 if isnan(value) else value)
    return np.array(found)


def choose_best(rated: Sequence[Rated], scores: Sequence[np.ndarray]) -> dict[str, float]:
    """The mean value of the corrections that the metric likes best, beside that of the best, the first and all."""
    chosen = [row.values[int(own.argmax())] for row, own in zip(rated, scores, strict=True)]
    return {
        "chosen": float(np.mean(chosen)),
        "best": float(np.mean([max(row.values) for row in rated])),
        "first": float(np.mean([row.values[0] for row in rated])),
        "mean": float(np.mean([np.mean(row.values) for row in rated])),
    }
