"""Learning: reversed edits with their rates, attribution of rare ones, and what cannot be used is counted."""

from __future__ import annotations

import lzma
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from errata.edits.base import get_extractor
from errata.errors import DataError, FormatError
from errata.formats import iter_sentences
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status, Tokens
from errata.synth import NoiseModel
from errata.synth.align import align
from errata.synth.attribution import Reversed, attribute
from errata.synth.learn import Learner
from errata.synth.lexicon import read_confusables, read_frequencies, read_misspellings
from errata.synth.tables import ChineseTables, EnglishTables, regular_past, regular_plural


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        pytest.param("a b c", "a b c", [], id="same"),
        pytest.param("I go home", "I went home", [(1, 2, "went", "R")], id="replaced"),
        pytest.param("I like cat", "I like the cat", [(2, 2, "the", "M")], id="missing"),
        pytest.param("I am agree", "I agree", [(1, 2, "", "U")], id="unnecessary"),
        pytest.param("a cats sat", "cat sits", [(0, 1, "", "U"), (1, 2, "cat", "R"), (2, 3, "sits", "R")], id="pairs"),
        pytest.param("he eats always rice", "he always eats rice", [(1, 3, "always eats", "R:WO")], id="moved"),
        pytest.param("", "a b", [(0, 0, "a b", "M")], id="from-nothing"),
    ],
)  # fmt: skip
def test_alignment_of_english_pairs(source: str, target: str, expected: list[tuple[int, int, str, str]]) -> None:
    edits = align(tuple(source.split()), tuple(target.split()), split_words=True)
    assert [(e.start, e.end, " ".join(e.replacement), e.type) for e in edits] == expected


def test_alignment_finds_chinese_phrases_that_moved() -> None:
    edits = align(tuple("他跑步在公园里"), tuple("他在公园里跑步"), split_words=False)
    assert edits == [Edit(1, 7, tuple("在公园里跑步"), "R:WO")]


def test_rates_are_errors_per_occurrence(english: NoiseModel) -> None:
    found = english.statistics.replaced[("in",)]
    assert found.occurrences == 5 + 3 + 6  # interested in, in the forest, in the garden
    assert [(m.written, m.count) for m in found.mistakes] == [(("on",), 5)]
    rate, _ = next(found.rates())
    assert rate == pytest.approx(5 / (14 + 10))


def test_inserted_words_are_known_by_what_follows(english: NoiseModel) -> None:
    assert english.statistics.inserted["agree"].mistakes[0].written == ("am",)
    assert any(m.written == ("the",) for m in english.statistics.inserted["nature"].mistakes)


def test_errors_of_both_annotators_count(annotated: AnnotatedSentence) -> None:
    learner = Learner("en", min_count=1)
    learner.add(annotated)
    model = learner.model()
    assert model.provenance["errors"] == 3
    assert model.provenance["sentences"] == 2
    assert model.histogram.n_tokens == 5 + 6


def test_what_cannot_be_used_is_counted() -> None:
    sentence = Sentence(("a", "b"))
    learner = Learner("en")
    learner.add(AnnotatedSentence(sentence))
    learner.add(AnnotatedSentence(sentence, (Annotation(status=Status.NOT_ANNOTATABLE),)))
    learner.add(AnnotatedSentence(sentence, (Annotation(edits=(Edit(0, 2, ("c",)), Edit(1, 2, ("d",)))),)))
    learner.add(AnnotatedSentence(sentence, (Annotation(edits=(Edit(0, 1, ("a",)),)),)))
    assert learner.skipped == {
        "sentence without a correction": 1,
        "not annotatable": 1,
        "edits overlap or reach beyond the sentence": 1,
        "edit without a change": 1,
    }


def test_nothing_to_learn_from() -> None:
    with pytest.raises(DataError, match="nothing to learn from"):
        Learner("en").model()


ENGLISH_TABLES = EnglishTables(
    {"walk": 5, "play": 3, "may": 3, "be": 9, "there": 2, "their": 2, "school": 4},
    {"VERB": ["walk walked walking walked walks", "go went going gone goes"], "NOUN": ["child children"]},
)


@pytest.mark.parametrize(
    ("correct", "written", "noise"),
    [
        ("walks", "walk", "inflect"),
        ("went", "goed", "inflect"),
        ("children", "childs", "inflect"),
        ("the", "a", "determiner"),
        ("in", "on", "preposition"),
        ("", "of", "preposition"),
        ("him", "he", "pronoun"),
        ("school", "shcool", "spelling"),
        ("their", "there", "confusable"),
        ("Paris", "paris", "case"),
        (",", "", "punctuation"),
        ("may be", "maybe", "merge"),
        ("maybe", "may be", "split"),
        ("always eats", "eats always", "order"),
        ("walk", "", "drop"),
        ("walk", "walk walk", "double"),
        ("school", "house", None),
    ],
)
def test_english_attribution(correct: str, written: str, noise: str | None) -> None:
    error = Reversed(tuple(correct.split()), tuple(written.split()), "R", "x", "y")
    assert attribute(error, ENGLISH_TABLES) == noise


