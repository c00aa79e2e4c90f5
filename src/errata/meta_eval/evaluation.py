"""Judge metrics against people: load a judged set, rank its systems, score them, correlate."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from math import isnan

import numpy as np

from errata.errors import UnknownName, UsageError
from errata.meta_eval.agreement import (
    CHOICE,
    SENTENCE,
    SYSTEM,
    Agreement,
    check_ties,
    choose_best,
    correlate_order,
    correlate_rated,
    correlate_systems,
    count_pairs,
    count_rated_pairs,
    rated_intervals,
    slide_windows,
    system_intervals,
)
from errata.meta_eval.base import Track
from errata.meta_eval.report import Difference, MetaReport, MetricReport, TrackReport, Windows
from errata.meta_eval.scorers import Scorer
from errata.metrics.compared import DIGEST_LENGTH
from errata.metrics.scoring import check_resampling
from errata.metrics.signature import make_signature
from errata.stats.correlation import LEAST_FOR_WILLIAMS, pearson, williams
from errata.stats.pairwise import adjust_holm
from errata.stats.rankings import RANKINGS, RUNS, Ranking, count_outcomes
from errata.stats.resampling import DEFAULT_SEED, draw_with_replacement, percentiles

# SEEDA's windows have four systems.
WINDOW = 4
RESAMPLED = ("sentences", "systems")

# Told what is being done, how many steps are finished, and of how many.
Progress = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class MetaOptions:
    """`groups` are the choices of systems to report (none: all of them); `bootstrap` resamples give 95 % intervals."""

    groups: Sequence[str] = ()
    window: int = WINDOW
    ties: str = "wrong"
    runs: int = RUNS
    bootstrap: int = 0
    resample: str = RESAMPLED[0]
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        check_ties(self.ties)
        check_resampling("bootstrap", self.bootstrap, 0, self.seed)
        check_resampling("runs", self.runs, 1, self.seed)
        if self.resample not in RESAMPLED:
            raise UnknownName("thing to resample", self.resample, RESAMPLED)
        if self.window < 2:
            raise UsageError(f"window is a number of systems, at least 2, not {self.window}")


def evaluate_metrics(
    name: str,
    tracks: Sequence[Track],
    scorers: Sequence[Scorer],
    options: MetaOptions | None = None,
    progress: Progress | None = None,
) -> MetaReport:
    """How well each metric agrees with the people who judged the tracks; what cannot be scored is refused first."""
    chosen = options or MetaOptions()
    if not scorers:
        raise UsageError("no metric to judge: name one, or give a file of scores")
    _check_groups(tracks, chosen.groups)
    for scorer in scorers:
        for track in tracks:
            scorer.check(track)
    rankings: list[Mapping[str, Ranking]] = []
    for track in tracks:
        rankings.append(rank_systems(track, chosen))
        if progress:
            progress("rank systems", len(rankings), len(tracks))
    metrics = []
    for scorer in scorers:
        if progress:
            scorer.advance = _count_systems(scorer, tracks, progress)
        metrics.append(_report_metric(scorer, tracks, rankings, chosen))
    return MetaReport(
        name,
        _digest(tracks),
        _sign(name, chosen),
        [_report_track(track, ranks) for track, ranks in zip(tracks, rankings, strict=True)],
        metrics,
        list(_compare_metrics(metrics, tracks, rankings, chosen)),
        [f"{track.name}: {warning}" for track in tracks for warning in track.warnings],
    )


def _count_systems(scorer: Scorer, tracks: Sequence[Track], progress: Progress) -> Callable[[], object]:
    """What tells of every further system that the metric has scored; tracks with the same outputs count once."""
    total = sum({id(track.outputs): len(track.outputs) for track in tracks}.values())
    finished = count(1)
    return lambda: progress(scorer.label, next(finished), total)


def _check_groups(tracks: Sequence[Track], groups: Sequence[str]) -> None:
    known = list(dict.fromkeys(group for track in tracks for group in track.groups))
    for group in groups:
        if group not in known:
            raise UnknownName("group of systems", group, known)


def rank_systems(track: Track, options: MetaOptions) -> Mapping[str, Ranking]:
    """The human ranking of a track's systems by each method; those of pairs are computed from the judgements."""
    rankings: dict[str, Ranking] = {}
    if track.judgements:
        pairs = ((one.first, one.second, one.outcome) for one in track.judgements)
        outcomes = count_outcomes(pairs, list(track.outputs))
        rankings |= {method: rank(outcomes, runs=options.runs, seed=options.seed) for method, rank in RANKINGS.items()}
    for method, scores in track.scores.items():
        order = sorted(scores, key=lambda name: -scores[name])
        rankings[method] = Ranking(method, {name: scores[name] for name in order})
    return rankings


