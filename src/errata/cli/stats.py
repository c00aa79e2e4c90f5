"""`errata stats`: the figures of corpora, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errata.errors import UsageError
from errata.stats.resampling import DEFAULT_SEED

if TYPE_CHECKING:
    from errata.analysis.corpora import CorpusFiles

_IN, _HOW, _OUT = "Input", "Counting", "Output"


def stats(
    corpora: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CORPUS",
            help="FILE in any format, NAME=FILE, or NAME=SOURCE,REFERENCE,… line by line; - is standard input.",
            show_default=False,
        ),
    ] = None,
    test_set: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME", help="A test set by its name; repeat for several.", rich_help_panel=_IN),
    ] = None,
    data_dir: Annotated[
        str | None,
        typer.Option(help="Folder with the files of test sets (else $ERRATA_DATA).", rich_help_panel=_IN),
    ] = None,
    lenient: Annotated[
        bool,
        typer.Option("--lenient", help="Keep M2 edits that reach beyond their sentence.", rich_help_panel=_IN),
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N sentences of each.", rich_help_panel=_IN)
    ] = None,
    extract: Annotated[
        bool, typer.Option("--extract", help="Find the edits of corrected texts.", rich_help_panel=_HOW)
    ] = False,
    entities: Annotated[
        bool, typer.Option("--entities", help="Count named entities (English).", rich_help_panel=_HOW)
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the order of sentences for TTR shuffled.", rich_help_panel=_HOW)
    ] = DEFAULT_SEED,
    workers: Annotated[
        int, typer.Option(min=1, metavar="N", help="Corpora that are counted at once.", rich_help_panel=_HOW)
    ] = 1,
    report: Annotated[
        Path | None, typer.Option(metavar="PAGE", help="Write a page with tables and plots too.", rich_help_panel=_OUT)
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help="text, markdown, latex, csv or json.", rich_help_panel=_OUT)
    ] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=_OUT)] = False,
) -> None:
    """Count what is in corpora: size, variety, errors and their types, references, agreement.

    Example: errata stats CWEB-G=CWEB-G.test.m2 FCE=fce.test.m2 --report corpora.html
    """
    from errata.analysis.corpora import find_corpora
    from errata.analysis.measuring import measure_all
    from errata.analysis.report import Result, make_report
    from errata.analysis.statistics import StatsOptions
    from errata.analysis.statistics_tables import KIND, list_notes, make_tables
    from errata.cli.printed_tables import choose_format, print_tables
    from errata.cli.progress import show_bar
    from errata.formats.files import check_outputs, open_for_writing

    format = choose_format(format, as_json)
    files = [*find_corpora(corpora or (), lenient=lenient), *_find_sets(test_set or (), data_dir)]
    if not files:
        raise UsageError("no corpus: give FILE, NAME=FILE, or --set NAME")
    check_outputs([report], [path for one in files for path in one.paths])
    options = StatsOptions(extract, entities, limit, seed)
    with show_bar() as progress:
        figures = measure_all(files, options, workers, progress)
    found = [one.as_dict() for one in figures]
    result = {"kind": KIND, "corpora": found}
    if report is not None:
        with open_for_writing(report) as stream:
            stream.write(make_report([Result(KIND, result)], "Corpora"))
    print_tables(result, make_tables(found), list_notes(found), format)


def _find_sets(names: list[str] | tuple[()], data_dir: str | None) -> list[CorpusFiles]:
    from errata.analysis.corpora import CorpusFiles
    from errata.cli.scoring import choose_set
    from errata.datasets.finding import data_folder, find_files

    if not names and data_dir:
        raise UsageError("--data-dir is where a named test set is looked for: give --set NAME too")
    found = []
    for name in names:
        chosen = choose_set(name)
        assert chosen is not None
        paths = find_files(chosen, data_folder(data_dir))
        found.append(CorpusFiles(name, tuple(map(str, paths)), chosen))
    return found
