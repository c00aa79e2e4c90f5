"""Scribendi: better, same or worse by a language model, and how alike the sentences are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata.errors import ErrataError, UsageError
from errata.judges.perplexity import Perplexity
from errata.metrics.base import Item, Metric, get_metric
from errata.model import Sentence
from errata.systems.lm.causal import load_causal

KNOWN, ODD = "She goes to school by bus.", "She go school to by bus."
TEXTS = [KNOWN, ODD, "", "They go to the park on Sunday.", "x" * 400]


def judge(model: Path, source: str, hypothesis: str, **options: object) -> float:
    return errata.score([source], [hypothesis], metric="scribendi", model=str(model), **options).value


@pytest.mark.parametrize(
    ("source", "hypothesis", "expected"),
    [
        (ODD, KNOWN, 1),
        (KNOWN, ODD, -1),
        (KNOWN, KNOWN, 0),
        (KNOWN, f" {KNOWN} ", 0),  # spaces at the ends are no correction
        (ODD, "They go to the park on Sunday.", -1),  # probable, but another sentence
        (KNOWN, "", -1),
    ],
)
def test_better_same_or_worse(lm_folder: Path, source: str, hypothesis: str, expected: int) -> None:
    assert judge(lm_folder, source, hypothesis) == expected


def test_a_corpus_has_the_mean_and_the_sum(lm_folder: Path) -> None:
    found = errata.score([ODD, KNOWN, KNOWN], [KNOWN, KNOWN, ODD], metric="scribendi", model=str(lm_folder))
    assert (found.value, found.parts) == (0.0, {"scribendi": 0.0, "sum": 0, "better": 1, "same": 1, "worse": 1})
    assert "|gold:none|" in found.signature


def test_the_threshold_decides_what_is_alike(lm_folder: Path) -> None:
    assert judge(lm_folder, ODD, "They go to the park on Sunday.", threshold=0.1) == 1
    with pytest.raises(UsageError, match="between 0 and 1"):
        judge(lm_folder, ODD, KNOWN, threshold=8.0)


@settings(max_examples=25, deadline=None)
@given(chosen=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=12))
def test_a_loss_does_not_depend_on_other_texts(lm_folder: Path, chosen: list[str]) -> None:
    perplexity = Perplexity(load_causal(lm_folder))
    alone = [perplexity.losses([text])[0] for text in chosen]
    assert perplexity.losses(chosen) == pytest.approx(alone, abs=1e-5)
    assert all(loss == 0 for loss, text in zip(alone, chosen, strict=True) if not text)


def test_the_fast_way_to_resample_agrees_with_the_plain_one(lm_folder: Path) -> None:
    metric = get_metric("scribendi", model=str(lm_folder))
    stats = metric.stats([Item(Sentence(tuple(a.split()), a), b) for a, b in ((ODD, KNOWN), (KNOWN, ODD))])
    rows = np.array([[0, 0], [0, 1], [1, 1]])
    assert metric.resample(stats, rows) == pytest.approx(Metric.resample(metric, stats, rows))


def test_a_model_that_is_not_there_is_told_in_a_line() -> None:
    with pytest.raises(ErrataError, match="no such folder"):
        judge(Path("/nowhere"), ODD, KNOWN)


def test_chinese_needs_a_model_of_its_own() -> None:
    with pytest.raises(UsageError, match="name a Chinese language model"):
        errata.score(["我爱你门。"], ["我爱你们。"], metric="scribendi")
