"""A token corrector that changes a lot, always the same in the same sentence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar

from errata.model import Edit, Tokens
from errata.systems.base import ProposedEdit, TokenCorrector

# Words, punctuation, and what would become markup if nobody took care.
NEW = (
    "w",
    "went",
    ",",
    ".",
    "n't",
    "(",
    "的",
    "é",
    "*",
    "_",
    "#",
    "1.",
    "-",
    "`",
    "|",
    "[",
    "](",
    "<b>",
    "$",
    "\\",
    "@x",
)


class Meddling(TokenCorrector):
    """Proposes an edit every few tokens: deletions, replacements, insertions."""

    kind: ClassVar[str] = "meddling"

    def __init__(self, language: str = "en", max_tokens: int = 50, seed: int = 0) -> None:
        self.language, self.max_tokens, self.seed = language, max_tokens, seed

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [self._meddle(tokens) for tokens in sentences]

    def _meddle(self, tokens: Tokens) -> list[ProposedEdit]:
        rng = random.Random(f"{self.seed} {tokens!r}")
        found: list[ProposedEdit] = []
        position = rng.randint(0, 3)
        while position <= len(tokens):
            end = min(len(tokens), position + rng.choice((0, 1, 1, 2)))
            new = tuple(rng.choices(NEW, k=rng.choice((0, 1, 1, 2))))
            if new or end > position:
                found.append(ProposedEdit(Edit(position, end, new), rng.random()))
            position = max(end, position + 1) + rng.randint(0, 3)
        return found
