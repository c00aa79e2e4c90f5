"""`errata compare`: hypotheses under the same metric, which of them differ, and two of them by which edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer
from rich.text import Text

from errata.cli import scoring
from errata.cli.comparison_grids import comparison_grids, shown_order
from errata.cli.grids import make_console, print_grid
from errata.cli.json_text import format_json
from errata.cli.printed_tables import choose_format
from errata.cli.table_formats import FORMATTERS
from errata.cli.tables import print_lines, show_progress
from errata.errors import DataError, UsageError
from errata.metrics.differences import Difference, JudgedEdit, find_differences, find_edit_metric
from errata.metrics.scoring import Answers
from errata.metrics.standings import DEFAULT_LEVEL, ComparedSystems, choose_procedure, compare_systems
from errata.stats.pairwise import PAIRWISE_TESTS, enough_resamples
from errata.stats.resampling import DEFAULT_SEED
from errata.text.tokens import join_tokens


def compare(
    metric: scoring.MetricNames = None,
    profile: scoring.ProfileName = None,
    gold: scoring.GoldPath = None,
    m2: scoring.M2Path = None,
    src: scoring.SourcePath = None,
    ref: scoring.ReferencePaths = None,
    hyp: scoring.HypothesisPaths = None,
    system: scoring.SystemPaths = None,
    gold_format: scoring.GoldFormat = None,
    lenient: scoring.Lenient = False,
    hyp_format: scoring.HypothesisKind = "auto",
    lang: scoring.Language = None,
    bootstrap: Annotated[
        int | None,
        typer.Option(metavar="N", help="Resamples of every test (1000, more for many).", rich_help_panel="Output"),
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(help="Tests: bootstrap, randomisation (both).", rich_help_panel="Output", show_default=False),
    ] = None,
    correction: Annotated[
        str, typer.Option(help="For the number of pairs: holm, bh or none.", rich_help_panel="Output")
    ] = "holm",
    alpha: Annotated[
        float, typer.Option(help="Systems with a lower corrected p differ.", rich_help_panel="Output")
    ] = DEFAULT_LEVEL,
    edits: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many differing sentences of two to show (10).", rich_help_panel="Output"),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help="text, markdown, latex, csv or json.", rich_help_panel="Output")
    ] = "text",
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
    data_dir: scoring.DataFolder = None,
    allow_network: scoring.AllowNetwork = False,
    workers: scoring.Workers = None,
    seed: scoring.Seed = DEFAULT_SEED,
    as_json: scoring.AsJson = False,
) -> None:
    """Compare hypotheses: scores, paired tests of every two, a ranking, and the edits by which two of them differ.

    Example: errata compare --metric errant --m2 gold.m2 --hyp old.txt --hyp new.txt
    """
    set_name, settings = scoring.split_settings(settings)
    files = {"--hyp": hyp, "--m2": m2, "--gold": gold, "--src": src, "--ref": ref}
    if scoring.asks_for_sets(set_name, {**files, "--metric": metric, "--profile": profile, "--set": settings}):
        scoring.print_sets(as_json or format == "json")
        return
    if not hyp or len(hyp) < 2:
        raise UsageError(f"compare takes two --hyp or more, not {len(hyp or ())}")
    format = choose_format(format, as_json, "format of the comparison")
    n_edits = _choose_number_of_edits(edits, len(hyp), format)
    procedure = choose_procedure(test or tuple(PAIRWISE_TESTS), correction, alpha, bootstrap, seed, len(hyp))
    if not procedure.is_enough(len(hyp)):
        needed = enough_resamples(len(hyp), correction, alpha)
        scoring.tell(f"{bootstrap} resamples are too few for any p below {alpha:g} after correction: try {needed}")
    given = {
        "beta": beta,
        "mode": mode,
        "per_annotator": per_annotator,
        "level": level,
        "lexicon": lexicon,
        "simplify": simplify,
        "tokenise": tokenise,
        "allow_network": allow_network or None,
        "workers": workers,
    }
    test_set = scoring.choose_set(set_name)
    if test_set and not metric and not profile:
        profile = test_set.profile
    metrics = scoring.choose_metrics(
        metric, profile, given, settings, lang=lang, max_refs=max_refs, ref_choice=ref_choice, seed=seed
    )
    selection = scoring.choose_selection(profile, erroneous_only, strip_punctuation)
    inputs = scoring.Inputs(gold, m2, src, ref or (), gold_format, lenient, test_set, data_dir)
    corpus = scoring.load_gold(inputs, metrics)
    context = selection.signature + (test_set.signature if test_set else "")
    scoring.check_languages(corpus, metrics, lang)
    kept, _ = scoring.select_gold(corpus, selection)
    if not kept:
        raise DataError(f"{corpus.name}: no sentence is left to score")
    reading = scoring.Reading(hyp_format, lenient)

    def read(path: str) -> Answers:
        return scoring.load_answers(path, corpus, kept, selection, reading, metrics)

    answers = scoring.load_all_answers(hyp, system or (), read, metrics)
    first, second, *_ = (one.items for one in answers)
    with show_progress(", ".join(one.name for one in answers)):
        compared = [
            compare_systems(one, answers, [one.stats(own.items) for own in answers], procedure, scoring.warn, context)
            for one in metrics
        ]
        found = find_differences(find_edit_metric(metrics, lang, first), first, second) if n_edits else []
    differing = [replace(one, number=kept[one.number - 1] + 1) for one in found]
    if format == "json":
        told = {"comparisons": [_as_dict(one) for one in compared], "edits": [one.as_dict() for one in differing]}
        typer.echo(format_json(told, 2))
        return
    for one in compared:
        _print_comparison(one, format)
    if n_edits:
        _print_differences(differing, [one.name for one in answers[:2]], n_edits)


DEFAULT_EDITS = 10


def _choose_number_of_edits(edits: int | None, n_systems: int, format: str) -> int:
    """How many sentences that differ are shown: none of more than two systems, and none in a table for a paper."""
    is_possible = n_systems == 2 and format in ("text", "json")
    if edits and not is_possible:
        why = f"--hyp is given {n_systems} times" if n_systems > 2 else f"--format is {format}"
        raise UsageError(f"--edits shows by which edits two hypotheses differ, as text or JSON; {why}")
    return (DEFAULT_EDITS if edits is None else edits) if is_possible else 0


def _as_dict(compared: ComparedSystems) -> dict[str, Any]:
    """The JSON of a comparison; that of two systems also has both by themselves."""
    told = compared.as_dict()
    if len(compared.evaluations) > 2:
        return told
    first, second = compared.evaluations
    return told | {
        "first": first.as_dict(),
        "second": second.as_dict(),
        "difference": second.score.value - first.score.value,
        "tests": [asdict(pair.test) for outcome in compared.outcomes for pair in outcome.pairs.values()],
    }


def _print_comparison(compared: ComparedSystems, format: str) -> None:
    grids = comparison_grids(compared)
    signatures = [f"{one.score.signature} = {100 * one.score.value:.2f}" for one in shown_order(compared)]
    if format in FORMATTERS:
        typer.echo(FORMATTERS[format](grids, signatures).rstrip("\n"))
        return
    console = make_console()
    for grid in grids:
        print_grid(console, grid)
    print_lines(signatures)


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
