"""`errata convert`: from one file format to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from errata.model import AnnotatedSentence


def convert(
    source: str = typer.Argument(
        ..., metavar="IN", help="File to read; - is standard input, .gz and .xz are unpacked."
    ),
    target: str = typer.Argument(..., metavar="OUT", help="File to write; - is standard output."),
    from_: str | None = typer.Option(None, "--from", metavar="FMT", help="Format of IN; else from content and suffix."),
    to: str | None = typer.Option(None, "--to", metavar="FMT", help="Format of OUT; else from its suffix."),
    references: list[str] = typer.Option(
        [],
        "--ref",
        metavar="REF",
        help="IN has one source per line, REF its corrections line by line; may be repeated.",
    ),
    lenient: bool = typer.Option(
        False, "--lenient", help="M2: keep edits that reach beyond their sentence, as the official scorers do."
    ),
) -> None:
    """Convert a corpus: m2, m2scorer, cherrant, parallel, mucgec, fcgec, robustgec, jsonl.

    Edits are applied where the target format has corrected texts; finding edits is [b]errata extract[/b].
    What the target format cannot say is counted on standard error.

    Example: [b]errata convert dev.m2 dev.jsonl[/b]
    """
    from errata.cli.lenient import suggest_lenient
    from errata.formats.base import M2_DIALECTS, get_format
    from errata.formats.corpora import Losses, count_sentences
    from errata.formats.detect import choose_format
    from errata.formats.files import write_sentences

    from_name, sentences = _read(source, references, from_, lenient=lenient)
    to_name = to or choose_format(target, like=from_name)
    writer = get_format(to_name, **({"strict": False} if lenient and to_name in M2_DIALECTS else {}))
    losses = Losses()
    with suggest_lenient():
        count = write_sentences(losses.watch(sentences, writer), target, writer, inputs=[source, *references])
    typer.echo(f"{count_sentences(count)}: {from_name} → {to_name}", err=True)
    for line in losses.lines(to_name):
        typer.echo(f"  {line}", err=True)


def _read(
    source: str, references: list[str], name: str | None, *, lenient: bool
) -> tuple[str, Iterator[AnnotatedSentence]]:
    """The name of the format read, and the sentences."""
    from errata.errors import UsageError
    from errata.formats.files import open_sentences
    from errata.formats.parallel import pair_sentences

    if references:
        if name not in (None, "parallel") or lenient:
            raise UsageError("--ref reads plain text, one sentence per line: it goes with neither --from nor --lenient")
        return "parallel", pair_sentences(source, references)
    options: dict[str, Any] = {"strict": False} if lenient else {}
    reader, sentences = open_sentences(source, name, **options)
    return reader.name, sentences
