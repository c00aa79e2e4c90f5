"""A meta-evaluation as one HTML page that needs nothing else: all metrics side by side, scatter and window plots."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from errata.meta_eval.columns import Column, describe_track, list_columns, list_places, show_interval, show_number
from errata.meta_eval.report import MetaReport, MetricReport, TrackReport
from errata.reports.page import make_page, make_table
from errata.reports.plots import PLOT_STYLE, draw_figure, draw_lines, draw_points
from errata.stats.rankings import Ranking


def format_page(report: MetaReport) -> str:
    """The whole page."""
    parts = [
        *(f'<p class="quiet">{escape(one.name)}: {escape(describe_track(one))}</p>' for one in report.tracks),
        *(f"<p>Warning: {escape(warning)}</p>" for warning in report.warnings),
        *(part for track, group in list_places(report) for part in _show_agreement(report, track, group)),
        *(part for track in report.tracks for part in _show_track(report, track)),
        *_show_tests(report),
        "<h2>How the numbers came about</h2>",
        f"<p><small>{escape(report.settings)}|digest:{escape(report.digest)}</small></p>",
        *(f"<p><small>{escape(one.name)}: {escape(one.signature)}</small></p>" for one in report.metrics),
    ]
    return make_page(f"Metrics against people: {report.data}", parts, PLOT_STYLE)


def _show_agreement(report: MetaReport, track: str, group: str) -> Iterable[str]:
    columns = list_columns(report, track, group)
    rows = [
        [escape(metric.name), *(_cell(column, place) for column in columns)]
        for place, metric in enumerate(report.metrics)
    ]
    yield f"<h2>{escape(track)}, systems: {escape(group)}</h2>"
    yield make_table(["metric", *(escape(column.heading) for column in columns)], rows)
    yield '<p class="quiet">r: Pearson, ρ: Spearman, τ: Kendall; small: 95 % intervals.</p>'


def _cell(column: Column, place: int) -> str:
    interval = column.intervals[place]
    told = f"<br><small>{show_interval(interval)}</small>" if interval else ""
    return f"{show_number(column.values[place])}{told}"


def _show_track(report: MetaReport, track: TrackReport) -> Iterable[str]:
    for method, ranking in track.rankings.items():
        yield f"<h2>{escape(track.name)}: systems by {escape(method)}</h2>"
        yield _ranking_table(ranking)
        yield '<div class="plots">'
        for metric in report.metrics:
            if track.name in metric.scores:
                yield _scatter(metric, track.name, ranking)
        yield "</div>"
        yield from _show_windows(report, track.name, method)


def _ranking_table(ranking: Ranking) -> str:
    rows = []
    for name, score in ranking.scores.items():
        low, high = ranking.ranges.get(name, (0, 0))
        cells = [f"{low}" if low == high else f"{low}–{high}", str(ranking.clusters[name])] if ranking.ranges else []
        rows.append([escape(name), show_number(score), *cells])
    return make_table(["system", "score", *(["ranks", "cluster"] if ranking.ranges else [])], rows)


def _scatter(metric: MetricReport, track: str, ranking: Ranking) -> str:
    scores = metric.scores[track]
    points = {name: (scores[name], human) for name, human in ranking.scores.items() if name in scores}
    label = f"{metric.name} and {ranking.method} of each system"
    return draw_figure(escape(metric.name), draw_points(points, metric.name, ranking.method), label=label)


def _show_windows(report: MetaReport, track: str, method: str) -> Iterable[str]:
    found = [
        (metric, one)
        for metric in report.metrics
        for one in metric.windows
        if (one.track, one.against) == (track, method)
    ]
    if found:
        yield f"<h2>{escape(track)}: windows of {found[0][1].size} systems along {escape(method)}</h2>"
        yield '<div class="plots">'
        for metric, one in found:
            lines = {"Pearson": one.pearson, "Spearman": one.spearman}
            caption = f"{escape(metric.name)}, systems: {escape(one.group)}"
            label = f"correlation of {metric.name} with {method} in each window, the best systems first"
            yield draw_figure(caption, draw_lines(lines, "window, the best systems first", "correlation"), label=label)
        yield "</div>"
        yield '<p class="quiet">Whole line: Pearson; dashed line: Spearman.</p>'


def _show_tests(report: MetaReport) -> Iterable[str]:
    if report.differences:
        head = ["where", "better", "worse", "difference of r", "p", "p (Holm)"]
        rows = [
            [
                escape(f"{one.track}, {one.group}, {one.against}"),
                escape(one.better),
                escape(one.worse),
                *map(show_number, (one.difference, one.p_value, one.corrected)),
            ]
            for one in report.differences
        ]
        yield "<h2>Williams' tests</h2>"
        yield make_table(head, rows)
