"""The command line: one program, one file per verb, each parse → call the library → print."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import typer

from errata.cli.drop_in import typer_settings
from errata.errors import ErrataError

# verb → "module:function"; the order is the order of `errata --help`.
COMMANDS: dict[str, str] = {
    "convert": "errata.cli.convert:convert",
    "score": "errata.cli.score:score",
    "compare": "errata.cli.compare:compare",
    "errant-compare": "errata.cli.errant_compare:errant_compare",
    "cherrant": "errata.cli.cherrant:cherrant",
    "m2scorer": "errata.cli.m2scorer:m2scorer",
    "train": "errata.cli.train:train",
}

app = typer.Typer(
    name="errata",
    help="Grammatical error correction in English and Chinese: correct, annotate, score, train.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from errata import __version__

        typer.echo(f"errata {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
) -> None:
    if debug:
        os.environ["ERRATA_DEBUG"] = "1"


for _name, _address in COMMANDS.items():
    _module, _, _function = _address.partition(":")
    _command = getattr(import_module(_module), _function)
    app.command(_name, **typer_settings(_command))(_command)


def main() -> None:
    """Run the command line; errors become one line on stderr and an exit code (1 data, 2 usage)."""
    try:
        app()
    except ErrataError as error:
        if os.environ.get("ERRATA_DEBUG"):
            raise
        print(f"errata: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader went away (`| head`): not an error of ours; keep Python from complaining at shutdown.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
