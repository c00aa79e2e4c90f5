"""Single edits: which there are, what is measured of them, and differences between corpora."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from pathlib import Path

import pytest

from errata.analysis.corpora import find_corpora
from errata.analysis.edit_impact import (
    Progress,
    SingleEdit,
    draw_sample,
    find_differences,
    list_single_edits,
    measure_edits,
)
from errata.analysis.edit_judge import ModelJudge, measure_corpora
from errata.errors import DataError, UsageError
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence
from tiny_encoder import write_encoder
from tiny_language_model import write_language_model

SENTENCE = Sentence(("He", "go", "home", "."))
GO = Edit(1, 2, ("goes",), "R:VERB:SVA")
HOME = Edit(2, 3, ("away",), "R:NOUN")


class LengthJudge:
    """Similar as their lengths are; the longer a text, the less probable."""

    signature = "lengths"

    def similarities(self, edits: Sequence[SingleEdit], stage: str, progress: Progress | None) -> list[float]:
        return [len(one.source) / len(one.target) for one in edits]

    def losses(self, texts: Sequence[str], stage: str, progress: Progress | None) -> list[float]:
        return [log(len(text)) for text in texts]


@pytest.mark.parametrize(
    ("edits", "n_found"),
    [
        ((GO,), 1),
        ((), 0),
        ((GO, HOME), 0),
        ((Edit(1, 2, ("go",), "UNK"),), 0),
        ((Edit(1, 2, ("go",), "R:VERB"),), 0),
        ((Edit(7, 9, ("x",), "R:VERB"),), 0),
    ],
    ids=["one", "none", "two", "no correction", "no change", "beyond the sentence"],
)
def test_corrections_with_one_edit(edits: tuple[Edit, ...], n_found: int) -> None:
    found = list_single_edits([AnnotatedSentence(SENTENCE, (Annotation("0", edits),))])
    assert len(found) == n_found


def test_every_annotator_counts() -> None:
    found = list_single_edits([AnnotatedSentence(SENTENCE, (Annotation("0", (GO,)), Annotation("1", (HOME,))))])
    assert [one.target for one in found] == ["He goes home .", "He go away ."]


def test_means_in_all_and_by_type() -> None:
    edits = [SingleEdit("A", "x" * 4, "x" * 8), SingleEdit("A", "x" * 4, "x" * 5), SingleEdit("B", "x" * 6, "x" * 3)]
    found = measure_edits("c", edits, LengthJudge())
    assert found.means.n_edits == 3 and list(found.by_type) == ["A", "B"]
    assert found.by_type["A"].similarity == pytest.approx((0.5 + 0.8) / 2)
    assert found.by_type["A"].ratio == pytest.approx((2 + 1.25) / 2)
    assert found.by_type["B"].ratio == pytest.approx(0.5) and found.by_type["B"].ratio_error is None
    assert found.means.preferred == pytest.approx(1 / 3)
    assert found.examples["least similar"][0].edit == edits[0]
    assert found.examples["least preferred"][0].ratio == pytest.approx(2.0)


def test_differences_of_types_that_both_corpora_have() -> None:
    one = measure_edits("one", [SingleEdit("A", "xx", "xxxx")] * 3 + [SingleEdit("B", "x", "xx")] * 3, LengthJudge())
    other = measure_edits("other", [SingleEdit("A", "xxxx", "xx")] * 3 + [SingleEdit("B", "x", "xx")], LengthJudge())
    [difference] = find_differences([one, other], min_edits=2)
    assert (difference.type, difference.n_first, difference.n_second) == ("A", 3, 3)
    assert (difference.similarity, difference.ratio) == pytest.approx((0.5 - 2, 2 - 0.5))


def test_a_sample_keeps_the_order() -> None:
    edits = [SingleEdit(str(n), "a", "b") for n in range(50)]
    sample = draw_sample(edits, 10, 1)
    numbers = [int(one.type) for one in sample]
    assert len(numbers) == 10 and numbers == sorted(numbers) and sample != draw_sample(edits, 10, 2)
    assert draw_sample(edits, None, 1) == edits == draw_sample(edits, 99, 1)
    assert set(sample) < set(draw_sample(edits, 20, 1))


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> ModelJudge:
    folder = tmp_path_factory.mktemp("models")
    encoder, lm = write_encoder(folder / "encoder"), write_language_model(folder / "lm")
    return ModelJudge(str(encoder), str(lm), cache=folder / "cache")


def test_models_measure_and_remember(judge: ModelJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    edits = [
        SingleEdit("R:VERB:SVA", "She go to school by bus.", "She goes to school by bus."),
        SingleEdit("R:SPELL", "He goes hmoe .", "He goes home ."),
    ]
    found = measure_edits("c", edits, judge)
    losses = judge.losses([edits[0].source, edits[0].target], "", None)
    assert found.by_type["R:VERB:SVA"].ratio == pytest.approx(exp(losses[1] - losses[0]))
    assert found.by_type["R:VERB:SVA"].ratio < 1  # the model has read the corrected sentence
    assert all(0 < one.similarity <= 1 for one in found.by_type.values())
    again = ModelJudge(judge.encoder, judge.lm, cache=judge.cache)
    monkeypatch.setattr("errata.analysis.edit_judge.load_causal", _refuse)
    monkeypatch.setattr("errata.analysis.edit_judge.load_sentence_vectors", _refuse)
    assert measure_edits("c", edits, again) == found


def _refuse(*arguments: object) -> object:
    raise AssertionError("a model is loaded for what is known")


def test_edits_of_texts_are_extracted(judge: ModelJudge, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("He go home .\tHe goes home .\nAll is well .\tAll is well .\n", "utf-8")
    files = find_corpora([str(tmp_path / "pairs.tsv")])
    [found] = measure_corpora(files, judge, limit=None, sample=None, seed=1, progress=None)
    assert list(found.by_type) == ["R:VERB:SVA"] and found.n_single == 1 and len(found.digest) == 8


def test_a_corpus_without_single_edits(judge: ModelJudge, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("All is well .\tAll is well .\n", "utf-8")
    with pytest.raises(DataError, match="no sentence has exactly one edit"):
        measure_corpora(
            find_corpora([str(tmp_path / "pairs.tsv")]), judge, limit=None, sample=None, seed=1, progress=None
        )


def test_english_models_do_not_read_chinese(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("我爱你门。\t我爱你们。\n", "utf-8")
    with pytest.raises(UsageError, match="is Chinese: name models"):
        measure_corpora(
            find_corpora([str(tmp_path / "pairs.tsv")]), ModelJudge(), limit=None, sample=None, seed=1, progress=None
        )
