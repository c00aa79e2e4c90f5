"""The section about `errata analyze density`: curves of each corpus and of each system, and their tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from errata.analysis.density_tables import LABELS, list_notes, make_tables
from errata.reports.plots import draw_curves, draw_figure, draw_legend
from errata.reports.tables import show_notes, show_tables

ACROSS = "erroneous sentences (%)"
Curves = Sequence[Mapping[str, Any]]


def show(result: Any) -> Iterator[str]:
    """Curves side by side, then the numbers."""
    curves = result["curves"]
    yield "<p>Precision and recall when correct sentences are removed from a corpus, or corrected versions of its own "
    yield "sentences are added. The dot is the corpus as it is.</p>"
    systems = list(dict.fromkeys(one["system"] for one in curves))
    corpora = list(dict.fromkeys(one["corpus"] for one in curves))
    yield "<h3>Systems on each corpus</h3>"
    for corpus in corpora:
        own = {one["system"]: one for one in curves if one["corpus"] == corpus}
        yield from _show_group(corpus, own, ("precision", "recall", "f0.5"))
    if len(corpora) > 1:
        yield "<h3>Corpora under each system</h3>"
        for system in systems:
            own = {one["corpus"]: one for one in curves if one["system"] == system}
            yield from _show_group(system, own, ("precision",))
    yield from show_tables(make_tables(curves))
    yield show_notes(list_notes(curves))


def _show_group(title: str, curves: Mapping[str, Mapping[str, Any]], measures: Sequence[str]) -> Iterator[str]:
    yield f"<h4>{escape(title)}</h4>{draw_legend(curves)}" + '<div class="plots">'
    for measure in measures:
        lines = {name: [(100 * p["share"], 100 * p[measure]) for p in one["points"]] for name, one in curves.items()}
        marks = {name: (100 * one["own"]["share"], 100 * one["own"][measure]) for name, one in curves.items()}
        label = f"{LABELS[measure]} of {', '.join(curves)} by the share of erroneous sentences: {title}"
        parts = draw_curves(lines, ACROSS, f"{LABELS[measure]} (%)", marks=marks)
        yield draw_figure(f"{escape(title)}: {LABELS[measure]}", parts, label=label)
    yield "</div>"
