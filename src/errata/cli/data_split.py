"""`errata data split`: a corpus in two parts, one to train on and one held out."""

from __future__ import annotations

from typing import Annotated

import typer

from errata.errors import DataError


def split(
    corpus: Annotated[str, typer.Argument(metavar="IN", help="Corrected sentences in any format, or plain text.")],
    train: Annotated[str, typer.Argument(metavar="TRAIN", help="File to write: what to train on.")],
    held_out: Annotated[str, typer.Argument(metavar="HELD_OUT", help="File to write: what to measure on.")],
    number: Annotated[int, typer.Option("--held-out", metavar="N", min=1, help="How many sentences to hold out.")],
    seed: Annotated[int, typer.Option("--seed", help="Another seed holds other sentences out.")] = 1,
) -> None:
    """Hold sentences out of a corpus: write what to train on and what to measure on.

    The sentences are drawn by the seed and written as they are, in their order. Copies and near duplicates stay
    together, so nothing in one file is nearly in the other.

    Example: errata data split corrected.m2 train.m2 held-out.m2 --held-out 200
    """
    from errata.cli.tables import show_progress
    from errata.datasets.splitting import split_records
    from errata.datasets.texts import read_records
    from errata.formats.files import check_outputs, display_name, open_for_writing

    check_outputs([train, held_out], [corpus])
    records = list(read_records(corpus))
    if any(not record.raw for record in records):
        raise DataError(
            f"{display_name(corpus)} is in a format whose sentences cannot be taken out one by one: "
            "convert it to JSON lines first (errata convert IN OUT.jsonl)"
        )
    with show_progress("look for near duplicates"):
        parts = split_records([record.texts for record in records], number, seed)
    for path, is_held_out in ((train, False), (held_out, True)):
        with open_for_writing(path, inputs=[corpus]) as stream:
            for place, record in enumerate(records):
                if (place in parts.held_out) == is_held_out:
                    stream.write(record.raw[0])
    typer.echo(
        f"seed {seed}: {len(records) - number:,} sentences to train on, {number:,} held out; "
        f"{parts.n_groups:,} groups of near duplicates kept together",
        err=True,
    )
