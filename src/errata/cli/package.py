"""`errata package`: a Python package of a trained model, which pip installs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def package(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A trained or exported model, as a path (./mine).")],
    name: Annotated[str, typer.Option(help="Name of the package: errata-NAME; --model takes NAME.")],
    version: Annotated[str, typer.Option(help="Version of the package.")] = "0.1.0",
    licence: Annotated[
        str | None, typer.Option(help="The model's licence in a few words; else the one its errata.json names.")
    ] = None,
    commercial_use: Annotated[
        bool | None,
        typer.Option(
            "--commercial-use/--no-commercial-use", help="Whether the licence allows it; else as errata.json says."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Folder to write; else NAME-VERSION.")
    ] = None,
    source_only: Annotated[bool, typer.Option("--source-only", help="Write the source tree and no wheel.")] = False,
) -> None:
    """Make a Python package of a model: a source tree, and in its [b]dist[/b] a wheel, whose path is printed.

    The model has a card (README.md) and a licence. The package has no code; errata finds its model by the entry point.

    Example: [b]errata package ./en-legal --name errata-en-legal --licence MIT --commercial-use[/b]
    """
    from errata.cli.model_names import given_with
    from errata.places import is_path
    from errata.systems.installed import find_model
    from errata.systems.packaging import read_package, write_package

    with given_with("FOLDER"):
        found = find_model(folder)
    made = read_package(found, name, version, licence, commercial_use=commercial_use)
    path = write_package(made, output or Path(f"{name}-{version}"), source_only=source_only)
    typer.echo(path)
    written = path if is_path(str(path)) else f"./{path}"  # pip, too, takes what has no slash for a name
    typer.echo(f"{made.model}: {len(made.files)} files; install it with: pip install --no-deps {written}", err=True)
