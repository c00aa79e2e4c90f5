"""`errata rules`: the rules for everyday slips, with their examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from errata.rules import Rule

# Columns by which the lines under a rule, and the rest of a line that does not fit, are indented.
INDENT, HANGING = 2, 4
# Columns of a Chinese character.
NARROWEST = 2


def rules(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="RULE…", help="Only these rules.", show_default=False)
    ] = None,
    rule_file: Annotated[
        list[Path] | None, typer.Option("--rule-file", help="Read a file of your own too; may be repeated.")
    ] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="en|zh", help="Only the rules about this language.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Run the examples: of your own files, or else of errata's rules.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List the rules that correct everyday slips beside the model, with an example of each.

    Example: errata rules should-of
    """
    from errata.cli.json_text import format_json
    from errata.errors import DataError, UsageError
    from errata.formats.files import display_name
    from errata.pipeline.load import choose_rules
    from errata.rules.book import BOOKS, RuleBook

    if lang is not None and lang not in BOOKS:
        raise UsageError(f"there are no rules about {lang!r}: choose {', '.join(BOOKS)}")
    if check and as_json:
        raise UsageError("--check says in lines which examples fail: leave --json out")
    book = choose_rules(not (check and rule_file), rule_files=rule_file or (), language=lang) or RuleBook(())
    if not book.rules:
        listed = ", ".join(map(display_name, rule_file or ()))
        raise DataError(f"{listed}: there is no rule about {lang} in it: leave --lang out")
    chosen = _choose(book.rules, names or (), lang)
    if check:
        raise typer.Exit(_check(book.rules, chosen))
    if as_json:
        typer.echo(format_json([_as_dict(rule) for rule in chosen]))
        return
    _print(chosen, is_full=bool(names))


def _choose(known: Sequence[Rule], names: Sequence[str], lang: str | None) -> list[Rule]:
    from errata.errors import UnknownName, UsageError
    from errata.rules.book import BOOKS, load_rules

    by_name = {rule.name: rule for rule in known}
    unknown = next((name for name in names if name not in by_name), None)
    if unknown is not None:
        if lang and any(rule.name == unknown for book in BOOKS if book != lang for rule in load_rules(book).rules):
            raise UsageError(f"the rule {unknown} is not about {lang}: leave --lang out")
        raise UnknownName("rule", unknown, by_name)
    return [by_name[name] for name in dict.fromkeys(names)] if names else list(known)


def _check(known: Sequence[Rule], chosen: Sequence[Rule]) -> int:
    """Run the examples of the chosen rules among all known ones, and print what fails; the exit status."""
    from errata.rules.examples import check_examples

    wanted = {rule.name for rule in chosen}
    faults = [fault for fault in check_examples(known) if fault.rule.name in wanted]
    for rule, where, problem in faults:
        typer.echo(f"{where}: {rule.name} {problem}")
    n_examples = sum(len(rule.examples) + len(rule.kept) for rule in chosen)
    failed = f"{len(faults)} failed; mend the pattern or the example" if faults else "all right"
    typer.echo(f"errata: rules: {len(chosen)}, examples: {n_examples}, {failed}", err=True)
    return 1 if faults else 0


def _print(chosen: Sequence[Rule], *, is_full: bool) -> None:
    """The rules with all their examples, or with the first."""
    from errata.cli.grids import make_console

    console = make_console()
    for rule in chosen:
        _print_line(console, f"{rule.name}: {rule.about}", 0)
        for example in rule.examples if is_full else rule.examples[:1]:
            _print_line(console, f"{example.wrong} → {example.right}", INDENT)
        for kept in rule.kept if is_full else ():
            _print_line(console, f"left alone: {kept}", INDENT)


def _print_line(console: Console, text: str, indent: int) -> None:
    """A line, and where it does not fit, its rest below it."""
    from rich.text import Text

    text = text.replace("\t", " ")
    first, *_ = Text(text).wrap(console, max(NARROWEST, console.width - indent))
    rest = Text(text[len(first.plain) :].lstrip())
    typer.echo(" " * indent + first.plain.rstrip())
    for line in rest.wrap(console, max(NARROWEST, console.width - HANGING)) if rest else ():
        typer.echo(" " * HANGING + line.plain.rstrip())


def _as_dict(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "language": rule.language,
        "where": rule.where,
        "about": rule.about,
        "sure": rule.sure,
        "learnt": rule.is_learnt,
        "find": list(rule.finds),
        "skip": list(rule.written_skips),
        "unless": rule.written_unless.split(),
        "examples": [{"wrong": example.wrong, "right": example.right} for example in rule.examples],
        "left_alone": list(rule.kept),
    }
