"""`errata extract`: parallel text in, edits with types out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import typer

from errata.cli import engines
from errata.errors import UsageError

# Lines that are looked at before anything is extracted; whoever writes into a pipe should not wait long.
CHECKED, CHECKED_OF_STREAMS = 10_000, 100


def extract(
    source: str = typer.Argument(..., metavar="SRC", help="Sources, one per line; - is standard input."),
    targets: list[str] = typer.Argument(..., metavar="TGT...", help="Corrected texts, parallel to SRC."),
    output: str = typer.Option("-", "-o", "--output", metavar="OUT", help="File to write; - is standard output."),
    lang: str = typer.Option("en", help="Language: en or zh."),
    to: str | None = typer.Option(None, "--to", metavar="FMT", help="Format of OUT: m2 (en), cherrant (zh), jsonl …"),
    workers: int = typer.Option(1, min=1, help="Processes."),
    tokenise: bool = typer.Option(False, "--tokenise", help="en: the text is raw; tokenise it with spaCy."),
    merge: str | None = typer.Option(None, help="en: rules (default), all-split, all-merge or all-equal."),
    lev: bool = typer.Option(False, "--lev", help="en: align by plain Levenshtein distance."),
    no_cache: bool = typer.Option(False, "--no-cache", help="en: do not keep parses on disk between runs."),
    level: str | None = typer.Option(None, help="zh: edits over char (default) or word. English is over words."),
    strategy: str | None = typer.Option(None, help="zh: all equally cheap alignments (default), or the first."),
    simplify: bool = typer.Option(False, "--simplify", help="zh: convert targets to simplified characters."),
    lexicon: Path | None = typer.Option(None, metavar="DIR", help="zh: lexicons in ChERRANT's layout."),
    segmented: bool = typer.Option(False, "--segmented", help="zh: tokens are separated by spaces already."),
    engine: engines.EngineName = None,
    address: engines.Address = None,
    shards: engines.Shards = None,
) -> None:
    """Find the edits between sources and corrected texts, with their types: ERRANT's or ChERRANT's.

    Every line of SRC gives one sentence, every TGT one annotator.

    Example: [b]errata extract source.txt corrected.txt -o edits.m2[/b]
    """
    from errata.cli.sharded import extract_shards
    from errata.edits.base import get_extractor, option_names
    from errata.edits.languages import LANGUAGES
    from errata.formats.files import is_file, write_sentences
    from errata.formats.parallel import zip_lines

    known = option_names(lang)
    flags: dict[str, Any] = {"tokenise": tokenise, "merge": merge, "lev": lev, "cache": no_cache}
    flags |= {"strategy": strategy, "simplify": simplify, "lexicon": lexicon, "segmented": segmented}
    flags["level"] = None if level == LANGUAGES[lang].level else level
    options = {name: value for name, value in flags.items() if value}
    for name in options:
        if name not in known:
            raise UsageError(f"--{name if name != 'cache' else 'no-cache'} is not for --lang {lang}")
    if no_cache:
        options["cache"] = False
    inputs = [source, *targets]
    if scaling := engines.choose_scaling(engine, address, shards):
        engines.refuse_workers(workers if workers > 1 else None)
        folder = engines.shards_folder(output, inputs)
    extractor = get_extractor(lang, workers=workers, **options)
    rows = zip_lines(inputs)
    head = list(islice(rows, CHECKED if all(map(is_file, inputs)) else CHECKED_OF_STREAMS))
    _check(head, inputs, lang, are_raw=tokenise if lang == "en" else not segmented)
    if scaling:
        extract_shards(scaling, inputs, output, folder, to or LANGUAGES[lang].format, lang, options)
        return
    pairs = ((line, corrected) for line, *corrected in chain(head, rows))
    write_sentences(extractor.annotate(pairs), output, to or LANGUAGES[lang].format, inputs=inputs)


def _check(rows: Sequence[tuple[str, ...]], names: Sequence[str], lang: str, *, are_raw: bool) -> None:
    """Refuse text in the other language, and warn of files that do not seem to be corrections of the source."""
    from errata.edits.languages import other_language
    from errata.formats.files import display_name
    from errata.metrics.doubts import check_language, find_doubts

    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    remedy = f"use --lang {other_language(lang)}"
    check_language(display_name(names[0]), columns[0], lang, f"--lang {lang}", remedy)
    for name, column in zip(names[1:], columns[1:], strict=True):
        for doubt in find_doubts(columns[0], column, are_raw=are_raw):
            typer.echo(f"errata: warning: {display_name(name)}: {doubt}", err=True)
