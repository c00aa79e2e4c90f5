"""`errata recipes`: the training recipes that come with errata."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="recipes",
    help="Training recipes that come with errata: list, print or copy them.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a recipe, as `errata recipes` lists them.")]


@app.callback(invoke_without_command=True)
def list_recipes(context: typer.Context) -> None:
    """List the recipes, one on each line. They train with [b]errata train NAME[/b].

    Example: [b]errata recipes[/b]
    """
    if context.invoked_subcommand is not None:
        return
    from errata.training.shipped import recipe_names, summary

    names = recipe_names()
    width = max(map(len, names))
    for name in names:
        typer.echo(f"{name:<{width}}  {summary(name)}")


@app.command("show")
def show(name: Name) -> None:
    """Print a recipe, or with README the page about all of them.

    Example: [b]errata recipes show tagger-tiny[/b]
    """
    from errata.training.shipped import recipe_text

    typer.echo(recipe_text(name), nl=False)


@app.command("copy")
def copy(
    name: Name,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="File to write; else NAME.yaml in this folder.")
    ] = None,
) -> None:
    """Copy a recipe to change it; no file is overwritten.

    Example: [b]errata recipes copy tagger-small mine.yaml[/b]
    """
    from errata.errors import UsageError
    from errata.training.shipped import recipe_text

    text = recipe_text(name)
    target = file or Path(f"{name}.yaml")
    if target.is_dir():
        target = target / f"{name}.yaml"
    try:
        with target.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(f"{target} is there already: give another name") from None
    typer.echo(f"written: {target}; train with: errata train {target}", err=True)
