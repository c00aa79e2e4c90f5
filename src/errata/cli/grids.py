"""Tables of numbers for people, as wide as the screen allows: names and digits are never cut.

The first shape that fits is printed: a table with rules; without rules; both with numbers in the place of file names,
which then stand above; a block of lines for each row. Output that goes to a file or a pipe has no limit, unless
`COLUMNS` sets one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

# Wider than any table: where there is no screen, nothing is cut or wrapped.
UNLIMITED = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """A name and a cell for each column; `is_part` rows belong to the row above."""

    name: str
    cells: tuple[str, ...]
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under a title; `heading` is that of the names, `texts` are the columns of words.

    `are_files`: the names are those of files, and a number may stand for each.
    """

    title: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    texts: frozenset[str] = frozenset()
    are_files: bool = False


def make_console() -> Console:
    """A console on standard output; where there is no screen, as wide as `COLUMNS` says, else without limit."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    wanted = os.environ.get("COLUMNS", "")
    is_width = wanted.isascii() and wanted.isdecimal() and 0 < int(wanted) < UNLIMITED
    return Console(highlight=False, width=int(wanted) if is_width else UNLIMITED)


def print_grid(console: Console, grid: Grid) -> None:
    """The grid in the first shape that fits the console."""
    _print_lines(console, [grid.title] if grid.title else [])
    numbered, legend = _number_names(grid)
    choices: list[tuple[Grid, list[str]]] = [(grid, []), (numbered, legend)]
    for shown, lines in choices:
        for table in (_table(shown), _table(shown, rules=False)):
            if _fits(console, table):
                _print_lines(console, lines)
                console.print(table)
                return
    _print_lines(console, _blocks(grid))


def _print_lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(Text(line), soft_wrap=True)


def _table(grid: Grid, *, rules: bool = True) -> Table:
    table = Table(box=box.HEAVY_HEAD if rules else None, pad_edge=rules, padding=(0, 1) if rules else (0, 1, 0, 0))
    table.add_column(grid.heading, no_wrap=True)
    for column in grid.columns:
        table.add_column(column, justify="left" if column in grid.texts else "right", no_wrap=True)
    for row in grid.rows:
        name = f"  {row.name}" if row.is_part else row.name
        table.add_row(Text(name), *map(Text, row.cells), style="dim" if row.is_part else None)
    return table


def _fits(console: Console, table: Table) -> bool:
    return Measurement.get(console, console.options.update(width=UNLIMITED), table).maximum <= console.width


def _number_names(grid: Grid) -> tuple[Grid, list[str]]:
    """The grid with numbers in the place of file names, and what the numbers stand for."""
    legend: list[str] = []
    rows = []
    for row in grid.rows:
        if grid.are_files and not row.is_part:
            legend.append(f"{len(legend) + 1} = {row.name}")
            row = replace(row, name=str(len(legend)))
        rows.append(row)
    return replace(grid, rows=tuple(rows)), legend


def _blocks(grid: Grid) -> Iterator[str]:
    """Each row as its name and a line for every cell."""
    width = max(map(len, grid.columns), default=0)
    size = max((len(cell) for row in grid.rows for cell in row.cells), default=0)
    for row in grid.rows:
        indent = "  " if row.is_part else ""
        if row.name:
            yield indent + row.name
        for column, cell in zip(grid.columns, row.cells, strict=True):
            if cell:
                yield f"{indent}  {column:<{width}}  {cell if column in grid.texts else cell.rjust(size)}"
