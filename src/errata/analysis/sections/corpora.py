"""The section about `errata stats`: figures of corpora."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from errata.analysis.statistics_tables import list_notes, make_tables
from errata.reports.plots import draw_bars, show_bars, show_plots
from errata.reports.tables import show_notes, show_number, show_percent, show_tables

PLOTTED = 40  # bars: more are a table


def show(result: Any) -> Iterator[str]:
    """Bars of error density, then all tables."""
    corpora = result["corpora"]
    yield f"<p>{len(corpora)} {'corpus' if len(corpora) == 1 else 'corpora'}.</p>"
    yield from _show_density(corpora)
    yield from show_tables(make_tables(corpora))
    yield '<p class="quiet">TTR: type-token ratio in windows of 1,000 tokens. κ: Cohen’s, about which sentences are '
    yield "erroneous. err. ref.: references that change something.</p>"
    yield show_notes(list_notes(corpora))


def _show_density(corpora: Any) -> Iterator[str]:
    shares = {one["name"]: one["erroneous_mean"] for one in corpora if one["erroneous_mean"] is not None}
    rates = {one["name"]: one["errors_per_10k"] for one in corpora if one["errors_per_10k"] is not None}
    figures = []
    for values, title, show_value in (
        (shares, "erroneous sentences (%), mean of annotators", show_percent),
        (rates, "errors per 10,000 tokens", lambda rate: show_number(rate, 0)),
    ):
        if 1 < len(values) <= PLOTTED:
            bars = {name: (value, show_value(value)) for name, value in sorted(values.items(), key=lambda one: -one[1])}
            figures.append(show_bars(draw_bars(bars, title), title))
    if figures:
        yield show_plots(figures)
