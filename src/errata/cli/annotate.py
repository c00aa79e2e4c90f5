"""`errata annotate`: the projects of the annotation workbench, from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from errata.cli.annotate_database import AsJson, Data, Db, find_open_project, find_owner, find_project, open_workbench
from errata.cli.annotate_files import backup, export, restore
from errata.cli.annotate_owner import archive, delete, invite
from errata.errors import UsageError

app = typer.Typer(
    name="annotate",
    help="Annotation projects of a server: make them, import, export, look at them, back everything up.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Project = Annotated[str, typer.Argument(metavar="PROJECT", help="Its name or id.")]
Format = Annotated[
    str, typer.Option("--format", help="Format of the files; text is raw text, auto finds out.", metavar="FMT")
]
References = Annotated[
    str,
    typer.Option(help="What becomes of references in the files: leave, or golden (reviewers judge them like answers)."),
]


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the project is called.")],
    kind: Annotated[str, typer.Option(help="rewrite (sentences), or minimal (sentences in their paragraphs).")] = "",
    language: Annotated[str, typer.Option(help="en or zh.")] = "",
    imported: Annotated[
        list[Path] | None,
        typer.Option("--import", metavar="FILE", help="File with sentences, or one with a project's history (.jsonl)."),
    ] = None,
    qualify: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="File with sentences and references to qualify with.")
    ] = None,
    form: Format = "auto",
    references: References = "leave",
    k: Annotated[int, typer.Option(min=1, max=20, help="Annotators for each sentence.")] = 3,
    run: Annotated[bool, typer.Option("--run", help="Let people begin at once.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Also where a project of this name, or the same file, is there already.")
    ] = False,
    owner: Annotated[str, typer.Option(help="Whose project it is; needed where there are several owners.")] = "",
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Make a project. A history that errata annotate export wrote becomes the same project again.

    Example: errata annotate new Essays --kind rewrite --language en --import essays.txt --run
    """
    files, gold = imported or [], qualify or []
    with open_workbench(data, db) as engine:
        from errata.cli.annotate_projects import (
            make_project,
            make_project_of_history,
            read_history_lines,
            refuse_same_name,
        )

        owner_id = find_owner(engine, owner)
        if not again:
            refuse_same_name(engine, name)
        if (lines := read_history_lines(files)) is not None:
            if kind or language or gold or len(files) > 1:
                raise UsageError(f"{files[0]} is a project's history, which has all of it: give --import and no more")
            told = make_project_of_history(engine, owner_id, name, lines, str(files[0]))
        else:
            if not (kind and language):
                raise UsageError("a project needs --kind (rewrite or minimal) and --language (en or zh)")
            settings = {"kind": kind, "language": language, "k": k, "run": run}
            told = make_project(engine, owner_id, name, settings, files, gold, form, references, again=again)
    _tell(told, f"{name}: {told['n_items']} sentences; its id is {told['id']}", as_json)


@app.command("import")
def import_files(
    project: Project,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files with sentences; - is standard input.")],
    form: Format = "auto",
    purpose: Annotated[str, typer.Option(help="work, or qualify (needs references).")] = "work",
    references: References = "leave",
    again: Annotated[
        bool, typer.Option("--again", help="Also files whose sentences are all in the project already.")
    ] = False,
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Add the sentences of files to a project: all of them, or nothing where a line is wrong.

    Example: errata annotate import Essays more.m2
    """
    with open_workbench(data, db) as engine:
        from errata.cli.annotate_projects import import_into

        found = find_open_project(engine, project)
        told = import_into(engine, found, files, form, purpose, references, again=again)
    noun = "sentence" if told["n_items"] == 1 else "sentences"
    known = f", {told['n_known']} of which were there already" if told["n_known"] else ""
    _tell(told, f"{found.name}: {told['n_items']} {noun} added{known}", as_json)


@app.command("list")
def list_projects(data: Data = None, db: Db = "", as_json: AsJson = False) -> None:
    """List the projects and how far they are.

    Example: errata annotate list
    """
    from errata.cli.grids import Grid, Row, make_console, print_grid
    from errata.cli.json_text import format_json

    with open_workbench(data, db) as engine:
        from errata.cli.annotate_projects import find_all

        found = find_all(engine)
    if as_json:
        typer.echo(format_json(found, 2))
        return
    names = [one["name"] for one in found]
    is_clear = len(set(names)) == len(names)  # names say which project is meant, and ids would not fit a terminal
    columns = ("kind", "language", "state", "done", "sentences", *(() if is_clear else ("id",)))
    rows = [Row(one["name"], tuple(str(one[column]) for column in columns)) for one in found]
    if rows:
        print_grid(
            make_console(), Grid("", "project", columns, tuple(rows), texts=frozenset(columns) - {"done", "sentences"})
        )
    else:
        typer.echo("there are no projects", err=True)


@app.command("status")
def status(project: Project, data: Data = None, db: Db = "", as_json: AsJson = False) -> None:
    """Print what the owner's page shows: progress, scores before and after self-study, agreement.

    Example: errata annotate status Essays
    """
    from errata.cli.annotate_status import print_status
    from errata.cli.json_text import format_json

    with open_workbench(data, db) as engine:
        from errata.web.workbench.figures import compute_figures
        from errata.web.workbench.figures.record import read_record
        from errata.web.workbench.scorer import Scorers

        found = find_project(engine, project)
        figures = compute_figures(read_record(engine, found.id), Scorers()[found.language])
    if as_json:
        typer.echo(format_json({"id": found.id, "name": found.name, "state": found.state, **figures}, 2))
    else:
        print_status(found.name, found.state, figures)


app.command("invite")(invite)
app.command("archive")(archive)
app.command("delete")(delete)
app.command("export")(export)
app.command("backup")(backup)
app.command("restore")(restore)


def _tell(told: dict[str, Any], line: str, as_json: bool) -> None:
    from errata.cli.json_text import format_json

    if as_json:
        typer.echo(format_json(told, 2))
    else:
        typer.echo(line, err=True)
