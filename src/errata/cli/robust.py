"""`errata robust`: whether the same corrections are made when the context changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.errors import DataError, UsageError
from errata.stats.resampling import DEFAULT_SEED

if TYPE_CHECKING:
    from errata.pipeline.sentences import SentenceCorrector
    from errata.robustness.cases import Subset
    from errata.robustness.report import RobustReport
    from errata.robustness.voting import Voting

# Fewer samples than these are done before a bar is read.
LONG = 500
_IN, _MODEL, _HOW, _OUT = "Input", "Model", "Scoring", "Output"


def robust(
    cases: Annotated[
        list[str],
        typer.Argument(metavar="CASES", help="Files of RobustGEC's blocks, each a subset; - is standard input."),
    ],
    hyp: Annotated[
        list[str] | None,
        typer.Option(
            help="Hypotheses, one line for each sample; one file for each file of cases.", rich_help_panel=_IN
        ),
    ] = None,
    lang: Annotated[str | None, typer.Option(help="en or zh (else detected).", rich_help_panel=_IN)] = None,
    lenient: Annotated[
        bool,
        typer.Option("--lenient", help="Score what can be scored; say what is left out.", rich_help_panel=_IN),
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(help="Correct with this installed model, or folder (./mine).", rich_help_panel=_MODEL),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="careful, balanced or eager.", rich_help_panel=_MODEL, show_default=False)
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules/--no-rules", help="Correct everyday slips by rule too.", rich_help_panel=_MODEL)
    ] = True,
    keep_bias: Annotated[
        float | None,
        typer.Option(help="Added to the score of leaving a token alone.", rich_help_panel=_MODEL),
    ] = None,
    vote: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Make the edits that most of N variants of a sentence get.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    average: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Decide by the mean of a tagger's probabilities over N variants.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="cpu, cuda, cuda:1 … (torch systems).", rich_help_panel=_MODEL)
    ] = None,
    allow_network: Annotated[
        bool,
        typer.Option(
            "--allow-network", help="Let a model behind an endpoint send the text there.", rich_help_panel=_MODEL
        ),
    ] = False,
    definition: Annotated[str, typer.Option(help="official, consistent or both.", rich_help_panel=_HOW)] = "both",
    bootstrap: Annotated[
        int, typer.Option(metavar="N", help="95 % intervals from N resamples of the cases.", rich_help_panel=_HOW)
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples.", rich_help_panel=_HOW)] = DEFAULT_SEED,
    workers: Annotated[int, typer.Option(min=1, help="Processes that extract edits.", rich_help_panel=_HOW)] = 1,
    min_crs: Annotated[
        float | None,
        typer.Option(
            min=0, max=100, metavar="X", help="Exit 1 if CRS of all cases is below X per cent.", rich_help_panel=_HOW
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="P-CRS by action, distance, frequency, pos, type; repeat, or separate by commas.", rich_help_panel=_OUT
        ),
    ] = None,
    frequencies: Annotated[
        str | None,
        typer.Option(help="Training text, or words and counts, for --by frequency.", rich_help_panel=_OUT),
    ] = None,
    flips: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many flips to show, the worst first.", rich_help_panel=_OUT)
    ] = 5,
    html: Annotated[
        Path | None, typer.Option(metavar="PAGE", help="Write a page with tables and plots too.", rich_help_panel=_OUT)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=_OUT)] = False,
) -> None:
    """Measure how often the same corrections are made when words around the errors change.

    Example: errata robust conll14.para --model en-small --by action,distance --min-crs 70
    """
    from errata.cli.json_text import format_json
    from errata.cli.progress import show_bar
    from errata.cli.robust_tables import print_report
    from errata.formats.files import check_outputs, display_name, open_for_writing
    from errata.robustness.cases import read_subsets, with_hypotheses
    from errata.robustness.evaluation import RobustOptions, choose_language, evaluate, run_corrector
    from errata.robustness.page import format_page

    groupings = tuple(dict.fromkeys(name for one in by or () for name in one.replace(",", " ").split()))
    options = RobustOptions(definition, groupings, frequencies, flips, bootstrap, seed, lenient, workers)
    check_outputs([html], [*cases, *(hyp or ()), *([frequencies] if frequencies else [])])
    if model is None:
        _refuse_model_options(preset=preset, keep_bias=keep_bias, device=device, no_rules=None if rules else True)
    with _suggest_lenient(lenient), show_bar(LONG) as progress:
        subsets = read_subsets(cases, lenient=lenient)
        language = choose_language(subsets, lang)
        name = "predictions"
        if vote is not None and average is not None:
            raise UsageError("--vote and --average are two ways to use variants: leave one of them out")
        if (vote or average) is not None and model is None:
            raise UsageError(f"--{'vote' if vote else 'average'} asks a model several times: name it with --model")
        if model is not None:
            if hyp:
                raise UsageError("--model makes hypotheses and --hyp has them: leave one of them out")
            settings = {"keep_bias": keep_bias, "device": device, "allow_network": allow_network or None}
            corrector = _load(model, language, vote, average, preset=preset, rules=rules, **settings)
            name = _describe(corrector.name, preset=preset, keep_bias=keep_bias, variants=vote or average, rules=rules)
            subsets = with_hypotheses(subsets, run_corrector(corrector, subsets, progress), name)
        elif hyp:
            name = ", ".join(map(display_name, hyp))
            subsets = _read_hypotheses(subsets, hyp)
        report = evaluate(subsets, name, language, options, progress)
    for warning in report.warnings:
        typer.echo(f"errata: warning: {warning}", err=True)
    if html is not None:
        with open_for_writing(html) as stream:
            stream.write(format_page(report))
    if as_json:
        typer.echo(format_json(report.as_dict(), 2))
    else:
        print_report(report)
    if min_crs is not None:
        _check_floor(report, min_crs)


def _describe(name: str, *, preset: str | None, keep_bias: float | None, variants: int | None, rules: bool) -> str:
    """The name of a corrector with what it was asked to do: `en-small (preset eager, no rules)`."""
    told = [
        *([f"preset {preset}"] if preset else []),
        *([f"keep bias {keep_bias:g}"] if keep_bias is not None else []),
        *([f"{variants} variants"] if variants else []),
        *([] if rules else ["no rules"]),
    ]
    return f"{name} ({', '.join(told)})" if told else name


def _refuse_model_options(**given: object) -> None:
    """Refuse what is said about a model where none is asked."""
    if name := next((name for name, value in given.items() if value is not None), None):
        raise UsageError(f"--{name.replace('_', '-')} is for a model: name it with --model")


def _read_hypotheses(subsets: Sequence[Subset], paths: Sequence[str]) -> list[Subset]:
    from errata.formats.files import display_name
    from errata.metrics.inputs import read_texts
    from errata.robustness.cases import with_hypotheses

    if len(paths) != len(subsets):
        raise UsageError(f"{len(subsets)} files of cases and {len(paths)} --hyp: give one for each, in the same order")
    return [
        filled
        for subset, path in zip(subsets, paths, strict=True)
        for filled in with_hypotheses([subset], read_texts(path), display_name(path))
    ]


def _load(
    model: str, language: str, n_voters: int | None, n_averaged: int | None, **options: Any
) -> SentenceCorrector | Voting:
    """A model that looks at a sentence once, as in `benchmarks/quality`; with variants, several looks as one."""
    from errata.cli.model_names import given_with
    from errata.pipeline.load import load_model
    from errata.robustness.averaging import average_over
    from errata.robustness.voting import Voting, substitute_words

    is_tokenised = language == "en"
    given = {name: value for name, value in options.items() if value is not None}
    with given_with("--model"):
        corrector = load_model(model, tokenised=is_tokenised, **given)
    if corrector.language != language:
        raise UsageError(f"{model} corrects {corrector.language}, the cases are {language}: --lang says what they are")
    if n_averaged is not None:
        return average_over(corrector, substitute_words(language, n_averaged))
    if n_voters is None:
        return corrector
    return Voting(corrector, substitute_words(language, n_voters), layout="tokenised" if is_tokenised else language)


def _check_floor(report: RobustReport, floor: float) -> None:
    """Fail when CRS of all cases is below the floor; in the first definition that was asked for."""
    name, scores = next(iter(report.total.scores.items()))
    if 100 * scores.crs < floor:
        raise DataError(f"CRS ({name}) is {100 * scores.crs:.2f}, below --min-crs {floor:g}")


@contextmanager
def _suggest_lenient(is_lenient: bool) -> Iterator[None]:
    """In the block, a case that cannot be scored is an error that names `--lenient`."""
    from errata.robustness.cases import UnscorableCase

    try:
        yield
    except UnscorableCase as error:
        if not is_lenient:
            error.extend("--lenient scores the rest and says what it leaves out")
        raise
