"""`errata rules`: the rules for everyday slips, with their examples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from errata.rules import Rule


def rules(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="RULE…", help="Only these rules.", show_default=False)
    ] = None,
    rule_file: Annotated[
        list[Path] | None, typer.Option("--rule-file", help="Read a file of your own too; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List the rules that correct everyday slips beside the model, with an example of each.

    Example: errata rules should-of
    """
    from errata.cli.json_text import format_json
    from errata.errors import UnknownName
    from errata.pipeline.load import choose_rules
    from errata.rules import RuleBook

    book = choose_rules(True, rule_files=rule_file or ()) or RuleBook(())
    known = {rule.name: rule for rule in book.rules}
    for name in names or ():
        if name not in known:
            raise UnknownName("rule", name, known)
    chosen = [known[name] for name in names] if names else list(known.values())
    if as_json:
        typer.echo(format_json([_as_dict(rule) for rule in chosen]))
        return
    for rule in chosen:
        typer.echo(f"{rule.name}: {rule.about}")
        # All examples of rules that were asked for, the first of others.
        for example in rule.examples if names else rule.examples[:1]:
            typer.echo(f"  {example.wrong} → {example.right}")
        for kept in rule.kept if names else ():
            typer.echo(f"  left alone: {kept}")


def _as_dict(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "language": rule.language,
        "about": rule.about,
        "sure": rule.sure,
        "find": list(rule.finds),
        "examples": [{"wrong": example.wrong, "right": example.right} for example in rule.examples],
        "left_alone": list(rule.kept),
    }
