"""Probabilities averaged over variants, before anything is decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from errata.errors import UsageError
from errata.model import Edit, Tokens
from errata.pipeline.load import load_model
from errata.robustness.averaging import Averaging, average_over
from errata.robustness.voting import substitute_words
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.systems.tagger.averaging import average_answers
from errata.systems.tagger.runtime import SlotAnswers

EDIT = ProposedEdit(Edit(0, 1, ("x",)), 0.5)


def answers(*slots: tuple[float, float, int, float]) -> SlotAnswers:
    """Of each slot: keep, best other tag, that tag, error."""
    keep, best, tag, error = zip(*slots, strict=True)
    return SlotAnswers(np.array(keep), np.array(best), np.array(tag), np.array(error))


def test_alone_nothing_changes() -> None:
    own = answers((0.9, 0.1, 3, 0.1), (0.2, 0.7, 5, 0.8))
    assert all(np.array_equal(mean, column) for mean, column in zip(average_answers(own, []), own, strict=True))


@pytest.mark.parametrize(
    ("variants", "mean"),
    [
        pytest.param([(0.2, 0.8, 5, 0.9)], (0.4, 0.6, 5, 0.7), id="agreement"),
        pytest.param([(0.2, 0.8, 7, 0.9)], (0.4, 0.4, 7, 0.7), id="the surer tag"),
        pytest.param([(0.3, 0.5, 7, 0.5)] * 2, (0.4, 1 / 3, 7, 0.5), id="two against one"),
        pytest.param([(1.0, 0.0, 0, 0.2)], (0.8, 0.2, 5, 0.35), id="a closed gate"),
    ],
)
def test_means(variants: list[tuple[float, float, int, float]], mean: tuple[float, float, int, float]) -> None:
    own = answers((0.6, 0.4, 5, 0.5))
    found = average_answers(own, [(answers(one), {0: 0}) for one in variants])
    assert [float(column[0]) for column in found] == pytest.approx(list(mean))


def test_a_slot_that_a_variant_lacks_is_its_own() -> None:
    own, other = answers((1, 0, 0, 0), (0.2, 0.8, 5, 0.9)), answers((0.5, 0.5, 2, 0.4), (1, 0, 0, 0))
    keep, best, tag, error = average_answers(own, [(other, {0: 0})])
    assert (keep.tolist(), best.tolist(), tag.tolist(), error.tolist()) == (
        [0.75, 0.2],
        [0.25, 0.8],
        [2, 5],
        [0.2, 0.9],
    )


class Listening(TokenCorrector):
    """Tells which groups it is asked about, and what decoding it has."""

    kind, language, max_tokens = "listening", "en", 5

    def __init__(self) -> None:
        self.asked: list[list[Tokens]] = []
        self.options: dict[str, float] = {}

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        raise AssertionError

    def propose_together(self, groups: Sequence[Sequence[Tokens]]) -> list[list[ProposedEdit]]:
        self.asked += [list(group) for group in groups]
        return [[EDIT] for _ in groups]

    def with_decoding(self, **options: float) -> Listening:
        self.options.update(options)
        return self


def test_variants_are_asked_about_too() -> None:
    model = Listening()
    averaging = Averaging(model, lambda text: [text.replace("a", "c"), text + " d d d d d", ""]).with_decoding(bias=1.0)
    assert averaging.propose([("a", "b")]) == [[EDIT]]
    assert model.asked == [[("a", "b"), ("c", "b")]] and model.options == {"bias": 1.0}


def test_systems_without_probabilities_refuse() -> None:
    class Silent(Listening):
        kind = "seq2seq"
        propose_together = TokenCorrector.propose_together

    with pytest.raises(UsageError, match="a seq2seq gives no probabilities for tokens that could be averaged"):
        Averaging(Silent(), lambda text: []).propose([("a",)])


@pytest.mark.parametrize("passes", [1, 3])
@pytest.mark.parametrize(
    ("model", "text"),
    [("en-small", "She go to school with her friends on Monday ."), ("zh-small", "我昨天去了学校里学习。")],
)
def test_without_variants_a_tagger_proposes_what_it_always_does(model: str, text: str, passes: int) -> None:
    corrector = load_model(model, tokenised=model == "en-small", passes=passes)
    assert average_over(corrector, lambda text: []).correct([text]) == corrector.correct([text])
    same = average_over(corrector, lambda text: [text, text]).correct([text])[0]
    assert same.target == corrector.correct([text])[0].target


def test_a_sentence_is_decided_with_its_variants() -> None:
    """A word that throws the tagger off is outweighed by variants that have another in its place."""
    corrector = load_model("en-small", tokenised=True, rules=False)
    averaging = average_over(corrector, substitute_words("en", 4))
    assert averaging.name == "averaging(en-small)"
    together = corrector.model.propose_together([[("She", "go", "home", "."), ("He", "goes", "home", ".")]])
    assert [one.edit for one in together[0]] == [Edit(1, 2, ("goes",))]
    assert averaging.correct(["She go to school every day ."])[0].target == "She goes to school every day ."
