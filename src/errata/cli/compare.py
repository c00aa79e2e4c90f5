"""`errata compare`: two hypotheses under the same metric, whether they differ, and by which edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer
from rich.text import Text

from errata.cli import scoring
from errata.cli.grids import Grid, Row, make_console, print_grid
from errata.cli.json_text import format_json
from errata.cli.tables import print_lines, score_grid, show_progress
from errata.errors import DataError, UsageError
from errata.metrics.base import Metric
from errata.metrics.differences import Difference, JudgedEdit, find_differences, find_edit_metric
from errata.metrics.evaluation import Evaluation
from errata.metrics.scoring import Answers
from errata.stats.resampling import DEFAULT_SEED, PAIRED_TESTS, PairedTest
from errata.text.tokens import join_tokens


def compare(
    metric: scoring.MetricNames = None,
    profile: scoring.ProfileName = None,
    gold: scoring.GoldPath = None,
    m2: scoring.M2Path = None,
    src: scoring.SourcePath = None,
    ref: scoring.ReferencePaths = None,
    hyp: scoring.HypothesisPaths = None,
    gold_format: scoring.GoldFormat = None,
    lenient: scoring.Lenient = False,
    hyp_format: scoring.HypothesisKind = "auto",
    lang: scoring.Language = None,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", help="Resamples of every test and interval.", rich_help_panel="Output")
    ] = 1000,
    edits: Annotated[
        int, typer.Option(metavar="N", help="How many differing sentences to show.", rich_help_panel="Output")
    ] = 10,
    beta: scoring.Beta = None,
    mode: scoring.Mode = None,
    level: scoring.Level = None,
    lexicon: scoring.Lexicon = None,
    simplify: scoring.Simplify = None,
    tokenise: scoring.Tokenise = None,
    per_annotator: scoring.PerAnnotator = None,
    max_refs: scoring.MaxReferences = None,
    ref_choice: scoring.ReferenceChoice = "sample",
    erroneous_only: scoring.ErroneousOnly = False,
    strip_punctuation: scoring.StripPunctuation = False,
    settings: scoring.Settings = None,
    workers: scoring.Workers = None,
    seed: scoring.Seed = DEFAULT_SEED,
    as_json: scoring.AsJson = False,
) -> None:
    """Compare two hypotheses: scores, paired bootstrap, approximate randomisation, and the edits that differ.

    Example: errata compare --metric errant --m2 gold.m2 --hyp old.txt --hyp new.txt
    """
    if not hyp or len(hyp) != 2:
        raise UsageError(f"compare takes exactly two --hyp, not {len(hyp or ())}")
    given = {
        "beta": beta,
        "mode": mode,
        "per_annotator": per_annotator,
        "level": level,
        "lexicon": lexicon,
        "simplify": simplify,
        "tokenise": tokenise,
        "workers": workers,
    }
    metrics = scoring.choose_metrics(
        metric, profile, given, settings, lang=lang, max_refs=max_refs, ref_choice=ref_choice, seed=seed
    )
    selection = scoring.choose_selection(profile, erroneous_only, strip_punctuation)
    corpus = scoring.load_gold(scoring.Inputs(gold, m2, src, ref or (), gold_format, lenient), metrics)
    scoring.check_languages(corpus, metrics, lang)
    kept, _ = scoring.select_gold(corpus, selection)
    if not kept:
        raise DataError(f"{corpus.name}: no sentence is left to score")
    reading = scoring.Reading(hyp_format, lenient)
    answers = [scoring.load_answers(path, corpus, kept, selection, reading, metrics) for path in hyp]
    first, second = (one.items for one in answers)
    names = [one.name for one in answers]
    with show_progress(" and ".join(names)):
        compared = [_compare(one, answers, bootstrap, seed, selection.signature) for one in metrics]
        found = find_differences(find_edit_metric(metrics, lang, first), first, second) if edits else []
    differing = [replace(one, number=kept[one.number - 1] + 1) for one in found]
    if as_json:
        told = {
            "comparisons": [_as_dict(scores, tests) for scores, tests in compared],
            "edits": [one.as_dict() for one in differing],
        }
        typer.echo(format_json(told, 2))
        return
    for scores, tests in compared:
        _print_comparison(scores, tests)
    if edits:
        _print_differences(differing, names, edits)


def _compare(
    metric: Metric[Any], answers: Sequence[Answers], n: int, seed: int, context: str
) -> tuple[list[Evaluation], list[PairedTest]]:
    stats = [metric.stats(one.items) for one in answers]
    scores = [
        scoring.evaluate(metric, one, own, n_resamples=n, seed=seed, context=context)
        for one, own in zip(answers, stats, strict=True)
    ]
    tests = [test(metric, *stats, n_resamples=n, seed=seed) for test in PAIRED_TESTS.values()]
    return scores, tests


def _as_dict(scores: Sequence[Evaluation], tests: Sequence[PairedTest]) -> dict[str, Any]:
    first, second = scores
    return {
        "metric": first.score.metric,
        "first": first.as_dict(),
        "second": second.as_dict(),
        "difference": second.score.value - first.score.value,
        "tests": [asdict(test) for test in tests],
    }


def _print_comparison(scores: Sequence[Evaluation], tests: Sequence[PairedTest]) -> None:
    console = make_console()
    print_grid(console, score_grid(scores))
    rows = []
    for test in tests:
        interval = "{:+.2f} … {:+.2f}".format(*(100 * one for one in test.interval)) if test.interval else ""
        wins = "" if test.wins is None else f"{100 * test.wins:.1f} %"
        rows.append(Row(test.method, (f"{100 * test.difference:+.2f}", interval, wins, f"{test.p_value:.4f}")))
    columns = ("difference", "95 % interval", "second ahead", "p")
    print_grid(console, Grid("difference (second − first)", "test", columns, tuple(rows)))
    print_lines(f"{one.score.signature} = {100 * one.score.value:.2f}" for one in scores)


def _print_differences(differences: Sequence[Difference], names: Sequence[str], limit: int) -> None:
    """The tally of the edits only one system made, and the sentences that say most about which one is better."""
    console = make_console()
    for name, sides in zip(names, zip(*((one.first, one.second) for one in differences), strict=True), strict=False):
        only = [edit for side in sides for edit in side]
        n_right = sum(edit.is_right for edit in only)
        console.print(Text(f"only in {name}: {n_right} right, {len(only) - n_right} wrong"), soft_wrap=True)
    shown = sorted(differences, key=lambda one: (-abs(one.weight), one.number))[:limit]
    console.print(f"{len(shown)} of {len(differences)} sentences that differ:", soft_wrap=True)
    for difference in sorted(shown, key=lambda one: one.number):
        console.print(Text(f"{difference.number}  {join_tokens(difference.source.tokens)}"), soft_wrap=True)
        for mark, side in (("1", difference.first), ("2", difference.second)):
            for edit in side:
                console.print(_describe(mark, difference, edit), soft_wrap=True)


def _describe(mark: str, difference: Difference, judged: JudgedEdit) -> Text:
    """`  2 + [disease → diseases] R:NOUN:NUM`, green where it is right, red where it is wrong."""
    edit = judged.edit
    tokens = difference.source.tokens
    before = join_tokens(tokens[edit.start : edit.end], like=tokens)
    after = join_tokens(edit.replacement, like=tokens)
    sign = "right" if judged.is_right else "wrong"
    line = f"    {mark} {sign}  {edit.start}:{edit.end} [{before or '∅'} → {after or '∅'}] {edit.type}"
    return Text(line, style="green" if judged.is_right else "red")