@pytest.mark.parametrize(
    ("correct", "written", "noise"),
    [
        ("得", "的", "de"),
        ("在", "再", "sound"),
        ("大", "太", "glyph"),
        ("已经", "以经", "word-sound"),
        ("学习", "工作", "synonym"),
        ("了", "", "drop"),
        ("学习", "", "drop-word"),
        ("", "了", "insert"),
        ("，", "、", "punctuation"),
        ("很大", "大很", "swap"),
        ("在公园跑", "跑在公园", "reorder"),
        ("大", "大大", "double"),
        ("大", "学", None),
    ],
)
def test_chinese_attribution(correct: str, written: str, noise: str | None) -> None:
    tables = ChineseTables(
        {"学习": 3, "工作": 3, "已经": 2}, {"在": "再"}, {}, {"大": "太"}, {"已经": ["以经"]}, {"学习": ["工作"]}
    )
    assert attribute(Reversed(tuple(correct), tuple(written), "R", "x", "y"), tables) == noise


def test_lists_in_the_formats_people_have(lists: Path, tmp_path: Path) -> None:
    assert list(read_misspellings(lists / "misspellings.txt")) == [
        ("receive", "recieve"),
        ("breakfast", "breakfest"),
        ("friend", "freind"),
    ]
    assert list(read_confusables(lists / "confusables.txt")) == [("play", "pray"), ("old", "odd")]
    (tmp_path / "f.txt").write_text("the 10\n\nof 5 prep\n", "utf-8")
    assert read_frequencies(tmp_path / "f.txt") == {"the": 10, "of": 5}
    (tmp_path / "f.txt").write_text("the 10\nof many\n", "utf-8")
    with pytest.raises(FormatError, match=r"f.txt:2: expected `word count`"):
        read_frequencies(tmp_path / "f.txt")


@pytest.mark.parametrize(
    ("lemma", "past", "plural"),
    [("go", "goed", "gos"), ("try", "tried", "tries"), ("make", "maked", "makes"), ("box", "boxed", "boxes")],
)
def test_regular_forms(lemma: str, past: str, plural: str) -> None:
    assert (regular_past(lemma), regular_plural(lemma)) == (past, plural)


@pytest.mark.parametrize(
    ("text", "words"), [("我们学习中文", ["我们", "学习", "中文"]), ("我学", ["我", "学"]), ("", [])]
)
def test_segmentation_takes_the_longest_words(chinese: NoiseModel, text: str, words: list[str]) -> None:
    assert isinstance(chinese.tables, ChineseTables)
    bounds = chinese.tables.segment(text)
    assert [text[a:b] for a, b in pairwise(bounds)] == words


def test_segmentation_ends_with_the_text() -> None:
    """A word of three characters at the end, where one of four begins alike."""
    assert ChineseTables({"研究生": 5, "研究生院": 3}).segment("读研究生") == [0, 1, 4]


# Jensen–Shannon divergence in bits: 0 the same, 1 nothing in common. Two halves of the 2,000 corrected sentences used
# here have 0.014 between them, the whole parts A and C of W&I 0.027.
MAX_DIVERGENCE = 0.025


@pytest.mark.data
@pytest.mark.slow
def test_errors_are_distributed_as_in_the_corpus(data: Path) -> None:
    """Learn from W&I train B, corrupt its corrected text, extract both alike and compare the 55 ERRANT types."""
    learner = Learner("en")
    sources = []
    for sentence in iter_sentences(data / "en" / "wi" / "m2" / "B.train.gold.bea19.m2.xz"):
        learner.add(sentence)
        sources.append(sentence.sentence.tokens)
    model = learner.model()
    clean = learner.clean_sentences[:2000]
    noisy = model.corrupt_batch(clean, Random(1))
    assert all(n.clean == tokens for n, tokens in zip(noisy, clean, strict=True))

    extractor = get_extractor("en")

    def count_types(texts: list[Tokens], targets: list[Tokens]) -> Counter[str]:
        pairs = ((" ".join(text), [" ".join(target)]) for text, target in zip(texts, targets, strict=True))
        return Counter(edit.type for s in extractor.annotate(pairs) for edit in s.annotations[0].edits)

    first, second = count_types(sources[:1000], clean[:1000]), count_types(sources[1000:2000], clean[1000:])
    wanted, found = first + second, count_types([n.tokens for n in noisy], clean)
    divergence = jensen_shannon(wanted, found)
    print(f"Jensen–Shannon divergence over ERRANT types: {divergence:.4f}")
    print(f"between two halves of the real errors: {jensen_shannon(first, second):.4f}")
    assert divergence < MAX_DIVERGENCE
    assert found.total() == pytest.approx(wanted.total(), rel=0.1)
    share = sum(not n.edits for n in noisy) / len(noisy)
    assert share == pytest.approx(model.histogram.clean_share, abs=0.05)


def jensen_shannon(first: Counter[str], second: Counter[str]) -> float:
    p = {k: n / first.total() for k, n in first.items()}
    q = {k: n / second.total() for k, n in second.items()}
    total = 0.0
    for key in {*p, *q}:
        a, b = p.get(key, 0.0), q.get(key, 0.0)
        middle = (a + b) / 2
        total += sum(x * math.log2(x / middle) for x in (a, b) if x) / 2
    return total


@pytest.mark.data
def test_chinese_pairs_of_the_shared_data(data: Path) -> None:
    learner = Learner("zh")
    with lzma.open(data / "zh" / "train-pairs" / "grammar_pairs.tsv.xz", "rt", encoding="utf-8") as lines:
        for _, line in zip(range(3000), lines, strict=False):
            _, source, target = line.rstrip("\n").split("\t")
            learner.add_pair(source, target)
    model = learner.model()
    clean = learner.clean_sentences[:1000]
    noisy = model.corrupt_batch(clean, Random(1))
    assert all(n.clean == tokens for n, tokens in zip(noisy, clean, strict=True))
    assert sum(len(n.edits) for n in noisy) / sum(map(len, clean)) == pytest.approx(model.histogram.rate, rel=0.15)
