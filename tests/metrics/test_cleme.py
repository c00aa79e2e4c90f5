"""CLEME and CLEME2.0: chunks, worked examples, the numbers of the released code, both languages and resampling."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError, UnknownName, UsageError
from errata.metrics.base import Item, get_metric
from errata.metrics.chunks import ChunkedSentence, Verdicts, compare_chunks, cut_chunks, find_spans
from errata.metrics.cleme import Cleme, ClemeOptions
from errata.metrics.cleme2 import Cleme2, Cleme2Options
from errata.model import Annotation, Edit, Sentence, Status

SOURCE = tuple("a b c d e f".split())


def edit(start: int, end: int, replacement: str = "") -> Edit:
    return Edit(start, end, tuple(replacement.split()), "X")


def item(hypothesis: list[Edit], *references: list[Edit], source: tuple[str, ...] = SOURCE) -> Item:
    annotations = (Annotation(str(place), tuple(edits)) for place, edits in enumerate(references))
    return Item(Sentence(source), Annotation(edits=tuple(hypothesis)), tuple(annotations))


@pytest.mark.parametrize(
    ("edits", "spans"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([edit(1, 2), edit(3, 4)], [(1, 2), (3, 4)], id="apart"),
        pytest.param([edit(1, 3), edit(2, 4)], [(1, 4)], id="overlap"),
        pytest.param([edit(1, 2), edit(2, 4)], [(1, 4)], id="touch"),
        pytest.param([edit(2, 2, "x"), edit(2, 3)], [(2, 3)], id="insertion before"),
        pytest.param([edit(1, 2), edit(2, 2, "x")], [(1, 2)], id="insertion after"),
        pytest.param([edit(0, 4), edit(1, 2)], [(0, 4)], id="inside"),
    ],
)
def test_edits_that_overlap_or_touch_share_a_span(edits: list[Edit], spans: list[tuple[int, int]]) -> None:
    assert find_spans(edits) == spans


def test_a_side_corrects_the_whole_of_a_chunk() -> None:
    chunks = cut_chunks(SOURCE, [edit(1, 2, "x y"), edit(5, 5, "z")], [(1, 4), (5, 5), (6, 6)])
    assert [(one.tokens, one.is_corrected) for one in chunks] == [
        (("x", "y", "c", "d"), True),
        (("z",), True),
        ((), False),
    ]


def test_verdicts_of_a_worked_example() -> None:
    """Chunks of `a b c d e f`: a | b | c | d | e | f, of which b, d and f are corrected by somebody.

    The hypothesis has b → x (as reference 0), d → y (reference 0: d → z; reference 1: nothing) and leaves f alone,
    which reference 0 deletes. Three chunks (a, c, e) are corrected by nobody.
    """
    hypothesis = [edit(1, 2, "x"), edit(3, 4, "y")]
    references = [[edit(1, 2, "x"), edit(3, 4, "z"), edit(5, 6)], []]
    dependent = compare_chunks(SOURCE, hypothesis, references, is_independent=False)
    assert dependent.verdicts == (
        Verdicts(hit=(1,), wrong=(1,), under=(1,), n_kept=3),
        Verdicts(over=(1, 1), n_kept=4),
    )
    independent = compare_chunks(SOURCE, hypothesis, references, is_independent=True)
    # f is missing from one reference only, so it need not be corrected.
    assert independent.verdicts == (Verdicts(hit=(1,), wrong=(1,), n_kept=4),)
    assert dependent.reference_lengths == independent.reference_lengths == (1, 1, 1)


def test_the_arithmetic_of_the_paper() -> None:
    """Reference 0 has one hit, one wrong, one missed chunk: F0.5 = 1.25·P·R / (0.25·P + R) with P = R = ½ is ½.

    Against reference 1 two chunks are overdone: P = 0, so that F is 0, and reference 0 is chosen. Independently P = ½
    and R = 1 (the chunk that only one reference corrects is not missed): F0.5 = 1.25·½ / (0.125 + 1) = 5/9.
    CLEME2.0 of reference 0: hit = wrong = under = ⅓ and over = 0, so 0.45/3 + 0.35·⅔ + 0.15·⅔ + 0.05 = 0.15 + 0.5·⅔ +
    0.05; of reference 1: hit = wrong = under = 0 and over = 1, so 0.35 + 0.15 = 0.5. Reference 0 is better.
    """
    one = item([edit(1, 2, "x"), edit(3, 4, "y")], [edit(1, 2, "x"), edit(3, 4, "z"), edit(5, 6)], [])
    for assumption, f in (("dependent", 1 / 2), ("independent", 5 / 9)):
        metric = Cleme(ClemeOptions(assumption=assumption, weights="none"))
        assert metric.aggregate(metric.stats([one])).value == pytest.approx(f)
    second = Cleme2()
    score = second.aggregate(second.stats([one]))
    assert score.value == pytest.approx(0.15 + 0.5 * 2 / 3 + 0.05)
    assert [score.parts[part] for part in ("hit", "wrong", "under", "over")] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_long_corrections_count_more_and_long_mistakes_less() -> None:
    """References correct chunks of 1 and 3 tokens, so the mean is 2.

    weight = 2 / (1 + e^(2 − length)) for what is right or missed and 2 / (1 + e^(length − 2)) for what is wrong, kept
    in 0.75 … 1.25. Right: length 3, 2 / (1 + 1/e) = 1.46, so 1.25. Missed: length 1, 2 / (1 + e) = 0.54, so 0.75.
    Overdone: length 2, exactly 1.
    """
    source = tuple("a b c d e f g h i".split())
    one = item([edit(1, 4, "x"), edit(7, 9, "y")], [edit(1, 4, "x"), edit(5, 6)], source=source)
    metric = Cleme()
    parts = metric.aggregate(metric.stats([one])).parts
    assert (parts["tp"], parts["fp"], parts["fn"]) == pytest.approx((1.25, 1, 0.75))
    assert parts["f0.5"] == pytest.approx(1.25 * 1.25 / (1.25 * 1.25 + 0.25 * 0.75 + 1))
    # By sentence the release uses a steeper curve: 10 / (1 + 9·e^(−1)), not less than 1; what is wrong at most 1.
    by_sentence = Cleme(ClemeOptions(average="sentence"))
    right, wrong, missed = 10 / (1 + 9 * exp(-1)), 1.0, 1.0
    expected = 1.25 * right / (1.25 * right + 0.25 * missed + wrong)
    assert by_sentence.aggregate(by_sentence.stats([one])).value == pytest.approx(expected)


def test_a_reference_that_deletes_the_sentence_is_left_out() -> None:
    """Else it would make one chunk of the sentence; it stays where there is no other."""
    hypothesis, usual, nothing = [edit(1, 2, "x")], [edit(1, 2, "x")], [edit(0, 6)]
    metric = Cleme(ClemeOptions(weights="none"))
    assert metric.stats([item(hypothesis, usual, nothing)]) == metric.stats([item(hypothesis, usual)])
    assert metric.stats([item(hypothesis, nothing)])[0].verdicts == (Verdicts(wrong=(6,)),)


METRICS = [
    pytest.param(kind(options(assumption=assumption, weights=weights, average=average)), id=f"{assumption} {weights}")
    for kind, options in ((Cleme, ClemeOptions), (Cleme2, Cleme2Options))
    for assumption in ("dependent", "independent")
    for weights in ("length", "none")
    for average in ("corpus", "sentence")
]
words = st.lists(st.sampled_from("xyz"), max_size=3)  # none of them in the source, so every edit changes something


@st.composite
def sides(draw: st.DrawFn) -> list[Edit]:
    """Edits of six tokens in order, none of which overlap."""
    borders = sorted(draw(st.lists(st.integers(0, 6), max_size=6)))
    edits = (Edit(a, b, tuple(draw(words)), "X") for a, b in zip(borders[::2], borders[1::2], strict=False))
    return [one for one in edits if one.replacement or one.start < one.end]


corpora = st.lists(st.tuples(sides(), st.lists(sides(), min_size=1, max_size=3)), min_size=1, max_size=5)
Corpus = list[tuple[list[Edit], list[list[Edit]]]]


def items_of(corpus: Corpus) -> list[Item]:
    return [item(hypothesis, *references) for hypothesis, references in corpus]


@settings(deadline=None, max_examples=30)
@pytest.mark.parametrize("metric", METRICS)
@given(corpus=corpora, seed=st.integers(0, 2**32))
def test_resampling_is_aggregating_every_row(metric: Cleme | Cleme2, corpus: Corpus, seed: int) -> None:
    stats = metric.stats(items_of(corpus))
    indices = np.random.default_rng(seed).integers(0, len(stats), (4, 6))
    rows = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    assert metric.resample(stats, indices) == pytest.approx(rows, abs=1e-12)
    assert all(0 <= value <= 1 for value in rows)


@settings(deadline=None, max_examples=30)
@pytest.mark.parametrize("metric", METRICS)
@given(corpus=corpora)
def test_a_reference_as_hypothesis_is_best(metric: Cleme | Cleme2, corpus: Corpus) -> None:
    """No hypothesis scores higher than a single reference itself."""
    perfect = [(references[0], references[:1]) for _, references in corpus]
    others = [(hypothesis, references[:1]) for hypothesis, references in corpus]
    best, other = (metric.aggregate(metric.stats(items_of(one))).value for one in (perfect, others))
    assert best >= other or best == pytest.approx(other)
    if isinstance(metric, Cleme):
        assert best == pytest.approx(1)


@pytest.mark.parametrize("metric", METRICS)
def test_sentence_scores_agree_with_a_corpus_of_one_sentence(metric: Cleme | Cleme2) -> None:
    stats = metric.stats([item([edit(1, 2, "x")], [edit(1, 2, "y")], [edit(3, 4, "z")])])
    assert metric.sentence_scores(stats).tolist() == pytest.approx([metric.aggregate(stats).value])


def test_sentences_that_nobody_could_annotate_do_not_count() -> None:
    nobody = Item(Sentence(SOURCE), Annotation(), (Annotation(status=Status.NOT_ANNOTATABLE),))
    some = item([edit(1, 2, "x")], [edit(1, 2, "x")])
    for average in ("corpus", "sentence"):
        metric = Cleme(ClemeOptions(average=average))
        assert metric.stats([nobody]) == [ChunkedSentence(())]
        assert metric.aggregate(metric.stats([some, nobody])).value == 1


def test_texts_are_compared_in_either_language() -> None:
    chinese = Item(Sentence(tuple("我爱你门。"), "我爱你门。"), "我爱你们。", ("我爱你们。", "我爱他们。"))
    english = Item(Sentence(("He", "go", "home", ".")), "He goes home .", ("He goes home .",))
    for one in (chinese, english):
        metric = Cleme()
        assert metric.aggregate(metric.stats([one])).parts["tp"] > 0
        assert metric.aggregate(metric.stats([one])).value == 1
        assert "gold:extracted" in metric.compared([one])


def test_edits_that_overlap_are_refused_with_their_sentence() -> None:
    broken = item([], [edit(1, 3, "x"), edit(2, 4, "y")])
    with pytest.raises(DataError, match="sentence 2: edits of annotator 0 overlap at token 2"):
        Cleme().stats([item([], []), broken])


@pytest.mark.parametrize(
    ("name", "options", "error"),
    [
        ("cleme", {"assumption": "x"}, UnknownName),
        ("cleme", {"weights": "x"}, UnknownName),
        ("cleme2", {"average": "x"}, UnknownName),
        ("cleme2", {"language": "fr"}, UnknownName),
        ("cleme", {"beta": 0.0}, UsageError),
    ],
)
def test_senseless_options_are_refused(name: str, options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        get_metric(name, **options)


def test_signature_says_how() -> None:
    assert Cleme(ClemeOptions(assumption="independent")).signature.endswith(
        "|assumption:independent|weights:length|average:corpus"
    )
    assert Cleme2().signature.startswith("cleme2|v:")
