"""`errata errant-m2`: the flags of ERRANT 3.0.2's `errant_m2`, and the file it writes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import typer

from errata.cli.drop_in import FlagParser, drop_in
from errata.cli.errant_parallel import add_alignment_flags


@drop_in
def errant_m2(context: typer.Context) -> None:
    """Give the edits of an M2 file ERRANT's types, or find them anew (drop-in for errant_m2)."""
    from errata.edits.en import EnglishExtractor
    from errata.edits.en.retype import retype
    from errata.formats.files import iter_sentences, write_sentences

    args = parse_flags(context.args)
    sentences = retype(
        iter_sentences(args.m2_file, "m2"),
        EnglishExtractor(merge=args.merge, lev=args.lev),
        extract=args.auto,
        minimise=not args.no_min,
        keep_types=args.old_cats,
    )
    write_sentences(sentences, args.out, "m2", inputs=[args.m2_file])


def parse_flags(arguments: Sequence[str]) -> argparse.Namespace:
    """The official flags."""
    parser = FlagParser(
        prog="errata errant-m2", description="Automatically extract and/or classify the edits of an M2 file."
    )
    parser.add_argument("m2_file", help="M2 file to read")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("-auto", action="store_true", help="find the edits anew")
    what.add_argument("-gold", action="store_true", help="keep the edits, give them types")
    parser.add_argument("-out", required=True, help="M2 file to write")
    parser.add_argument("-no_min", action="store_true", help="gold: do not cut equal words off the ends of edits")
    parser.add_argument("-old_cats", action="store_true", help="gold: keep the types")
    add_alignment_flags(parser)
    return parser.parse_args(list(arguments))
