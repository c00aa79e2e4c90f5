"""Which edits raised or lowered a sentence's score under a metric.

`leave-one-out` says how much the score falls when an edit is taken out of the hypothesis. `shapley` shares the whole
difference between hypothesis and source among the edits: an edit gets the mean of what it adds to each subset of the
others, so the shares add up. Up to `EXACT` edits all subsets are scored; with more, random orders are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from errata.edits.apply import apply_edits
from errata.edits.base import get_extractor
from errata.edits.texts import source_text
from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.model import Annotation, Edit, Sentence, Tokens
from errata.stats.resampling import DEFAULT_SEED
from errata.text.tokens import join_tokens

METHODS = ("shapley", "leave-one-out")
EXACT = 5  # 32 subsets; one edit more, and random orders are as good and cheaper
ORDERS = 24

Subset = frozenset[int]


@dataclass(frozen=True, slots=True)
class Attribution:
    """A sentence with the edits of its hypothesis and what each adds to its score; `before` is the source's score."""

    tokens: Tokens
    edits: tuple[Edit, ...]
    contributions: tuple[float, ...]
    before: float
    after: float


def attribute_scores(
    items: Sequence[Item],
    metric: Metric[Any],
    language: str,
    *,
    method: str = "shapley",
    orders: int = ORDERS,
    seed: int = DEFAULT_SEED,
) -> list[Attribution]:
    """An attribution for each item; all partly corrected sentences are scored together."""
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    if orders < 1:
        raise UsageError(f"orders is at least 1, not {orders}")
    sentences = _find_edits(items, language)
    rng = np.random.default_rng(seed)
    plans = [_plan(len(edits), method, orders, rng) for _, edits in sentences]
    wanted = [(row, subset) for row, plan in enumerate(plans) for subset in _subsets(plan, len(sentences[row][1]))]
    scores = dict(zip(wanted, _score(items, sentences, wanted, metric), strict=True))
    found = []
    for row, ((tokens, edits), plan) in enumerate(zip(sentences, plans, strict=True)):
        values = {subset: scores[row, subset] for subset in _subsets(plan, len(edits))}
        shares = tuple(_share(edit, len(edits), plan, values) for edit in range(len(edits)))
        everything = frozenset(range(len(edits)))
        found.append(Attribution(tokens, edits, shares, values[frozenset()], values[everything]))
    return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """How edits are judged: by all subsets, by orders of them, or (neither) by leaving each out."""

    is_exact: bool = False
    orders: tuple[tuple[int, ...], ...] = ()


def _plan(n_edits: int, method: str, orders: int, rng: np.random.Generator) -> _Plan:
    if method == "leave-one-out":
        return _Plan()
    if n_edits <= EXACT:
        return _Plan(is_exact=True)
    return _Plan(orders=tuple(tuple(rng.permutation(n_edits).tolist()) for _ in range(orders)))


def _subsets(plan: _Plan, n_edits: int) -> set[Subset]:
    """The subsets of edits whose scores the plan needs; none and all of them are always there."""
    everything = range(n_edits)
    if plan.is_exact:
        return {frozenset(chosen) for size in range(n_edits + 1) for chosen in combinations(everything, size)}
    needed = {frozenset(), frozenset(everything)}
    needed |= {frozenset(order[:size]) for order in plan.orders for size in range(n_edits)}
    if not plan.orders:
        needed |= {frozenset(everything) - {edit} for edit in everything}
    return needed


def _share(edit: int, n_edits: int, plan: _Plan, values: dict[Subset, float]) -> float:
    """What an edit adds."""
    everything = frozenset(range(n_edits))
    if plan.is_exact:
        others = sorted(everything - {edit})
        subsets = (frozenset(chosen) for size in range(n_edits) for chosen in combinations(others, size))
        gains = ((values[one | {edit}] - values[one]) / comb(n_edits - 1, len(one)) for one in subsets)
        return sum(gains) / n_edits
    if plan.orders:
        before = [frozenset(order[: order.index(edit)]) for order in plan.orders]
        return sum(values[one | {edit}] - values[one] for one in before) / len(before)
    return values[everything] - values[everything - {edit}]


def _find_edits(items: Sequence[Item], language: str) -> list[tuple[Tokens, tuple[Edit, ...]]]:
    """The tokens of each source, and the edits of its hypothesis: its own, or those that are extracted."""
    texts = [item for item in items if isinstance(item.hypothesis, str)]
    pairs = ((source_text(item.source), [str(item.hypothesis)]) for item in texts)
    extracted = iter(get_extractor(language).annotate(pairs) if texts else ())
    found = []
    for item in items:
        if isinstance(item.hypothesis, Annotation):
            found.append((item.source.tokens, item.hypothesis.edits))
        else:
            sentence = next(extracted)
            found.append((sentence.sentence.tokens, sentence.annotations[0].edits))
    return found


def _score(
    items: Sequence[Item],
    sentences: Sequence[tuple[Tokens, tuple[Edit, ...]]],
    wanted: Iterable[tuple[int, Subset]],
    metric: Metric[Any],
) -> list[float]:
    partial = [_apply(items[row], *sentences[row], subset) for row, subset in wanted]
    return [float(score) for score in metric.sentence_scores(metric.stats(metric.prepare(partial)))] if partial else []


def _apply(item: Item, tokens: Tokens, edits: tuple[Edit, ...], subset: Subset) -> Item:
    corrected = apply_edits(tokens, [edits[place] for place in sorted(subset)])
    source = item.source if item.source.tokens == tokens else Sentence(tokens, item.source.text)
    return replace(item, source=source, hypothesis=join_tokens(corrected, like=tokens))
