"""What a meta-evaluation finds, as a record for Python, JSON, tables and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errata.meta_eval.agreement import Agreement
from errata.stats.rankings import Ranking


@dataclass(frozen=True, slots=True)
class TrackReport:
    """A track in numbers, and the human score of each system by each method."""

    name: str
    n_sentences: int
    n_systems: int
    n_pairs: int
    n_ties: int
    n_rated: int
    rankings: Mapping[str, Ranking]

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "n_sentences": self.n_sentences,
            "n_systems": self.n_systems,
            "n_pairs": self.n_pairs,
            "n_ties": self.n_ties,
            "n_rated": self.n_rated,
            "rankings": {
                method: [
                    {
                        "system": name,
                        "score": score,
                        "ranks": list(ranking.ranges[name]) if ranking.ranges else None,
                        "cluster": ranking.clusters.get(name),
                    }
                    for name, score in ranking.scores.items()
                ]
                for method, ranking in self.rankings.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Windows:
    """Correlations in each window of the human ranking; `systems` are those in each."""

    track: str
    group: str
    against: str
    size: int
    systems: Sequence[tuple[str, ...]]
    pearson: Sequence[float]
    spearman: Sequence[float]

    def as_dict(self) -> dict[str, Any]:
        return {
            "track": self.track,
            "group": self.group,
            "against": self.against,
            "size": self.size,
            "windows": [
                {"systems": list(names), "pearson": _number(one), "spearman": _number(other)}
                for names, one, other in zip(self.systems, self.pearson, self.spearman, strict=True)
            ],
        }


def _number(value: float) -> float | None:
    return None if value != value else value


@dataclass(frozen=True, slots=True)
class MetricReport:
    """One metric: its scores of the systems of each track, and how they agree with people."""

    name: str
    signature: str
    scores: Mapping[str, Mapping[str, float]]
    agreements: Sequence[Agreement]
    windows: Sequence[Windows] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "metric": self.name,
            "signature": self.signature,
            "scores": {track: dict(values) for track, values in self.scores.items()},
            "agreements": [one.as_dict() for one in self.agreements],
            "windows": [one.as_dict() for one in self.windows],
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """Williams' test: whether `better` agrees better with people than `worse`; `corrected` is Holm's p-value."""

    track: str
    group: str
    against: str
    better: str
    worse: str
    difference: float
    p_value: float
    corrected: float

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class MetaReport:
    """All metrics on one judged set, side by side."""

    data: str
    digest: str
    settings: str
    tracks: Sequence[TrackReport]
    metrics: Sequence[MetricReport]
    differences: Sequence[Difference] = ()
    warnings: Sequence[str] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `errata meta`."""
        return {
            "data": self.data,
            "digest": self.digest,
            "settings": self.settings,
            "tracks": [one.as_dict() for one in self.tracks],
            "metrics": [one.as_dict() for one in self.metrics],
            "differences": [one.as_dict() for one in self.differences],
            "warnings": list(self.warnings),
        }
