"""`errata errant-parallel`: the flags of ERRANT 3.0.2's `errant_parallel`, and the file it writes."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import typer

from errata.cli.drop_in import FlagParser, drop_in
from errata.model import AnnotatedSentence

MERGERS = ("rules", "all-split", "all-merge", "all-equal")


@drop_in
def errant_parallel(context: typer.Context) -> None:
    """Extract edits from parallel text with ERRANT's flags and output (drop-in for errant_parallel)."""
    from errata.edits import get_extractor
    from errata.formats.files import write_sentences
    from errata.formats.parallel import zip_lines

    args = parse_flags(context.args)
    extractor = get_extractor("en", merge=args.merge, lev=args.lev, tokenise=args.tok, workers=args.workers)
    skipped: list[int] = []
    inputs = [args.orig, *args.cor]
    pairs = _without_empty(zip_lines(inputs), skipped)
    write_sentences(map(_as_errant_writes, extractor.annotate(pairs)), args.out, "m2", inputs=inputs)
    if skipped:
        typer.echo(f"left out {len(skipped)} empty sources, as ERRANT does; the first is line {skipped[0]}", err=True)


def parse_flags(arguments: Sequence[str]) -> argparse.Namespace:
    """The official flags, and `-workers`."""
    parser = FlagParser(
        prog="errata errant-parallel",
        description="Align parallel text files and extract and classify the edits.",
    )
    parser.add_argument("-orig", required=True, help="original text, one sentence per line")
    parser.add_argument("-cor", required=True, nargs="+", help="one or more corrected texts")
    parser.add_argument("-out", required=True, help="M2 file to write")
    parser.add_argument("-tok", action="store_true", help="tokenise the text with spaCy")
    parser.add_argument("-workers", type=int, default=1, help="processes; errata's own flag (1)")
    add_alignment_flags(parser)
    return parser.parse_args(list(arguments))


def add_alignment_flags(parser: argparse.ArgumentParser) -> None:
    """The flags that `errant_m2` has as well."""
    parser.add_argument("-lev", action="store_true", help="align by plain Levenshtein distance")
    parser.add_argument("-merge", choices=MERGERS, default="rules", help="how alignments become edits (rules)")


def _without_empty(rows: Iterable[tuple[str, ...]], skipped: list[int]) -> Iterator[tuple[str, list[str]]]:
    for number, (source, *targets) in enumerate(rows, 1):
        if source.strip():
            yield source, targets
        else:
            skipped.append(number)


def _as_errant_writes(annotated: AnnotatedSentence) -> AnnotatedSentence:
    """Without annotators whose text differs in white space only: ERRANT writes neither edits nor a noop for them."""
    sentence = annotated.sentence
    source = sentence.text if sentence.text is not None else " ".join(sentence.tokens)
    kept = [one for one in annotated.annotations if one.edits or (one.target or "").strip() == source]
    return replace(annotated, annotations=tuple(kept))
