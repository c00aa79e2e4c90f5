"""GREEN: the numbers of gec-metrics, a plain rendering of the definition, languages, options and resampling."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import UnknownName, UsageError
from errata.formats.files import iter_sentences
from errata.metrics.base import Item, get_metric
from errata.metrics.evaluation import sentence_scores
from errata.metrics.green import Green, GreenOptions
from errata.metrics.inputs import read_texts
from errata.model import Annotation, Sentence, Status

SOURCES = (
    "This sentences contain gramamtical error .",
    "This is a sentence .",
    "This is no change .",
    "I bought a pen to write a letter to a friend .",
)
HYPOTHESES = (
    "This sentence contains a grammatical error .",
    "the sentence was corrected into completely different one .",
    "This is no change .",
    "I bought a pen to write a letter to a friend .",
)
REFERENCES = (
    ("This sentence contains a gramamtical error .", "These sentences contain grammatical errors ."),
    ("dummy sentence .", "another dummy sentence ."),
    ("This is no change .", "This is no change ."),
    (
        "I bought a pen to write a letter to the friend .",
        "I bought a pen to write the letter to the friend .",
    ),
)


def item(source: str, hypothesis: str, *references: str) -> Item:
    return Item(Sentence(tuple(source.split())), hypothesis, references)


EXAMPLES = [item(s, h, *refs) for s, h, refs in zip(SOURCES, HYPOTHESES, REFERENCES, strict=True)]


@pytest.mark.parametrize(
    ("beta", "corpus", "sentences"),
    [
        (0.5, 67.353281938837, [67.080694940041, 34.099683242425, 100.0, 89.496113939418]),
        (2.0, 71.852523831581, [74.467815149281, 60.992075408949, 100.0, 68.051848160668]),
    ],
)
def test_numbers_of_gec_metrics(beta: float, corpus: float, sentences: list[float]) -> None:
    """What gec-metrics 0.1.1 computes for these sentences."""
    metric = Green(GreenOptions(beta=beta))
    stats = metric.stats(EXAMPLES)
    assert 100 * metric.aggregate(stats).value == pytest.approx(corpus, abs=1e-9)
    assert 100 * sentence_scores(metric, stats) == pytest.approx(sentences, abs=1e-9)


Words = list[str]


def plain_counts(source: Words, hypothesis: Words, reference: Words, order: int = 4) -> list[int]:
    """The regions of the paper's Venn diagram, n-gram by n-gram."""
    counts = []
    for n in range(1, order + 1):
        s, h, r = (
            Counter(tuple(side[i : i + n]) for i in range(len(side) - n + 1))
            for side in (source, hypothesis, reference)
        )
        tp = fp = fn = 0
        for ngram in set(s) | set(h) | set(r):
            a, b, c = s[ngram], h[ngram], r[ngram]
            tp += max(a - max(b, c), 0) + max(min(b, c) - a, 0) + min(a, b, c)
            fp += max(min(a, c) - b, 0) + max(b - max(a, c), 0)
            fn += max(min(a, b) - c, 0) + max(c - max(a, b), 0)
        counts += [tp, fp, fn]
    return counts


def plain_score(counts: list[int], beta: float = 2.0) -> float:
    precisions = [tp / (tp + fp) if fp else 1.0 for tp, fp, _ in zip(*[iter(counts)] * 3, strict=True)]
    recalls = [tp / (tp + fn) if fn else 1.0 for tp, _, fn in zip(*[iter(counts)] * 3, strict=True)]
    if not all(precisions) or not all(recalls):
        return 0.0
    p, r = (exp(sum(map(log, values)) / len(values)) for values in (precisions, recalls))
    return (1 + beta**2) * p * r / (beta**2 * p + r)


sentence = st.lists(st.sampled_from("abc"), max_size=9)
corpora = st.lists(st.tuples(sentence, sentence, st.lists(sentence, min_size=1, max_size=3)), min_size=1, max_size=6)
Corpus = list[tuple[Words, Words, list[Words]]]


def items_of(corpus: Corpus) -> list[Item]:
    return [item(" ".join(s), " ".join(h), *(" ".join(r) for r in refs)) for s, h, refs in corpus]


@given(corpora)
def test_statistics_follow_the_definition(corpus: Corpus) -> None:
    for own, (source, hypothesis, references) in zip(Green().stats(items_of(corpus)), corpus, strict=True):
        candidates = [plain_counts(source, hypothesis, one) for one in references]
        assert list(own) in candidates
        assert plain_score(list(own)) == pytest.approx(max(map(plain_score, candidates)))


