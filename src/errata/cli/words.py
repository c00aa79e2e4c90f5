"""`errata words`: the user's own dictionary, whose words `errata correct` leaves as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="words",
    help="Words and phrases that are right as they are: list them, add to them, remove some.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

Words = Annotated[list[str], typer.Argument(help="Words, or phrases in quotes.")]
File = Annotated[Path | None, typer.Option("--file", help="Another dictionary than your own.")]


@app.command("add")
def add(words: Words, file: File = None) -> None:
    """Add words to the dictionary.

    Example: errata words add Foobar "data lake"
    """
    from errata.pipeline.dictionary import add_words, user_words_path

    path = file or user_words_path()
    new = add_words(path, words)
    typer.echo(f"{path}: {len(new)} added", err=True)


@app.command("remove")
def remove(words: Words, file: File = None) -> None:
    """Remove words from the dictionary.

    Example: errata words remove Foobar
    """
    from errata.errors import DataError
    from errata.pipeline.dictionary import remove_words, user_words_path
    from errata.text.arguments import as_text

    path = file or user_words_path()
    gone = remove_words(path, words)
    typer.echo(f"{path}: {len(gone)} removed", err=True)
    if missing := [word for word in map(as_text, words) if word.strip() not in gone]:
        raise DataError(f"{path} does not have {', '.join(map(repr, missing))}")


@app.command("list")
def list_words(file: File = None) -> None:
    """Print the dictionary, a word on each line.

    Example: errata words list
    """
    from errata.pipeline.dictionary import read_user_words, read_words

    for word in read_words(file) if file else read_user_words():
        typer.echo(word)
