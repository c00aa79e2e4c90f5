"""`errata.compare`: systems on the same sentences, whether they differ, and by which edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errata.errors import UnknownName, UsageError
from errata.metrics.base import Metric
from errata.metrics.differences import Difference, find_differences, find_edit_metric
from errata.metrics.lists import References, gold_of_lists
from errata.metrics.scoring import (
    add_systems,
    answers_of_list,
    check_gold_language,
    check_resampling,
    choose_metric,
    log_warning,
    require_references,
)
from errata.metrics.standings import DEFAULT_LEVEL, choose_procedure, compare_systems
from errata.model import Score
from errata.parameters import check_type
from errata.stats.resampling import DEFAULT_SEED, PAIRED_TESTS, PairedTest


@dataclass(frozen=True, slots=True)
class Comparison:
    """The score of each system, the test of each pair, and how each of the others differs from the first, by name.

    A test's `difference` is the second system's score minus the first one's; `tests` are those against the first of all
    systems. `p_values` are corrected for the number of pairs. `ranking` has the systems from best to worst; those that
    share a group do not differ. `differences` are the sentences that a system corrected otherwise than the first one,
    with the edits that only one of them made.
    """

    scores: Mapping[str, Score]
    tests: Mapping[str, PairedTest]
    differences: Mapping[str, tuple[Difference, ...]]
    pairs: Mapping[tuple[str, str], PairedTest]
    p_values: Mapping[tuple[str, str], float]
    ranking: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system's rank, which is one more than the number of systems that are better, and the groups it is in."""

    name: str
    rank: int
    groups: tuple[str, ...]


def compare(
    sources: Sequence[str],
    hypotheses: Mapping[str, Sequence[str]],
    references: References | None = None,
    *,
    metric: str | Metric[Any] = "errant",
    language: str | None = None,
    method: str = "bootstrap",
    correction: str = "holm",
    level: float = DEFAULT_LEVEL,
    n_resamples: int | None = None,
    seed: int = DEFAULT_SEED,
    **options: Any,
) -> Comparison:
    """The systems' scores with intervals, paired tests of every two, a ranking, and the edits that differ.

    `hypotheses` maps the name of each system to its corrected texts. `method` is "bootstrap" or "randomisation",
    `correction` of p-values for the number of pairs "holm", "bh" or "none"; systems whose corrected p-value is below
    `level` differ. `n_resamples` are 1000, or more where many systems are compared. The rest is as in `errata.score`.

    >>> import errata
    >>> sources = ["He go home .", "I like cat .", "All is well ."]
    >>> right = ["He goes home .", "I like cats .", "All is well ."]
    >>> found = errata.compare(sources, {"old": sources, "new": right}, right)
    >>> {name: round(score.value, 2) for name, score in found.scores.items()}
    {'old': 0.0, 'new': 1.0}
    >>> found.tests["new"].difference
    1.0
    >>> [(one.name, one.rank, one.groups) for one in found.ranking]
    [('new', 1, ('a',)), ('old', 2, ('b',))]
    >>> [judged.edit.type for sentence in found.differences["new"] for judged in sentence.second]
    ['R:VERB:SVA', 'R:NOUN:NUM']
    """
    check_type("method", method, str)
    check_resampling("n_resamples", 1 if n_resamples is None else n_resamples, 1, seed)
    check_type("correction", correction, str)
    check_type("level", level, float)
    if method not in PAIRED_TESTS:
        raise UnknownName("method", method, PAIRED_TESTS)
    if not isinstance(hypotheses, Mapping):
        raise TypeError(f"hypotheses is of type {type(hypotheses).__name__}: give a dict from names to lists of texts")
    for name in hypotheses:
        check_type("the name of a system", name, str)
    if len(hypotheses) < 2:
        raise UsageError(f"compare takes at least two systems, not {len(hypotheses)}")
    procedure = choose_procedure((method,), correction, level, n_resamples, seed, len(hypotheses))
    judge = choose_metric(metric, language, options)
    require_references(judge, references)
    gold = gold_of_lists(sources, references)
    check_gold_language(gold, judge, language)
    answers = [answers_of_list(name, texts, gold, judge) for name, texts in hypotheses.items()]
    if judge.needs_systems:
        answers = [add_systems(one, [other.items for other in answers]) for one in answers]
    shown = find_edit_metric([judge], language, answers[0].items)
    # Texts are analysed once, for the scores and for the edits that differ.
    items = [judge.prepare(one.items) if shown is judge.unlimited else one.items for one in answers]
    found = compare_systems(judge, answers, [judge.stats(own) for own in items], procedure, log_warning)
    names = list(hypotheses)
    [outcome] = found.outcomes
    pairs = {(names[first], names[second]): one for (first, second), one in outcome.pairs.items()}
    return Comparison(
        {name: one.score for name, one in zip(names, found.evaluations, strict=True)},
        {name: pairs[names[0], name].test for name in names[1:]},
        {name: tuple(find_differences(shown, items[0], own)) for name, own in zip(names[1:], items[1:], strict=True)},
        {pair: one.test for pair, one in pairs.items()},
        {pair: one.p_value for pair, one in pairs.items()},
        tuple(Ranked(names[one.system], one.rank, one.groups) for one in outcome.ranking),
    )
