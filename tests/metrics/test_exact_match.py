"""Exact match: what counts as equal, which sentences count, resampling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.metrics.base import Item
from errata.metrics.exact_match import ExactMatch, ExactMatchOptions, SentenceMatch
from errata.model import Annotation, Edit, Sentence, Status

SOURCE = Sentence(("a", "b"))


def accuracy(items: list[Item], options: ExactMatchOptions | None = None) -> float:
    metric = ExactMatch(options)
    return metric.aggregate(metric.stats(items)).value


@pytest.mark.parametrize(
    ("hypothesis", "references", "is_match"),
    [
        pytest.param("a c", ("a c",), True, id="equal"),
        pytest.param("a d", ("a c", "a d"), True, id="second reference"),
        pytest.param("a b", ("a c", "a d"), False, id="none"),
        pytest.param("", ("a c",), False, id="empty hypothesis"),
        pytest.param(" a  c\r\n", ("a c",), True, id="runs of white space"),
        pytest.param("A c", ("a c",), False, id="case"),
        pytest.param(Annotation(edits=(Edit(1, 2, ("c",)),)), ("a c",), True, id="edits and text"),
        pytest.param("a c", (Annotation(edits=(Edit(1, 2, ("c",)),)),), True, id="text and edits"),
        pytest.param("a b", (), True, id="nobody changed it"),
        pytest.param("a b", (Annotation(),), True, id="nothing to change"),
    ],
)
def test_equal_to_any_reference(hypothesis: str, references: tuple[str, ...], is_match: bool) -> None:
    assert accuracy([Item(SOURCE, hypothesis, references)]) == is_match


@pytest.mark.parametrize(
    ("hypothesis", "reference", "options", "is_match"),
    [
        pytest.param("我，爱你。", "我爱你", {"ignore_punctuation": True}, True, id="punctuation"),
        pytest.param("我，爱他。", "我爱你", {"ignore_punctuation": True}, False, id="other words"),
        pytest.param("我 爱 你", "我爱你", {"ignore_punctuation": True}, True, id="punctuation covers spaces"),
        pytest.param("我 爱 你", "我爱你", {"ignore_spaces": True}, True, id="spaces"),
        pytest.param("我 爱 你", "我爱你", {}, False, id="spaces count by default"),
        pytest.param("我爱你。", "我爱你", {"ignore_spaces": True}, False, id="punctuation counts by default"),
        pytest.param("A C", "a c", {"ignore_case": True}, True, id="case"),
    ],
)
def test_what_is_ignored(hypothesis: str, reference: str, options: dict[str, bool], is_match: bool) -> None:
    chosen = ExactMatchOptions(**options)
    assert accuracy([Item(Sentence(tuple("我爱你"), "我爱你"), hypothesis, (reference,))], chosen) == is_match


def test_erroneous_sentences_only() -> None:
    right = Item(SOURCE, "a b", ("a b",))
    wrong = Item(SOURCE, "a b", ("a c",))
    fixed = Item(SOURCE, "a c", ("a c",))
    labelled_correct = Item(SOURCE, "a b", ("a c",), labels=())
    items = [right, wrong, fixed, labelled_correct]
    assert accuracy(items) == 0.5
    assert accuracy(items, ExactMatchOptions(erroneous_only=True)) == 0.5
    assert accuracy([right, fixed], ExactMatchOptions(erroneous_only=True)) == 1
    metric = ExactMatch(ExactMatchOptions(erroneous_only=True))
    assert metric.aggregate(metric.stats(items)).parts == {"accuracy": 0.5, "matched": 1, "counted": 2}


def test_sentences_nobody_could_annotate_do_not_count() -> None:
    items = [Item(SOURCE, "x", (Annotation(status=Status.NOT_ANNOTATABLE),)), Item(SOURCE, "a c", ("a c",))]
    assert accuracy(items) == 1
    assert accuracy(items[:1]) == accuracy([]) == 1


def test_the_signature_says_what_is_ignored() -> None:
    assert ExactMatch().signature.endswith("|sentences:all")
    chosen = ExactMatchOptions(ignore_punctuation=True, erroneous_only=True)
    assert ExactMatch(chosen).signature.endswith("|ignore:spaces,punctuation|sentences:erroneous")


matches = st.lists(st.sampled_from([SentenceMatch(*one) for one in ((0, 0), (1, 0), (1, 1))]), min_size=1)


@given(matches, st.integers(0, 2**32))
def test_resampling_is_aggregating_every_row(stats: list[SentenceMatch], seed: int) -> None:
    metric = ExactMatch()
    indices = np.random.default_rng(seed).integers(0, len(stats), (4, 5))
    rows = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    assert metric.resample(stats, indices).tolist() == rows


@given(matches, st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(stats: list[SentenceMatch], rng: object) -> None:
    shuffled = list(stats)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert ExactMatch().aggregate(shuffled) == ExactMatch().aggregate(stats)
