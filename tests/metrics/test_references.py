"""The expected score with fewer references."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from edit_cases import corpora, edit, item
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import UnknownName, UsageError
from errata.metrics import Item, get_metric, score
from errata.metrics.references import MAX_SUBSETS, limit_references
from errata.model import Annotation

X, Y, Z = edit(0, 1, "x"), edit(1, 2, "y"), edit(2, 3, "z")
EVEN = [item([X], [X], [Y], [Z]), item([Y, Z], [X], [Y, Z], [Z])]


def test_the_mean_over_all_combinations_of_annotators() -> None:
    expected = []
    for kept in combinations("012", 2):
        some = [replace(one, references=tuple(r for r in one.references if r.annotator in kept)) for one in EVEN]
        expected.append(score(some, "errant").value)
    result = score(EVEN, limit_references(get_metric("errant"), 2))
    assert result.value == pytest.approx(sum(expected) / 3)
    assert "max-refs:2|choice:sample" in result.signature


def test_the_first_references() -> None:
    metric = limit_references(get_metric("errant"), 1, "first")
    assert (
        score(EVEN, metric).value
        == score([replace(one, references=one.references[:1]) for one in EVEN], "errant").value
    )


def test_uneven_numbers_are_drawn_per_sentence_and_repeatably() -> None:
    uneven = [*EVEN, item([X], [X])]
    metric = limit_references(get_metric("errant"), 1, seed=3)
    stats = metric.stats(uneven)
    assert {len(one) for one in stats} == {MAX_SUBSETS}
    again = limit_references(get_metric("errant"), 1, seed=3)
    assert metric.aggregate(stats) == again.aggregate(again.stats(uneven))


def test_alignments_of_one_reference_stay_together() -> None:
    alignments = (Annotation("0", (X,)), Annotation("0", (Y,), alignment=1))
    one = replace(item([X, Y]), references=alignments)
    assert score([one], limit_references(get_metric("cherrant"), 1, "first")).value == 1.0


def test_other_metrics_can_be_limited_too() -> None:
    texts = [Item(EVEN[0].source, "x b c d e", ("a b c d e", "x b c d e"))]
    assert score(texts, limit_references(get_metric("exact-match"), 1)).value == 0.5


def test_by_type_is_averaged() -> None:
    by_type = score(EVEN, limit_references(get_metric("errant", by_type="full"), 1)).by_type
    assert by_type is not None and set(by_type) == {"R:NOUN"}


def test_wrong_limits() -> None:
    with pytest.raises(UsageError, match="at least 1, not 0"):
        limit_references(get_metric("errant"), 0)
    with pytest.raises(UnknownName, match="choice of references"):
        limit_references(get_metric("errant"), 1, "best")


@given(corpora, st.integers(1, 2), st.sampled_from(["sample", "first"]))
@settings(deadline=None, max_examples=25)
def test_resampling_equals_aggregating(items: list[Item], limit: int, choice: str) -> None:
    metric = limit_references(get_metric("errant"), limit, choice)
    stats = metric.stats(items)
    indices = np.random.default_rng(1).integers(0, len(stats), (3, len(stats)))
    expected = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    np.testing.assert_allclose(metric.resample(stats, indices), expected, rtol=0, atol=1e-12)
