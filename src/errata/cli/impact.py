"""`errata impact`: how much edits of each type change the meaning of sentences."""

from __future__ import annotations

from itertools import chain, islice
from typing import Annotated

import typer

from errata.errors import DataError, UnknownName, UsageError


def impact(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS", help="Corrected text in any format; - is stdin.")],
    model: Annotated[
        str | None, typer.Option(help="An installed IMPARA, or a folder (./mine); else errata's own.")
    ] = None,
    lang: Annotated[str, typer.Option(help="en or zh.")] = "en",
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N sentences.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure the mean impact of edits by error type, as IMPARA learns from it.

    Example: errata impact gold.m2 --model ./runs/impara-en/model
    """
    from dataclasses import asdict

    from errata.cli.grids import Grid, Row, make_console, print_grid
    from errata.cli.json_text import format_json
    from errata.cli.tables import show_progress
    from errata.edits.languages import LANGUAGES
    from errata.formats.files import iter_sentences
    from errata.judges.impara.impacts import measure_by_type
    from errata.judges.impara.judge import ImparaJudge
    from errata.judges.models import find_judge

    if lang not in LANGUAGES:
        raise UnknownName("language", lang, LANGUAGES)
    judge = ImparaJudge.load(find_judge(ImparaJudge.kind, model, lang))
    if judge.language != lang:
        raise UsageError(f"{model} judges {judge.language}, not {lang}: name another with --model, or give --lang")
    sentences = islice(chain.from_iterable(map(iter_sentences, corpora)), limit)
    with show_progress("impact"):
        rows, n_left_out = measure_by_type(sentences, judge.vectors, lang)
    if not rows:
        raise DataError(f"{', '.join(corpora)}: there are no edits")
    if n_left_out:
        typer.echo(f"errata: warning: {n_left_out} annotations left out: their edits overlap", err=True)
    if as_json:
        typer.echo(format_json([asdict(row) for row in rows], 2))
        return
    cells = [(str(row.n_edits), f"{row.mean:.4f}", "–" if row.error is None else f"{row.error:.4f}") for row in rows]
    named = tuple(Row(row.type, cell) for row, cell in zip(rows, cells, strict=True))
    print_grid(make_console(), Grid("", "type", ("edits", "impact", "±"), named))
