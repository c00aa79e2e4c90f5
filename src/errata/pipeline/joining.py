"""Proposed edits that belong together, as one: characters of a word, parts of a contraction or compound."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from errata.edits.negation import APOSTROPHE
from errata.model import Edit, Tokens
from errata.systems.base import ProposedEdit

# What is written onto the word before it.
_CONTRACTED = re.compile(f"n{APOSTROPHE}t|{APOSTROPHE}[a-z]+", re.IGNORECASE)


def join_neighbours(proposed: Sequence[ProposedEdit]) -> list[ProposedEdit]:
    """The edits, those without a token between them as one."""
    return [reduce(lambda left, right: join_edits(left, right, ()), chain) for chain in _chains(proposed)]


def join_word_parts(proposed: Sequence[ProposedEdit], tokens: Sequence[str]) -> list[ProposedEdit]:
    """The edits, those that make one word together as one: `it's` → `its` is not `its's`.

    They are trusted as much as the surer one where the other is a deletion, which says little by itself.
    """
    joined: list[ProposedEdit] = []
    for chain in _chains(proposed):
        old = tokens[chain[0].edit.start : chain[-1].edit.end]
        new = [word for one in chain for word in one.edit.replacement]
        is_compound = "-" in old and "-" not in new and len(new) < len(old) - old.count("-")  # of which a part goes
        for number, one in enumerate(chain):
            if number and (is_compound or _is_contraction(one.edit, tokens)):
                joined[-1] = _join_parts(joined[-1], one)
            else:
                joined.append(one)
    return joined


def _join_parts(left: ProposedEdit, right: ProposedEdit) -> ProposedEdit:
    is_deletion = not left.edit.replacement or not right.edit.replacement
    sure = (max if is_deletion else min)(left.confidence, right.confidence)
    return replace(join_edits(left, right, ()), confidence=sure)


def _chains(proposed: Sequence[ProposedEdit]) -> Iterator[list[ProposedEdit]]:
    """The edits, those without a token between them together."""
    chain: list[ProposedEdit] = []
    for one in proposed:
        if chain and chain[-1].edit.end != one.edit.start:
            yield chain
            chain = []
        chain.append(one)
    if chain:
        yield chain


def _is_contraction(edit: Edit, tokens: Sequence[str]) -> bool:
    """Whether the edit changes, or makes, what is written onto the word before."""
    old = tokens[edit.start : edit.end]
    return any(_CONTRACTED.fullmatch(word) for word in (*old[:1], *edit.replacement[:1]))


def join_edits(left: ProposedEdit, right: ProposedEdit, between: Tokens) -> ProposedEdit:
    """Two edits and the tokens between them as one edit, of a type of its own."""
    replacement = (*left.edit.replacement, *between, *right.edit.replacement)
    edit = Edit(left.edit.start, right.edit.end, replacement)
    return ProposedEdit(edit, min(left.confidence, right.confidence))
