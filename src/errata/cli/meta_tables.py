"""A meta-evaluation as tables and lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from errata.cli.grids import Grid, Row, make_console, print_grid
from errata.cli.tables import print_lines
from errata.meta_eval.columns import Column, describe_track, list_columns, list_places, show_interval, show_number
from errata.meta_eval.report import Difference, MetaReport, TrackReport


def print_report(report: MetaReport, *, rankings: bool = False, tests: bool = False) -> None:
    """A table for each track and group of systems, a row for each metric; then signatures."""
    console = make_console()
    for track in report.tracks:
        print_lines([f"{track.name}: {describe_track(track)}"])
        if rankings:
            for grid in _ranking_grids(track):
                print_grid(console, grid)
    for track_name, group in list_places(report):
        print_grid(console, _agreement_grid(report, track_name, group))
    if tests and report.differences:
        print_grid(console, _test_grid(report.differences))
    print_lines(
        [f"{report.settings}|digest:{report.digest}", *(f"{one.name}: {one.signature}" for one in report.metrics)]
    )


def _ranking_grids(track: TrackReport) -> Iterator[Grid]:
    for method, ranking in track.rankings.items():
        rows = []
        for name, score in ranking.scores.items():
            low, high = ranking.ranges.get(name, (0, 0))
            ranks = str(low) if low == high else f"{low}–{high}"
            cells = (ranks, str(ranking.clusters[name])) if ranking.ranges else ()
            rows.append(Row(name, (show_number(score), *cells)))
        columns = (method, "ranks", "cluster") if ranking.ranges else (method,)
        yield Grid(f"{track.name}: people's ranking", "system", columns, tuple(rows))


def _agreement_grid(report: MetaReport, track: str, group: str) -> Grid:
    columns = list_columns(report, track, group)
    headings = [heading for column in columns for heading in _headings(column)]
    rows = tuple(Row(one.name, tuple(_cells(columns, place))) for place, one in enumerate(report.metrics))
    return Grid(f"{track}, systems: {group}", "metric", tuple(headings), rows, are_files=True)


def _headings(column: Column) -> list[str]:
    return [column.heading, f"{column.heading} 95 %"] if any(column.intervals) else [column.heading]


def _cells(columns: Sequence[Column], place: int) -> Iterator[str]:
    for column in columns:
        yield show_number(column.values[place])
        if any(column.intervals):
            yield show_interval(column.intervals[place])


def _test_grid(differences: Sequence[Difference]) -> Grid:
    rows = tuple(
        Row(
            f"{one.track}, {one.group}, {one.against}",
            (one.better, one.worse, show_number(one.difference), show_number(one.p_value), show_number(one.corrected)),
        )
        for one in differences
    )
    columns = ("better", "worse", "difference of r", "p", "p (Holm)")
    return Grid("Williams' tests", "where", columns, rows, texts=frozenset(columns[:2]))
