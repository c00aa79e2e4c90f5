"""The section about `errata meta`: how metrics agree with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from errata.reports.plots import draw_figure, draw_points, show_plots
from errata.reports.tables import ABSENT, Table, show_notes, show_number, show_tables

NAMES = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def show(result: Any) -> Iterator[str]:
    """A table for each track and group of systems, scatter plots, signatures."""
    for track in result["tracks"]:
        told = (
            f"{track['name']}: {track['n_sentences']} sentences, {track['n_systems']} systems, {track['n_pairs']} pairs"
        )
        yield f"<p>{escape(told)}</p>"
    yield from (f"<p>Warning: {escape(warning)}</p>" for warning in result["warnings"])
    places = dict.fromkeys((one["track"], one["group"]) for metric in result["metrics"] for one in metric["agreements"])
    yield from show_tables(_agreement_table(result, *place) for place in places)
    for track in result["tracks"]:
        yield from _show_plots(result, track)
    yield '<p class="quiet">r: Pearson, ρ: Spearman, τ: Kendall. The JSON of errata meta has no single sentences.</p>'
    signatures = (f"{metric['metric']}: {metric['signature']}" for metric in result["metrics"])
    yield show_notes([f"{result['settings']}|digest:{result['digest']}", *signatures])


def _agreement_table(result: Mapping[str, Any], track: str, group: str) -> Table:
    cells: dict[str, dict[str, str]] = {}
    for metric in result["metrics"]:
        for one in metric["agreements"]:
            if (one["track"], one["group"]) == (track, group):
                for name, value in one["values"].items():
                    heading = f"{one['level']} {one['against']} {NAMES.get(name, name)}"
                    cells.setdefault(heading, {})[metric["metric"]] = show_number(value, 3)
    rows = tuple(
        (metric["metric"], tuple(found.get(metric["metric"], ABSENT) for found in cells.values()))
        for metric in result["metrics"]
    )
    return Table(f"{track}, systems: {group}", "metric", tuple(cells), rows)


def _show_plots(result: Mapping[str, Any], track: Mapping[str, Any]) -> Iterator[str]:
    for method, ranking in track["rankings"].items():
        figures = []
        for metric in result["metrics"]:
            scores = metric["scores"].get(track["name"], {})
            points = {
                one["system"]: (scores[one["system"]], one["score"]) for one in ranking if one["system"] in scores
            }
            if points:
                name = metric["metric"]
                label = f"{name} and {method} of each system"
                caption = escape(f"{track['name']}: {name}")
                figures.append(draw_figure(caption, draw_points(points, name, method), label=label))
        yield show_plots(figures)
