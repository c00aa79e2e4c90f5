"""Chinese words in running text, found by array arithmetic: a word list, and the longest match from the right.

Whole-word masking needs borders that are mostly right, for hundreds of millions of characters. Longest matches from the
right agree with jieba on most of them and take a tenth of a microsecond a character; jieba takes two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from errata.errors import DataError
from errata.formats.files import read_lines
from errata.places import package_folders
from errata.text.han import HAN

# Longer entries of word lists are names and sayings. Hiding all of one leaves little to guess it from.
LONGEST_WORD = 5
CODE_POINTS = 0x110000
OTHER, CHINESE, ALPHANUMERIC = range(3)  # kinds of characters
_WORD, _RUN = re.compile(f"[{HAN}]{{2,{LONGEST_WORD}}}"), re.compile(f"[{HAN}]+")
# Of the hash of a run of characters; both are large odd numbers, taken at random.
_STEP, _SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
SLOTS_PER_WORD = 8  # of the hash table: few words meet others, and 300,000 words take 32 MB


class WordList:
    """A set of Chinese words, looked up by array."""

    def __init__(self, words: Iterable[str]) -> None:
        kept = sorted(set(filter(_WORD.fullmatch, words)))
        self._bits = max(4, (SLOTS_PER_WORD * len(kept)).bit_length())
        self._slots = np.zeros(1 << self._bits, np.uint64)
        self._put(_hashes(kept))
        self._is_used = self._slots != 0
        self._kinds = _kinds()

    def _put(self, keys: np.ndarray) -> None:
        slots = self._slot(keys)
        while len(keys):
            is_placed = np.zeros(len(keys), bool)
            is_placed[np.unique(slots, return_index=True)[1]] = True  # one key for a slot
            is_placed &= self._slots[slots] == 0
            self._slots[slots[is_placed]] = keys[is_placed]
            keys, slots = keys[~is_placed], (slots[~is_placed] + 1) % len(self._slots)

    def _slot(self, keys: np.ndarray) -> np.ndarray:
        return ((keys * _SPREAD) >> np.uint64(64 - self._bits)).astype(np.int64)

    def _has(self, keys: np.ndarray) -> np.ndarray:
        """The indices of those keys that are words."""
        slots = self._slot(keys)
        # The slot of a word is never empty. Reading this small table first spares most reads of the large one.
        open_keys = np.flatnonzero(self._is_used[slots])
        slots = slots[open_keys]
        words = []
        while len(open_keys):
            found = self._slots[slots]
            is_word = found == keys[open_keys]
            words.append(open_keys[is_word])
            is_open = ~is_word & (found != 0)  # another word has the slot: this one may have the next
            open_keys, slots = open_keys[is_open], (slots[is_open] + 1) % len(self._slots)
        return np.concatenate([*words, np.zeros(0, np.int64)])

    def starts(self, codes: np.ndarray) -> np.ndarray:
        """Whether a word starts at each of the code points `codes`, of which the last is no Chinese character.

        A run of letters and digits is a word, any other character that is not Chinese is one by itself.
        """
        kinds = self._kinds[codes]
        starts: np.ndarray = kinds == OTHER
        starts[:1] = True
        starts[1:] |= kinds[1:] != kinds[:-1]
        is_chinese = kinds == CHINESE
        lengths = self._longest(codes)
        last = np.flatnonzero(is_chinese[:-1] & ~is_chinese[1:])
        while len(last):  # all runs of Chinese at once, a word of each from its end
            first = last - lengths[last] + 1
            starts[first] = True
            last = first - 1
            last = last[is_chinese[last]]  # before the first character (−1) stands the last one, which is not Chinese
        return starts

    def _longest(self, codes: np.ndarray) -> np.ndarray:
        """The length of the longest word that ends at each character."""
        lengths = np.ones(len(codes), np.int64)
        wide = codes.astype(np.uint64)
        keys = wide
        for length in range(2, LONGEST_WORD + 1):
            keys = keys[:-1] * _STEP + wide[length - 1 :]
            lengths[self._has(keys) + length - 1] = length
        return lengths


def read_words(path: Path | None) -> WordList:
    """The words in `path`, or without it in jieba's dictionary."""
    if path is None:
        folders = package_folders("jieba")
        if not folders:
            raise DataError("data.words: a list of Chinese words is needed where jieba is not installed")
        path = folders[0] / "dict.txt"
    return WordList(line.split()[0] for line in read_lines(path) if line.strip())


def _hashes(words: Sequence[str]) -> np.ndarray:
    """The keys of words: what `_longest` makes of the same characters."""
    keys = [np.zeros(0, np.uint64)]
    for length in range(2, LONGEST_WORD + 1):
        letters = "".join(word for word in words if len(word) == length).encode("utf-32-le")
        columns = np.frombuffer(letters, np.uint32).astype(np.uint64).reshape(-1, length).T
        key = columns[0]
        for column in columns[1:]:
            key = key * _STEP + column
        keys.append(key)
    return np.concatenate(keys)


@cache
def _kinds() -> np.ndarray:
    """The kind of every code point."""
    characters = "".join(map(chr, range(CODE_POINTS)))
    kinds = np.array([ALPHANUMERIC if c.isalnum() else OTHER for c in characters], np.uint8)
    for run in _RUN.finditer(characters):
        kinds[run.start() : run.end()] = CHINESE
    return kinds
