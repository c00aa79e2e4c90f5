"""Clauses of a Chinese sentence: where one begins and ends, for the noises that look at more than one word."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from errata.model import Tokens
from errata.synth.sampler import Change

Bounds = Callable[[Tokens], list[int]]
Rewrite = Callable[[Tokens, int, Random, Bounds], "Change | None"]

STOPS = frozenset("，。！？；：、,!?;:“”‘’（）()《》…—")
CLAUSE_STOPS = frozenset("，。！？；：,!?;:“”")


def clause_start(tokens: Tokens, i: int) -> int:
    """The position after the last stop before i."""
    start = i
    while start and tokens[start - 1] not in CLAUSE_STOPS:
        start -= 1
    return start


def clause_end(tokens: Tokens, i: int) -> int:
    """The position of the first stop from i on, or the length of the sentence."""
    end = i
    while end < len(tokens) and tokens[end] not in CLAUSE_STOPS:
        end += 1
    return end
