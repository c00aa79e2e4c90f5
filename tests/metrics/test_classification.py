"""Detection and identification: formulas, several types per sentence, where predictions come from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError
from errata.metrics import Item, get_metric, score
from errata.model import Annotation, Edit, Sentence

SOURCE = Sentence(tuple("甲乙丙"), "甲乙丙")


def judged(gold: str, predicted: str) -> Item:
    """`judged("CM SC", "CM")`: two types, one of them found; an empty text is a correct sentence."""
    return Item(SOURCE, "", (), tuple(gold.split()), tuple(predicted.split()))


def test_detection() -> None:
    items = [judged("CM", "CM"), judged("CM", ""), judged("", ""), judged("", "SC")]
    result = score([*items, judged("", "")], "detection", by_type="full")
    assert result.parts["accuracy"] == 0.6
    assert result.by_type is not None
    assert result.by_type["erroneous"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5, "tp": 1, "fp": 1, "fn": 1}
    assert result.by_type["correct"]["f1"] == pytest.approx(2 / 3)
    assert result.value == result.parts["f1"] == pytest.approx((0.5 + 2 / 3) / 2)


@pytest.mark.parametrize(
    ("hypothesis", "references", "gold", "predicted"),
    [
        ("甲乙丙", ("甲乙丙",), "correct", "correct"),
        ("甲乙 丙", ("甲乙丁",), "erroneous", "correct"),
        ("甲丁丙", ("甲乙丙", "甲丁丙"), "erroneous", "erroneous"),
        (Annotation(), (Annotation(edits=(Edit(0, 1, ()),)),), "erroneous", "correct"),
        (Annotation(edits=(Edit(0, 1, ()),)), (), "correct", "erroneous"),
    ],
    ids=["nothing", "spaces are no change", "any reference", "missed", "false alarm"],
)
def test_detection_from_texts_and_edits(hypothesis: Any, references: Any, gold: str, predicted: str) -> None:
    (judgement,) = get_metric("detection").stats([Item(SOURCE, hypothesis, references)])
    assert (judgement.gold, judgement.predicted) == ({gold}, {predicted})


def test_identification_counts_each_type() -> None:
    items = [judged("CM SC", "CM"), judged("IWO", "IWO"), judged("", "SC"), judged("", "")]
    result = score(items, "identification", by_type="full")
    assert result.parts["accuracy"] == 0.5
    assert result.by_type is not None
    assert set(result.by_type) == {"CM", "IWO", "SC"}
    assert result.by_type["SC"]["f1"] == 0.0
    assert result.value == pytest.approx(2 / 3)
    assert result.parts["micro-f1"] == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))


def test_correct_can_be_a_class() -> None:
    items = [judged("", ""), judged("CM", "CM")]
    by_type = score(items, "identification", with_correct=True, by_type="full").by_type
    assert by_type is not None and set(by_type) == {"CM", "correct"}


def test_identification_needs_labels() -> None:
    with pytest.raises(DataError, match="sentence 1 has no error types"):
        score([Item(SOURCE, "甲")], "identification")
    with pytest.raises(DataError, match="sentence 1 has no predicted error types"):
        score([Item(SOURCE, "甲", labels=())], "identification")


labels = st.lists(st.sampled_from(["CM", "SC", "IWO"]), unique=True, max_size=2).map(" ".join)
judgements = st.lists(st.builds(judged, labels, labels), min_size=1, max_size=8)
metrics = st.sampled_from([("detection", {}), ("identification", {}), ("identification", {"with_correct": True})])


@given(judgements, metrics, st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_resampling_equals_aggregating(items: list[Item], named: tuple[str, dict[str, Any]], seed: int) -> None:
    metric = get_metric(named[0], **named[1])
    stats = metric.stats(items)
    indices = np.random.default_rng(seed).integers(0, len(stats), (4, len(stats)))
    expected = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    np.testing.assert_allclose(metric.resample(stats, indices), expected, rtol=0, atol=1e-12)


@given(st.lists(labels, min_size=1), metrics)
@settings(deadline=None)
def test_perfect_predictions_score_1(gold: list[str], named: tuple[str, dict[str, Any]]) -> None:
    parts = score([judged(one, one) for one in gold], named[0], **named[1]).parts
    assert set(parts.values()) == {1.0}


@given(judgements, metrics, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_sentences_does_not_matter(items: list[Item], named: tuple[str, dict[str, Any]], rng: Any) -> None:
    shuffled = rng.sample(items, len(items))
    assert score(shuffled, named[0], **named[1]).parts == score(items, named[0], **named[1]).parts
