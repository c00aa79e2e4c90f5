"""A report as columns of numbers, one for each way of agreeing, for tables on screens and pages."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from errata.meta_eval.agreement import CHOICE, SENTENCE, SYSTEM, Agreement
from errata.meta_eval.report import MetaReport, TrackReport

NAMES = {"pearson": "r", "spearman": "ρ", "kendall": "τ", "accuracy": "accuracy"}
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Column:
    """One number of every metric, with its interval where there is one."""

    heading: str
    values: list[float]
    intervals: list[Interval | None]


def list_places(report: MetaReport) -> list[tuple[str, str]]:
    """Every track with every group of systems that something is known of."""
    found = ((one.track, one.group) for metric in report.metrics for one in metric.agreements)
    return list(dict.fromkeys(found))


def list_columns(report: MetaReport, track: str, group: str) -> list[Column]:
    """The columns of one track and group; a metric that has no such number has `nan`."""
    cells: dict[str, dict[str, tuple[float, Interval | None]]] = {}
    for metric in report.metrics:
        for one in metric.agreements:
            if (one.track, one.group) == (track, group):
                for name, value in one.values.items():
                    if not (one.level == SYSTEM and name == "kendall"):  # of a dozen systems ρ says the same
                        cells.setdefault(_heading(one, name), {})[metric.name] = value, one.intervals.get(name)
    absent = (float("nan"), None)
    columns = []
    for heading, found in cells.items():
        own = [found.get(metric.name, absent) for metric in report.metrics]
        columns.append(Column(heading, [value for value, _ in own], [interval for _, interval in own]))
    return columns


def _heading(one: Agreement, name: str) -> str:
    if one.level == SYSTEM:
        return f"{one.against} {NAMES[name]}"
    if one.level == CHOICE:
        return name
    return NAMES[name] if one.level == SENTENCE and one.against == "pairs" else f"{one.level} {NAMES[name]}"


def describe_track(track: TrackReport) -> str:
    """A track in numbers: `391 sentences, 15 systems, 33544 pairs (18974 tied)`."""
    parts = [f"{track.n_sentences} sentences"]
    if track.n_systems:
        parts.append(f"{track.n_systems} systems")
    if track.n_pairs:
        parts.append(f"{track.n_pairs} pairs ({track.n_ties} tied)")
    if track.n_rated:
        parts.append(f"{track.n_rated} rated corrections")
    return ", ".join(parts)


def show_number(value: float) -> str:
    """Three places; a dash for what is not defined."""
    return "–" if isnan(value) else f"{value:.3f}"


def show_interval(interval: Interval | None) -> str:
    return "" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"
