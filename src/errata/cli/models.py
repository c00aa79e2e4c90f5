"""`errata models`: the models that are installed, and their cards."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from errata.systems.cards import Facts
    from errata.systems.model_packages import InstalledModel

# Terminals are at least this wide, and pipes get the same lines.
WIDTH = 80
# Scores of a model in the list; the card has them all.
MAIN_SCORES = 3

app = typer.Typer(
    name="models",
    help="Installed models: list them, print their cards.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A model and what is known of it; `size` is in bytes."""

    model: InstalledModel
    language: str
    system: str
    size: int
    facts: Facts
    is_default: bool

    def as_dict(self) -> dict[str, Any]:
        from errata.text.arguments import printable

        return {
            "name": self.model.name,
            "language": self.language,
            "system": self.system,
            "is_default": self.is_default,
            "package": self.model.package or None,
            "version": self.model.version or None,
            "folder": printable(str(self.model.folder)),
            "size": self.size,
            **self.facts.as_dict(),
        }


@app.callback(invoke_without_command=True)
def list_installed(
    context: typer.Context,
    only_open: Annotated[bool, typer.Option("--open", help="Those whose licence allows commercial use.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the installed models: what they are for, their licence, how good and how fast they are.

    [b]--model NAME[/b] of the other commands takes them by name; those called default are taken without it.

    Example: [b]errata models[/b]
    """
    if context.invoked_subcommand is not None:
        return
    from errata.cli.json_text import format_json
    from errata.systems.installed import list_models

    models, faults = list_models()
    entries = [entry for entry in _read(models, faults) if entry.facts.commercial_use or not only_open]
    for fault in faults:
        typer.echo(f"errata: warning: {fault}", err=True)
    if as_json:
        typer.echo(format_json([entry.as_dict() for entry in entries], 2))
        return
    width = max((len(entry.model.name) for entry in entries), default=0)
    for entry in entries:
        for line in _lines(entry, width):
            typer.echo(line)
    if not entries:
        typer.echo("no model here allows commercial use" if only_open else "no model is installed", err=True)


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An installed model, or a folder as a path (./mine).")],
) -> None:
    """Print the card of a model: data, licences, scores, weaknesses.

    Example: [b]errata models show en-small[/b]
    """
    from errata.cli.model_names import given_with
    from errata.systems.cards import read_card
    from errata.systems.installed import find_model

    with given_with("NAME"):
        folder = find_model(name)
    # A card of another package could steer the terminal.
    card = "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in read_card(folder).replace("\r\n", "\n"))
    typer.echo(card, nl=not card.endswith("\n"))


def _read(models: list[InstalledModel], faults: list[str]) -> Iterator[_Entry]:
    """What is known of each model; why nothing can be said of one is added to the faults."""
    from errata.errors import ErrataError
    from errata.systems.cards import check_phrase, read_facts
    from errata.systems.installed import PREFERRED, choose_default
    from errata.systems.manifest import read_manifest, read_name

    defaults = {choose_default(language)[0] for language in PREFERRED}  # what is wrong with others is told already
    for model in models:
        try:
            manifest = read_manifest(model.folder)
            language = check_phrase(f"{model.folder}: language", read_name(model.folder, manifest, "language"))
            yield _Entry(
                model,
                language,
                read_name(model.folder, manifest, "system"),
                sum(path.stat().st_size for path in model.folder.rglob("*") if path.is_file()),
                read_facts(model.folder, manifest),
                is_default=model.name in defaults,
            )
        except (ErrataError, OSError) as error:  # an OSError: it is uninstalled meanwhile
            faults.append(f"model {model.name!r} cannot be listed: {error}")


def _lines(entry: _Entry, width: int) -> Iterator[str]:
    """The name and what is known of a model, in lines that fit a terminal."""
    from errata.edits.languages import LANGUAGES

    facts, model = entry.facts, entry.model
    language = LANGUAGES[entry.language].name if entry.language in LANGUAGES else entry.language
    speed = facts.sentences_per_second
    phrases = [
        f"{language}, default" if entry.is_default else language,
        ", ".join(
            [
                f"package {model.package} {model.version}".rstrip() if model.package else "bundled",
                f"{entry.size / 2**20:.1f} MiB",
                *([f"{speed:g} sentences a second"] if speed is not None else []),
            ]
        ),
        facts.licence or "licence not stated",
        "; ".join(f"{score.set} {score.score:.2f} ({score.metric})" for score in facts.scores[:MAIN_SCORES]),
        facts.contamination,
    ]
    indent = " " * (width + 2)
    for number, phrase in enumerate(phrases):
        first = indent if number else f"{model.name:<{width}}  "
        yield from textwrap.wrap(phrase, WIDTH, initial_indent=first, subsequent_indent=indent)
