"""The section about `errata robust`: both definitions, groups, and the worst flips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from errata.reports.page import make_table
from errata.reports.plots import draw_bars, show_bars, show_plots
from errata.reports.tables import Table, show_notes, show_percent, show_tables

NO_FLIPS = "No flips here: errata robust --flips N --json adds the worst of them."


def show(result: Any) -> Iterator[str]:
    """Scores of each definition, groups, flips, signatures."""
    total = result["total"]
    told = f"{result['hypothesis']}: {total['n_cases']} cases with {total['n_variants']} variants."
    yield f"<p>{escape(told)}</p>"
    rows = [*result["subsets"], total] if len(result["subsets"]) > 1 else result["subsets"]
    yield from show_tables(_definition_table(name, rows) for name in total["scores"])
    for name, groups in result["groups"].items():
        yield from _show_group(name, groups)
    yield from _show_flips(result)
    yield show_notes([*result["doubts"], *(f"{name}: {one}" for name, one in result["signatures"].items())])


def _definition_table(name: str, rows: Any) -> Table:
    columns = ("cases", "P", "R", "F0.5", "upper", "lower", "Δ", "CRS", "P-CRS")
    made = []
    for one in rows:
        scores = one["scores"][name]
        f_scores = [scores[bound]["f0.5"] for bound in ("original", "upper", "lower")]
        shares = (scores["original"]["precision"], scores["original"]["recall"], *f_scores)
        last = (scores["delta"], scores["crs"], scores["p_crs"])
        made.append((one["name"], (str(one["n_cases"]), *(show_percent(value, 2) for value in (*shares, *last)))))
    return Table(f"{name} (%)", "subset", columns, tuple(made))


def _show_group(name: str, groups: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    bars = {label: (row["official"], show_percent(row["official"])) for label, row in groups.items()}
    yield show_plots([show_bars(draw_bars(bars, f"P-CRS by {name}"), f"P-CRS (official) by {name}")])


def _show_flips(result: Mapping[str, Any]) -> Iterator[str]:
    if not result["flips"]:
        yield f'<p class="quiet">{NO_FLIPS}</p>'
        return
    yield f"<h3>{len(result['flips'])} of {result['n_flips']} flips, the worst first</h3>"
    rows = [
        [f"{escape(one['origin'])}:{one['line']}", _show_side(one["original"]), _show_side(one["variant"])]
        for one in result["flips"]
    ]
    yield f'<div class="examples">{make_table(["", "original", "variant"], rows)}</div>'
    yield '<p class="quiet">[old → new] is what the system changed; braces: what the perturbation changed.</p>'


def _show_side(side: Mapping[str, Any]) -> str:
    counts = f"{side['tp']} right, {side['fp']} wrong, {side['fn']} missed"
    return f"{escape(side['text'])}<br><small>{counts}</small>"
