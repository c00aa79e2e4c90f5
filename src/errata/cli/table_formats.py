"""Grids as Markdown, LaTeX and CSV, for papers, pages and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence

from errata.cli.grids import Grid, Row

# What LaTeX would take for a command, and characters that older fonts lack.
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "…": r"\dots{}",
    "−": "$-$",
}


def format_markdown(grids: Sequence[Grid], notes: Iterable[str]) -> str:
    """Each grid as a table under its title, then the notes as code."""
    parts = [f"{_escape_markdown(grid.title)}\n\n{_markdown_table(grid)}" for grid in grids]
    return "\n\n".join([*parts, "\n".join(f"    {note}" for note in notes)]) + "\n"


def _markdown_table(grid: Grid) -> str:
    head = [grid.heading, *grid.columns]
    marks = ["---", *("---" if column in grid.texts else "---:" for column in grid.columns)]
    rows = [head, marks, *([_name(row), *row.cells] for row in grid.rows)]
    return "\n".join("| " + " | ".join(map(_escape_markdown, row)) + " |" for row in rows)


def _escape_markdown(text: str) -> str:
    return text.strip().replace("|", "\\|").replace("*", "\\*")


def format_latex(grids: Sequence[Grid], notes: Iterable[str]) -> str:
    """Each grid as a `tabular` with the rules of booktabs; titles and notes are comments."""
    comments = "\n".join(f"% {note}" for note in notes)
    return "\n\n".join([*(f"% {grid.title}\n{_latex_table(grid)}" for grid in grids), comments]) + "\n"


def _latex_table(grid: Grid) -> str:
    shape = "l" + "".join("l" if column in grid.texts else "r" for column in grid.columns)
    rows = [_latex_row([_name(row), *row.cells]) for row in grid.rows]
    head = _latex_row([grid.heading, *grid.columns])
    body = [r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{shape}}}", *body, r"\end{tabular}"])


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join("".join(_LATEX.get(char, char) for char in cell.strip()) for cell in cells) + r" \\"


def format_csv(grids: Sequence[Grid], notes: Iterable[str]) -> str:
    """A line for each cell, with the names of its table, row and column; tables have different columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("table", "row", "column", "value"))
    for grid in grids:
        for row in grid.rows:
            for column, cell in zip(grid.columns, row.cells, strict=True):
                writer.writerow((grid.title, row.name, column, cell.strip()))
    return out.getvalue()


def _name(row: Row) -> str:
    return f"— {row.name}" if row.is_part else row.name


FORMATTERS: dict[str, Callable[[Sequence[Grid], Iterable[str]], str]] = {
    "markdown": format_markdown,
    "latex": format_latex,
    "csv": format_csv,
}
