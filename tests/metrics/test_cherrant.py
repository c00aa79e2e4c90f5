"""The ChERRANT score: parity from its M2 files and from texts, pooling, and sentences nobody could annotate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from edit_cases import corpora, edit, item
from hypothesis import given, settings

from errata.errors import DataError
from errata.metrics import Item, score
from errata.metrics.inputs import make_items, read_gold, read_hypotheses
from errata.model import Annotation, Edit, Sentence, Status

WITH_LEXICONS = (1084, 1635, 3003, 0.3987, 0.2652, 0.3622)
WITHOUT_LEXICONS = (1091, 1645, 3017, 0.3988, 0.2656, 0.3624)


def _numbers(items: list[Item], **options: object) -> tuple[float, ...]:
    parts = score(items, "cherrant", **options).parts
    rounded = [round(parts[name], 4) for name in ("precision", "recall", "f0.5")]
    return (*(parts[name] for name in ("tp", "fp", "fn")), *rounded)


@pytest.mark.data
@pytest.mark.parametrize(
    ("suffix", "wanted"),
    [("char", WITH_LEXICONS), ("char.nolexicon", WITHOUT_LEXICONS)],
    ids=["lexicons", "no lexicons"],
)
def test_equals_cherrant_on_its_edits(oracles: Path, suffix: str, wanted: tuple[float, ...]) -> None:
    gold = read_gold(oracles / "cherrant" / f"mucgec_dev.ref.{suffix}.m2")
    items = make_items(gold, read_hypotheses(oracles / "cherrant" / f"mucgec_dev.hyp.{suffix}.m2", gold))
    assert _numbers(items) == wanted


@pytest.mark.data
def test_equals_cherrant_from_texts(oracles: Path) -> None:
    gold = read_gold(oracles / "cherrant" / "MuCGEC_dev.txt")
    items = make_items(gold, read_hypotheses(oracles / "cherrant" / "example_pred_dev.txt", gold))
    assert _numbers(items, simplify=True) == WITHOUT_LEXICONS


@pytest.mark.data
def test_equals_cherrant_from_texts_with_lexicons(oracles: Path, data: Path) -> None:
    lexicon = data / "zh" / "lexical" / "cherrant"
    if not lexicon.is_dir():
        pytest.skip("ChERRANT's lexicons are not here")
    gold = read_gold(oracles / "cherrant" / "MuCGEC_dev.txt")
    items = make_items(gold, read_hypotheses(oracles / "cherrant" / "example_pred_dev.txt", gold))
    assert _numbers(items, simplify=True, lexicon=lexicon) == WITH_LEXICONS


def test_alignments_of_one_reference_are_pooled() -> None:
    alignments = (
        Annotation("0", (edit(0, 1, "x"),), alignment=0),
        Annotation("0", (edit(1, 2, "x"),), alignment=1),
    )
    one = Item(Sentence(tuple("abcde")), Annotation(edits=(edit(0, 1, "x"),)), alignments)
    parts = score([one], "cherrant").parts
    assert (parts["tp"], parts["fp"], parts["fn"]) == (1, 0, 1)


def test_corrections_are_compared_without_spaces() -> None:
    same = item([Edit(0, 2, ("甲乙",), "S")], [Edit(0, 2, ("甲", "乙"), "S")])
    assert score([same], "cherrant").value == 1.0
    assert score([same], "errant").value == 0.0


def test_a_sentence_nobody_could_annotate_is_left_out() -> None:
    hopeless = Annotation("0", status=Status.NOT_ANNOTATABLE)
    wrong = item([edit(0, 1, "x")])
    parts = score([replace(wrong, references=(hopeless,))], "cherrant").parts
    assert (parts["tp"], parts["fp"], parts["fn"]) == (0, 0, 0)
    both = replace(wrong, references=(hopeless, Annotation("1", (edit(0, 1, "x"),))))
    assert score([both], "cherrant").parts["tp"] == 1


@pytest.mark.parametrize("level", ["char", "word"])
def test_texts(level: str) -> None:
    source = "他昨天去学校了。"
    items = [Item(Sentence(tuple(source), source), "他昨天去了学校。", ("他昨天去了学校。", source))]
    result = score(items, "cherrant", level=level)
    assert result.value == 1.0
    assert f"level:{level}" in result.signature


def test_edits_over_other_tokens_are_refused() -> None:
    source = "他昨天去学校了。"
    one = Item(Sentence(tuple(source)), "他昨天去了学校。", (Annotation(edits=(edit(3, 4, "去了"),)),))
    assert score([one], "cherrant").parts["fn"] == 1
    with pytest.raises(DataError, match="sentence 1: the edits given are over 8 tokens, the extractor makes"):
        score([one], "cherrant", level="word")


@given(corpora)
@settings(deadline=None)
def test_a_perfect_hypothesis_scores_1(items: list[Item]) -> None:
    perfect = [replace(one, hypothesis=one.references[0] if one.references else Annotation()) for one in items]
    assert score(perfect, "cherrant").value == 1.0
