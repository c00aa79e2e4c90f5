"""Paragraphs that contain Chinese evaluation sentences, found fast enough for hundreds of millions of characters.

The rule of `zh_held_out`, read from the evaluation sentence's side: a paragraph may be long, so it overlaps when it
contains two fifths of one sentence's runs of ten characters. Sentences shorter than one run must be equal to a sentence
of the paragraph. Runs are hashed with numpy, many paragraphs at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from benchmarks.models.zh_held_out import NEAR, SHINGLE, SHORTEST

# Bits of the table that answers "certainly no run of an evaluation sentence" before the exact search.
FILTER_BITS = 28
_PRIME = 0x9E3779B97F4A7C15  # odd, so that multiplying by its powers loses no bits of the characters
_SENTENCE = re.compile(r"[^。！？!?]+")
# Characters of a raw sentence that can be a short evaluation sentence: its normal form and some punctuation.
SHORT_RAW = SHINGLE + 6
_LARGEST_CODE = 0x110000

Hashes = npt.NDArray[np.uint64]


class Overlap:
    """An index of evaluation sentences in normal form; `simple` maps traditional characters to simplified ones."""

    def __init__(self, sentences: Iterable[str], simple: Mapping[int, str]) -> None:
        self._letters = _letters(simple)
        distinct = sorted(set(sentences))
        self._short = {one for one in distinct if SHORTEST <= len(one) < SHINGLE}
        long = [one for one in distinct if len(one) >= SHINGLE]
        hashes, owners = self._hashes(long)
        order = np.argsort(hashes, kind="stable")
        self._runs, self._owners = hashes[order], owners[order]
        self._needed = np.array([math.ceil(NEAR * (len(one) - SHINGLE + 1)) for one in long], np.int64)
        self._may_be = np.zeros(1 << FILTER_BITS, np.bool_)
        self._may_be[hashes >> np.uint64(64 - FILTER_BITS)] = True

    def find(self, paragraphs: Sequence[str]) -> set[int]:
        """The positions of the paragraphs that contain an evaluation sentence or two fifths of one."""
        return self._with_runs(paragraphs) | {i for i, text in enumerate(paragraphs) if self._has_short(text)}

    def _with_runs(self, paragraphs: Sequence[str]) -> set[int]:
        hashes, places = self._hashes(paragraphs)
        candidates = np.flatnonzero(self._may_be[hashes >> np.uint64(64 - FILTER_BITS)])
        hashes, places = hashes[candidates], places[candidates]
        first = np.searchsorted(self._runs, hashes, "left")
        counts = np.searchsorted(self._runs, hashes, "right") - first
        # One row for every evaluation sentence that has the run: its entries lie side by side in the sorted index.
        starts = np.cumsum(counts) - counts
        entries = np.repeat(first - starts, counts) + np.arange(counts.sum())
        rows = np.stack((np.repeat(places, counts), self._owners[entries], entries), axis=1)
        rows = np.unique(rows, axis=0)  # a run that the paragraph repeats counts once
        pairs, found = np.unique(rows[:, :2], axis=0, return_counts=True)
        return set(pairs[found >= self._needed[pairs[:, 1]], 0].tolist())

    def _has_short(self, paragraph: str) -> bool:
        return any(
            SHORTEST <= len(sentence) <= SHORT_RAW and self._normal(sentence) in self._short
            for sentence in _SENTENCE.findall(paragraph)
        )

    def _normal(self, text: str) -> str:
        return "".join(chr(code) for code in self._letters[_codes(text)] if code)

    def _hashes(self, texts: Sequence[str]) -> tuple[Hashes, npt.NDArray[np.int64]]:
        """Every run of every text as a hash, and the position of its text."""
        codes = _codes("\n".join(texts))
        places = np.cumsum(codes == ord("\n"))
        letters = self._letters[codes]
        kept = letters > 0
        letters, places = letters[kept].astype(np.uint64), places[kept]
        n_runs = max(0, len(letters) - SHINGLE + 1)
        hashes = np.zeros(n_runs, np.uint64)
        for offset in range(SHINGLE):
            hashes = (hashes + letters[offset : offset + n_runs]) * np.uint64(_PRIME)
        hashes ^= hashes >> np.uint64(29)
        hashes *= np.uint64(_PRIME)  # the high bits, which the filter uses, now depend on all characters
        inside = places[:n_runs] == places[SHINGLE - 1 : SHINGLE - 1 + n_runs]
        return hashes[inside], places[:n_runs][inside]


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _letters(simple: Mapping[int, str]) -> npt.NDArray[np.uint32]:
    """By code point: the character of the normal form, or 0 for what it leaves out."""
    table = np.zeros(_LARGEST_CODE, np.uint32)
    for first, last in (("0", "9"), ("a", "z"), ("\u3400", "\u9fff")):
        table[ord(first) : ord(last) + 1] = np.arange(ord(first), ord(last) + 1)
    table[ord("A") : ord("Z") + 1] = table[ord("a") : ord("z") + 1]
    for code, character in simple.items():
        table[code] = table[ord(character)]
    return table
