"""The ERRANT score: parity with errant_compare 3.0.2, its rules one by one, and what must always hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from edit_cases import SOURCE, corpora, edit, item
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import UnknownName, UsageError
from errata.formats import iter_sentences
from errata.metrics import get_metric, score
from errata.metrics.base import Item
from errata.metrics.edit_counts import choose_reference, f_scores, round_scores
from errata.metrics.edit_metric import type_at_level
from errata.metrics.inputs import make_items, read_gold, read_hypotheses
from errata.model import Annotation, Counts, Edit

SYSTEMS = ["AMU", "CAMB", "GECToR-ens", "GPT-3.5"]
MODES = ["cs", "ds", "dt", "cse"]


@pytest.fixture(scope="module")
def oracle(oracles: Path) -> Any:
    return json.loads((oracles / "errant" / "scores.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def conll(oracles: Path) -> dict[str, list[Item]]:
    """The items of each system's M2 against CoNLL-2014's two annotators."""
    gold = read_gold(oracles / "errant" / "conll14.gold.m2")
    hypotheses = {name: read_hypotheses(oracles / "errant" / f"{name}.hyp.m2", gold) for name in SYSTEMS}
    return {name: make_items(gold, answers) for name, answers in hypotheses.items()}


@pytest.mark.data
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_equals_errant_compare(oracle: Any, conll: dict[str, list[Item]], system: str, mode: str) -> None:
    parts = score(conll[system], "errant", mode=mode).parts
    wanted = oracle[system][mode]
    assert (parts["tp"], parts["fp"], parts["fn"]) == (wanted["tp"], wanted["fp"], wanted["fn"])
    rounded = {name: round(parts[name], 4) for name in ("precision", "recall", "f0.5")}
    assert rounded == {"precision": wanted["precision"], "recall": wanted["recall"], "f0.5": wanted["f05"]}


@pytest.mark.data
@pytest.mark.parametrize("system", SYSTEMS)
def test_counts_by_type_equal_errant_compare(oracle: Any, conll: dict[str, list[Item]], system: str) -> None:
    by_type = score(conll[system], "errant", by_type="full").by_type
    assert by_type is not None
    counts = {name: {part: row[part] for part in ("tp", "fp", "fn")} for name, row in by_type.items()}
    assert counts == oracle[system]["by_type"]


@pytest.mark.data
def test_resampling_a_real_corpus_equals_aggregating(conll: dict[str, list[Item]]) -> None:
    metric = get_metric("errant")
    stats = metric.stats(conll["AMU"])
    indices = np.random.default_rng(7).integers(0, len(stats), (4, len(stats)))
    expected = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    assert metric.resample(stats, indices).tolist() == expected


# hypothesis edits, reference edits, mode, (tp, fp, fn)
RULES = {
    "match": ([edit(1, 2, "x")], [edit(1, 2, "x")], "cs", (1, 0, 0)),
    "other correction": ([edit(1, 2, "x")], [edit(1, 2, "y")], "cs", (0, 1, 1)),
    "other correction, detection": ([edit(1, 2, "x")], [edit(1, 2, "y")], "ds", (1, 0, 0)),
    "other type": ([edit(1, 2, "x", "R:VERB")], [edit(1, 2, "x", "R:NOUN")], "cs", (1, 0, 0)),
    "other type, cse": ([edit(1, 2, "x", "R:VERB")], [edit(1, 2, "x", "R:NOUN")], "cse", (0, 1, 1)),
    "tokens overlap": ([edit(1, 3, "x")], [edit(2, 4, "y")], "dt", (1, 1, 1)),
    "insertion touches the token to its right": ([edit(2, 2, "x")], [edit(2, 3, "")], "dt", (1, 0, 0)),
    "nothing to do, nothing done": ([], [], "cs", (0, 0, 0)),
    "unk does not count in correction": ([edit(1, 2, "x")], [edit(1, 2, "x", "UNK")], "cs", (0, 1, 0)),
    "unk counts in detection": ([edit(1, 2, "x")], [edit(1, 2, "x", "UNK")], "ds", (1, 0, 0)),
    "reference twice": ([edit(1, 2, "x")], [edit(1, 2, "x"), edit(1, 2, "x")], "cs", (2, 0, 0)),
    "hypothesis twice, right": ([edit(1, 2, "x"), edit(1, 2, "x")], [edit(1, 2, "x")], "cs", (1, 0, 0)),
    "hypothesis twice, wrong": ([edit(1, 2, "x"), edit(1, 2, "x")], [], "cs", (0, 2, 0)),
    "alternatives are literal text": (
        [edit(1, 2, "x")],
        [replace(edit(1, 2, "x"), alternatives=(("y",),))],
        "cs",
        (0, 1, 1),
    ),
}


@pytest.mark.parametrize(("hypothesis", "reference", "mode", "counts"), RULES.values(), ids=RULES)
def test_rules(hypothesis: list[Edit], reference: list[Edit], mode: str, counts: tuple[int, ...]) -> None:
    parts = score([item(hypothesis, reference)], "errant", mode=mode).parts
    assert (parts["tp"], parts["fp"], parts["fn"]) == counts


def test_a_sentence_nobody_annotated_counts_as_left_alone() -> None:
    parts = score([Item(SOURCE, Annotation(edits=(edit(0, 1, "x"),)))], "errant").parts
    assert (parts["tp"], parts["fp"], parts["fn"]) == (0, 1, 0)


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, (2, 0, 0)),
        ({"single": True}, (1, 0, 0)),
        ({"multi": True}, (1, 0, 0)),
        ({"filter": ("M:DET",)}, (1, 0, 0)),
    ],
    ids=["all", "single", "multi", "filter"],
)
def test_edits_can_be_left_out(options: dict[str, Any], counts: tuple[int, ...]) -> None:
    both = [edit(0, 1, "x"), edit(2, 4, "y", "M:DET")]
    parts = score([item(both, both)], "errant", **options).parts
    assert (parts["tp"], parts["fp"], parts["fn"]) == counts


# candidates (tp, fp, fn), totals so far, which is chosen
CHOICES = {
    "higher F": ([(0, 1, 1), (1, 0, 0)], (5, 5, 5), 1),
    "same F, more true positives": ([(0, 0, 0), (1, 0, 0)], (0, 0, 0), 1),
    "same F, fewer false positives": ([(0, 2, 1), (0, 1, 1)], (0, 1, 1), 1),
    "same F, fewer false negatives": ([(0, 1, 2), (0, 1, 1)], (0, 1, 1), 1),
    "all the same": ([(1, 1, 1), (1, 1, 1)], (3, 3, 3), 0),
    "F equal after rounding, so more true positives": ([(0, 0, 1), (1, 0, 3)], (50_000, 0, 50_000), 1),
}


@pytest.mark.parametrize(("candidates", "so_far", "wanted"), CHOICES.values(), ids=CHOICES)
def test_the_reference_is_chosen_as_the_official_tool_does(
    candidates: list[tuple[int, int, int]], so_far: tuple[int, int, int], wanted: int
) -> None:
    assert choose_reference([Counts(*one) for one in candidates], Counts(*so_far), 0.5) == wanted


def test_the_choice_depends_on_the_sentences_before() -> None:
    # Against annotator 0 the sentence has one miss, against annotator 1 one false alarm more but a hit.
    last = item([edit(0, 1, "x"), edit(1, 2, "y")], [edit(3, 4, "z")], [edit(0, 1, "x"), edit(3, 4, "z")])
    metric = get_metric("errant")
    alone = metric.aggregate(metric.stats([last])).parts
    assert (alone["tp"], alone["fp"], alone["fn"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("type_", "level", "label"),
    [
        ("R:NOUN:NUM", "operation", "R"),
        ("R:NOUN:NUM", "main", "NOUN:NUM"),
        ("R:NOUN:NUM", "full", "R:NOUN:NUM"),
        ("UNK", "operation", "UNK"),
        ("ArtOrDet", "main", "ArtOrDet"),
    ],
)
def test_levels_of_types(type_: str, level: str, label: str) -> None:
    assert type_at_level(type_, level) == label


def test_per_annotator_averages_the_scores_against_each() -> None:
    items = [item([edit(0, 1, "x")], [edit(0, 1, "x")], [edit(1, 2, "y")])]
    result = score(items, "errant", per_annotator=True)
    assert result.parts["f0.5[0]"] == 1.0
    assert result.parts["f0.5[1]"] == 0.0
    assert result.value == 0.5
    assert "average:annotators" in result.signature


def test_an_annotator_missing_from_a_sentence_agrees_with_the_one_there() -> None:
    items = [item([edit(0, 1, "x")], [edit(0, 1, "x")], [edit(0, 1, "x")]), item([edit(0, 1, "x")], [edit(0, 1, "x")])]
    parts = score(items, "errant", per_annotator=True).parts
    assert (parts["tp[0]"], parts["fp[0]"]) == (2, 0)
    assert (parts["tp[1]"], parts["fp[1]"]) == (2, 0)


@pytest.mark.data
def test_per_annotator_on_the_combined_file_equals_each_annotators_own_file(data: Path, oracles: Path) -> None:
    """Nearly: 15 of 1,312 sentences were merged with other types or spans than the single files have."""
    folder = data / "en" / "conll14"
    hypothesis = list(iter_sentences(oracles / "errant" / "AMU.hyp.m2"))

    def items(gold: str) -> list[Item]:
        return [
            Item(g.sentence, h.annotations[0], g.annotations)
            for g, h in zip(iter_sentences(folder / gold), hypothesis, strict=True)
        ]

    parts = score(items("official-2014.combined.m2"), "errant", per_annotator=True).parts
    for annotator in "01":
        own = score(items(f"official-2014.{annotator}.m2"), "errant").parts
        assert own["f0.5"] == pytest.approx(parts[f"f0.5[{annotator}]"], abs=0.002)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"mode": "csd"}, UnknownName, "unknown mode 'csd'"),
        ({"by_type": "fine"}, UnknownName, "unknown type level 'fine'"),
        ({"beta": 0.0}, UsageError, "beta is between 0.001 and 1000, not 0"),
        ({"single": True, "multi": True}, UsageError, "exclude each other"),
    ],
)
def test_wrong_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        get_metric("errant", **options)


@pytest.mark.data
def test_texts_are_analysed_and_the_signature_says_by_what(oracles: Path) -> None:
    gold = read_gold(oracles / "errant" / "conll14.gold.m2")
    items = make_items(gold, read_hypotheses(oracles / "errant" / "AMU.hyp.txt", gold))[:60]
    given = make_items(gold, read_hypotheses(oracles / "errant" / "AMU.hyp.m2", gold))[:60]
    found = score(items, "errant")
    assert found.parts == score(given, "errant").parts
    assert "spacy:" in found.signature and found.signature.endswith("refs:1-2")


options_of_modes = st.sampled_from(
    [{"mode": mode} for mode in MODES] + [{"per_annotator": True}, {"beta": 1.0}, {"single": True}]
)


@given(corpora, options_of_modes, st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_resampling_equals_aggregating(items: list[Item], options: dict[str, Any], seed: int) -> None:
    metric = get_metric("errant", **options)
    stats = metric.stats(items)
    indices = np.random.default_rng(seed).integers(0, len(stats), (3, len(stats)))
    expected = [metric.aggregate([stats[i] for i in row]).value for row in indices]
    np.testing.assert_allclose(metric.resample(stats, indices), expected, rtol=0, atol=1e-12)


@given(corpora, st.sampled_from(MODES))
def test_a_hypothesis_equal_to_a_reference_scores_1(items: list[Item], mode: str) -> None:
    perfect = [replace(one, hypothesis=one.references[-1] if one.references else Annotation()) for one in items]
    assert score(perfect, "errant", mode=mode).value == 1.0


@given(corpora, st.randoms(use_true_random=False))
def test_with_one_reference_the_order_of_sentences_does_not_matter(items: list[Item], random: Any) -> None:
    single = [replace(one, references=one.references[:1]) for one in items]
    shuffled = random.sample(single, len(single))
    assert score(shuffled, "errant").parts == score(single, "errant").parts


@given(corpora, st.sampled_from(MODES))
def test_counts_by_type_add_up(items: list[Item], mode: str) -> None:
    result = score(items, "errant", mode=mode, by_type="main")
    assert result.by_type is not None
    for part in ("tp", "fp", "fn"):
        assert sum(row[part] for row in result.by_type.values()) == result.parts[part]


@given(st.lists(st.tuples(*[st.integers(0, 60)] * 3), min_size=1), st.sampled_from([0.5, 1.0, 2.0, 0.3]))
def test_vectorised_f_is_the_same_to_the_last_bit(rows: list[tuple[int, int, int]], beta: float) -> None:
    scores = f_scores(np.array(rows), beta)
    assert scores.tolist() == [Counts(*row).f(beta) for row in rows]
    assert round_scores(scores).tolist() == [round(round(Counts(*row).f(beta), 4) * 10_000) for row in rows]


@pytest.mark.parametrize("value", [0.00005, 0.12345, 0.03125, 0.99995, 0.67855])
def test_ties_are_rounded_as_python_does(value: float) -> None:
    assert round_scores(np.array([value])).tolist() == [round(round(value, 4) * 10_000)]
