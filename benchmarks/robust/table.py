"""The table of a comparison in Markdown: a row for each alternative, means over seeds with their standard deviation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from errata.robustness.bounds import BETA
from errata.robustness.report import RobustReport
from errata.robustness.scores import DEFINITIONS, RobustScores

COLUMNS = ("original P", "R", "F0.5", "upper F0.5", "lower F0.5", "CRS", "P-CRS")


@dataclass(frozen=True, slots=True)
class Row:
    """An alternative and its reports, one for each seed."""

    name: str
    reports: tuple[RobustReport, ...]

    @property
    def precision(self) -> float:
        """Mean precision on the originals, which both definitions count alike."""
        return mean(one.total.scores[name].original.precision for one in self.reports for name in DEFINITIONS)


def format_table(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of a table for each definition, per cent; below each its signature."""
    for definition in DEFINITIONS:
        yield f"### {definition}"
        yield ""
        yield f"| | {' | '.join(COLUMNS)} |"
        yield f"|---|{'---:|' * len(COLUMNS)}"
        for row in rows:
            values = [_values(one.total.scores[definition]) for one in row.reports]
            yield f"| {row.name} | {' | '.join(_format(column) for column in zip(*values, strict=True))} |"
        yield ""
        yield f"`{rows[0].reports[0].signatures[definition]}`"
        yield ""


def _values(scores: RobustScores) -> tuple[float, ...]:
    original = scores.original
    bounds = (counts.f(BETA) for counts in (original, scores.upper, scores.lower))
    return (original.precision, original.recall, *bounds, scores.crs, scores.p_crs)


def _format(values: Sequence[float]) -> str:
    spread = f" ± {100 * stdev(values):.1f}" if len(values) > 1 else ""
    return f"{100 * mean(values):.1f}{spread}"


def as_dict(rows: Sequence[Row]) -> Mapping[str, object]:
    """All that was found, for JSON: every seed's report by row."""
    return {row.name: [one.as_dict() for one in row.reports] for row in rows}
