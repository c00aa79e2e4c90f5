"""`errata score`: hypotheses against gold under any metric."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from errata.cli import engines, scoring
from errata.cli.json_text import format_json
from errata.cli.tables import format_csv, print_evaluations, show_progress
from errata.errors import DataError, UsageError
from errata.metrics.scoring import Answers
from errata.stats.resampling import DEFAULT_SEED


def score(
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
    by_type: Annotated[
        bool, typer.Option("--by-type", help="Add a table by error type.", rich_help_panel="Output")
    ] = False,
    type_level: Annotated[
        str | None, typer.Option(help="Level of --by-type: operation, main or full.", rich_help_panel="Output")
    ] = None,
    group_by: Annotated[
        list[str] | None,
        typer.Option(help="Scores of groups of sentences: error-type, operation.", rich_help_panel="Output"),
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", help="95 % interval from N resamples.", rich_help_panel="Output")
    ] = 0,
    sentences: Annotated[
        bool, typer.Option("--sentences", help="Add the score of every sentence.", rich_help_panel="Output")
    ] = False,
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
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.", rich_help_panel="Output")] = False,
    engine: engines.EngineName = None,
    address: engines.Address = None,
    shards: engines.Shards = None,
) -> None:
    """Score hypotheses against gold.

    Example: errata score --metric errant --m2 gold.m2 --hyp system.txt --bootstrap 1000
    A test set by its name: errata score --set conll14 --data-dir corpora --hyp system.txt
    """
    from errata.cli.sharded import count_shards, refuse_uncut

    set_name, settings = scoring.split_settings(settings)
    files = {"--hyp": hyp, "--m2": m2, "--gold": gold, "--src": src, "--ref": ref}
    if scoring.asks_for_sets(set_name, {**files, "--metric": metric, "--profile": profile, "--set": settings}):
        scoring.print_sets(as_json)
        return
    if not hyp:
        raise UsageError("no hypothesis: give --hyp FILE")
    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other")
    given = {
        "beta": beta,
        "mode": mode,
        "by_type": (type_level or "full") if by_type or type_level else None,
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
    if scaling := engines.choose_scaling(engine, address, shards):
        engines.refuse_workers(workers)
        refuse_uncut(metrics, hyp)
    selection = scoring.choose_selection(profile, erroneous_only, strip_punctuation, group_by or ())
    inputs = scoring.Inputs(gold, m2, src, ref or (), gold_format, lenient, test_set, data_dir)
    corpus = scoring.load_gold(inputs, metrics)
    scoring.check_languages(corpus, metrics, lang)
    kept, groups = scoring.select_gold(corpus, selection)
    if not kept:
        raise DataError(f"{corpus.name}: no sentence is left to score")
    wanted: dict[str, Any] = {
        "n_resamples": bootstrap,
        "seed": seed,
        "groups": groups,
        "numbers": [place + 1 for place in kept] if sentences else None,
        "context": selection.signature + (test_set.signature if test_set else ""),
    }
    reading = scoring.Reading(hyp_format, lenient)

    def read(path: str) -> Answers:
        return scoring.load_answers(path, corpus, kept, selection, reading, metrics)

    hypotheses = scoring.load_all_answers(hyp, system or (), read, metrics)
    evaluations = []
    for one in metrics:
        for answers in hypotheses:
            stats = count_shards(scaling, one, answers.items, hyp[0]) if scaling else None
            with show_progress(f"{one.name}: {answers.name}"):
                found = one.stats(answers.items) if stats is None else stats
                evaluations.append(scoring.evaluate(one, answers, found, **wanted))
    if as_json:
        typer.echo(format_json([one.as_dict() for one in evaluations], 2))
    elif as_csv:
        typer.echo(format_csv(evaluations), nl=False)
    else:
        for start in range(0, len(evaluations), len(hyp)):
            print_evaluations(evaluations[start : start + len(hyp)])
