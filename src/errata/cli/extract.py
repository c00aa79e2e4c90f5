"""`errata extract`: parallel text in, edits with types out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from errata.errors import UsageError

# option → the language it is for; the rest are for both
_LANGUAGE_OF = {
    "tokenise": "en",
    "merge": "en",
    "lev": "en",
    "cache": "en",
    "level": "zh",
    "strategy": "zh",
    "simplify": "zh",
    "lexicon": "zh",
    "segmented": "zh",
}
_FORMAT_OF = {"en": "m2", "zh": "cherrant"}


def extract(
    source: str = typer.Argument(..., metavar="SRC", help="Sources, one per line; - is standard input."),
    targets: list[str] = typer.Argument(..., metavar="TGT...", help="Corrected texts, parallel to SRC."),
    output: str = typer.Option("-", "-o", "--output", metavar="OUT", help="File to write; - is standard output."),
    lang: str = typer.Option("en", help="Language: en or zh."),
    to: str | None = typer.Option(None, "--to", metavar="FMT", help="Format of OUT: m2 (en), cherrant (zh), jsonl …"),
    tokenise: bool = typer.Option(False, "--tokenise", help="en: the text is raw; tokenise it with spaCy."),
    merge: str = typer.Option("rules", help="en: rules, all-split, all-merge or all-equal."),
    lev: bool = typer.Option(False, "--lev", help="en: align by plain Levenshtein distance."),
    cache: bool = typer.Option(True, "--cache/--no-cache", help="en: remember parses on disk between runs."),
    level: str = typer.Option("char", help="zh: edits over char or word (English is always over words)."),
    strategy: str = typer.Option("all", help="zh: all equally cheap alignments, or the first."),
    simplify: bool = typer.Option(False, "--simplify", help="zh: convert targets to simplified characters."),
    lexicon: Path | None = typer.Option(None, metavar="DIR", help="zh: lexicons in ChERRANT's layout."),
    segmented: bool = typer.Option(False, "--segmented", help="zh: tokens are separated by spaces already."),
    workers: int = typer.Option(1, min=1, help="Processes."),
) -> None:
    """Find the edits between sources and corrected texts, with their types: ERRANT's or ChERRANT's.

    Every line of SRC gives one sentence, every TGT one annotator.

    Example: [b]errata extract source.txt corrected.txt -o edits.m2[/b]
    """
    from errata.edits import get_extractor
    from errata.formats.files import write_corpus
    from errata.formats.parallel import zip_lines

    if lang == "en" and level == "word":
        level = "char"  # what English does anyway; not worth an error
    options: dict[str, Any] = {
        "tokenise": (tokenise, False),
        "merge": (merge, "rules"),
        "lev": (lev, False),
        "cache": (cache, True),
        "level": (level, "char"),
        "strategy": (strategy, "all"),
        "simplify": (simplify, False),
        "lexicon": (lexicon, None),
        "segmented": (segmented, False),
    }
    chosen = {name: value for name, (value, default) in options.items() if value != default}
    for name in chosen:
        if lang in _FORMAT_OF and _LANGUAGE_OF[name] != lang:
            raise UsageError(f"--{name} is not for --lang {lang}")
    extractor = get_extractor(lang, workers=workers, **chosen)
    pairs = ((line, corrected) for line, *corrected in zip_lines([source, *targets]))
    write_corpus(extractor.annotate(pairs), output, to or _FORMAT_OF[lang])
