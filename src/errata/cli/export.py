"""`errata export`: a trained system for machines without torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from errata.errors import DataError, UsageError

if TYPE_CHECKING:
    from errata.networks.bits import Bits

BITS = "4|5|6|8|10"
HAVE_BITS = ("tagger", "stg", "classifier", "impara", "some")  # systems whose weights can have so few


def export(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Folder of a trained system (runs/NAME/model).")],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder to write: a new one, an empty one, or an earlier export.")
    ],
    small: Annotated[
        bool,
        typer.Option("--small/--float32", help="Weights in few bits: smaller, and nearly always the same answers."),
    ] = True,
    layer_bits: Annotated[
        int | None, typer.Option(metavar=BITS, help="Bits of the layers' weights, 10 (nearly exact) unless given.")
    ] = None,
    attention_bits: Annotated[
        int | None, typer.Option(metavar=BITS, help="Bits of the attention's weights, if other than the layers'.")
    ] = None,
    table_bits: Annotated[
        int | None, typer.Option(metavar=BITS, help="Bits of the subwords' embeddings, 8 unless given.")
    ] = None,
    head_bits: Annotated[int | None, typer.Option(metavar=BITS, help="Bits of other weights, 8 unless given.")] = None,
    average: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL", help="Another run of the same recipe: their mean is exported; repeat."),
    ] = None,
    exit_below: Annotated[
        float | None,
        typer.Option(help="Taggers with an early exit: stop where no word is wrong with this probability."),
    ] = None,
) -> None:
    """Write a trained system as ONNX (Seq2Seq: CTranslate2), which corrects without torch.

    Example: errata export runs/tagger-small/model en-tagger
    """
    from errata.cli.model_names import given_with
    from errata.registry import find_object
    from errata.systems.base import find_system
    from errata.systems.comparison import compare_answers
    from errata.systems.exported import refuse_target
    from errata.systems.installed import find_model
    from errata.systems.manifest import read_manifest

    with given_with("MODEL"):
        folder = find_model(model)
    with given_with("--average"):
        others = [find_model(name) for name in average or []]
    refuse_target([folder, *others], out)
    manifest = read_manifest(folder)
    system = find_system(folder, manifest)
    if "export" in manifest:
        raise UsageError(f"{folder} is an export already: export the system it was made from (runs/NAME/model)")
    if system.exporter is None:
        raise UsageError(f"{folder} is a {system.kind} system, which needs no export")
    widths = {"layers": layer_bits, "attention": attention_bits, "tables": table_bits, "heads": head_bits}
    bits = _bits({name: width for name, width in widths.items() if width is not None}, system.kind, small)
    if exit_below is not None and (system.kind != "tagger" or not 0 <= exit_below < 1):
        raise UsageError("--exit-below is a probability, and for taggers")
    options = {"bits": bits, "exit_below": exit_below}
    given = {name: value for name, value in options.items() if value is not None}
    write = find_object(system.exporter)
    if others:
        from errata.systems.averaging import average_systems

        mean = f"the mean of {' and '.join([model, *(average or [])])}"
        with TemporaryDirectory() as scratch, _called(scratch, mean):
            average_systems([folder, *others], Path(scratch))
            write(Path(scratch), out, small=small, **given)
            comparison = compare_answers(Path(scratch), out)
    else:
        write(folder, out, small=small, **given)
        comparison = compare_answers(folder, out)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    typer.echo(f"{out}: {system.kind}, {size / 2**20:.1f} MiB, {comparison}", err=True)


@contextmanager
def _called(scratch: str, name: str) -> Iterator[None]:
    """Have errors in a folder of ours, and in its files, named by what the folder is: nobody knows its path."""
    try:
        yield
    except DataError as error:
        if scratch not in str(error):
            raise
        raise DataError(str(error).replace(f"{scratch}/", f"{name}: ").replace(scratch, name)) from error


def _bits(widths: Mapping[str, int], kind: str, small: bool) -> Bits | None:
    """The bits that were asked for; None if none were. `UsageError` where there is no such choice."""
    from errata.networks.bits import Bits

    if not widths:
        return None
    if kind not in HAVE_BITS or not small:
        raise UsageError(f"bits of weights are for {', '.join(HAVE_BITS) if small else '--small'}")
    try:
        return Bits(**widths)
    except ValueError as error:
        raise UsageError(f"{error} (--layer-bits, --attention-bits, --table-bits, --head-bits)") from error
