"""What the substitution cost needs to know about each token, interned so that the kernels work on integers.

The cost of replacing one token by another is the sum of three parts (ChERRANT's):

- meaning: how far apart the two are in the thesaurus;
- shape and sound: nothing if they share a reading or are known to be confused;
- class: punctuation is seldom replaced by a word.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from errata.edits.zh.characters import PUNCTUATION, is_hanzi
from errata.edits.zh.lexicon import Lexicon
from errata.edits.zh.readings import toneless_readings

# meaning by the number of agreeing code parts (0–3); a token outside the thesaurus costs as much as one agreement.
MEANING = (6 / 6, 4 / 6, 2 / 6, 0.0)
MEANING_UNKNOWN = 4 / 6
UNLIKE = 0.5
# class by the number of punctuation marks among the two tokens.
CLASS = (0.25, 0.499, 0.0)

IS_HANZI = 1
IS_PUNCTUATION = 2

# A table larger than this is thrown away and begun anew, so that streaming stays flat in memory (a corpus has some
# thousand characters, but words never end).
MAX_TOKENS = 100_000
MAX_CACHED_COSTS = 500_000

# Words of 64 bits in the filter over confusable characters; lists have about a hundred, so that one pair in twenty
# passes by chance.
MASK_WORDS = 32
# Stands for a token of several characters, which nothing is confused with; beyond Unicode, but not negative.
NO_CODE_POINT = 0x110000


class _Features(NamedTuple):
    token: str
    flags: int
    code: tuple[int, ...]
    readings: frozenset[int]
    confusions: frozenset[str]


class _Costs(dict[int, float]):
    """Costs of replacing one token, filled in as they are looked up."""

    def __init__(self, table: TokenTable, token: int) -> None:
        super().__init__()
        self._table, self._token = table, token

    def __missing__(self, other: int) -> float:
        cost = self[other] = self._table.compute_substitution(self._token, other)
        return cost


class TokenTable:
    """Tokens numbered in order of first appearance, with their features in flat arrays the compiled kernel reads.

    Readings and confusable characters of token `t` are `readings[reading_at[t]:reading_at[t + 1]]` (numbers of
    syllables) and `confusions[confusion_at[t]:confusion_at[t + 1]]` (code points). The masks are Bloom
    filters over the same: most pairs have nothing in common, and a clear bit says so at once.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._numbers: dict[str, int] = {}
        self._known: list[_Features] = []
        self._syllables: dict[str, int] = {}
        self._parts: dict[str, int] = {}
        self._costs: dict[int, _Costs] = {}
        self._n_costs = 0
        self.flags = array("i")
        self.code_points = array("i")
        self.codes = array("i")
        self.reading_at = array("i", [0])
        self.readings = array("i")
        self.reading_masks = array("Q")
        self.confusion_at = array("i", [0])
        self.confusions = array("i")
        self.confusion_masks = array("Q")

    def __len__(self) -> int:
        return len(self._numbers)

    def intern(self, tokens: Sequence[str]) -> array[int]:
        """The number of each token; new ones are analysed first."""
        numbers = self._numbers
        try:
            return array("i", [numbers[token] for token in tokens])
        except KeyError:
            self._add([token for token in dict.fromkeys(tokens) if token not in numbers])
            return array("i", [numbers[token] for token in tokens])

    def _add(self, tokens: list[str]) -> None:
        hanzi = [token for token in tokens if is_hanzi(token)]
        readings = dict(zip(hanzi, toneless_readings(hanzi), strict=True)) if hanzi else {}
        for token in tokens:
            self._numbers[token] = len(self._numbers)
            self._append(
                _Features(
                    token,
                    IS_HANZI * (token in readings) + IS_PUNCTUATION * (token in PUNCTUATION),
                    tuple(_number(self._parts, part) for part in self._lexicon.code_parts(token)),
                    frozenset(_number(self._syllables, syllable) for syllable in readings.get(token, ())),
                    frozenset(self._lexicon.confusions_of(token)),
                )
            )

    def _append(self, new: _Features) -> None:
        confusable = array("i", [ord(character) for character in new.confusions])
        self._known.append(new)
        self.flags.append(new.flags)
        self.code_points.append(ord(new.token) if len(new.token) == 1 else NO_CODE_POINT)
        self.codes.extend(new.code or (0, 0, 0))
        self.readings.extend(new.readings)
        self.reading_at.append(len(self.readings))
        self.reading_masks.extend(_masks(new.readings, 1))
        self.confusions.extend(confusable)
        self.confusion_at.append(len(self.confusions))
        self.confusion_masks.extend(_masks(confusable, MASK_WORDS))

    def substitution_costs(self, a: int) -> Mapping[int, float]:
        """The cost of replacing token `a` by each other token, computed as it is asked for."""
        if self._n_costs >= MAX_CACHED_COSTS:
            self._costs.clear()
            self._n_costs = 0
        costs = self._costs.get(a)
        if costs is None:
            costs = self._costs[a] = _Costs(self, a)
        return costs

    def compute_substitution(self, a: int, b: int) -> float:
        """The cost of replacing token `a` by another token `b`."""
        self._n_costs += 1
        x, y = self._known[a], self._known[b]
        # Sum in this order: other groupings round differently, and ties are decided by exact comparison.
        return _meaning(x.code, y.code) + (0.0 if _is_alike(x, y) else UNLIKE) + _class(x.flags, y.flags)

    def is_alike(self, a: str, b: str) -> bool:
        """Whether two Han tokens share a reading or one is known to be mistaken for the other."""
        x, y = self.intern((a, b))
        return _is_alike(self._known[x], self._known[y])


def _number(known: dict[str, int], item: str) -> int:
    return known.setdefault(item, len(known) + 1)


def _masks(values: Iterable[int], n_words: int) -> list[int]:
    """A filter of `n_words` 64-bit words: value v sets bit v modulo their number of bits."""
    masks = [0] * n_words
    for value in values:
        masks[(value >> 6) % n_words] |= 1 << (value & 63)
    return masks


def _meaning(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    if not (a and b):
        return MEANING_UNKNOWN
    return MEANING[(a[0] == b[0]) + (a[1] == b[1]) + (a[2] == b[2])]


def _class(a: int, b: int) -> float:
    return CLASS[bool(a & IS_PUNCTUATION) + bool(b & IS_PUNCTUATION)]


def _is_alike(a: _Features, b: _Features) -> bool:
    if not a.flags & b.flags & IS_HANZI:
        return False
    return not a.readings.isdisjoint(b.readings) or b.token in a.confusions or a.token in b.confusions
