"""What `errata annotate status` prints: the owner's figures as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import typer

from errata.cli.grids import Grid, Row, make_console, print_grid

# What an owner can do about sentences that nobody in the project can go on with.
LACKING = {
    "annotators": "{} an annotator, and no one is left to take them: invite people, annotate yourself, or lower k",
    "reviewers": "{} a reviewer, and everybody who may review has annotated them: invite one",
}


def print_status(name: str, state: str, figures: Mapping[str, Any]) -> None:
    """Progress in lines, people in a table, agreement in a line."""
    for line in _lines(name, state, figures):
        typer.echo(line)
    rows = [
        Row(
            one["name"],
            (str(one["n_items"]), _share(one["n_accepted"], one["n_answers"]), *map(_percent, _scores(one))),
        )
        for one in figures["scores"]["annotators"]
    ]
    if rows:
        columns = ("sentences", "accepted", "F0.5", "after study")
        print_grid(make_console(), Grid("", "annotator", columns, tuple(rows)))
        typer.echo(figures["scores"]["signature"])


def _lines(name: str, state: str, figures: Mapping[str, Any]) -> Iterator[str]:
    progress, agreement = figures["progress"], figures["agreement"]
    yield f"{name} ({state})"
    items = ", ".join(f"{n} {kind}" for kind, n in progress["items"].items())
    yield f"sentences: {progress['n_items']} ({items or 'none'})"
    annotations = progress["annotations"]
    yield f"annotations: {annotations['n_done']} of {annotations['n_wanted']}"
    for who, n in progress["lacking"].items():
        if n:
            yield LACKING[who].format("1 sentence lacks" if n == 1 else f"{n} sentences lack")
    if (median := figures["time"]["kinds"].get("annotate", {}).get("median")) is not None:
        yield f"seconds per annotation: {median:.0f} (median)"
    if agreement["n_pairs"]:
        numbers = (("κ", "kappa"), ("α", "alpha"), ("F1 of edits", "f1"))
        yield "agreement: " + ", ".join(f"{label} {_number(agreement[key])}" for label, key in numbers)


def _scores(row: Mapping[str, Any]) -> list[float | None]:
    return [None if row[stage] is None else row[stage]["f0.5"] for stage in ("before", "after")]


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"


def _number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.2f}"


def _share(n: int, n_all: int) -> str:
    return f"{n}/{n_all}"
