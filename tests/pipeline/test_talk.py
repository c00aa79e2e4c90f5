"""Which sentences sound like talk."""

from __future__ import annotations

import pytest

from errata.pipeline.talk import SHORT, SHORT_WITH_CONTRACTION, is_talk


def long(text: str, n_tokens: int) -> list[str]:
    """The tokens of a text, filled up to a number of tokens."""
    tokens = text.split()
    return [*tokens, *["word"] * (n_tokens - len(tokens))]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        pytest.param([], True, id="nothing"),
        pytest.param(long("", SHORT), True, id="short"),
        pytest.param(long("", SHORT + 1), False, id="long"),
        pytest.param(long("I do n't know", SHORT + 1), True, id="contraction"),
        pytest.param(long("I DO N’T KNOW", SHORT + 1), True, id="curly and in capitals"),
        pytest.param(long("It 's late", SHORT + 1), True, id="it is"),
        pytest.param(long("Tom 's car", SHORT + 1), False, id="possessive"),
        pytest.param(long("'s", SHORT + 1), False, id="at the beginning"),
        pytest.param(long("I do n't know", SHORT_WITH_CONTRACTION + 1), False, id="too long for one"),
    ],
)
def test_talk_is_short_or_has_a_contraction(tokens: list[str], expected: bool) -> None:
    assert is_talk(tokens) is expected


def test_a_contraction_that_a_rule_mends_counts() -> None:
    slip = long("I dont know", SHORT + 1)
    assert not is_talk(slip, [("have", "gone")])
    assert is_talk(slip, [("do", "n't")])
