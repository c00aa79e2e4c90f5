"""`errata annotate export`, `backup` and `restore`: what leaves a server as a file, and what comes back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from errata.cli.annotate_database import AsJson, Data, Db, find_person, find_project, open_workbench
from errata.errors import UsageError

# A backup has people's names and what is kept of their passwords: nobody else may read it.
PRIVATE = 0o077


def export(
    project: Annotated[str, typer.Argument(metavar="PROJECT", help="Its name or id.")],
    output: Annotated[str, typer.Argument(metavar="[OUT]", help="File to write; - is standard output.")] = "-",
    form: Annotated[
        str, typer.Option("--format", metavar="FMT", help="m2, tsv, fcgec, para, text, or jsonl (the whole history).")
    ] = "m2",
    state: Annotated[str, typer.Option(help="done, or all (with what files said of sentences not done).")] = "done",
    purpose: Annotated[str, typer.Option(help="work, qualify or any.")] = "work",
    names: Annotated[bool, typer.Option("--names", help="jsonl: people by their names, not by numbers.")] = False,
    gold_for: Annotated[
        str, typer.Option(metavar="PERSON", help="The gold that somebody's answers are scored by.")
    ] = "",
    answers_of: Annotated[str, typer.Option(metavar="PERSON", help="Somebody's answers, in the same order.")] = "",
    after_study: Annotated[bool, typer.Option("--after-study", help="Their answers after self-study.")] = False,
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Write the sentences of a project with their golden references, or everything that happened in it.

    Example: errata annotate export Essays essays.m2
    """
    from errata.cli.json_text import format_json
    from errata.formats.files import check_outputs, display_name, open_for_writing

    if gold_for and answers_of:
        raise UsageError("--gold-for and --answers-of make two files: call it twice")
    if after_study and not (gold_for or answers_of):
        raise UsageError("--after-study goes with --gold-for or --answers-of")
    if as_json and output == "-":
        raise UsageError("--json tells about a file: give OUT")
    check_outputs([output])
    with open_workbench(data, db) as engine:
        from errata.web.workbench.exports.files import Order, write_export
        from errata.web.workbench.exports.samples import Sampled
        from errata.web.workbench.scorer import Scorers

        found = find_project(engine, project)
        sampled = None
        if person := gold_for or answers_of:
            side, stage = "gold" if gold_for else "answers", "after" if after_study else "before"
            sampled = Sampled(find_person(engine, found, person), side, stage)
        order = Order(form, state, purpose, names, sampled)
        with open_for_writing(output) as stream:
            notes = write_export(engine, found.id, order, Scorers(), stream)  # type: ignore[arg-type]
    if as_json:
        told = {"id": found.id, "name": found.name, "file": display_name(output), "format": form, "notes": notes}
        typer.echo(format_json(told, 2))
        return
    for note in notes:
        typer.echo(f"  {note}", err=True)


def backup(
    output: Annotated[str, typer.Argument(metavar="OUT", help="File to write; .gz and .xz are packed.")],
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Write the whole database into one file, as it is at one moment; the server may run on.

    Example: errata annotate backup monday.backup.gz
    """
    from errata.cli.json_text import format_json

    with open_workbench(data, db) as engine:
        from errata.web.backup import write_backup

        before = os.umask(PRIVATE)
        try:
            made = write_backup(engine, output)
        finally:
            os.umask(before)
    told = {"file": output, **made.as_dict()}
    typer.echo(format_json(told, 2) if as_json else _sum_up(output, made.tables), err=not as_json)


def restore(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file that errata annotate backup wrote.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Also where the database has something: it is lost.")
    ] = False,
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Fill an empty database with a backup, of whichever kind of database it was. Stop the server first.

    Example: errata annotate restore monday.backup.gz --db postgresql://user@host/errata
    """
    from errata.cli.json_text import format_json

    if source != "-" and not Path(source).exists():
        raise UsageError(f"there is no file {source}")
    with open_workbench(data, db, is_new=True) as engine:
        from errata.web.backup import read_backup

        made = read_backup(engine, source, replace=replace)
    told = {"file": source, **made.as_dict()}
    typer.echo(format_json(told, 2) if as_json else _sum_up(source, made.tables), err=not as_json)


def _sum_up(file: str, tables: dict[str, int]) -> str:
    shown = ", ".join(f"{tables.get(name, 0)} {name}" for name in ("users", "projects", "items", "submissions"))
    return f"{file}: {shown}"
