"""A table that the terminal and a page show alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from errata.reports.page import make_table

ABSENT = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a name and cells under a title; `heading` is that of the names, `texts` are the columns of words."""

    title: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    texts: frozenset[str] = frozenset()


def show_tables(tables: Iterable[Table]) -> list[str]:
    """Tables as parts of a page, each under its title."""
    parts = []
    for table in tables:
        head = [escape(cell) for cell in (table.heading, *table.columns)]
        are_words = [column in table.texts for column in table.columns]
        rows = (
            [escape(name), *(_cell(cell, is_words) for cell, is_words in zip(cells, are_words, strict=True))]
            for name, cells in table.rows
        )
        parts += [f"<h3>{escape(table.title)}</h3>", make_table(head, rows)]
    return parts


def _cell(text: str, is_words: bool) -> str:
    return f'<span class="words">{escape(text)}</span>' if is_words else escape(text)


def show_notes(notes: Iterable[str]) -> str:
    """Small print, a line each: what should be known of numbers, and their signatures."""
    return f'<div class="notes">{"".join(f"<p><small>{escape(note)}</small></p>" for note in notes)}</div>'


def show_number(value: float | None, digits: int = 2, factor: float = 1) -> str:
    """A number with so many digits, thousands apart; a dash where there is none."""
    return ABSENT if value is None else f"{factor * value:,.{digits}f}"


def show_percent(value: float | None, digits: int = 1) -> str:
    """A share as a percentage."""
    return show_number(value, digits, 100)


def drop_empty_columns(
    columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """The columns in which some row has something, and the rows without the others."""
    kept = [place for place in range(len(columns)) if any(cells[place] != ABSENT for _, cells in rows)]
    return (
        tuple(columns[place] for place in kept),
        tuple((name, tuple(cells[place] for place in kept)) for name, cells in rows),
    )
