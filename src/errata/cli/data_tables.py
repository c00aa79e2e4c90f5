"""Corpora and overlaps as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import typer

from errata.cli.grids import Grid, Row, make_console, print_grid
from errata.datasets.catalogue import NamedSet
from errata.datasets.contamination import KINDS, Evaluation, Pair, Tally

UNKNOWN = "?"


def print_corpora(corpora: Iterable[tuple[NamedSet, bool]]) -> None:
    """A row for each corpus, with whether it is here."""
    rows = [
        Row(
            one.name,
            (
                one.language,
                one.use,
                f"{one.n_sentences:,}" if one.n_sentences else UNKNOWN,
                UNKNOWN if one.size is None else format_size(one.size),
                "yes" if is_here else "form" if one.form else "get" if _is_fetched(one) else "by hand",
                one.licence,
                one.about,
            ),
        )
        for one, is_here in corpora
    ]
    columns = ("language", "use", "sentences", "size", "here", "licence", "about")
    print_grid(make_console(), Grid("", "corpus", columns, tuple(rows), frozenset(columns) - {"sentences", "size"}))


def _is_fetched(one: NamedSet) -> bool:
    return bool(one.files) and all(map(one.file_address, one.files))


def format_size(n_bytes: int) -> str:
    """Bytes as people say them: `71 kB`, `2.2 MB`."""
    return f"{n_bytes / 1000:.0f} kB" if n_bytes < 1_000_000 else f"{n_bytes / 1_000_000:.1f} MB"


def print_overlaps(evaluation: Evaluation, tallies: Sequence[Tally]) -> None:
    """A row for each training file, and below it one for each evaluation set that it overlaps with."""
    rows = []
    for tally in tallies:
        counts = tuple(f"{tally.kinds[kind]:,}" for kind in KINDS)
        rows.append(Row(tally.name, (f"{tally.n_records:,}", *counts, "")))
        for number, kinds in sorted(tally.by_set.items()):
            met = f"{len(tally.met[number]):,} of {evaluation.n_sentences[number]:,}"
            cells = ("", *(f"{kinds[kind]:,}" for kind in KINDS), met)
            rows.append(Row(evaluation.names[number], cells, is_part=True))
    columns = ("records", *KINDS, "of its sentences")
    print_grid(make_console(), Grid("", "training file", columns, tuple(rows), are_files=True))


def print_pair(name: str, pair: Pair, evaluation: Evaluation) -> None:
    """A record and what it is a copy of, on three lines."""
    hit = pair.hit
    edits = f", {hit.edits} edit{'' if hit.edits == 1 else 's'}" if hit.kind == "near" else ""
    typer.echo(f"{name}:{pair.record}  {evaluation.names[hit.set]}:{hit.sentence}  {hit.kind}{edits}")
    typer.echo(f"  {hit.text.strip()}")
    typer.echo(f"  {hit.copied.strip()}")
