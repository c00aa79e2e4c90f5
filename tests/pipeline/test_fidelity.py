"""The checks of `benchmarks/fidelity` on a corrector that changes far more than any model."""

from __future__ import annotations

import pytest
from benchmarks.fidelity.checks import correct_documents, faults
from benchmarks.fidelity.documents import Document, make_document
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import Meddling

from errata.model import Correction, TextEdit
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import AUTO, Options
from errata.pipeline.protection import Protection
from errata.pipeline.sentences import SentenceCorrector


def meddler(language: str = AUTO) -> Pipeline:
    """Corrects once: this model is never content."""
    protection = Protection(["goed"], ["in the same opinion"])
    options = Options(frozenset({"en", "zh"}), language, protection=protection, is_stable=False)
    return Pipeline("meddling", lambda own: SentenceCorrector(Meddling(own), name="meddling"), options)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_random_documents(first: int) -> None:
    documents = [make_document(seed) for seed in range(first, first + 100)]
    corrections = correct_documents(meddler(), documents)
    assert {seed: wrong for seed, one in enumerate(documents) if (wrong := faults(one, corrections[seed]))} == {}
    assert sum(len(one.edits) for one in corrections) > 300


@pytest.mark.parametrize("seed", range(6))
def test_long_lines(seed: int) -> None:
    document = make_document(seed, size=20_000)
    (correction,) = correct_documents(meddler("en"), [document])
    assert faults(document, correction) == []


@settings(deadline=None)
@given(st.text(max_size=60), st.sampled_from(["none", "text", "markdown"]))
def test_any_text(text: str, markup: str) -> None:
    document = Document(text, markup, ())
    (correction,) = correct_documents(meddler(), [document])
    assert faults(document, correction) == []


def test_words_and_terms_stay() -> None:
    text = "He goed there in the same opinion. " * 50
    (correction,) = meddler("en").correct([text])
    assert correction.edits and correction.target.count("goed") == 50
    assert correction.target.count("in the same opinion") == 50


@pytest.mark.parametrize(
    ("correction", "fault"),
    [
        (Correction("other"), "the source"),
        (Correction("a b", (TextEdit(2, 3, "x"),)), "was changed"),
    ],
)
def test_the_checks_see_faults(correction: Correction, fault: str) -> None:
    assert any(fault in wrong for wrong in faults(Document("a b", "none", ((2, 3),)), correction))
