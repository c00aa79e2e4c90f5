"""What a robustness evaluation finds, as a record for Python, JSON, tables and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from errata.robustness.flips import Flip
from errata.robustness.groups import Groups
from errata.robustness.scores import RobustScores

TOTAL = "total"
# Faults that are told one by one.
NAMED = 3


@dataclass(frozen=True, slots=True)
class SubsetReport:
    """The scores of a subset in each definition; `n_changed` variants have another error than their original."""

    name: str
    n_cases: int
    n_variants: int
    n_changed: int
    scores: Mapping[str, RobustScores]

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "n_cases": self.n_cases,
            "n_variants": self.n_variants,
            "n_changed": self.n_changed,
            "scores": {name: scores.as_dict() for name, scores in self.scores.items()},
        }


@dataclass(frozen=True, slots=True)
class RobustReport:
    """The scores of each subset and of all cases together; groups, flips and warnings are about all of them.

    `faults` are the cases that could not be scored as they are, one line each.
    """

    hypothesis: str
    language: str
    subsets: Sequence[SubsetReport]
    total: SubsetReport
    groups: Groups = field(default_factory=dict)
    n_flips: int = 0
    flips: Sequence[Flip] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[str] = ()
    doubts: Sequence[str] = ()

    @property
    def warnings(self) -> list[str]:
        """What people should know: the first faults, how many more there are, and what is odd about hypotheses."""
        told = list(self.faults[:NAMED])
        if len(self.faults) > NAMED:
            told.append(f"{len(self.faults) - NAMED} more cases have faults; `faults` in the JSON names them all")
        return [*told, *self.doubts]

    @property
    def rows(self) -> list[SubsetReport]:
        """The subsets and, where there are several, all cases together."""
        return [*self.subsets, self.total] if len(self.subsets) > 1 else list(self.subsets)

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `errata robust`; shares are fractions."""
        return {
            "hypothesis": self.hypothesis,
            "language": self.language,
            "subsets": [one.as_dict() for one in self.subsets],
            TOTAL: self.total.as_dict(),
            "groups": {
                name: {label: row.as_dict() for label, row in rows.items()} for name, rows in self.groups.items()
            },
            "n_flips": self.n_flips,
            "flips": [flip.as_dict() for flip in self.flips],
            "signatures": dict(self.signatures),
            "faults": list(self.faults),
            "doubts": list(self.doubts),
        }
