"""Tables of analyses in the form that was asked for: for people, papers or programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import typer

from errata.cli.grids import Grid, Row, make_console, print_grid
from errata.cli.json_text import format_json
from errata.cli.table_formats import FORMATTERS
from errata.cli.tables import print_lines
from errata.errors import UnknownName, UsageError
from errata.reports.tables import Table

FORMATS = ("text", *FORMATTERS, "json")


def choose_format(format: str, as_json: bool, what: str = "format") -> str:
    """The format that `--format` and `--json` name; `what` is what it is called where it is unknown."""
    if format not in FORMATS:
        raise UnknownName(what, format, FORMATS)
    if as_json and format not in ("text", "json"):
        raise UsageError(f"--json and --format {format} exclude each other")
    return "json" if as_json else format


def print_tables(result: Mapping[str, Any], tables: Iterable[Table], notes: Sequence[str], format: str) -> None:
    """The result as JSON, or its tables and the notes below them."""
    if format == "json":
        typer.echo(format_json(result, 2))
        return
    grids = [_as_grid(table) for table in tables]
    if format in FORMATTERS:
        typer.echo(FORMATTERS[format](grids, notes).rstrip("\n"))
        return
    console = make_console()
    for grid in grids:
        print_grid(console, grid)
    print_lines(notes)


def _as_grid(table: Table) -> Grid:
    rows = tuple(Row(name, cells) for name, cells in table.rows)
    return Grid(table.title, table.heading, table.columns, rows, table.texts, are_files=table.heading == "corpus")
