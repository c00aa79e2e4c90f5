"""`errata.compare`: systems on the same sentences, whether they differ, and by which edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.differences import Difference, find_differences, find_edit_metric
from errata.metrics.lists import References, gold_of_lists
from errata.metrics.scoring import (
    Answers,
    add_systems,
    answers_of_list,
    check_gold_language,
    check_resampling,
    choose_metric,
    evaluate_answers,
    log_warning,
)
from errata.model import Score
from errata.parameters import check_type
from errata.stats.resampling import DEFAULT_SEED, PAIRED_TESTS, PairedTest


@dataclass(frozen=True, slots=True)
class Comparison:
    """The score of each system, and how each of the others differs from the first, by name.

    A test's `difference` is the other system's score minus the first one's. `differences` are the sentences that the
    two corrected differently, with the edits that only one of them made.
    """

    scores: Mapping[str, Score]
    tests: Mapping[str, PairedTest]
    differences: Mapping[str, tuple[Difference, ...]]


def compare(
    sources: Sequence[str],
    hypotheses: Mapping[str, Sequence[str]],
    references: References,
    *,
    metric: str | Metric[Any] = "errant",
    language: str | None = None,
    method: str = "bootstrap",
    n_resamples: int = 1000,
    seed: int = DEFAULT_SEED,
    **options: Any,
) -> Comparison:
    """The systems' scores with intervals, a paired test of each against the first, and the edits that differ.

    `hypotheses` maps the name of each system to its corrected texts. `method` is "bootstrap" or "randomisation"; the
    rest is as in `errata.score`.

    >>> import errata
    >>> sources = ["He go home .", "I like cat .", "All is well ."]
    >>> right = ["He goes home .", "I like cats .", "All is well ."]
    >>> found = errata.compare(sources, {"old": sources, "new": right}, right)
    >>> {name: round(score.value, 2) for name, score in found.scores.items()}
    {'old': 0.0, 'new': 1.0}
    >>> found.tests["new"].difference
    1.0
    >>> [judged.edit.type for sentence in found.differences["new"] for judged in sentence.second]
    ['R:VERB:SVA', 'R:NOUN:NUM']
    """
    check_type("method", method, str)
    check_resampling("n_resamples", n_resamples, 1, seed)
    if method not in PAIRED_TESTS:
        raise UnknownName("method", method, PAIRED_TESTS)
    if not isinstance(hypotheses, Mapping):
        raise TypeError(f"hypotheses is of type {type(hypotheses).__name__}: give a dict from names to lists of texts")
    for name in hypotheses:
        check_type("the name of a system", name, str)
    if len(hypotheses) < 2:
        raise UsageError(f"compare takes at least two systems, not {len(hypotheses)}")
    judge = choose_metric(metric, language, options)
    gold = gold_of_lists(sources, references)
    check_gold_language(gold, judge, language)
    answers = [answers_of_list(name, texts, gold, judge) for name, texts in hypotheses.items()]
    if judge.needs_systems:
        answers = [add_systems(one, [other.items for other in answers]) for one in answers]
    shown = find_edit_metric([judge], language, answers[0].items)
    systems = [_examine(judge, one, shown, n_resamples, seed) for one in answers]
    first, *others = systems
    test = PAIRED_TESTS[method]
    return Comparison(
        {one.name: one.score for one in systems},
        {one.name: test(judge, first.stats, one.stats, n_resamples=n_resamples, seed=seed) for one in others},
        {one.name: tuple(find_differences(shown, first.items, one.items)) for one in others},
    )


@dataclass(frozen=True, slots=True)
class _System:
    """What is known of one system: its items, the statistics of each, and the score."""

    name: str
    items: Sequence[Item]
    stats: Sequence[Any]
    score: Score


def _examine(metric: Metric[Any], answers: Answers, shown: Metric[Any], n_resamples: int, seed: int) -> _System:
    # Texts are analysed once, for the scores and for the edits that differ.
    items = metric.prepare(answers.items) if shown is metric.unlimited else answers.items
    stats = metric.stats(items)
    evaluation = evaluate_answers(metric, answers, stats, log_warning, n_resamples=n_resamples, seed=seed)
    return _System(answers.name, items, stats, evaluation.score)