def _report_track(track: Track, rankings: Mapping[str, Ranking]) -> TrackReport:
    return TrackReport(
        track.name,
        len(track.gold),
        len(track.outputs),
        len(track.judgements),
        sum(not one.outcome for one in track.judgements),
        sum(len(row.texts) for row in track.rated),
        rankings,
    )


def _report_metric(
    scorer: Scorer, tracks: Sequence[Track], rankings: Sequence[Mapping[str, Ranking]], options: MetaOptions
) -> MetricReport:
    scores: dict[str, Mapping[str, float]] = {}
    agreements: list[Agreement] = []
    windows: list[Windows] = []
    for track, ranks in zip(tracks, rankings, strict=True):
        if track.outputs:
            found = scorer.score_systems(track)
            scores[track.name] = found.values
            agreements += _judge_systems(scorer, track, ranks, found.values, options)
            windows += _find_windows(track, ranks, found.values, options)
            if found.sentences is not None:
                agreements += _judge_pairs(track, found.sentences, options)
        agreements += _judge_rated(scorer, track, options)
    return MetricReport(scorer.label, scorer.describe(tracks[0]), scores, agreements, windows)


def _groups(track: Track, options: MetaOptions) -> Iterator[tuple[str, Sequence[str]]]:
    for name, systems in track.groups.items():
        if not options.groups or name in options.groups:
            yield name, systems


def _judge_systems(
    scorer: Scorer, track: Track, rankings: Mapping[str, Ranking], scores: Mapping[str, float], options: MetaOptions
) -> Iterator[Agreement]:
    resampled = _resample_systems(scorer, track, options)
    for group, systems in _groups(track, options):
        for method, ranking in rankings.items():
            metric, human = [scores[one] for one in systems], [ranking.scores[one] for one in systems]
            intervals: Mapping[str, tuple[float, float]] = {}
            if options.bootstrap and options.resample == "systems":
                rows = _draw_all(len(systems), options)
                intervals = system_intervals(np.array(metric)[rows], np.array(human)[rows])
            elif resampled is not None:
                columns = np.stack([resampled[one] for one in systems], axis=1)
                intervals = system_intervals(columns, np.tile(human, (len(columns), 1)))
            values = correlate_systems(metric, human)
            yield Agreement(track.name, SYSTEM, method, group, len(systems), values, intervals)


def _resample_systems(scorer: Scorer, track: Track, options: MetaOptions) -> dict[str, np.ndarray] | None:
    """The scores of each system on resampled sentences, where that is asked for."""
    if not options.bootstrap or options.resample != "sentences":
        return None
    pieces = [scorer.resample(track, rows) for rows in _draw(len(track.gold), options)]
    known = [piece for piece in pieces if piece is not None]
    return {name: np.concatenate([piece[name] for piece in known]) for name in known[0]} if known else None


def _draw(n: int, options: MetaOptions) -> Iterator[np.ndarray]:
    return draw_with_replacement(n, options.bootstrap, options.seed)


def _draw_all(n: int, options: MetaOptions) -> np.ndarray:
    return np.concatenate(list(_draw(n, options)))


def _find_windows(
    track: Track, rankings: Mapping[str, Ranking], scores: Mapping[str, float], options: MetaOptions
) -> Iterator[Windows]:
    for group, systems in _groups(track, options):
        if len(systems) > options.window:
            for method, ranking in rankings.items():
                human = {name: ranking.scores[name] for name in systems}
                yield Windows(track.name, group, method, options.window, *slide_windows(scores, human, options.window))


