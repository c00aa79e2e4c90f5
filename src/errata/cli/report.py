"""`errata report`: one page from the results of other commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULT",
            help="What --json of stats, score, compare, robust, meta or analyze printed; or NAME=FILE; - is stdin.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="PAGE", help="The page to write; - is stdout.")],
    title: Annotated[str, typer.Option(help="Title of the page.")] = "errata report",
) -> None:
    """Write one HTML page, which needs nothing else, from any mix of results.

    Example: errata report -o report.html stats.json scores.json density.json
    """
    from errata.analysis.report import make_report, read_result
    from errata.formats.files import check_outputs, open_for_writing

    results = [read_result(one) for one in inputs]
    check_outputs([output], [one.path for one in results])
    page = make_report(results, title)
    with open_for_writing(output) as stream:
        stream.write(page)
