"""Curves of density as tables, from what `errata analyze density --json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from errata.analysis.density import MEASURES
from errata.reports.tables import ABSENT, Table, show_percent

KIND = "density"
LABELS = {"precision": "precision", "recall": "recall", "f0.5": "F0.5"}


def make_tables(curves: Sequence[Mapping[str, Any]]) -> list[Table]:
    """A table for each measure: a row for each corpus and system, a column for each share."""
    shares = sorted({point["share"] for curve in curves for point in curve["points"]})
    columns = (*(f"{100 * share:g} %" for share in shares), "own share", "as it is")
    tables = []
    for measure in MEASURES:
        rows = []
        for curve in curves:
            found = {point["share"]: show_percent(point[measure]) for point in curve["points"]}
            own = curve["own"]
            cells = (*(found.get(share, ABSENT) for share in shares), show_percent(own["share"]))
            rows.append((f"{curve['corpus']}, {curve['system']}", (*cells, show_percent(own[measure]))))
        title = f"{LABELS[measure]} (%) by the share of erroneous sentences"
        tables.append(Table(title, "corpus, system", columns, tuple(rows)))
    return tables


def list_notes(curves: Sequence[Mapping[str, Any]]) -> list[str]:
    """What should be known about curves, then their signatures."""
    named = [(f"{one['corpus']}, {one['system']}", one) for one in curves]
    notes = [f"{name}: {note}" for name, one in named for note in one["notes"]]
    return [*notes, *(f"{name}: {one['signature']}" for name, one in named)]
