"""`errata extract`: parallel text in, edits with types out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from errata.errors import UsageError

OPTIONS_OF = {
    "en": ("tokenise", "merge", "lev", "no-cache"),
    "zh": ("level", "strategy", "simplify", "lexicon", "segmented"),
}
FORMAT_OF = {"en": "m2", "zh": "cherrant"}


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
) -> None:
    """Find the edits between sources and corrected texts, with their types: ERRANT's or ChERRANT's.

    Every line of SRC gives one sentence, every TGT one annotator.

    Example: [b]errata extract source.txt corrected.txt -o edits.m2[/b]
    """
    from errata.edits import get_extractor
    from errata.formats.files import write_corpus
    from errata.formats.parallel import zip_lines

    if lang == "en" and level == "word":
        level = None
    english = dict(zip(OPTIONS_OF["en"], (tokenise, merge, lev, no_cache), strict=True))
    chinese = dict(zip(OPTIONS_OF["zh"], (level, strategy, simplify, lexicon, segmented), strict=True))
    options: dict[str, Any] = {name: value for name, value in (english | chinese).items() if value}
    for name in options:
        if name not in OPTIONS_OF.get(lang, options):
            raise UsageError(f"--{name} is not for --lang {lang}")
    if options.pop("no-cache", False):
        options["cache"] = False
    extractor = get_extractor(lang, workers=workers, **options)
    pairs = ((line, corrected) for line, *corrected in zip_lines([source, *targets]))
    write_corpus(extractor.annotate(pairs), output, to or FORMAT_OF[lang])
