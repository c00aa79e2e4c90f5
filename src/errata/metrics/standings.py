"""Several systems under one metric: their scores, the tests of every pair, and the ranking that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from errata.errors import UnknownName, UsageError
from errata.metrics.base import Metric
from errata.metrics.evaluation import Evaluation
from errata.metrics.scoring import Answers, Warn, check_resampling, evaluate_answers
from errata.stats.pairwise import (
    CORRECTIONS,
    PAIRWISE_TESTS,
    CorrectedTest,
    Pair,
    Standing,
    System,
    compare_pairs,
    enough_resamples,
    is_resampled_enough,
    rank_systems,
)
from errata.stats.resampling import DEFAULT_SEED, bootstrap_scores

DEFAULT_LEVEL = 0.05  # the usual one


@dataclass(frozen=True, slots=True)
class Procedure:
    """How systems are compared: by which tests, and below which corrected p-value two of them differ."""

    methods: tuple[str, ...] = tuple(PAIRWISE_TESTS)
    correction: str = "holm"
    level: float = DEFAULT_LEVEL
    n_resamples: int = 1000
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        for method in self.methods:
            if method not in PAIRWISE_TESTS:
                raise UnknownName("test", method, PAIRWISE_TESTS)
        if self.correction not in CORRECTIONS:
            raise UnknownName("correction", self.correction, CORRECTIONS)
        if not 0 < self.level < 1:
            raise UsageError(f"the level of significance is between 0 and 1, not {self.level:g}")

    def is_enough(self, n_systems: int) -> bool:
        """Whether there are enough resamples for any two of so many systems to differ."""
        return is_resampled_enough(self.n_resamples, n_systems, self.correction, self.level)


def choose_procedure(
    methods: Sequence[str], correction: str, level: float, n_resamples: int | None, seed: int, n_systems: int
) -> Procedure:
    """The procedure for so many systems; without a number of resamples it has enough of them."""
    procedure = Procedure(tuple(dict.fromkeys(methods)), correction, level)
    if n_resamples is None:
        n_resamples = enough_resamples(n_systems, correction, level)
    check_resampling("bootstrap", n_resamples, 1, seed)
    return replace(procedure, n_resamples=n_resamples, seed=seed)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The tests of every pair by one method, and the systems from best to worst."""

    method: str
    pairs: Mapping[Pair, CorrectedTest]
    ranking: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class ComparedSystems:
    """The evaluations of systems in the order they were given, and one entry for each method."""

    evaluations: tuple[Evaluation, ...]
    outcomes: tuple[Outcome, ...]
    procedure: Procedure

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `errata compare`; systems are named by their hypothesis."""
        names = [one.hypothesis for one in self.evaluations]
        return {
            "metric": self.evaluations[0].score.metric,
            "systems": [one.as_dict() for one in self.evaluations],
            "correction": self.procedure.correction,
            "alpha": self.procedure.level,
            "pairwise": [
                {
                    "method": outcome.method,
                    "pairs": [
                        {"first": names[first], "second": names[second], "adjusted_p_value": one.p_value}
                        | asdict(one.test)
                        for (first, second), one in outcome.pairs.items()
                    ],
                    "ranking": [
                        {"hypothesis": names[one.system], "rank": one.rank, "groups": list(one.groups)}
                        for one in outcome.ranking
                    ],
                }
                for outcome in self.outcomes
            ],
        }


def compare_systems(
    metric: Metric[Any],
    answers: Sequence[Answers],
    stats: Sequence[Sequence[Any]],
    procedure: Procedure,
    warn: Warn,
    context: str = "",
) -> ComparedSystems:
    """The comparison of systems from their answers and statistics. Each is scored on the same resamples once."""
    n_resamples, seed = procedure.n_resamples, procedure.seed
    resampled = [bootstrap_scores(metric, own, n_resamples, seed) for own in stats]
    evaluations = [
        evaluate_answers(metric, one, own, warn, n_resamples=n_resamples, seed=seed, context=context, resampled=scores)
        for one, own, scores in zip(answers, stats, resampled, strict=True)
    ]
    values = [one.score.value for one in evaluations]
    systems = [System(*fields) for fields in zip(stats, values, resampled, strict=True)]
    outcomes = []
    for method in procedure.methods:
        pairs = compare_pairs(metric, systems, method, procedure.correction, n_resamples=n_resamples, seed=seed)
        ranking = rank_systems(values, pairs, procedure.level)
        outcomes.append(Outcome(next(iter(pairs.values())).test.method, pairs, tuple(ranking)))
    return ComparedSystems(tuple(evaluations), tuple(outcomes), procedure)
