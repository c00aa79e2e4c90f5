"""Perturbing leaves the errors alone: every token of an edit stays, and source and target change alike."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.edits.carrying import find_changes, is_same_correction
from errata.formats.robustgec import format_cases, parse_cases
from errata.model import AnnotatedSentence, Annotation, Edit, RobustCase, Sentence
from errata.robustness.cases import check_subset, subset_of_cases
from errata.synth.perturb.checks import Thresholds
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.learning import get_tongue
from errata.synth.perturb.originals import EMPTY, NOT_CORRECTED, Original, prepare
from errata.synth.perturb.proposers import make_proposer
from errata.synth.perturb.texts import Perturbation, Tongue
from errata.synth.perturb.variants import Perturber, PerturbOptions, Varied

PAIRS = {
    "en": [
        ("He go to school with his friend and a big dog .", "He goes to school with his friend and a big dog ."),
        ("My teacher bought a expensive car yesterday .", "My teacher bought an expensive car yesterday ."),
        ("I am very happy because my sister have a new job .", "I am very happy because my sister has a new job ."),
        ("She is interested on music , and her brother often plays the guitar .",
         "She is interested in music , and her brother often plays the guitar ."),
        ("The film was really interesting .", "The film was really interesting ."),
        ("There is three books on the table and two cats under the chair .",
         "There are three books on the table and two cats under the chair ."),
    ],
    "zh": [
        ("我爸爸跑的很快，但是妈妈喜欢苹果。", "我爸爸跑得很快，但是妈妈喜欢苹果。"),
        ("昨天我觉的电影非常好看，所以很高兴。", "昨天我觉得电影非常好看，所以很高兴。"),
    ],
}  # fmt: skip
ALL = [(language, number) for language, pairs in PAIRS.items() for number in range(len(pairs))]


@cache
def tongue_of(language: str) -> Tongue:
    return get_tongue(language)


def make_perturber(language: str, **options: int) -> Perturber:
    counts = WordCounts(language).finish()
    return Perturber(tongue_of(language), make_proposer("words", counts), Thresholds({}), PerturbOptions(**options))


def annotate(source: str, *targets: str, language: str = "en") -> AnnotatedSentence:
    annotations = tuple(Annotation(str(number), target=target) for number, target in enumerate(targets))
    return AnnotatedSentence(Sentence(tongue_of(language).split(source)), annotations)


def perturb(language: str, pair: tuple[str, str], **options: int) -> list[Varied]:
    return make_perturber(language, **options).perturb([(0, annotate(*pair, language=language))])[0]


@given(st.sampled_from(ALL), st.integers(0, 1000), st.integers(0, 3))
def test_edits_are_left_alone(which: tuple[str, int], seed: int, margin: int) -> None:
    language, number = which
    for varied in perturb(language, PAIRS[language][number], seed=seed, margin=margin):
        original = varied.original
        edits = original.annotations[0].edits
        for variant, candidate in zip(varied.variants, varied.candidates, strict=True):
            change = candidate.perturbation
            for edit in edits:
                apart = max(edit.start - change.end, change.start - edit.end)
                assert apart >= (max(margin, 1) if change.start == change.end else margin)
            carried = variant.annotations[0].edits
            assert [(one.replacement, one.type) for one in carried] == [(one.replacement, one.type) for one in edits]
            target = apply_edits(variant.sentence.tokens, carried)
            joint = " " if language == "en" else ""
            assert variant.annotations[0].target == joint.join(target)
            before, after = original.sentence.tokens, variant.sentence.tokens
            assert is_same_correction(before, apply_edits(before, edits), after, target)
            [found] = find_changes(before, after)
            assert found.action == change.action


@pytest.mark.parametrize(("language", "number"), ALL)
def test_errata_robust_reads_the_cases(language: str, number: int) -> None:
    cases = [varied.as_case() for varied in perturb(language, PAIRS[language][number], variants=2)]
    assert list(parse_cases("".join(format_cases(cases)).splitlines(keepends=True))) == cases
    if cases:
        subset = check_subset(subset_of_cases("made", [_with_predictions(case) for case in cases]), language)
        assert not any(case.changed for case in subset.cases)


def _with_predictions(case: RobustCase) -> RobustCase:
    samples = [replace(sample, prediction=sample.target) for sample in (case.original, *case.variants)]
    return replace(case, original=samples[0], variants=tuple(samples[1:]))


def test_every_annotator_counts() -> None:
    """A word that one annotator corrects is not perturbed, though the first one leaves it."""
    source = "My friend has a big dog ."
    [one] = prepare([(0, annotate(source, source, "My friend has a large dog ."))], tongue_of("en"))
    assert isinstance(one, Original)
    touched = {one.source.tokens[site.start] for site in one.find_sites(tongue_of("en"), 0) if site.start < site.end}
    assert "big" not in touched
    assert "friend" in touched
    source_tokens, targets = one.perturb(_substitution(one, "friend", "cousin"))
    assert [" ".join(tokens) for tokens in (source_tokens, *targets)] == [
        "My cousin has a big dog .",
        "My cousin has a big dog .",
        "My cousin has a large dog .",
    ]


def _substitution(original: Original, old: str, new: str) -> Perturbation:
    place = original.source.tokens.index(old)
    return Perturbation("substitute", place, place + 1, (new,))


@pytest.mark.parametrize(
    ("source", "target", "word"),
    [
        pytest.param("I see him yesterday .", "I saw him yesterday .", "yesterday", id="time-of-a-tense"),
        pytest.param("My mother loves his dog .", "My mother loves her dog .", "mother", id="whom-a-pronoun-means"),
        pytest.param("My mother says she go out .", "My mother says she goes out .", "mother", id="she-is-a-woman"),
        pytest.param("The friends of my aunt is nice .", "The friends of my aunt are nice .", "friends", id="subject"),
        pytest.param("He has car red .", "He has a red car .", "red", id="adjective-of-an-article"),
        pytest.param("I saw a dog and you fed the dog .", "I saw a dog and you fed the dog .", "dog", id="comes-twice"),
        pytest.param("Of course , for example , it is fine .", "Of course , for example , it is fine .", "example",
                     id="saying"),
    ],
)  # fmt: skip
def test_words_that_errors_depend_on_stay(source: str, target: str, word: str) -> None:
    [one] = prepare([(0, annotate(source, target))], tongue_of("en"))
    assert isinstance(one, Original)
    sites = one.find_sites(tongue_of("en"), 0)
    assert word not in {one.targets[0].tokens[site.start] for site in sites if site.start < site.end}


@pytest.mark.parametrize(
    ("annotated", "reason"),
    [
        (AnnotatedSentence(Sentence(("A", "b"))), NOT_CORRECTED),
        (AnnotatedSentence(Sentence(()), (Annotation(),)), EMPTY),
        (AnnotatedSentence(Sentence(("A",)), (Annotation(edits=(Edit(0, 1, ()),)),)), EMPTY),
    ],
)
def test_what_cannot_be_perturbed_has_a_reason(annotated: AnnotatedSentence, reason: str) -> None:
    assert prepare([(0, annotated)], tongue_of("en")) == [reason]


def test_a_sentence_without_an_error_is_perturbed() -> None:
    [varied] = perturb("en", PAIRS["en"][4])
    assert len(varied.variants) >= 2
    assert all(not one.annotations[0].edits for one in varied.samples)


def test_articles_stay_right() -> None:
    tongue = tongue_of("en")
    [text] = tongue.analyse([("It", "was", "a", "big", "house", ".")])
    [site] = [one for one in tongue.find_sites(text, set()) if text.tokens[one.start] == "big" and one.tag == "JJ"
              and one.start < one.end and one.action == "substitute"]  # fmt: skip
    assert tongue.is_fit(text, site, ("large",))
    assert not tongue.is_fit(text, site, ("enormous",))
    assert not tongue.is_fit(text, site, ("huge",))  # h may be silent
