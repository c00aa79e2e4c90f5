"""The command line: one program, one file per verb, each parse → call the library → print."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from errata.cli.drop_in import typer_settings
from errata.cli.suggestions import suggest_value
from errata.cli.values import describe_number, refuse_empty, refuse_no_numbers
from errata.errors import ErrataError, UsageError, find_nearest
from errata.logs import speak_utf8
from errata.registry import find_plugins, load_plugins, lookup

# verb → "module:function"; the order is the order of `errata --help`.
COMMANDS: dict[str, str] = {
    "correct": "errata.cli.correct:correct",
    "words": "errata.cli.words:app",
    "rules": "errata.cli.rules:rules",
    "serve": "errata.cli.serve:serve",
    "users": "errata.cli.users:app",
    "annotate": "errata.cli.annotate:app",
    "models": "errata.cli.models:app",
    "extract": "errata.cli.extract:extract",
    "convert": "errata.cli.convert:convert",
    "score": "errata.cli.score:score",
    "compare": "errata.cli.compare:compare",
    "stats": "errata.cli.stats:stats",
    "analyze": "errata.cli.analyze:app",
    "report": "errata.cli.report:report",
    "attribute": "errata.cli.attribute:attribute",
    "impact": "errata.cli.impact:impact",
    "robust": "errata.cli.robust:robust",
    "perturb": "errata.cli.perturb:perturb",
    "meta": "errata.cli.meta:meta",
    "errant-parallel": "errata.cli.errant_parallel:errant_parallel",
    "errant-m2": "errata.cli.errant_m2:errant_m2",
    "errant-compare": "errata.cli.errant_compare:errant_compare",
    "cherrant": "errata.cli.cherrant:cherrant",
    "m2scorer": "errata.cli.m2scorer:m2scorer",
    "classify": "errata.cli.classify:classify",
    "train": "errata.cli.train:train",
    "recipes": "errata.cli.recipes:app",
    "data": "errata.cli.data:app",
    "export": "errata.cli.export:export",
    "tune": "errata.cli.tune:tune",
    "package": "errata.cli.package:package",
    "crawl": "errata.cli.crawl:crawl",
    "synth": "errata.cli.synth:synth",
    "ensemble": "errata.cli.ensemble:ensemble",
}

# Verbs of other packages are entry points in this group.
PLUGINS = "errata.commands"
# Verbs that end in their own way when they are told to.
HANDLE_SIGNALS = frozenset({"serve", "train"})
FULL = (errno.ENOSPC, errno.EDQUOT)
READER_GONE = 128 + 13  # as shells have it after SIGPIPE


# What Typer raises for wrong usage; its own copy of click has no public name for it.
USAGE: Any = typer.BadParameter.__bases__[0]


class LazyGroup(TyperGroup):
    """Imports a verb's module when that verb is called (or help asks for all): scoring must not wait for training."""

    def list_commands(self, ctx: Any) -> list[str]:
        brought, faults = load_plugins("command", COMMANDS, PLUGINS)
        for fault in faults:
            typer.echo(f"errata: warning: {fault}", err=True)
        return [*COMMANDS, *brought]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS and cmd_name not in find_plugins(PLUGINS):
            return None
        command = lookup("command", COMMANDS, cmd_name, group=PLUGINS)
        if not isinstance(command, typer.Typer):
            single = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
            single.command(cmd_name, **typer_settings(command))(command)
            command = single
        found = typer.main.get_command(command)
        found.name = cmd_name
        refuse_no_numbers(found)
        return found

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and name not in (brought := find_plugins(PLUGINS)):
            near = find_nearest(name, [*COMMANDS, *brought])
            raise UsageError(f"no command {name!r}; {f'did you mean {near}?' if near else 'errata -h lists them'}")
        found = super().resolve_command(ctx, args)
        refuse_empty(found[1], args[1:])
        return found

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except USAGE as error:
            if not isinstance(error, typer.BadParameter) and type(error).__name__ != "NoSuchOption":
                raise
            if (described := describe_number(error)) is not None:
                raise UsageError(described) from error
            message = error.format_message()
            raise UsageError(message[:1].lower() + message[1:] + suggest_value(message)) from error
        except BrokenPipeError:
            # The reader went away (`| head`): not an error of ours, though Typer would make it one.
            _give_up_stdout()
            raise typer.Exit(READER_GONE) from None


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
    ctx: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
) -> None:
    if debug:
        os.environ["ERRATA_DEBUG"] = "1"
    if ctx.invoked_subcommand not in HANDLE_SIGNALS:
        ctx.with_resource(_unwinding())


@contextmanager
def _unwinding() -> Iterator[None]:
    """In the block, SIGTERM and SIGHUP are exceptions, so that half-written files are removed."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has no HUP
    try:
        # One that is ignored (nohup) stays so.
        ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
        for number in ours:
            signal.signal(number, _stop)
    except ValueError:  # not in the main thread: signals are the program's own business
        ours = []
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _give_up_stdout() -> None:
    """Keep Python from complaining at shutdown about what standard output did not take."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the command line; errors become one line on stderr and an exit code (1 data, 2 usage)."""
    speak_utf8()
    try:
        app()
    except ErrataError as error:
        if os.environ.get("ERRATA_DEBUG"):
            raise
        print(f"errata: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        if os.environ.get("ERRATA_DEBUG"):
            raise
        where = f"{error.filename}: " if error.filename else ""
        advice = "; make room, and give the command again" if error.errno in FULL else ""
        print(f"errata: {where}{error.strerror or error}{advice}", file=sys.stderr)
        _give_up_stdout()
        sys.exit(1)
    except UnicodeError as error:
        if os.environ.get("ERRATA_DEBUG"):
            raise
        print(f"errata: a name or an argument is not UTF-8: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
