"""`errata meta`: how well metrics agree with people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errata.errors import UsageError
from errata.stats.resampling import DEFAULT_SEED

if TYPE_CHECKING:
    from errata.meta_eval.scorers import Scorer

_IN, _HOW, _OUT = "Input", "Judging", "Output"


def meta(
    data: Annotated[str, typer.Option(metavar="NAME", help="Judged set: gjg15, seeda, maege, gmeg or cltc.")],
    root: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the judged set; for maege a corpus.")],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="NAME[:OPTION=VALUE,…]",
            help="Metric, such as errant or gleu:variant=official; repeat to compare.",
            rich_help_panel=_IN,
        ),
    ] = None,
    scores: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Scores of another metric: system, perhaps sentence, score.", rich_help_panel=_IN
        ),
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Corpus with the references (else looked for).", rich_help_panel=_IN)
    ] = None,
    allow_network: Annotated[
        bool,
        typer.Option("--allow-network", help="Let llm send the text to its model's endpoint.", rich_help_panel=_IN),
    ] = False,
    missing: Annotated[
        str,
        typer.Option(
            help="An annotator without an entry agrees with the others, or leaves the text unchanged.",
            rich_help_panel=_IN,
        ),
    ] = "agrees",
    sentences: Annotated[
        int | None, typer.Option(metavar="N", help="Draw N sentences of the corpus (maege).", rich_help_panel=_IN)
    ] = None,
    systems: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GROUP", help="Groups of systems: base, fluency, all (else each of them).", rich_help_panel=_HOW
        ),
    ] = None,
    window: Annotated[
        int, typer.Option(metavar="N", help="Systems in a window of the ranking.", rich_help_panel=_HOW)
    ] = 4,
    ties: Annotated[
        str, typer.Option(help="A metric's tie is wrong, half, skip or loss.", rich_help_panel=_HOW)
    ] = "wrong",
    runs: Annotated[
        int, typer.Option(metavar="N", help="Runs of TrueSkill, resamples for Expected Wins.", rich_help_panel=_HOW)
    ] = 100,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", help="95 % intervals from N resamples.", rich_help_panel=_HOW)
    ] = 0,
    resample: Annotated[
        str, typer.Option(help="What is resampled: sentences or systems.", rich_help_panel=_HOW)
    ] = "sentences",
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.", rich_help_panel=_HOW)] = DEFAULT_SEED,
    rankings: Annotated[
        bool, typer.Option("--rankings", help="Add the human rankings of systems.", rich_help_panel=_OUT)
    ] = False,
    tests: Annotated[
        bool, typer.Option("--tests", help="Add Williams' tests between metrics.", rich_help_panel=_OUT)
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="PAGE", help="Write a page with tables and plots too.", rich_help_panel=_OUT)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=_OUT)] = False,
) -> None:
    """Measure how well metrics agree with people.

    Example: errata meta --data seeda --root seeda -m errant -m gleu --html seeda.html
    """
    from errata.cli.json_text import format_json
    from errata.cli.meta_tables import print_report
    from errata.cli.progress import show_bar
    from errata.formats.files import check_outputs, open_for_writing
    from errata.meta_eval.base import get_judged_set
    from errata.meta_eval.evaluation import MetaOptions, evaluate_metrics
    from errata.meta_eval.page import format_page

    groups = tuple(dict.fromkeys(name for one in systems or () for name in one.replace(",", " ").split()))
    check_outputs([html], [*(scores or ()), *([gold] if gold else [])])
    options = MetaOptions(groups, window, ties, runs, bootstrap, resample, seed)
    scorers = _make_scorers(metric or (), scores or (), missing, allow_network)
    judged = get_judged_set(data, gold=gold, sentences=sentences, seed=seed)
    with show_bar() as progress:
        report = evaluate_metrics(data, judged.load(root), scorers, options, progress)
    for warning in report.warnings:
        typer.echo(f"errata: warning: {warning}", err=True)
    if html is not None:
        with open_for_writing(html) as stream:
            stream.write(format_page(report))
    if as_json:
        typer.echo(format_json(report.as_dict(), 2))
    else:
        print_report(report, rankings=rankings, tests=tests)


def _make_scorers(metrics: Sequence[str], files: Sequence[str], missing: str, allow_network: bool) -> list[Scorer]:
    from errata.meta_eval.scorers import FileScorer, MetricScorer
    from errata.metrics.base import METRICS
    from errata.metrics.options import make_metrics, option_types

    if not metrics and not files:
        raise UsageError(f"no metric: give --metric NAME ({', '.join(METRICS)}) or --scores FILE")
    scorers: list[Scorer] = []
    for spec in dict.fromkeys(metrics):
        name, _, written = spec.partition(":")
        options: dict[str, str] = {}
        for option, value in (_read_option(spec, part) for part in written.split(",") if part):
            if options.setdefault(option, value) != value:
                raise UsageError(f"--metric {spec}: {option} has two values, {options[option]} and {value}")
        if allow_network and "allow_network" in option_types(name):
            options["allow_network"] = "yes"
        scorers.append(MetricScorer(make_metrics({name: {}}, options)[0], spec, missing=missing))
    return scorers + [FileScorer(path) for path in dict.fromkeys(files)]


def _read_option(spec: str, part: str) -> tuple[str, str]:
    option, equals, value = part.partition("=")
    if not equals:
        raise UsageError(f"--metric {spec}: options are written name:option=value, not {part!r}")
    return option.strip().replace("-", "_"), value.strip()
