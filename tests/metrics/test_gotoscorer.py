"""GoToScorer: pieces, worked weights, the numbers of gec-metrics, both languages and resampling."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError, UnknownName, UsageError
from errata.formats.files import iter_sentences
from errata.metrics.base import Item, get_metric
from errata.metrics.gotoscorer import Gotoscorer, GotoscorerOptions, Piece, cut_pieces, judge_pieces
from errata.metrics.inputs import read_texts
from errata.metrics.texts import side_text
from errata.model import Annotation, Edit, Sentence, Status

SOURCE = ("a", "b", "c")


def edit(start: int, end: int, replacement: str = "") -> Edit:
    return Edit(start, end, tuple(replacement.split()), "X")


def answer(*edits: Edit) -> Annotation:
    return Annotation(edits=edits)


def item(hypothesis: Annotation, reference: Annotation, *systems: Annotation) -> Item:
    return Item(Sentence(SOURCE), hypothesis, (reference,), systems=systems)


@pytest.mark.parametrize(
    ("edits", "texts"),
    [
        pytest.param([], ["", "a", "", "b", "", "c", ""], id="a gap around every token"),
        pytest.param([edit(1, 2, "x")], ["", "a", "", "x", "", "c", ""], id="replacement"),
        pytest.param([edit(1, 1, "x")], ["", "a", "x", "b", "", "c", ""], id="an insertion fills its gap"),
        pytest.param([edit(0, 2, "x")], ["", "x", "", "c", ""], id="no gap inside an edit"),
        pytest.param([edit(3, 3, "x")], ["", "a", "", "b", "", "c", "x"], id="insertion at the end"),
        pytest.param([edit(1, 1, "x"), edit(1, 2, "y")], ["", "a", "x", "y", "", "c", ""], id="insertion before edit"),
    ],
)
def test_pieces(edits: list[Edit], texts: list[str]) -> None:
    assert [piece.text for piece in cut_pieces(SOURCE, edits)] == texts


def test_no_tokens_have_one_gap() -> None:
    assert cut_pieces((), []) == [Piece(0, 0, "", False)]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "counts"),
    [
        pytest.param([edit(1, 2, "x")], [edit(1, 2, "x")], (1, 0, 0, 6), id="right"),
        pytest.param([edit(1, 2, "x")], [edit(1, 2, "y")], (0, 1, 1, 6), id="wrong"),
        pytest.param([edit(1, 2, "x")], [], (0, 1, 0, 6), id="needless"),
        pytest.param([], [edit(1, 2, "x")], (0, 0, 1, 6), id="missing"),
        pytest.param([edit(0, 2, "x")], [edit(1, 2, "x")], (0, 2, 1, 5), id="overlapping"),
        pytest.param([edit(0, 2, "x")], [edit(1, 1, "y")], (0, 2, 0, 5), id="a gap inside an edit is left alone"),
    ],
)
def test_counts_without_weights(
    hypothesis: list[Edit], reference: list[Edit], counts: tuple[float, float, float, float]
) -> None:
    pieces = cut_pieces(SOURCE, reference)
    assert judge_pieces(pieces, cut_pieces(SOURCE, hypothesis), (1.0,) * len(pieces)) == counts


def test_weights_of_a_worked_example() -> None:
    """Of four systems, three correct a → x and one b → y; the fourth inserts z before c, which nobody should.

    Weights: a → x 1 − 3/4, b → y 1 − 1/4, the gap before c 1 − 3/4; everything else 0. The hypothesis corrects a and
    fills the gap: true positive 1/4, false negative 3/4, false positive 1/4. P = 1/2 and R = 1/4, so
    F0.5 = 1.25 · 1/8 / (1/8 + 1/4) = 5/12.
    """
    first, second, needless = edit(0, 1, "x"), edit(1, 2, "y"), edit(2, 2, "z")
    systems = (answer(first), answer(first, second), answer(first), answer(needless))
    metric = Gotoscorer()
    stats = metric.stats([item(answer(first, needless), answer(first, second), *systems)])
    assert stats == [pytest.approx((1 / 4, 1 / 4, 3 / 4, 0))]
    assert metric.aggregate(stats).value == pytest.approx(5 / 12)


def test_text_weights_ask_for_the_text_anywhere() -> None:
    """The system inserts `x` elsewhere. Its text is that of the reference, its place is not."""
    one = item(answer(edit(1, 1, "x")), answer(edit(1, 1, "x")), answer(edit(2, 2, "x")), answer())
    weights = {}
    for option in ("span", "text"):
        metric = Gotoscorer(GotoscorerOptions(weights=option))
        weights[option] = metric.stats([one])[0][0]
    assert weights == {"span": 1.0, "text": 0.5}


@pytest.mark.parametrize(("beta", "score"), [(0.5, 0.40540540540540543), (2.0, 0.5357142857142857)])
def test_numbers_of_gec_metrics(beta: float, score: float) -> None:
    """What gec-metrics 0.1.1 computes for these sentences without weights, against the first reference."""
    sources = ["This sentences contain gramamtical error .", "This is a sentence .", "This is no change ."]
    hypotheses = [
        "This sentence contains a grammatical error .",
        "this was corrected into completely different one .",
        "This is no change .",
    ]
    references = ["This sentence contains a gramamtical error .", "dummy sentence .", "This is no change ."]
    items = [
        Item(Sentence(tuple(source.split())), hypothesis, (reference, source))
        for source, hypothesis, reference in zip(sources, hypotheses, references, strict=True)
    ]
    metric = Gotoscorer(GotoscorerOptions(beta=beta, weights="none"))
    assert metric.aggregate(metric.stats(items)).value == pytest.approx(score, abs=1e-9)


@st.composite
def answers(draw: st.DrawFn) -> Annotation:
    borders = sorted(draw(st.lists(st.integers(0, 3), max_size=4)))
    words = st.lists(st.sampled_from("xyz"), min_size=1, max_size=2)
    spans = dict.fromkeys(zip(borders[::2], borders[1::2], strict=False))  # one insertion a place
    return answer(*(Edit(a, b, tuple(draw(words)), "X") for a, b in spans))


corpora = st.lists(st.tuples(answers(), answers(), answers(), answers()), min_size=1, max_size=5)
Corpus = list[tuple[Annotation, Annotation, Annotation, Annotation]]


@settings(deadline=None, max_examples=50)
@given(corpora, st.sampled_from(["span", "text", "none"]), st.integers(0, 2**32))
def test_resampling_is_aggregating_every_row(corpus: Corpus, weights: str, seed: int) -> None:
    metric = Gotoscorer(GotoscorerOptions(weights=weights))
    stats = metric.stats([item(*sides) for sides in corpus])
    indices = np.random.default_rng(seed).integers(0, len(stats), (4, 6))
    rows = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    assert metric.resample(stats, indices) == pytest.approx(rows, abs=1e-12)
    assert all(0 <= value <= 1 for value in rows)


@settings(deadline=None, max_examples=50)
@given(corpora)
def test_the_reference_as_hypothesis_scores_one(corpus: Corpus) -> None:
    metric = Gotoscorer()
    stats = metric.stats([item(reference, reference, *systems) for _, reference, *systems in corpus])
    assert metric.aggregate(stats).value == 1


def test_one_reference_counts() -> None:
    both = replace(item(answer(edit(0, 1, "x")), answer(), answer()), references=("a b c", "x b c"))
    values = {}
    for reference in (0, 1):
        metric = Gotoscorer(GotoscorerOptions(weights="none", reference=reference))
        values[reference] = metric.aggregate(metric.stats([both])).value
    assert values == {0: 0.0, 1: 1.0}
    with pytest.raises(DataError, match="sentence 1 has no reference 2: they are numbered from 0, and it has 2"):
        Gotoscorer(GotoscorerOptions(weights="none", reference=2)).stats([both])


def test_chinese() -> None:
    source = Sentence(tuple("我爱你门。"), "我爱你门。")
    one = Item(source, "我爱你们。", ("我爱你们。",), systems=("我爱你们。", "我爱你门。"))
    metric = Gotoscorer()
    assert metric.stats([one])[0][0] == 0.5
    assert "gold:extracted" in metric.compared([one])


def test_sentences_that_nobody_could_annotate_do_not_count() -> None:
    nobody = Item(Sentence(SOURCE), answer(edit(0, 1)), (Annotation(status=Status.NOT_ANNOTATABLE),))
    assert Gotoscorer(GotoscorerOptions(weights="none")).stats([nobody]) == [(0.0, 0.0, 0.0, 0.0)]


def test_a_sentence_without_annotation_has_a_reference_without_edits() -> None:
    """The combined file of CoNLL-2014 has no entry where both annotators left a sentence as it is."""
    source, systems = Sentence(("It", "is", "so", ".")), ("It is so .", "It was so .")
    silent, spoken = (Item(source, "It was so .", given, systems=systems) for given in ((), (Annotation(),)))
    metric = get_metric("gotoscorer")
    assert metric.stats([silent]) == metric.stats([spoken]) == [(0.0, 0.5, 0.0, 0.0)]


def test_systems_are_needed_unless_nothing_is_weighed() -> None:
    alone = item(answer(), answer())
    with pytest.raises(UsageError, match="give the outputs of systems with --system"):
        Gotoscorer().stats([alone])
    assert Gotoscorer(GotoscorerOptions(weights="none")).stats([alone])


def test_the_signature_tells_systems_apart_and_not_their_order() -> None:
    first, second = answer(edit(0, 1, "x")), answer(edit(1, 2, "y"))
    metric = Gotoscorer()
    described = [
        metric.compared([item(first, first, *systems)])
        for systems in ((first, second), (second, first), (first, first), (first, second, answer()))
    ]
    assert described[0] == described[1]
    assert len(set(described)) == 3
    assert "|systems:2|outputs:" in described[0]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"weights": "x"}, UnknownName),
        ({"reference": -1}, UsageError),
        ({"beta": 0.0}, UsageError),
        ({"language": "fr"}, UnknownName),
    ],
)
def test_senseless_options_are_refused(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        get_metric("gotoscorer", **options)


@pytest.mark.data
@pytest.mark.slow
def test_numbers_of_gec_metrics_on_conll14(data: Path) -> None:
    """`GoToScorer` of gec-metrics 0.1.1 with the weights of these two systems, against the first reference."""
    gold = list(iter_sentences(data / "en" / "conll14" / "official-2014.combined.m2", "m2scorer"))
    files = {"AMU": "gjg15/original/official_submissions/AMU", "PIE": "seeda/outputs/all/PIE.txt"}
    outputs = {name: read_texts(data / "en" / file) for name, file in files.items()}
    references = [side_text(one.sentence, next(iter(one.annotations), Annotation())) for one in gold]
    metric = Gotoscorer(GotoscorerOptions(weights="text"))
    for name, score in (("AMU", 0.0645021), ("PIE", 0.1802827)):
        items = [
            Item(one.sentence, hypothesis, (reference,), systems=systems)
            for one, hypothesis, reference, systems in zip(
                gold, outputs[name], references, zip(*outputs.values(), strict=True), strict=True
            )
        ]
        assert metric.aggregate(metric.stats(items)).value == pytest.approx(score, abs=5e-5)
