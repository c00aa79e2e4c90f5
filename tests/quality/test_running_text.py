"""Tokenised sentences for correctors of running text: nothing but words and signs that changed comes back."""

from __future__ import annotations

import pytest
from benchmarks.quality.running_text import carry_back, keeps_compounds, write_running
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("I do n't know , he said .", "I don't know, he said."),
        ('He said " go ! " and " stay " .', 'He said "go!" and "stay".'),
        ("`` Go , '' she said .", '"Go," she said.'),
        ("the students ' book felt ' new '", "the students' book felt 'new'"),
        ("( well - known ) [ 5 % ] $ 3", "(well-known) [5%] $3"),
        ("", ""),
    ],
)
def test_running_text(tokens, text):
    running = write_running(tokens.split())
    assert running.text == text
    assert carry_back(running, text, compounds=True) == tuple(tokens.split())


@pytest.mark.parametrize(
    ("tokens", "corrected", "compounds", "expected"),
    [
        ("I do n't know , he said .", "I don't know; he said.", True, "I do n't know ; he said ."),
        ("dont go", "don't go", True, "do n't go"),
        ("It is well known .", "It is well-known.", True, "It is well-known ."),
        ("It is well known .", "It is well-known.", False, "It is well - known ."),
        ("He can not go", "He cannot go", True, "He can not go"),  # the set does not say what was written
        ("alot of men", "a lot of men", True, "a lot of men"),
        ("He 's late .", "He’s late.", True, "He 's late ."),
        ("Well ... no", "Well… no", True, "Well ... no"),
        ("He ’s late", "He's late", True, "He 's late"),
        ("Ok it?Well now", "Ok, it?Well now.", True, "Ok , it?Well now ."),  # odd tokens stay whole
        ("`` Go home '' .", '"Go there".', True, "`` Go there '' ."),
        ("I go home", "Then home", True, "Then home"),
        ("I go home", "", True, ""),
        ("", "New", True, "New"),
    ],
)
def test_corrections_come_back_as_tokens(tokens, corrected, compounds, expected):
    assert carry_back(write_running(tokens.split()), corrected, compounds=compounds) == tuple(expected.split())


WORDS = st.sampled_from(
    "I go it?Well do n't students ' \" `` '' - well-known a/b , . ( ) $ 5 % “ ’s i'l 中文 é".split()
)
SENTENCES = st.lists(WORDS, max_size=10)


@given(SENTENCES, st.booleans())
def test_what_is_not_corrected_stays(tokens, compounds):
    running = write_running(tokens)
    assert carry_back(running, running.text, compounds=compounds) == tuple(tokens)
    assert [running.text[start:end] for start, end in running.spans] == [
        {"``": '"', "''": '"'}.get(token, token) for token in tokens
    ]


@given(SENTENCES, SENTENCES, st.booleans())
def test_no_letter_is_lost_or_made_up(tokens, others, compounds):
    """Straight quotation marks only: those of the Penn Treebank are written in one way and read in another."""
    plain, wanted = ([word for word in some if word not in ("``", "''", "“", "’s")] for some in (tokens, others))
    corrected = write_running(wanted).text
    carried = carry_back(write_running(plain), corrected, compounds=compounds)
    assert "".join(carried) == corrected.replace(" ", "")


def test_compounds():
    assert keeps_compounds([("well-known", "a/b", "-")]) and not keeps_compounds([("well", "-", "known", "7-8", "-")])
