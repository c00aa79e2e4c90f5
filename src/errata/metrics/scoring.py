"""`errata.score`, and the steps it shares with `errata.compare`: a metric, gold, answers checked for doubts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from errata.edits.languages import LANGUAGES, other_language
from errata.edits.texts import source_text
from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric, get_metric
from errata.metrics.doubts import check_language, find_item_doubts
from errata.metrics.evaluation import Evaluation, evaluate
from errata.metrics.inputs import Gold, make_items
from errata.metrics.lists import References, gold_of_lists, hypotheses_of_list
from errata.metrics.options import option_types
from errata.model import Score
from errata.parameters import check_list, check_type
from errata.stats.resampling import DEFAULT_SEED

_log = logging.getLogger(__name__)


def score(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: References | None = None,
    *,
    metric: str | Metric[Any] = "errant",
    language: str | None = None,
    bootstrap: int = 0,
    seed: int = DEFAULT_SEED,
    systems: Sequence[Sequence[str]] = (),
    **options: Any,
) -> Score:
    """The score of a system's hypotheses against references, sentence by sentence.

    `references` has a text or a list of texts for each source, or is a `Corpus` with gold edits; metrics that need none
    (`impara`) do without. `metric` is a name or a metric that was made before; `options` are its own (`beta`, `mode`,
    `tokenise` …). Sources in another language than the metric's are refused, unless `language` says that they are in
    the metric's. `bootstrap` resamples give a 95 % interval. `systems` are the outputs of several systems, for a metric
    that asks how difficult sentences are. What is odd about the hypotheses is logged as a warning.

    >>> import errata
    >>> found = errata.score(["He go home ."], ["He goes home ."], ["He goes home ."])
    >>> found.value, found.parts["tp"]
    (1.0, 1)
    >>> errata.score(["我爱你门。"], ["我爱你们。"], [["我爱你们。", "我爱他们。"]], metric="cherrant").value
    1.0
    """
    check_resampling("bootstrap", bootstrap, 0, seed)
    judge = choose_metric(metric, language, options)
    require_references(judge, references)
    gold = gold_of_lists(sources, references)
    check_gold_language(gold, judge, language)
    answers = answers_of_list("hypotheses", hypotheses, gold, judge)
    check_systems(systems, judge)
    others = [make_items(gold, hypotheses_of_list(f"systems[{n}]", one, gold)) for n, one in enumerate(systems)]
    answers = add_systems(answers, others)
    stats = judge.stats(answers.items)
    evaluation = evaluate_answers(judge, answers, stats, log_warning, n_resamples=bootstrap, seed=seed)
    return evaluation.score


@dataclass(frozen=True, slots=True)
class Answers:
    """A system's answers to the sentences of a gold corpus, and what is odd about them."""

    name: str
    items: list[Item]
    warnings: tuple[str, ...] = ()


# Tells people what is odd about the answers of that name.
Warn = Callable[[str, str], None]


def log_warning(name: str, warning: str) -> None:
    """Log what is odd about the answers of that name."""
    _log.warning("%s: %s", name, warning)


def check_resampling(name: str, n_resamples: int, least: int, seed: int) -> None:
    """Refuse numbers that nothing can be resampled with; `name` is what the number of resamples is called."""
    check_type(name, n_resamples, int)
    check_type("seed", seed, int)
    if n_resamples < least:
        raise UsageError(f"{name} is the number of resamples, at least {least}, not {n_resamples}")
    if seed < 0:
        raise UsageError(f"seed is 0 or more, not {seed}")


def choose_metric(metric: str | Metric[Any], language: str | None, options: dict[str, Any]) -> Metric[Any]:
    """The metric of that name with its options; refused where it is for another language than `language`."""
    check_type("metric", metric, str | Metric)
    check_type("language", language, str | None)
    if isinstance(metric, Metric) and options:
        raise UsageError(f"{min(options)} is an option of metrics given by name; this one has its options already")
    if isinstance(metric, str) and language is not None:
        options = with_language(metric, language, options)
    judge = metric if isinstance(metric, Metric) else get_metric(metric, **options)
    check_metric_language(judge, language, f"language={language!r}")
    return judge


def require_references(metric: Metric[Any], references: References | None) -> None:
    """Refuse a metric that compares with references where there are none."""
    if references is None and metric.needs_references:
        raise UsageError(f"{metric.name} compares with references: give references")


def with_language(metric: str, language: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a metric with the language of the text, if it has an option for that."""
    return {"language": language, **options} if "language" in option_types(metric) else dict(options)


def check_metric_language(metric: Metric[Any], language: str | None, setting: str) -> None:
    """Refuse a metric that is for another language; `setting` is how that language was named."""
    if language is not None and language not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)
    if language and metric.language and language != metric.language:
        raise UsageError(f"{setting}: {metric.name} is for {metric.language}")


def check_gold_language(gold: Gold, metric: Metric[Any], language: str | None) -> None:
    """Refuse sources that the metric is not for, unless `language` says what they are."""
    if language is None:
        sources = (source_text(one.sentence) for one in gold.sentences)
        refuse_sources("the source text", sources, metric, lambda setting, value: f"use {setting}={value!r}")


def refuse_sources(
    name: str, sources: Iterable[str], metric: Metric[Any], write_setting: Callable[[str, str], str]
) -> None:
    """Refuse sources in a language that the metric is not for; `write_setting` writes what to use instead."""
    if metric.language is not None:
        setting, value = metric.setting_for(other_language(metric.language))
        tool = metric.name if setting == "metric" else f"{setting}={metric.language}"
        check_language(name, sources, metric.language, tool, write_setting(setting, value))


def answers_of_list(name: str, texts: Sequence[str], gold: Gold, metric: Metric[Any]) -> Answers:
    """A list of hypotheses as answers to the gold; what is odd about them is logged."""
    items = make_items(gold, hypotheses_of_list(name, texts, gold))
    return check_answers(name, items, [metric], log_warning)


def check_systems(systems: Sequence[Sequence[str]], metric: Metric[Any]) -> None:
    """Refuse outputs of systems for a metric that has no use for them."""
    check_list("systems", systems)
    if systems and not metric.needs_systems:
        raise UsageError(f"systems: {metric.name} does not ask what other systems made of the sentences")


def add_systems(answers: Answers, systems: Sequence[Sequence[Item]]) -> Answers:
    """The answers, each beside what the systems made of the same sentence."""
    if not systems:
        return answers
    others = zip(*([item.hypothesis for item in items] for items in systems), strict=True)
    return replace(answers, items=[replace(item, systems=one) for item, one in zip(answers.items, others, strict=True)])


def check_answers(name: str, items: list[Item], metrics: Sequence[Metric[Any]], warn: Warn) -> Answers:
    """The items with what is odd about them, which `warn` is told too."""
    warnings = find_item_doubts(items, are_raw=all(metric.reads_raw_text for metric in metrics))
    for warning in warnings:
        warn(name, warning)
    return Answers(name, items, tuple(warnings))


def evaluate_answers(
    metric: Metric[Any], answers: Answers, stats: Sequence[Any], warn: Warn, **wanted: Any
) -> Evaluation:
    """The evaluation of answers; `warn` is told what was not known when they were checked."""
    found = evaluate(metric, answers.items, stats, answers.name, warnings=answers.warnings, **wanted)
    for warning in found.warnings[len(answers.warnings) :]:
        warn(answers.name, warning)
    return found
