"""The section about `errata analyze edits`: corpora and types as points, tables, and examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from errata.analysis.edit_tables import list_notes, list_pairs, list_types, make_tables
from errata.edits.carrying import find_changes
from errata.reports.page import make_table
from errata.reports.plots import draw_differences, draw_figure, draw_points, show_plots
from errata.reports.tables import show_notes, show_tables
from errata.text.tokens import join_tokens, split_raw

SIMILARITY, RATIO = "semantic similarity", "perplexity ratio"


def show(result: Any) -> Iterator[str]:
    """Plots, tables and examples."""
    corpora = result["corpora"]
    yield "<p>Sentences with exactly one edit, before and after it. To the left: the meaning changes more. Below: a "
    yield "language model prefers the corrected sentence more.</p>"
    points = {one["name"]: (one["similarity"], one["ratio"]) for one in corpora}
    figures = [draw_figure("corpora", draw_points(points, SIMILARITY, RATIO), label="means of each corpus")]
    figures += [_types_figure(one, list_types(corpora)) for one in corpora]
    figures += [_difference_figure(result, *pair) for pair in list_pairs(result)]
    yield show_plots(figures)
    yield from show_tables(make_tables(result))
    for one in corpora:
        yield from _show_examples(one)
    yield show_notes(list_notes(result))


def _types_figure(one: Mapping[str, Any], types: list[str]) -> str:
    points = {
        name: (one["by_type"][name]["similarity"], one["by_type"][name]["ratio"])
        for name in types
        if name in one["by_type"]
    }
    label = f"means of error types in {one['name']}"
    return draw_figure(escape(f"{one['name']}: error types"), draw_points(points, SIMILARITY, RATIO), label=label)


def _difference_figure(result: Mapping[str, Any], first: str, second: str) -> str:
    own = [one for one in result["differences"] if (one["first"], one["second"]) == (first, second)]
    points = {one["type"]: (one["similarity"], one["ratio"]) for one in own}
    label = f"differences between {first} and {second} for each error type"
    parts = draw_differences(points, f"Δ {SIMILARITY}", f"Δ {RATIO}")
    return draw_figure(escape(f"{first} − {second}: error types"), parts, label=label)


def _show_examples(one: Mapping[str, Any]) -> Iterator[str]:
    for name, examples in one["examples"].items():
        rows = [
            [escape(row["type"]), _show_change(row), f"{row['similarity']:.3f}", f"{row['ratio']:.2f}"]
            for row in examples
        ]
        yield f"<h3>{escape(one['name'])}: {escape(name)}</h3>"
        yield f'<div class="examples">{make_table(["type", "edit", "similarity", "ratio"], rows)}</div>'


def _show_change(row: Mapping[str, Any]) -> str:
    """The sentence with what is taken out and what is put in."""
    before, after = split_raw(row["source"]), split_raw(row["target"])
    parts: list[str] = []
    place = 0
    for change in find_changes(before, after):
        parts.append(escape(join_tokens(before[place : change.start], like=before)))
        if removed := join_tokens(before[change.start : change.end], like=before):
            parts.append(f"<del>{escape(removed)}</del>")
        if added := join_tokens(after[change.new_start : change.new_end], like=before):
            parts.append(f"<ins>{escape(added)}</ins>")
        place = change.end
    parts.append(escape(join_tokens(before[place:], like=before)))
    return join_tokens([part for part in parts if part], like=before)
