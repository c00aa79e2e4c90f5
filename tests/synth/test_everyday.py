"""Everyday slips: what each noise makes, and rates counted at the places where a slip was possible."""

from __future__ import annotations

from random import Random

import pytest

from errata.synth import NoiseModel, generic_model
from errata.synth.everyday import NAMES
from errata.synth.learn import Learner
from errata.synth.sites import PRIOR_SITES, SlipCounter
from errata.synth.tables import EnglishTables

VERBS = [
    "go went going gone goes", "see saw seeing seen sees", "do did doing done does", "walk walked walking walked walks",
]  # fmt: skip
NOUNS = ["boy boys", "list lists", "item items", "team teams"]
TABLES = EnglishTables(
    dict.fromkeys(("the", "a", "it", "we", "there", "they", "then"), 5), {"VERB": VERBS, "NOUN": NOUNS}
)


@pytest.fixture(scope="module")
def slips() -> NoiseModel:
    """A model of slips alone: every noise has a share, every slip the same rate."""
    return generic_model("en", TABLES).with_options(clean=0.0, rate=0.5)


@pytest.mark.parametrize(
    ("noise", "source", "expected"),
    [
        ("homophone", "They lose it", {"They loose it"}),
        ("homophone", "you 're right here", {"your right here", "you 're write here", "you 're right hear"}),
        ("homophone", "It 's a dog", {"Its a dog"}),
        ("contraction", "We do n't know", {"We dont know", "We do'nt know"}),
        ("contraction", "Then I 'm here", {"Then Im here", "Then im here"}),
        ("contraction", "He ca n't", {"He cant"}),
        ("possessive", "the boy 's list", {"the boys list", "the boys ' list"}),
        ("possessive", "the boys ' list", {"the boys list", "the boy 's list"}),
        ("possessive", "two boys came", {"two boy 's came"}),
        ("of-have", "We should have gone", {"We should of gone"}),
        ("of-have", "We could n't have gone", {"We could n't of gone"}),
        ("article", "A list of an item", {"An list of an item", "A list of a item"}),
        ("participle", "We have gone", {"We have went"}),
        ("participle", "I saw it", {"I seen it"}),
        ("participle", "I did it", {"I done it"}),
        ("participle", "we could go", {"we could went"}),
        ("agreement", "the list of items is long", {"the list of items are long"}),
        ("agreement", "he does n't walk", {"he do n't walk"}),
        ("agreement", "There are items", {"There is items", "There 's items"}),
        ("compound", "a lot of items", {"alot of items"}),
        ("compound", "we walk every day", {"we walk everyday"}),
        ("splice", "We walk . The boy walked", {"We walk , the boy walked"}),
        ("splice", "we walk , and they go", {"we walk , they go"}),
        ("capital", "Then I go", {"then I go", "Then i go"}),
    ],
)
def test_outcomes(slips: NoiseModel, noise: str, source: str, expected: set[str]) -> None:
    only = slips.with_options(mix={name: float(name == noise) for name in slips.shares})
    rng = Random(5)
    tokens = tuple(source.split())
    noisy = [only.corrupt(tokens, rng) for _ in range(400)]
    assert {" ".join(sentence.tokens) for sentence in noisy if len(sentence.edits) == 1} >= expected
    assert all(sentence.clean == tokens for sentence in noisy)


@pytest.mark.parametrize(
    ("noise", "source"),
    [
        ("possessive", "it 's here"),
        ("possessive", "' Walk with James ' said he"),
        ("participle", "We have walked"),
        ("participle", "I did n't walk"),
        ("agreement", "the list of teams and items"),
        ("agreement", "the boy is here"),
        ("capital", "NATO walks"),
        ("article", "the list"),
    ],
)
def test_sentences_without_a_place_for_the_slip(slips: NoiseModel, noise: str, source: str) -> None:
    only = slips.with_options(mix={name: float(name == noise) for name in slips.shares})
    rng = Random(5)
    assert not any(only.corrupt(source.split(), rng).edits for _ in range(100))


def test_edits_are_as_small_as_they_can_be(slips: NoiseModel) -> None:
    only = slips.with_options(mix={name: float(name == "of-have") for name in slips.shares})
    edits = only.corrupt(("We", "should", "have", "gone"), Random(1)).edits
    assert [(edit.start, edit.end, edit.replacement, edit.type) for edit in edits] == [(2, 3, ("have",), "of-have")]


@pytest.mark.parametrize(
    ("clean", "error", "noise", "key"),
    [
        pytest.param("their dog", (0, 1, "there"), "homophone", "their>there", id="homophone"),
        pytest.param("I do n't", (1, 3, "dont"), "contraction", "n't>nt", id="one-token"),
        pytest.param("I do n't", (2, 3, "nt"), "contraction", "n't>nt", id="tokenised-apart"),
        pytest.param("the boy 's list", (1, 3, "boys"), "possessive", "'s>s", id="possessive"),
        pytest.param("we should have gone", (2, 3, "of"), "of-have", "have>of", id="of"),
        pytest.param("a lot of it", (0, 2, "alot"), "compound", "a lot>", id="compound"),
        pytest.param("Then I go", (1, 2, "i"), "capital", "I>i", id="capital"),
        pytest.param("We have gone", (2, 3, "went"), "participle", "VBN>VBD", id="participle"),
    ],
)
def test_errors_are_known_as_slips(clean: str, error: tuple[int, int, str], noise: str, key: str) -> None:
    counter = SlipCounter(TABLES)
    start, end, written = error
    assert counter.count(tuple(clean.split()), [(start, end, (written,))]) == [noise]
    assert counter.slips == {(noise, key): 1}
    assert counter.sites[noise, key] == 1


def test_other_errors_are_no_slips() -> None:
    counter = SlipCounter(TABLES)
    assert counter.count(("we", "walk"), [(1, 2, ("walks",)), (0, 0, ("the",))]) == [None, None]
    assert not counter.slips


def test_rates_are_slips_per_place() -> None:
    learner = Learner("en")
    for _ in range(3):
        learner.add_pair("I lost there dog .", "I lost their dog .")
    for _ in range(7):
        learner.add_pair("I lost their dog .", "I lost their dog .")
    model = learner.model()
    rates = model.statistics.everyday["homophone"]
    mean = rates["*"]
    assert rates["their>there"] == pytest.approx((3 + PRIOR_SITES * mean) / (10 + PRIOR_SITES), rel=1e-3)
    assert rates["their>there"] > rates["their>they 're"] > 0
    assert model.shares["homophone"] == 1.0
    assert ("their",) not in model.statistics.replaced, "a slip is counted once, not learnt by heart as well"


def test_every_noise_has_a_share_of_its_own() -> None:
    learner = Learner("en")
    learner.add_pair("I seen it .", "I saw it .")
    model = learner.model()
    assert set(NAMES) <= set(model.shares)
    assert model.shares["participle"] == 1.0
