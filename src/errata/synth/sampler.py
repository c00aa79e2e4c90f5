"""Draws errors for a sentence, each in proportion to its weight, from tables made once per word.

What can go wrong with a token is a list of weighted actions; a language says which (`actions`), the mixture scales
each noise. The list of a token is made at its first occurrence and kept, so that corrupting a sentence is a few table
lookups: the weights of its tokens are summed up, a random number picks the place and the action together, and an
action that does not fit there is drawn again. Redrawing leaves the fitting actions in their proportions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from random import Random
from typing import Any, Protocol

from errata.model import Tokens
from errata.synth.noisy import Noisy, Slot, build, collides, trim

# What an action does at token i; its payload is in the comment.
REPLACE = 0  # token i by these tokens: tokens
INSERT = 1  # these tokens before token i: tokens
PHRASE = 2  # the phrase that begins at i by other tokens: (phrase, tokens)
CALL = 3  # whatever the function says: function(tokens, i, rng) -> (start, end, tokens) or None
TABLE = 4  # one of several actions: (cumulated weights, actions)

Change = tuple[int, int, Tokens]
Rewrite = Callable[[Tokens, int, Random], "Change | None"]
Action = tuple[int, Any, str]  # kind, payload, type of the edit
Weighted = tuple[str, float, Action]  # noise, weight, action
Table = tuple[list[float], list[Action]]

# Word types whose actions are kept; a word beyond that is worked out each time (rare words, once the table is full).
MAX_ENTRIES = 200_000


class Language(Protocol):
    """The noises of a language."""

    names: Sequence[str]

    def actions(self, token: str) -> Iterable[Weighted]:
        """What can go wrong with this token, or before it."""
        ...

    def phrases(self) -> Mapping[tuple[str, str], Sequence[Weighted]]:
        """What can go wrong with phrases, by their first two tokens."""
        ...

    def starts(self) -> Iterable[Weighted]:
        """What can go wrong with the first token because it is the first."""
        ...

    def start_key(self, token: str) -> str:
        """Under which token the first one of a sentence is looked up (`The` as `the`)."""
        ...

    def word_class(self, token: str) -> str:
        """The class that speaks for rare words in what is inserted before them."""
        ...

    def fits(self, tokens: Tokens, start: int, end: int, rng: Random) -> bool:
        """Whether a fixed replacement may happen to [start, end) here; functions see to that themselves."""
        ...

    def at_start(self, tokens: Tokens, end: int, new: Tokens) -> Change:
        """The change of tokens [0, end) to `new` with the capital where a sentence has it."""
        ...


class Sampler:
    """Corrupts sentences with the noises of a language under given scales."""

    def __init__(self, language: Language, scales: Mapping[str, float]) -> None:
        self.language = language
        self._scales = dict(scales)
        self._entries = _Entries(self)
        phrases = {pair: self.table(actions) for pair, actions in language.phrases().items()}
        self._phrases = {pair: table for pair, table in phrases.items() if table[0]}
        self._start = self.table(language.starts())

    def corrupt(self, tokens: Tokens, n_errors: int, rng: Random) -> Noisy:
        """The tokens with up to `n_errors` errors; fewer where nothing more fits."""
        if n_errors == 0 or not tokens:
            return Noisy(tokens)
        key = self.language.start_key(tokens[0])
        looked_up = tokens if key == tokens[0] else (key, *tokens[1:])
        cumulative, places = self._weigh(looked_up)
        if not places:
            return Noisy(tokens)
        total = cumulative[-1]
        slots: list[Slot] = []
        for _ in range(4 * n_errors + 8):
            drawn = rng.random() * total
            place = bisect_right(cumulative, drawn)
            if place == len(places):  # rounding at the very end
                continue
            i, (weights, actions) = places[place]
            rest = drawn - (cumulative[place - 1] if place else 0.0)
            slot = self.outcome(tokens, looked_up, i, actions[min(bisect_right(weights, rest), len(actions) - 1)], rng)
            if slot is None or collides(slot[0], slot[1], slots):
                continue
            slots.append(slot)
            if len(slots) == n_errors:
                break
        noisy = build(tokens, slots)
        return noisy if noisy.tokens else Noisy(tokens)  # a sentence never goes missing

    def table(self, weighted: Iterable[Weighted]) -> Table:
        """Cumulated scaled weights and the actions they belong to."""
        scales = self._scales
        kept = [
            (weight * scale, action)
            for noise, weight, action in weighted
            if (scale := scales.get(noise, 0.0)) > 0.0 and weight > 0.0
        ]
        return list(accumulate(weight for weight, _ in kept)), [action for _, action in kept]

    def _weigh(self, looked_up: Tokens) -> tuple[list[float], list[tuple[int, Table]]]:
        """Cumulated weights of the places where something can go wrong, and those places with their tables."""
        entries = self._entries
        places = [(i, table) for i, token in enumerate(looked_up) if (table := entries[token])[0]]
        if self._phrases:
            get = self._phrases.get
            places += [(i, found) for i, pair in enumerate(pairwise(looked_up)) if (found := get(pair))]
        if self._start[0]:
            places.append((0, self._start))
        return list(accumulate([table[0][-1] for _, table in places])), places

    def outcome(self, tokens: Tokens, looked_up: Tokens, i: int, action: Action, rng: Random) -> Slot | None:
        """What the action does to the sentence at token i; None when it does not fit there."""
        kind, payload, name = action
        while kind == TABLE:
            weights, actions = payload
            kind, payload, name = actions[min(bisect_right(weights, rng.random() * weights[-1]), len(actions) - 1)]
        if kind == CALL:
            change = payload(tokens, i, rng)
            return None if change is None else (*change, name)
        if kind == REPLACE:
            start, end, new = i, i + 1, payload
        elif kind == INSERT:
            start, end, new = i, i, payload
        else:
            phrase, new = payload
            start, end = i, i + len(phrase)
            if looked_up[start:end] != phrase:
                return None
        if not self.language.fits(tokens, start, end, rng):
            return None
        if start == 0:
            start, end, new = self.language.at_start(tokens, end, new)
        if kind == PHRASE:
            change = trim(tokens, start, end, new)
            return None if change is None else (*change, name)
        return None if tokens[start:end] == new else (start, end, new, name)


class _Entries(dict[str, Table]):
    """Token → table, made when first asked for."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler

    def __missing__(self, token: str) -> Table:
        table = self._sampler.table(self._sampler.language.actions(token))
        if len(self) < MAX_ENTRIES:
            self[token] = table
        return table

    def __reduce__(self) -> tuple[type[_Entries], tuple[Sampler]]:
        return _Entries, (self._sampler,)  # the tables are made again in the other process


def choose(weights: Sequence[float], rng: Random) -> int:
    """An index drawn in proportion to cumulated weights."""
    return min(bisect_right(weights, rng.random() * weights[-1]), len(weights) - 1)
