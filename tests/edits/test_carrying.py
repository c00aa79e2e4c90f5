"""Corrections across a perturbation: which are the same, and where single edits go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.edits.carrying import Change, carry_edit, find_changes, is_same_correction
from errata.model import Edit, Tokens


@pytest.mark.parametrize(
    ("before", "after", "actions"),
    [
        ("a b c", "a b c", []),
        ("a b c", "a x c", ["substitute"]),
        ("a b c", "a b x c", ["insert"]),
        ("a b c", "a c", ["delete"]),
        ("a b c", "a x y c", ["substitute"]),
        ("a b c d", "x b d", ["substitute", "delete"]),
        ("", "a", ["insert"]),
        ("a", "", ["delete"]),
    ],
)
def test_actions(before: str, after: str, actions: list[str]) -> None:
    assert [one.action for one in find_changes(before.split(), after.split())] == actions


# Original → its target, variant → its target.
CORRECTIONS = {
    True: {
        "substituted": "I like play chess → I like playing chess | I like play golf → I like playing golf",
        "inserted": "He go home → He goes home | He go home now → He goes home now",
        "deleted": "He go home now → He goes home now | He go home → He goes home",
        "insertion before an inserted word": "go school → go to school | go big school → go to big school",
        "insertion behind an inserted word": "go school → go to school | go big school → go big to school",
        "insertion before a substituted word": "go school → go to school | go college → go to college",
        "moved": "staff in hospital work → hospital staff work | staff in school work → school staff work",
        "no perturbation": "a b c → a b c | a b c → a b c",
        "empty": " →  | a → a",
    },
    False: {
        "only once corrected": "I like play chess → I like playing chess | I like play golf → I like play golf",
        "overcorrected beside": "I like chess → I like chess | I like hockey → I like ice hockey",
        "perturbed word corrected": "I like chess → I like chess | I like hockeys → I like hockey",
        "both perturbed words corrected": "I like chesses → I like chess | I like hockeys → I like hockey",
        "inserted word deleted": "He go home → He goes home | He go home now → He goes home",
        "insertion on the other side": "go school → go to school | go college → go college to",
        "no perturbation, another correction": "a b c → a x c | a b c → a y c",
        "all deleted": "a →  | b → ",
    },
}


@pytest.mark.parametrize(
    ("pairs", "is_same"),
    [pytest.param(pairs, same, id=name) for same, rows in CORRECTIONS.items() for name, pairs in rows.items()],
)
def test_same_correction(pairs: str, is_same: bool) -> None:
    texts = [tuple(text.split()) for pair in pairs.split("|") for text in pair.split("→")]
    assert is_same_correction(*texts) is is_same
    assert is_same_correction(*texts[2:], *texts[:2]) is is_same


WORDS = st.sampled_from("abcd")


@st.composite
def corrected_pairs(draw: st.DrawFn) -> tuple[Tokens, Tokens, Tokens, Tokens, bool]:
    """Two sentences that differ in words that nothing else is like, corrected alike or not outside of them.

    Every slot is a word of both, or a perturbed one; a correction replaces it or puts a word before it.
    """
    sides: list[list[str]] = [[], [], [], []]
    is_same = True
    for number in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(["kept", "kept", "corrected", "corrected once", "perturbed"]))
        word, new = f"w{number}", f"n{number}"
        if kind == "perturbed":
            old, other = draw(st.sampled_from([("p", "q"), ("p", ""), ("", "q")]))
            for place, part in enumerate((old, old, other, other)):
                sides[place] += [f"{part}{number}"] if part else []
            continue
        once = kind == "corrected once"
        is_same &= not once
        for place, part in enumerate(
            (word, word if kind == "kept" else new, word, new if kind == "corrected" else word)
        ):
            sides[place].append(part)
    source, target, variant, variant_target = map(tuple, sides)
    return source, target, variant, variant_target, is_same


@given(corrected_pairs())
def test_corrections_are_the_same_if_they_were_made_the_same(pair: tuple[Tokens, Tokens, Tokens, Tokens, bool]) -> None:
    *texts, is_same = pair
    assert is_same_correction(*texts) is is_same


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_same_correction_is_symmetric_and_holds_for_itself(
    source: list[str], variant: list[str], target: list[str]
) -> None:
    one, other, goal = tuple(source), tuple(variant), tuple(target)
    assert is_same_correction(one, goal, one, goal)
    assert is_same_correction(one, one, other, other)
    if one == other:
        assert is_same_correction(one, goal, other, one) is (goal == one)


@given(st.lists(WORDS, max_size=10), st.lists(WORDS, max_size=10))
def test_changes_make_the_other_sentence(before: list[str], after: list[str]) -> None:
    changes = find_changes(before, after)
    edits = [Edit(one.start, one.end, tuple(after[one.new_start : one.new_end])) for one in changes]
    assert apply_edits(before, edits) == tuple(after)


@pytest.mark.parametrize(
    ("edit", "carried"),
    [
        (Edit(0, 1, ("x",)), Edit(0, 1, ("x",))),
        (Edit(1, 2, ("x",)), None),
        (Edit(0, 3, ("x",)), None),
        (Edit(1, 1, ("x",)), Edit(1, 1, ("x",))),
        (Edit(2, 2, ("x",)), Edit(4, 4, ("x",))),
        (Edit(2, 3, ("x",)), Edit(4, 5, ("x",))),
        (Edit(3, 4, ()), Edit(5, 6, ())),
        (Edit(5, 5, ("x",)), Edit(6, 6, ("x",))),
    ],
)
def test_carried_edits(edit: Edit, carried: Edit | None) -> None:
    """One word became three, and the last of five is gone."""
    assert carry_edit(edit, (Change(1, 2, 1, 4), Change(4, 5, 6, 6))) == carried