def _judge_pairs(track: Track, sentences: Mapping[str, np.ndarray], options: MetaOptions) -> Iterator[Agreement]:
    if not track.judgements:
        return
    for group, systems in _groups(track, options):
        counts = count_pairs(track.judgements, sentences, systems, len(track.gold), options.ties)
        intervals: Mapping[str, tuple[float, float]] = {}
        if options.bootstrap:
            intervals = counts.intervals(_draw_all(len(track.gold), options))
        yield Agreement(track.name, SENTENCE, "pairs", group, counts.n_pairs, counts.values(), intervals)


def _judge_rated(scorer: Scorer, track: Track, options: MetaOptions) -> Iterator[Agreement]:
    scores = scorer.score_rated(track) if track.rated else None
    if scores is None:
        return
    rated, group = track.rated, next(iter(track.groups), "all")
    n_texts = sum(map(len, scores))
    rows = _draw_all(len(rated), options) if options.bootstrap else None
    intervals = {} if rows is None else rated_intervals(rated, scores, rows)
    yield Agreement(track.name, SENTENCE, "values", group, n_texts, correlate_rated(rated, scores), intervals)
    counts = count_rated_pairs(rated, scores, len(track.gold), options.ties)
    taus = correlate_order(rated, scores)
    values = {"accuracy": counts.values()["accuracy"], "kendall": float(taus.mean()) if len(taus) else float("nan")}
    yield Agreement(track.name, track.order, "values", group, len(taus), values, _order_intervals(taus, options))
    if track.is_choice:
        yield Agreement(track.name, CHOICE, "values", group, len(rated), choose_best(rated, scores))


def _order_intervals(taus: np.ndarray, options: MetaOptions) -> dict[str, tuple[float, float]]:
    if not options.bootstrap or not len(taus):
        return {}
    means = np.concatenate([taus[rows].mean(axis=1) for rows in _draw(len(taus), options)])
    return {"kendall": percentiles(means, 0.95)}


def _compare_metrics(
    metrics: Sequence[MetricReport],
    tracks: Sequence[Track],
    rankings: Sequence[Mapping[str, Ranking]],
    options: MetaOptions,
) -> Iterator[Difference]:
    """Williams' test of every two metrics, corrected within each track, group and ranking."""
    for track, ranks in zip(tracks, rankings, strict=True):
        for group, systems in _groups(track, options):
            if len(systems) < LEAST_FOR_WILLIAMS:
                continue
            for method, ranking in ranks.items():
                human = [ranking.scores[name] for name in systems]
                columns = {one.name: [one.scores[track.name][name] for name in systems] for one in metrics}
                yield from _test_pairs(columns, human, (track.name, group, method))


def _test_pairs(
    columns: Mapping[str, Sequence[float]], human: Sequence[float], where: tuple[str, str, str]
) -> Iterator[Difference]:
    agreement = {name: pearson(scores, human) for name, scores in columns.items()}
    order = sorted((name for name in columns if not isnan(agreement[name])), key=lambda name: -agreement[name])
    pairs = list(combinations(order, 2))
    tests = [
        williams(agreement[one], agreement[other], pearson(columns[one], columns[other]), len(human))
        for one, other in pairs
    ]
    corrected = adjust_holm([test.p_value for test in tests])
    for (one, other), test, p_value in zip(pairs, tests, corrected, strict=True):
        yield Difference(*where, one, other, test.difference, test.p_value, p_value)


def _sign(name: str, options: MetaOptions) -> str:
    """Everything that the numbers depend on besides metrics and data."""
    resampled = {"bootstrap": options.bootstrap, "resample": options.resample} if options.bootstrap else {}
    return make_signature("meta", name, ties=options.ties, runs=options.runs, seed=options.seed, **resampled)


def _digest(tracks: Sequence[Track]) -> str:
    """A digest of corrections and judgements, whatever the files are called."""
    digest = hashlib.sha256()
    for track in tracks:
        content = [
            {name: list(texts) for name, texts in track.outputs.items()},
            [(one.sentence, one.first, one.second, one.outcome) for one in track.judgements],
            [(row.sentence, row.texts, row.values) for row in track.rated],
        ]
        digest.update(json.dumps(content).encode() + b"\n")
    return digest.hexdigest()[:DIGEST_LENGTH]
