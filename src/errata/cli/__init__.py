"""The command line: one program, one file per verb, each parse → call the library → print."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from errata.cli.drop_in import typer_settings
from errata.errors import ErrataError
from errata.registry import lookup

# verb → "module:function"; the order is the order of `errata --help`.
COMMANDS: dict[str, str] = {
    "correct": "errata.cli.correct:correct",
    "words": "errata.cli.words:app",
    "serve": "errata.cli.serve:serve",
    "extract": "errata.cli.extract:extract",
    "convert": "errata.cli.convert:convert",
    "score": "errata.cli.score:score",
    "compare": "errata.cli.compare:compare",
    "errant-parallel": "errata.cli.errant_parallel:errant_parallel",
    "errant-m2": "errata.cli.errant_m2:errant_m2",
    "errant-compare": "errata.cli.errant_compare:errant_compare",
    "cherrant": "errata.cli.cherrant:cherrant",
    "m2scorer": "errata.cli.m2scorer:m2scorer",
    "classify": "errata.cli.classify:classify",
    "train": "errata.cli.train:train",
    "export": "errata.cli.export:export",
    "tune": "errata.cli.tune:tune",
    "synth": "errata.cli.synth:synth",
    "ensemble": "errata.cli.ensemble:ensemble",
}


class LazyGroup(TyperGroup):
    """Imports a verb's module when that verb is called (or help asks for all): scoring must not wait for training."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        command = lookup("command", COMMANDS, cmd_name)
        if not isinstance(command, typer.Typer):
            single = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
            single.command(cmd_name, **typer_settings(command))(command)
            command = single
        found = typer.main.get_command(command)
        found.name = cmd_name
        return found


app = typer.Typer(
    name="errata",
    cls=LazyGroup,
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
