"""Each check lets good perturbations pass and rejects bad ones."""

from __future__ import annotations

import pytest

from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.synth.perturb.checks import FEWEST, Thresholds, is_faithful, is_grammatical
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.learning import get_tongue
from errata.synth.perturb.originals import Original, prepare
from errata.synth.perturb.texts import Perturbation, Site, Text, Tongue


@pytest.fixture(scope="module")
def english() -> Tongue:
    return get_tongue("en")


def analyse(tongue: Tongue, text: str) -> Text:
    return tongue.analyse([tongue.split(text)])[0]


@pytest.mark.parametrize(
    ("action", "span", "words", "is_right"),
    [
        pytest.param("substitute", (4, 5), ("cat",), True, id="noun-for-noun"),
        pytest.param("substitute", (4, 5), ("cats",), False, id="plural"),
        pytest.param("substitute", (4, 5), ("quickly",), False, id="adverb-for-noun"),
        pytest.param("insert", (4, 4), ("small",), True, id="adjective"),
        pytest.param("insert", (4, 4), ("the",), False, id="second-article"),
        pytest.param("delete", (1, 2), (), True, id="adverb-goes"),
        pytest.param("delete", (4, 5), (), False, id="object-goes"),
    ],
)
def test_grammar(english: Tongue, action: str, span: tuple[int, int], words: tuple[str, ...], is_right: bool) -> None:
    text = analyse(english, "He often sees my dog .")
    site = Site(action, *span, *span, tag="JJ" if action == "insert" else "NN", head=4)
    variant = analyse(english, " ".join(Perturbation(action, *span, words).apply(text.tokens)))
    assert is_grammatical(text, site, variant, english) is is_right


def test_rules_find_new_faults(english: Tongue) -> None:
    text, variant = analyse(english, "I ate a pear ."), analyse(english, "I ate a apple .")
    assert not english.is_faultless(text, variant)
    assert english.is_faultless(text, text)


@pytest.mark.parametrize(
    ("variant", "is_same"),
    [
        pytest.param(("She go home .", "She goes home ."), True, id="same"),
        pytest.param(("She go home .", "She went home ."), False, id="another-correction"),
        pytest.param(("They go home .", "They go home ."), False, id="no-error-any-more"),
        pytest.param(("She go home .", "She goes back home ."), False, id="one-more"),
    ],
)
def test_faithfulness(english: Tongue, variant: tuple[str, str], is_same: bool) -> None:
    annotated = AnnotatedSentence(Sentence(("He", "go", "home", ".")), (Annotation(target="He goes home ."),))
    [original] = prepare([(0, annotated)], english)
    assert isinstance(original, Original)
    source, target = (analyse(english, text) for text in variant)
    change = Perturbation("substitute", 0, 1, (source.tokens[0],))
    assert is_faithful(original, change, source, [target], english) is is_same


def test_thresholds_are_quantiles_of_the_way_back() -> None:
    """Clean text: substitutions cost 0 to 9 nats, so the way back gains as much; deletions gain 10 to 29."""
    differences = [("substitute", -float(value)) for value in range(10)] * 2
    differences += [("delete", 10.0 + value) for value in range(20)]
    found = Thresholds.learn(differences)
    assert found.allow("substitute", 0.0)  # as good as the word that a person wrote
    assert not found.allow("substitute", -0.1)
    assert not found.allow("insert", -25.0)
    assert found.allow("insert", -20.0)
    assert found.allow("delete", -1000.0)  # nothing is known of it


def test_too_few_differences_make_no_threshold() -> None:
    assert Thresholds.learn([("substitute", 1.0)] * (FEWEST - 1)).least == {}


def test_a_sentence_does_not_speak_for_itself(english: Tongue) -> None:
    """What was seen only in the sentence itself counts as never seen."""
    counts = WordCounts("en")
    for text in ("my dog sleeps", "my cat sleeps", "my cat eats", "a cat sleeps"):
        counts.add(analyse(english, text))
    counts.finish()
    words = "my dog sleeps".split()
    assert counts.difference(words, 1, 2, ["cat"], is_learnt=True) > counts.difference(
        words, 1, 2, ["cat"], is_learnt=False
    )
    assert counts.difference(words, 1, 2, ["cat"], is_learnt=True) > 0
    assert counts.difference(words, 1, 2, ["spoon"], is_learnt=False) < 0