@given(corpora)
def test_the_corpus_score_is_that_of_the_sums(corpus: Corpus) -> None:
    metric = Green()
    stats = metric.stats(items_of(corpus))
    sums = [sum(column) for column in zip(*stats, strict=True)]
    score = metric.aggregate(stats)
    assert score.value == pytest.approx(plain_score(sums))
    assert 0 <= score.value <= 1


@given(corpora)
def test_a_reference_as_hypothesis_scores_one(corpus: Corpus) -> None:
    metric = Green()
    perfect = [(source, references[-1], references) for source, _, references in corpus]
    stats = metric.stats(items_of(perfect))
    assert metric.aggregate(stats).value == pytest.approx(1)
    assert metric.sentence_scores(stats) == pytest.approx(np.ones(len(stats)))


@settings(deadline=None, max_examples=50)
@given(corpora, st.integers(0, 2**32))
def test_resampling_is_aggregating_every_row(corpus: Corpus, seed: int) -> None:
    metric = Green()
    stats = metric.stats(items_of(corpus))
    indices = np.random.default_rng(seed).integers(0, len(stats), (4, 7))
    rows = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    assert metric.resample(stats, indices) == pytest.approx(rows, abs=1e-12)


def test_short_sentences_tell_the_variants_apart() -> None:
    """No text has an n-gram of four: gec-metrics finds nothing missing there, the authors' program no recall.

    The first reference has F 1 for single tokens either way. For gec-metrics all references that fit are perfect.
    """
    short = item("a b", "a c", "a c")
    values = {}
    for variant in ("gec-metrics", "official"):
        metric = Green(GreenOptions(variant=variant))
        values[variant] = metric.aggregate(metric.stats([short])).value
    assert values == {"gec-metrics": 1.0, "official": 0.0}
    # With F 0 under both references, the program takes the one that is better for shorter n-grams.
    official = Green(GreenOptions(variant="official"))
    assert official.stats([item("a b", "a c", "x y", "a c")]) == official.stats([short])


def test_chinese_is_compared_by_characters() -> None:
    one = Item(Sentence(tuple("我爱你门"), "我爱你门"), "我爱你们", ("我爱你们", "我爱他们"))
    for options in (GreenOptions(), GreenOptions(level="char")):
        metric = Green(options)
        assert metric.aggregate(metric.stats([one])).value == pytest.approx(1)


def test_sentences_that_nobody_could_annotate_do_not_count() -> None:
    metric = Green()
    nobody = Item(Sentence(("a", "b")), "c", (Annotation(status=Status.NOT_ANNOTATABLE),))
    assert metric.stats([nobody]) == [()]
    assert metric.aggregate(metric.stats([*EXAMPLES, nobody])).value == metric.aggregate(metric.stats(EXAMPLES)).value


def test_nothing_to_score_is_perfect() -> None:
    assert Green().aggregate([]).value == 1


def test_signature_says_how() -> None:
    assert Green(GreenOptions(order=3, level="char")).signature.endswith("|order:3|tok:char|variant:gec-metrics")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"order": 0}, UsageError),
        ({"beta": 0.0}, UsageError),
        ({"level": "x"}, UnknownName),
        ({"variant": "x"}, UnknownName),
    ],
)
def test_senseless_options_are_refused(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        get_metric("green", **options)


@pytest.mark.data
@pytest.mark.parametrize(
    ("system", "official", "gec_metrics"),
    [
        ("gjg15/original/official_submissions/AMU", 79.2482, 79.2311),
        ("gjg15/original/official_submissions/CAMB", 79.7454, 79.7454),
        ("seeda/outputs/all/GPT-3.5.txt", 84.9225, 84.9225),
        ("seeda/outputs/all/TransGEC.txt", 87.4365, 87.4343),
    ],
)
def test_numbers_of_both_programs_on_conll14(data: Path, system: str, official: float, gec_metrics: float) -> None:
    """`green -s SRC -r REF0 REF1 -c HYP -b 2.0 -d 4`, and `GREEN().score_corpus` of gec-metrics 0.1.1."""
    gold = iter_sentences(data / "en" / "conll14" / "official-2014.combined.m2", "m2scorer")
    items = [
        Item(one.sentence, line, one.annotations)
        for one, line in zip(gold, read_texts(data / "en" / system), strict=True)
    ]
    for variant, score in (("official", official), ("gec-metrics", gec_metrics)):
        metric = Green(GreenOptions(variant=variant))
        assert 100 * metric.aggregate(metric.stats(items)).value == pytest.approx(score, abs=6e-5)
