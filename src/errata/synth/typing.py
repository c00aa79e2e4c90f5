"""Slips inside a word: of the fingers (keyboard neighbours) and of the ear (letter groups learnt from misspellings)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random

from errata.synth.sampler import choose

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def _neighbours() -> dict[str, str]:
    found: dict[str, str] = {}
    for y, row in enumerate(_ROWS):
        for x, letter in enumerate(row):
            near = row[max(x - 1, 0) : x] + row[x + 1 : x + 2]
            if y:
                near += _ROWS[y - 1][x : x + 2]
            if y + 1 < len(_ROWS):
                near += _ROWS[y + 1][max(x - 1, 0) : x + 1]
            found[letter] = near
    return found


NEIGHBOURS = _neighbours()


def mistype(word: str, rng: Random) -> str | None:
    """The word with one slip (two letters swapped, one dropped, doubled, hit beside or in addition), or None.

    The first letter stays, as it nearly always does in real text.
    """
    if len(word) < 3 or not word.isalpha():
        return None
    kind = rng.random()
    i = 1 + int(rng.random() * (len(word) - 1))
    letter = word[i]
    near = NEIGHBOURS.get(letter.lower())
    if kind < 0.25:
        if i + 1 >= len(word) or word[i + 1] == letter:
            return None
        return word[:i] + word[i + 1] + letter + word[i + 2 :]
    if kind < 0.55:
        return word[:i] + word[i + 1 :]
    if kind < 0.70:
        return word[:i] + letter + word[i:]
    if near is None:
        return None
    other = near[int(rng.random() * len(near))]
    return word[:i] + other + word[i + (kind < 0.85) :]


class SpellingChannel:
    """What people write for a letter group, by the letter before it, counted from right and wrong spellings.

    `rules` maps `left + "\\t" + right letters` to `[wrong letters, count]` pairs; left is one letter or `^`.
    """

    LONGEST = 3

    def __init__(self, rules: Mapping[str, Sequence[tuple[str, int]]]) -> None:
        self._rules = {
            key: ([wrong for wrong, _ in pairs], list(accumulate(float(count) for _, count in pairs)))
            for key, pairs in rules.items()
        }

    def misspell(self, word: str, rng: Random) -> str | None:
        """The word with one letter group replaced as people do it, or None when nothing fits."""
        lower = word.lower()
        if len(lower) != len(word):
            return None
        weights: list[float] = []
        changes: list[tuple[int, int, list[str], list[float]]] = []
        get = self._rules.get
        for i in range(len(word) + 1):
            left = lower[i - 1] if i else "^"
            for length in range(self.LONGEST + 1):
                if i + length > len(word):
                    break
                rule = get(f"{left}\t{lower[i : i + length]}")
                if rule:
                    weights.append(rule[1][-1])
                    changes.append((i, i + length, *rule))
        if not weights:
            return None
        start, end, wrongs, counts = changes[choose(list(accumulate(weights)), rng)]
        wrong = wrongs[choose(counts, rng)]
        if word[start:end].isupper() and end > start:
            wrong = wrong.upper() if word.isupper() else wrong[:1].upper() + wrong[1:]
        changed = word[:start] + wrong + word[end:]
        return changed if changed and changed != word else None


def learn_spelling(pairs: Mapping[tuple[str, str], int], min_count: int) -> dict[str, list[tuple[str, int]]]:
    """The rules of a `SpellingChannel` from (right, wrong) spellings with their counts."""
    from rapidfuzz.distance import Levenshtein

    counts: Counter[tuple[str, str]] = Counter()
    for (right, wrong), count in pairs.items():
        right, wrong = right.lower(), wrong.lower()
        for op in Levenshtein.opcodes(right, wrong):
            if (
                op.tag == "equal"
                or op.src_end - op.src_start > SpellingChannel.LONGEST
                or op.dest_end - op.dest_start > 3
            ):
                continue
            left = right[op.src_start - 1] if op.src_start else "^"
            counts[f"{left}\t{right[op.src_start : op.src_end]}", wrong[op.dest_start : op.dest_end]] += count
    rules: dict[str, list[tuple[str, int]]] = {}
    for (key, wrong), count in sorted(counts.items()):
        if count >= min_count:
            rules.setdefault(key, []).append((wrong, count))
    return rules
