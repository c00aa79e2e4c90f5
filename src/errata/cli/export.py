"""`errata export`: a trained system for machines without torch."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer


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
        int | None, typer.Option(help="Taggers: bits of the layers' weights, 10 (nearly exact) or 8 (smaller).")
    ] = None,
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
    from errata.errors import UsageError
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
    if layer_bits is not None and (system.kind != "tagger" or layer_bits not in (8, 10)):
        raise UsageError("--layer-bits is 8 or 10, and for taggers")
    if exit_below is not None and (system.kind != "tagger" or not 0 <= exit_below < 1):
        raise UsageError("--exit-below is a probability, and for taggers")
    options = {"layer_bits": layer_bits, "exit_below": exit_below}
    given = {name: value for name, value in options.items() if value is not None}
    write = find_object(system.exporter)
    if others:
        from errata.systems.averaging import average_systems

        with TemporaryDirectory() as scratch:
            average_systems([folder, *others], Path(scratch))
            write(Path(scratch), out, small=small, **given)
            comparison = compare_answers(Path(scratch), out)
    else:
        write(folder, out, small=small, **given)
        comparison = compare_answers(folder, out)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    typer.echo(f"{out}: {system.kind}, {size / 2**20:.1f} MiB, {comparison}", err=True)
