"""Spelling by dictionary: the best known word near an unknown one.

Words one edit away (insert, delete, substitute, transpose) are tried first by look-up, words two edits away by a
vectorised comparison with the whole dictionary. There is no index to build, so loading is reading a word list.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from errata.errors import DataError
from errata.text.morphology import follow_case

if TYPE_CHECKING:
    import numpy as np

LETTERS = "abcdefghijklmnopqrstuvwxyz'"
# Shorter words have too many neighbours for a guess without context to be worth anything.
MIN_LENGTH = 4
# Nothing longer is a misspelt word: no list has one, and the strings one edit away grow with the square.
MAX_LENGTH = 60
# A frequent word is taken for a rarer nearer one only when it is this many times more frequent: typos seldom change
# the first letter, and doubling or swapping letters is likelier than other slips.
FIRST_LETTER_PENALTY = 20.0
OTHER_EDIT_PENALTY = 3.0


class Speller:
    """A word list in order of frequency, which corrects words it does not know."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words: tuple[str, ...] = tuple(dict.fromkeys(words))
        self._rank = {word: number for number, word in enumerate(self.words)}
        self._answers: dict[str, str | None] = {}

    @classmethod
    def learn(cls, counts: Counter[str], size: int, min_count: int = 3) -> Speller:
        """The most frequent lower-cased alphabetic words of correct text."""
        merged: Counter[str] = Counter()
        for word, count in counts.items():
            if word.isascii() and word.replace("'", "").isalpha():
                merged[word.lower()] += count
        frequent = sorted(merged.items(), key=lambda item: (-item[1], item[0]))
        return cls(word for word, count in frequent[:size] if count >= min_count)

    def __contains__(self, word: str) -> bool:
        return word.lower() in self._rank

    def correct(self, word: str) -> str | None:
        """The likeliest known word within two edits, with the capitals of `word`; None for known or odd words."""
        lower = word.lower()
        is_word = MIN_LENGTH <= len(lower) <= MAX_LENGTH and lower.isascii() and lower.isalpha()
        if not is_word or lower in self._rank:
            return None
        if lower not in self._answers:
            self._answers[lower] = self._near(lower) or self._far(lower)
        answer = self._answers[lower]
        return follow_case(word, answer) if answer else None

    def suggest(self, word: str, most: int = 3) -> list[str]:
        """The likeliest known words one edit away from an unknown one, with its capitals, the best first.

        >>> Speller(["weird", "wired", "the"]).suggest("Wierd")
        ['Weird', 'Wired']
        """
        lower = word.lower()
        if lower in self._rank or not (MIN_LENGTH <= len(lower) <= MAX_LENGTH and lower.isascii() and lower.isalpha()):
            return []
        best: dict[str, float] = {}
        for score, near in self._scored(lower):
            best[near] = min(score, best.get(near, score))
        return [follow_case(word, near) for near in sorted(best, key=lambda near: best[near])[:most]]

    def _near(self, word: str) -> str | None:
        return min(self._scored(word), default=(0.0, None))[1]

    def _scored(self, word: str) -> Iterator[tuple[float, str]]:
        """The known words one edit away, the likelier the lower their number."""
        for near, penalty in _one_edit(word):
            if near in self._rank:
                yield (self._rank[near] + 1) * penalty * (1 if near[0] == word[0] else FIRST_LETTER_PENALTY), near

    def _far(self, word: str) -> str | None:
        """The most frequent word two edits away that begins with the same letter."""
        import numpy as np

        bags, lengths, firsts = self._shapes
        bag = _bag(word)
        near = (np.abs(lengths - len(word)) <= 2) & (firsts == ord(word[0]))
        candidates = np.flatnonzero(near)
        apart = np.abs(bags[candidates].astype(np.int16) - bag).sum(1)
        nearby: list[int] = candidates[apart <= 4].tolist()
        return next((self.words[number] for number in nearby if _distance(word, self.words[number]) <= 2), None)

    @cached_property
    def _shapes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Letter counts (words, 27), lengths (words,) and first letters (words,) of the dictionary."""
        import numpy as np

        bags = np.stack([_bag(word) for word in self.words]) if self.words else np.zeros((0, 27), np.uint8)
        return bags, np.array([len(w) for w in self.words], int), np.array([ord(w[0]) for w in self.words], int)

    def save(self, path: Path) -> None:
        path.write_bytes(gzip.compress("".join(word + "\n" for word in self.words).encode(), mtime=0))

    @classmethod
    def load(cls, path: Path) -> Speller:
        if not path.is_file():
            raise DataError(f"{path} is missing: the model's tags correct spelling")
        try:
            return cls(gzip.decompress(path.read_bytes()).decode().split())
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise DataError(f"{path} cannot be read: {error}") from error


def _one_edit(word: str) -> Iterator[tuple[str, float]]:
    """Strings one edit away, each with how unlikely the slip is."""
    for i in range(len(word)):
        rest = word[i + 1 :]
        yield word[:i] + rest, 1.0 if i and word[i] == word[i - 1] else OTHER_EDIT_PENALTY
        if i + 1 < len(word) and word[i] != word[i + 1]:
            yield word[:i] + word[i + 1] + word[i] + word[i + 2 :], 1.0
        for letter in LETTERS:
            yield word[:i] + letter + rest, OTHER_EDIT_PENALTY
            yield word[:i] + letter + word[i:], 1.0 if word[i] == letter else OTHER_EDIT_PENALTY
    for letter in LETTERS:
        yield word + letter, 1.0 if word[-1:] == letter else OTHER_EDIT_PENALTY


def _bag(word: str) -> np.ndarray:
    import numpy as np

    bag = np.zeros(27, np.uint8)
    for letter in word:
        bag[LETTERS.find(letter)] += 1
    return bag


def _distance(a: str, b: str) -> int:
    """Edit distance with transpositions of neighbours (optimal string alignment)."""
    before: list[int] = []
    previous = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        current = [i]
        for j, other in enumerate(b, 1):
            best = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and other == a[i - 2]:
                best = min(best, before[j - 2] + 1)
            current.append(best)
        before, previous = previous, current
    return previous[-1]
