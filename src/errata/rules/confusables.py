"""Words that sound or look alike, told apart by their context: `the dessert was dry`, `whose picking up the kids`.

For each set of such words, a linear model gives every member a score for the words around a place; it was learnt from
prose (`python -m benchmarks.rules.learn`). A member that is written there gives way to another one only if that one's
score is higher by more than the bound of the two, which hardly a place in clean prose reaches. A lower difference is a
hint, which counts only where another corrector says the same.

The file has a line of JSON, then the weights: for each set the digests of its features in order (32 bits), and one
signed byte for each of them and each member.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from errata.model import Edit, Tokens
from errata.text.morphology import follow_case

# A weight of 1 as it is stored.
SCALE = 16
# Words on either side whose order does not count.
REACH = 7
START, END = "<s>", "</s>"
# Words that stand for themselves where others are known by their endings.
_FUNCTION_WORDS = frozenset(
    "the a an this that these those my your his her its our their i you he she it we they me him us them who whom "
    "whose which what where when why how of in on at to for from by with about into over under after before "
    "between through without within during against among up down out off and or but nor so because if although "
    "though while until unless since than then as be am is are was were been being 'm 're 's have has had having "
    "'ve do does did doing done not n't never no can could will would shall should may might must 'll 'd ca wo "
    "very too so more most less least much many some any all each every both either neither one two three other "
    "another such own same there here now just only also even still already again ever always often very quite "
    "rather really get got go going gone let make made".split()
)
_ENDINGS = ("ing", "ed", "ly", "ies", "es", "s", "er", "est", "tion", "al", "ous", "ful", "ness", "ment", "able", "y")


def normalise(token: str) -> str:
    """A token as features have it: in small letters, numbers as 0."""
    return "0" if token[0].isdigit() else token.lower()


def word_kind(word: str) -> str:
    """What stands for a word beside others: itself if it is a function word or a sign, else its ending."""
    if word in _FUNCTION_WORDS or not word[0].isalpha():
        return word
    return next(("-" + ending for ending in _ENDINGS if word.endswith(ending)), "-")


def near_features(words: Sequence[str], start: int, end: int) -> list[str]:
    """The features of the two words beside a place, which decide most places."""
    left = words[start - 1] if start else START
    right = words[end] if end < len(words) else END
    return [f"l{left}", f"r{right}", f"m{left} {right}", f"k{word_kind(left)} {word_kind(right)}"]


def far_features(words: Sequence[str], start: int, end: int) -> list[str]:
    """The other features of a place: two and three words beside it, their kinds, and words that are near."""
    n = len(words)
    l1 = words[start - 1] if start > 0 else START
    l2 = words[start - 2] if start > 1 else START
    l3 = words[start - 3] if start > 2 else START
    r1 = words[end] if end < n else END
    r2 = words[end + 1] if end + 1 < n else END
    r3 = words[end + 2] if end + 2 < n else END
    a1, a2, b1, b2 = word_kind(l1), word_kind(l2), word_kind(r1), word_kind(r2)
    found = [
        f"L{l2}", f"3{l3}", f"R{r2}", f"4{r3}", f"p{l2} {l1}", f"q{r1} {r2}", f"t{l2} {l1} {r1}", f"u{l1} {r1} {r2}",
        f"a{a1}", f"b{b1}", f"c{a2} {a1}", f"d{b1} {b2}", f"e{a2} {a1} {b1}", f"f{a1} {b1} {b2}",
        f"g{a2} {a1} {b1} {b2}", f"h{l1} {b1}", f"i{a1} {r1}", f"j{l1} {b1} {b2}",
    ]  # fmt: skip
    around = (*words[max(0, start - REACH) : start], *words[end : end + REACH])
    return found + [f"w{word}" for word in set(around) if len(word) > 2 and word not in _FUNCTION_WORDS]


def digest(feature: str) -> int:
    """The 32 bits that stand for a feature."""
    return zlib.crc32(feature.encode())


@dataclass(frozen=True)
class ConfusableSet:
    """Words that are written for one another, with the weights that tell them apart.

    `bounds[i][j]` is what the score of member j must have more than that of member i, which is written; None if j is
    never put for i.
    """

    members: tuple[Tokens, ...]
    bounds: tuple[tuple[float | None, ...], ...]
    bias: np.ndarray[Any, Any]
    keys: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any]

    def choose(self, words: Sequence[str], start: int, written: int) -> tuple[int, bool] | None:
        """The member that fits a place where member `written` stands, and whether that is sure; None if it may stay."""
        end = start + len(self.members[written])
        scores = self.bias + self._sum(near_features(words, start, end))
        if scores.argmax() == written:
            return None  # where the two words beside it speak for what is written, others hardly ever outweigh them
        scores = scores + self._sum(far_features(words, start, end))
        best, bounds = int(scores.argmax()), self.bounds[written]
        gain, bound = scores[best] - scores[written], bounds[best]
        if bound is not None and gain > bound:
            return best, True
        return (best, False) if gain > HINT else None

    def _sum(self, features: Sequence[str]) -> np.ndarray[Any, Any]:
        digests = np.array([digest(feature) for feature in features], dtype=np.uint32)
        places = np.searchsorted(self.keys, digests)
        places[places == len(self.keys)] = 0
        total: np.ndarray[Any, Any] = self.weights[places[self.keys[places] == digests]].sum(0, dtype=np.float32)
        return total / SCALE


# What a score must have more to be a hint.
HINT = 1.5
_HYPHENS = frozenset("- – — / _ .".split())
_QUOTES = frozenset("\" “ ” ‘ ’ ' ` `` ''".split())


class Confusables:
    """All sets, found by the words that are written."""

    def __init__(self, sets: Sequence[ConfusableSet]) -> None:
        self.sets = tuple(sets)
        self._by_word: dict[str, list[tuple[ConfusableSet, int]]] = {}
        for one in self.sets:
            for number, member in enumerate(one.members):
                self._by_word.setdefault(member[0], []).append((one, number))

    def propose(self, lowered: Sequence[str], tokens: Tokens) -> Iterator[tuple[Edit, bool]]:
        """The edits of a sentence, and whether each is sure; `lowered` has its tokens in small letters."""
        words: list[str] | None = None
        for start, word in enumerate(lowered):
            for one, written in self._by_word.get(word, ()):
                old = one.members[written]
                end = start + len(old)
                if tuple(lowered[start:end]) != old or _is_mentioned(tokens, start, end):
                    continue
                words = words or [normalise(token) for token in tokens]
                chosen = one.choose(words, start, written)
                if chosen is not None:
                    yield Edit(start, end, _written(tokens[start], one.members[chosen[0]])), chosen[1]


def _is_mentioned(tokens: Tokens, start: int, end: int) -> bool:
    """Whether a word is a part of a name or a compound, or spoken of: `Desert Storm`, `right-to-know`, "whose"."""
    first = tokens[start]
    before = tokens[start - 1] if start else ""
    after = tokens[end] if end < len(tokens) else ""
    if before in _HYPHENS or after in _HYPHENS - {"."} or (before in _QUOTES and after in _QUOTES):
        return True
    is_capital = first[:1].isupper() and first != "I"
    return is_capital and ((start > 0 and before not in _QUOTES) or (len(first) > 1 and first.isupper()))


def _written(old: str, new: Tokens) -> Tokens:
    words = tuple("I" if word == "i" else word for word in new)
    return (follow_case(old, words[0]), *words[1:])


@cache
def load_confusables() -> Confusables:
    """The sets that come with errata."""
    content = files(__package__).joinpath("confusables.bin").read_bytes()
    head, _, data = content.partition(b"\n")
    return Confusables(list(_read_sets(json.loads(head), data)))


def _read_sets(entries: Sequence[Mapping[str, Any]], data: bytes) -> Iterator[ConfusableSet]:
    position = 0
    for entry in entries:
        members = tuple(tuple(member.split()) for member in entry["members"])
        n_features = entry["features"]
        keys = np.frombuffer(data, dtype="<u4", count=n_features, offset=position)
        position += 4 * n_features
        weights = np.frombuffer(data, dtype="i1", count=n_features * len(members), offset=position)
        position += n_features * len(members)
        yield ConfusableSet(
            members,
            tuple(map(tuple, entry["bounds"])),
            np.array(entry["bias"], dtype=np.float32),
            keys,
            weights.reshape(n_features, len(members)),
        )


def format_sets(sets: Sequence[ConfusableSet]) -> bytes:
    """The sets as `load_confusables` reads them."""
    entries = [
        {
            "members": [" ".join(member) for member in one.members],
            "features": len(one.keys),
            "bias": [round(float(value), 3) for value in one.bias],
            "bounds": one.bounds,
        }
        for one in sets
    ]
    head = json.dumps(entries, separators=(",", ":")).encode()
    return (
        head + b"\n" + b"".join(one.keys.astype("<u4").tobytes() + one.weights.astype("i1").tobytes() for one in sets)
    )
