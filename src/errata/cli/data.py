"""`errata data`: public corpora, and whether training files have evaluation sentences in them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errata.cli.data_check import ManyValues, check
from errata.cli.data_split import split
from errata.cli.json_text import format_json

app = typer.Typer(
    name="data",
    help="Public corpora: list them, get them; check training files against evaluation sets; hold sentences out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check", cls=ManyValues)(check)
app.command("split")(split)

DataFolder = Annotated[
    str | None, typer.Option("--data-dir", help="Folder with the corpora (else $ERRATA_DATA, else your own).")
]


@app.command("list")
def list_corpora(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]…", help="Only these.")] = None,
    lang: Annotated[str | None, typer.Option("--lang", help="en or zh.")] = None,
    use: Annotated[str | None, typer.Option("--use", help="test, dev or train.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Only those that are here.")] = False,
    data_dir: DataFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List public corpora: language, use, size, licence, and whether they are here.

    Example: errata data list --lang zh --use test
    """
    from errata.cli.data_tables import print_corpora
    from errata.datasets.catalogue import get_corpus, read_catalogue
    from errata.datasets.finding import Listing, data_folder, place_of_data
    from errata.errors import UnknownName

    for value, choices, what in ((lang, ("en", "zh"), "language"), (use, ("test", "dev", "train"), "use")):
        if value is not None and value not in choices:
            raise UnknownName(what, value, choices)
    corpora = [get_corpus(name) for name in names] if names else list(read_catalogue().values())
    listing = Listing(data_folder(data_dir) if data_dir else place_of_data(data_dir))
    chosen = [
        (one, listing.has(one))
        for one in corpora
        if lang in (None, one.language) and use in (None, one.use) and (not here or listing.has(one))
    ]
    if as_json:
        typer.echo(format_json([one.as_dict() | {"is_here": is_here} for one, is_here in chosen], 2))
    else:
        print_corpora(chosen)


@app.command("get")
def get(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Corpora that errata data list shows.")],
    origin: Annotated[
        Path | None, typer.Option("--from", metavar="DIR", help="Take your copies in this folder; fetch nothing.")
    ] = None,
    data_dir: DataFolder = None,
) -> None:
    """Get public corpora from where they are published, or from copies of yours, and verify them.

    Files are verified by their SHA-256, and [b]errata score --set NAME[/b] finds them. A download that broke off
    goes on.

    Example: errata data get jfleg-test
    """
    from errata.cli.progress import show_bytes
    from errata.datasets.catalogue import get_corpus
    from errata.datasets.fetching import Fetcher, copy_corpus_files, get_corpus_files
    from errata.datasets.finding import place_of_data

    corpora = [get_corpus(name) for name in names]
    folder = place_of_data(data_dir)
    for one in corpora:
        if origin:
            places = copy_corpus_files(one, origin, folder)
        else:
            with show_bytes() as tell:
                places = get_corpus_files(one, folder, Fetcher(tell) if tell else None)
        verified = "verified" if one.is_verifiable else "not verified, its digest is not known"
        typer.echo(f"{one.name}: {len(places)} file{'' if len(places) == 1 else 's'}, {verified}", err=True)
        typer.echo(f"licence: {one.licence}; cite {one.citation}", err=True)
        for place in places:
            typer.echo(str(place))
