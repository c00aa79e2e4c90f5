"""Edits that belong together are made together or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.edits.pairs import REACH, Pair, find_pairs
from errata.model import Edit, Tokens
from errata.pipeline.presets import ORDER, Preset
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import ProposedEdit, TokenCorrector

PRESETS = {
    "careful": Preset(min_confidence=0.7),
    "balanced": Preset(min_confidence=0.4),
    "eager": Preset(min_confidence=0.2),
}


class Proposing(TokenCorrector):
    """A token corrector that proposes the same edits for every sentence."""

    kind = "proposing"

    def __init__(self, language: str, proposed: Sequence[ProposedEdit]) -> None:
        self.language, self.max_tokens, self.proposed = language, 100, list(proposed)

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [self.proposed for _ in sentences]


def corrections(text: str, language: str, proposed: Sequence[ProposedEdit]) -> list[str]:
    """What each preset makes of a text, the most careful one first."""
    corrector = SentenceCorrector(Proposing(language, proposed), name="test", presets=PRESETS)
    return [corrector.with_preset(preset).correct([text])[0].target for preset in ORDER]


@pytest.mark.parametrize(
    ("text", "edits", "is_move"),
    [
        ("we only could go", [Edit(1, 2, ()), Edit(3, 3, ("only",))], True),
        ("Only we could go", [Edit(0, 1, ()), Edit(2, 2, ("only",))], True),
        ("it could be also bad", [Edit(2, 2, ("also",)), Edit(3, 4, ())], True),
        ("he have seen it", [Edit(1, 2, ()), Edit(2, 3, ("saw",), "R:VERB:FORM")], False),
        ("he was there before", [Edit(1, 1, ("had",)), Edit(1, 2, ("been",), "R:VERB:FORM")], False),
    ],
)
def test_pairs(text: str, edits: list[Edit], is_move: bool) -> None:
    types = [edit.type for edit in edits]
    assert find_pairs(tuple(text.split()), edits, types, "en") == [Pair(0, 1, is_move)]


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("the dog saw cat", [Edit(0, 1, ()), Edit(3, 3, ("the",))]),  # an article comes, another goes
        ("we only could go", [Edit(1, 2, ()), Edit(3, 3, ("just",))]),
        ("of a b c d e", [Edit(0, 1, ()), Edit(5, 5, ("of",))]),  # too far
        ("so , he went", [Edit(1, 2, ()), Edit(3, 3, (",",))]),  # no word
        ("to go to", [Edit(0, 1, ("too",)), Edit(2, 3, ("two",))]),
        ("he have seen it", [Edit(1, 2, ()), Edit(3, 4, ("him",), "R:PRON")]),
        ("he steal it", [Edit(1, 1, ("had",)), Edit(1, 2, ("stole",), "R:VERB:TENSE")]),
    ],
)
def test_edits_that_stand_by_themselves(text: str, edits: list[Edit]) -> None:
    assert find_pairs(tuple(text.split()), edits, [edit.type for edit in edits], "en") == []


@pytest.mark.parametrize(
    ("text", "language", "proposed", "targets"),
    [
        (
            "We only could go.",
            "en",
            [ProposedEdit(Edit(1, 2, ()), 0.8), ProposedEdit(Edit(3, 3, ("only",)), 0.1)],
            ["We could only go."] * 3,
        ),
        (
            "It could be also bad.",
            "en",
            [ProposedEdit(Edit(2, 2, ("also",)), 0.5), ProposedEdit(Edit(3, 4, ()), 0.1)],
            ["It could be also bad.", "It could also be bad.", "It could also be bad."],
        ),
        (
            "He never have seen it.",
            "en",
            [ProposedEdit(Edit(2, 3, ()), 0.9), ProposedEdit(Edit(3, 4, ("saw",)), 0.5)],
            ["He never have seen it.", "He never saw it.", "He never saw it."],
        ),
        (
            "I have seen it.",
            "en",
            [ProposedEdit(Edit(1, 2, ()), 0.1), ProposedEdit(Edit(2, 3, ("saw",)), 0.9)],
            ["I have seen it."] * 3,
        ),
        (
            "She was adopted.",
            "en",
            [ProposedEdit(Edit(1, 1, ("had",)), 0.3), ProposedEdit(Edit(1, 2, ("been",)), 0.9)],
            ["She was adopted.", "She was adopted.", "She had been adopted."],
        ),
        (
            "That will delighted us.",
            "en",
            [ProposedEdit(Edit(2, 2, ("be",)), 0.1), ProposedEdit(Edit(2, 3, ("delight",)), 0.9)],
            ["That will delight us."] * 3,
        ),
        (
            "我不能决定哪里去。",
            "zh",
            [ProposedEdit(Edit(5, 5, ("去",)), 0.1), ProposedEdit(Edit(7, 8, ()), 0.9)],
            ["我不能决定去哪里。"] * 3,
        ),
        (
            "应该政府保护他。",
            "zh",
            [ProposedEdit(Edit(0, 2, ()), 0.5), ProposedEdit(Edit(4, 4, ("应", "该")), 0.3)],
            ["应该政府保护他。", "政府应该保护他。", "政府应该保护他。"],
        ),
        (
            "他先要大家等我。",
            "zh",
            [
                ProposedEdit(Edit(1, 2, ()), 0.8),
                ProposedEdit(Edit(3, 5, ("我", "们")), 0.3),
                ProposedEdit(Edit(6, 6, ("先",)), 0.1),
            ],
            ["他要大家等先我。"] * 3,  # the word between waits for the next look
        ),
    ],
)
def test_presets_make_both_halves_or_neither(
    text: str, language: str, proposed: list[ProposedEdit], targets: list[str]
) -> None:
    assert corrections(text, language, proposed) == targets


@given(st.sampled_from(["en", "zh"]), st.data())
def test_a_word_that_moves_is_never_lost_or_doubled(language: str, data: st.DataObject) -> None:
    n_tokens = data.draw(st.integers(2, 9))
    word, others = (
        ("also", [f"w{chr(97 + i)}" for i in range(9)]) if language == "en" else ("先", list("我们要大家等他来吧"))
    )
    old = data.draw(st.integers(0, n_tokens - 1))
    tokens = (*others[:old], word, *others[old : n_tokens - 1])
    gap = data.draw(st.integers(1, REACH[language]))
    new = data.draw(
        st.sampled_from([place for place in (old - gap, old + 1 + gap) if 0 <= place <= n_tokens] or [None])
    )
    if new is None:
        return
    halves = [Edit(old, old + 1, ()), Edit(new, new, (word,))]
    sure = st.floats(0, 1)
    proposed = [ProposedEdit(edit, data.draw(sure)) for edit in sorted(halves, key=lambda edit: edit.start)]
    text = " ".join(tokens) if language == "en" else "".join(tokens)
    moved = apply_edits(tokens, [one.edit for one in proposed])
    corrected = " ".join(moved) if language == "en" else "".join(moved)
    assert {*corrections(text, language, proposed)} <= {text, corrected}
