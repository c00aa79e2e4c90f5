"""Scores and speeds that were measured, kept in results.json: a run that was interrupted goes on from there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.quality.sets import SETS
from rapidfuzz.distance import Levenshtein

from errata.errors import DataError
from errata.files import write_text

RESULTS = Path(__file__).with_name("results.json")


@dataclass(frozen=True, slots=True)
class Result:
    """The score of a corrector on a set; fractions. `edits` are per 100 tokens of the set, `code` is a digest."""

    set: str
    model: str
    preset: str
    metric: str
    value: float
    parts: dict[str, float]
    sentences: int
    signature: str
    gold: str
    weights: str
    floor: float | None
    part: float | None = None
    edits: float | None = None
    code: str = ""

    @property
    def key(self) -> str:
        """Its name among the pins and the results."""
        return f"{self.model}/{self.set}"

    @property
    def is_reached(self) -> bool:
        return self.floor is None or 100 * self.value >= self.floor


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a corrector beside its scores. `size` is in bytes, `per_second` in sentences."""

    name: str
    language: str
    digest: str
    size: int
    per_second: float | None = None
    sentences: int | None = None
    date: str | None = None
    machine: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Results:
    """All scores by corrector and set, and all correctors by name."""

    scores: dict[str, Result] = field(default_factory=dict)
    correctors: dict[str, Measured] = field(default_factory=dict)

    def of(self, model: str) -> dict[str, Result]:
        """The scores of a corrector by the name of the set, in the order of the sets."""
        return {name: self.scores[f"{model}/{name}"] for name in SETS if f"{model}/{name}" in self.scores}


def read_results(path: Path = RESULTS) -> Results:
    """The results of a file; none where there is no file."""
    if not path.is_file():
        return Results()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        scores = (Result(**score) for score in content["scores"].values())
        correctors = (Measured(**measured) for measured in content["correctors"].values())
        return Results({score.key: score for score in scores}, {one.name: one for one in correctors})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DataError(
            f"{path} holds no results that this version reads: {error}; take it away and run again"
        ) from error


def write_results(results: Results, path: Path = RESULTS) -> None:
    """Write the file, whole or not at all."""
    scores = {key: asdict(score) for key, score in sorted(results.scores.items())}
    correctors = {name: asdict(one) for name, one in sorted(results.correctors.items())}
    write_text(path, json.dumps({"scores": scores, "correctors": correctors}, indent=1) + "\n")


def edits_per_hundred(sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> float:
    """Runs of tokens that differ, per 100 tokens of the sources.

    >>> edits_per_hundred([["a", "b", "c", "d"]], [["a", "x", "y", "d", "e"]])
    50.0
    """
    n_edits = sum(_count_edits(source, target) for source, target in zip(sources, targets, strict=True))
    return 100 * n_edits / max(1, sum(map(len, sources)))


def _count_edits(source: Sequence[str], target: Sequence[str]) -> int:
    blocks = Levenshtein.opcodes(source, target)
    return sum(changed for changed, _ in groupby(block.tag != "equal" for block in blocks))
