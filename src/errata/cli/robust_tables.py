"""A robustness report as tables and lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.text import Text

from errata.cli.grids import Grid, Row, make_console, print_grid
from errata.cli.tables import print_lines
from errata.model import Counts
from errata.robustness.bounds import BETA
from errata.robustness.flips import Flip
from errata.robustness.groups import GroupRow
from errata.robustness.report import RobustReport
from errata.robustness.scores import RobustScores


def print_report(report: RobustReport) -> None:
    """Scores, then their parts, groups, signatures and flips."""
    console = make_console()
    for name in report.signatures:
        print_grid(console, _score_grid(name, report))
    for name in report.signatures:
        print_grid(console, _part_grid(name, report))
    for name, rows in report.groups.items():
        print_grid(console, _group_grid(name, rows))
    print_lines(
        f"{signature} = {100 * report.total.scores[name].crs:.2f}" for name, signature in report.signatures.items()
    )
    if report.flips:
        console.print(f"{len(report.flips)} of {report.n_flips} flips:", soft_wrap=True)
        for flip in report.flips:
            for line in _describe_flip(flip):
                console.print(Text(line), soft_wrap=True)


def _score_grid(definition: str, report: RobustReport) -> Grid:
    """CRS and P-CRS, and how far the bounds of F0.5 are apart."""
    has_intervals = any(one.scores[definition].intervals for one in report.rows)
    columns = ["cases", "F0.5", "upper", "lower", "ΔF0.5", "CRS"]
    columns += ["95 %", "P-CRS", "95 % "] if has_intervals else ["P-CRS"]
    rows = []
    for one in report.rows:
        scores = one.scores[definition]
        cells = [str(one.n_cases)]
        cells += [_percent(counts.f(BETA)) for counts in (scores.original, scores.upper, scores.lower)]
        cells += [_percent(scores.delta), _percent(scores.crs)]
        cells += [_interval(scores, "crs")] if has_intervals else []
        cells += [_percent(scores.p_crs)]
        cells += [_interval(scores, "p_crs")] if has_intervals else []
        rows.append(Row(one.name, tuple(cells)))
    title = f"{definition} ({report.total.n_cases} cases, {report.total.n_variants} variants)"
    return Grid(title, "subset", tuple(columns), tuple(rows), are_files=True)


def _part_grid(definition: str, report: RobustReport) -> Grid:
    """Precision, recall and counts of the originals and of both bounds."""
    rows = []
    for one in report.rows:
        scores = one.scores[definition]
        for bound, counts in (("original", scores.original), ("upper", scores.upper), ("lower", scores.lower)):
            rows.append(Row(f"{one.name} {bound}", _count_cells(counts)))
    return Grid(f"bounds: {definition}", "bound", ("P", "R", "F0.5", "TP", "FP", "FN"), tuple(rows))


def _count_cells(counts: Counts) -> tuple[str, ...]:
    shares = (counts.precision, counts.recall, counts.f(BETA))
    return (*map(_percent, shares), str(counts.tp), str(counts.fp), str(counts.fn))


def _group_grid(name: str, rows: Mapping[str, GroupRow]) -> Grid:
    made = [
        Row(label, (str(row.n_variants), _percent(row.official), _percent(row.consistent)))
        for label, row in rows.items()
    ]
    return Grid(f"P-CRS by {name}", name, ("variants", "official", "consistent"), tuple(made))


def _describe_flip(flip: Flip) -> Iterator[str]:
    """Where it is, then both samples with what the hypothesis makes of them."""
    yield f"{flip.origin}:{flip.line}  case {flip.case} {flip.sample}"
    for name, side in (("original", flip.original), ("variant", flip.variant)):
        counts = side.counts
        yield f"    {name:<8} {side.text}"
        yield f"             {counts.tp} right, {counts.fp} wrong, {counts.fn} missed; reference: {side.reference}"


def _interval(scores: RobustScores, name: str) -> str:
    low, high = scores.intervals[name]
    return f"{_percent(low)}–{_percent(high)}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"
