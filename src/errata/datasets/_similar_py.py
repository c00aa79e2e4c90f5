"""Texts that are nearly those of an index, in plain Python: what is computed, without regard to speed.

The compiled twin is `_similar_c.pyx`. `datasets.similar` has the definition in words.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from errata.datasets.letters import GAP, LAST, UNIT

# In the place of edits: a copy, and a copy of a text too short to have near duplicates.
EXACT, SHORT = -1, -2
APOSTROPHES = "'’ʼ"
# `do n't` and `it 's` are the words of `don't` and `it's`. One space: looking over more would take quadratic time.
_CLITIC = re.compile(rf"\s(?:[Nn][{APOSTROPHES}][Tt]|[{APOSTROPHES}](?:[SsDdMmTt]|[RrVv][Ee]|[Ll][Ll]))(?!\w)")

Units = tuple[tuple[int, ...], ...]


def split_units(text: str, table: array[int]) -> Units:
    """The units of a text: words as the letters that they count as, Han characters one by one."""
    units: list[tuple[int, ...]] = []
    word: list[int] = []
    for place, character in enumerate(text):
        code = ord(character)
        letter = table[code] if code < LAST else GAP
        if letter and not letter & UNIT:
            word.append(letter)
            continue
        if word and character in APOSTROPHES and _is_letter(text[place + 1 : place + 2], table):
            continue
        if word and character.isspace() and _CLITIC.match(text, place):
            continue
        if word:
            units.append(tuple(word))
            word.clear()
        if letter:
            units.append((letter,))
    return (*units, tuple(word)) if word else tuple(units)


def _is_letter(character: str, table: array[int]) -> bool:
    letter = table[ord(character)] if character and ord(character) < LAST else GAP
    return bool(letter) and not letter & UNIT


def count_edits(pattern: Sequence[object], text: Sequence[object], limit: int) -> int:
    """The fewest edits that make `pattern` a stretch of `text`; `limit` + 1 if they are more (Sellers 1980)."""
    column = list(range(len(pattern) + 1))
    fewest = column[-1]
    for unit in text:
        diagonal = 0
        for row, own in enumerate(pattern, 1):
            old = column[row]
            column[row] = diagonal if own == unit else 1 + min(diagonal, old, column[row - 1])
            diagonal = old
        fewest = min(fewest, column[-1])
    return min(fewest, limit + 1)


class Index:
    """Texts to be found again, exactly or nearly; the numbers that `find` gives are their places."""

    def __init__(
        self, texts: Sequence[str], table: array[int], *, edit_per: int, words: int, characters: int, window: int
    ) -> None:
        self._table, self._edit_per, self._window = table, edit_per, window
        self._shortest = {False: words, True: characters}
        self._whole: dict[tuple[int, ...], list[int]] = defaultdict(list)
        self._pieces: list[tuple[int, Units]] = []  # the number of a text, and some of its units
        self._runs: dict[Units, list[int]] = defaultdict(list)  # three units → the pieces that have them
        for number, text in enumerate(texts):
            units = split_units(text, table)
            if units:
                self._whole[_join(units)].append(number)
            for piece in self._cut(units):
                for run in set(_runs(piece)):
                    self._runs[run].append(len(self._pieces))
                self._pieces.append((number, piece))

    def find(self, text: str) -> list[tuple[int, int]]:
        """The numbers of the texts that are nearly `text`, with the edits between them, or `SHORT` or `EXACT`."""
        units = split_units(text, self._table)
        copy = SHORT if self._is_short(units) else EXACT
        fewest = dict.fromkeys(self._whole.get(_join(units), ()), copy) if units else {}
        for piece in self._cut(units):
            shared = Counter(place for run in set(_runs(piece)) for place in self._runs.get(run, ()))
            for place, count in shared.items():
                number, other = self._pieces[place]
                shorter, longer = (piece, other) if len(piece) <= len(other) else (other, piece)
                limit = len(shorter) // self._edit_per
                # An edit touches three runs of three at most; all others are in both.
                if count >= len(set(_runs(shorter))) - 3 * limit and fewest.get(number, 0) >= 0:
                    edits = count_edits(shorter, longer, limit)
                    if edits <= limit:
                        fewest[number] = min(edits, fewest.get(number, edits))
        return sorted(fewest.items())

    def _is_short(self, units: Units) -> bool:
        n_characters = sum(unit[0] & UNIT > 0 for unit in units)
        return len(units) < self._shortest[2 * n_characters > len(units)]

    def _cut(self, units: Units) -> Iterator[Units]:
        """The text, in overlapping windows if it is long; nothing if it is too short to be nearly another."""
        if self._is_short(units):
            return
        step = self._window // 2
        for start in range(0, max(1, len(units) - step), step) if len(units) > self._window else (0,):
            yield units[start : start + self._window]


def _runs(units: Units) -> Iterator[Units]:
    return (units[i : i + 3] for i in range(len(units) - 2))


def _join(units: Units) -> tuple[int, ...]:
    return tuple(letter for unit in units for letter in unit)
