"""Word tables that the noises look things up in: compiled once (`lexicon`, `hanzi`), saved with the model."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Any

# The tags of a paradigm's forms, in the order they are saved.
PARADIGM_TAGS = {
    "NOUN": ("NN", "NNS"),
    "VERB": ("VB", "VBD", "VBG", "VBN", "VBZ"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB", "RBR", "RBS"),
}
MISSING = "-"
# Both halves of a word that is torn apart have at least this share of all words: `in to`, not `ca mel`.
SPLIT_SHARE = 2e-5


@dataclass
class EnglishTables:
    """What the English noises know about words.

    `frequency` counts words in lower case. `paradigms` holds for each part of speech the forms of a lemma in the order
    of `PARADIGM_TAGS`, separated by spaces. `misspellings` and `confusables` are by correct word; `spelling` are the
    rules of a `SpellingChannel`.
    """

    frequency: dict[str, int] = field(default_factory=dict)
    paradigms: dict[str, list[str]] = field(default_factory=dict)
    misspellings: dict[str, list[str]] = field(default_factory=dict)
    confusables: dict[str, list[str]] = field(default_factory=dict)
    spelling: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    @cached_property
    def _paradigms_of(self) -> dict[str, list[tuple[str, list[str]]]]:
        """Form → the paradigms it belongs to."""
        found: dict[str, list[tuple[str, list[str]]]] = {}
        for part, lines in self.paradigms.items():
            for line in lines:
                forms = line.split(" ")
                for form in dict.fromkeys(forms):
                    if form != MISSING:
                        found.setdefault(form, []).append((part, forms))
        return found

    @cached_property
    def _split_threshold(self) -> float:
        return SPLIT_SHARE * sum(self.frequency.values())

    def forms(self, word: str) -> Iterable[tuple[str, str, str]]:
        """(tag of the word, other tag, form with that tag) for all readings of the word."""
        for part, forms in self._paradigms_of.get(word, ()):
            tags = PARADIGM_TAGS[part]
            for source, form in zip(tags, forms, strict=True):
                if form != word:
                    continue
                for target, other in zip(tags, forms, strict=True):
                    if target != source and other != MISSING:
                        yield source, target, other

    def tags(self, word: str) -> str:
        """All tags the word can have, as `NN/VB`; empty for unknown words."""
        found = {
            tag
            for part, forms in self._paradigms_of.get(word, ())
            for tag, form in zip(PARADIGM_TAGS[part], forms, strict=True)
            if form == word
        }
        return "/".join(sorted(found))

    def regularised(self, word: str) -> str | None:
        """What an irregular form would be by rule (`went` → `goed`, `children` → `childs`), None for regular ones."""
        for part, forms in self._paradigms_of.get(word, ()):
            if part == "VERB" and word in (forms[1], forms[3]) and word != forms[0]:
                regular = regular_past(forms[0])
            elif part == "NOUN" and word == forms[1] and word != forms[0]:
                regular = regular_plural(forms[0])
            else:
                continue
            if regular != word and MISSING not in (forms[0], word):
                return regular
        return None

    def splits(self, word: str) -> list[tuple[str, str]]:
        """The ways to tear the word into two common words."""
        count = self.frequency.get
        floor = self._split_threshold
        return [
            (word[:i], word[i:])
            for i in range(2, len(word) - 1)
            if count(word[:i], 0) > floor and count(word[i:], 0) > floor
        ]

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EnglishTables:
        spelling = {key: [(wrong, n) for wrong, n in rules] for key, rules in data["spelling"].items()}
        return cls(**{**data, "spelling": spelling})


@dataclass
class ChineseTables:
    """What the Chinese noises know about characters and words.

    `frequency` counts words and characters; it is also the dictionary of the segmenter. The others map a character to
    a string of characters that sound the same, sound nearly the same or look alike, and a word to others that sound
    the same or mean nearly the same.
    """

    frequency: dict[str, int] = field(default_factory=dict)
    same_sound: dict[str, str] = field(default_factory=dict)
    near_sound: dict[str, str] = field(default_factory=dict)
    glyphs: dict[str, str] = field(default_factory=dict)
    word_sounds: dict[str, list[str]] = field(default_factory=dict)
    synonyms: dict[str, list[str]] = field(default_factory=dict)

    LONGEST_WORD = 4
    MAX_SIBLINGS = 25

    def segment(self, text: str) -> list[int]:
        """The word boundaries of a text, 0 and its length included, by forward maximum matching."""
        known, longest_of = self.frequency, self._longest_with.get
        bounds = [0]
        i = 0
        while i < len(text):
            longest = min(longest_of(text[i : i + 2], 1), len(text) - i)
            while longest > 2 and text[i : i + longest] not in known:
                longest -= 1
            i += longest if longest != 2 or text[i : i + 2] in known else 1
            bounds.append(i)
        return bounds

    @cached_property
    def _longest_with(self) -> dict[str, int]:
        """The length of the longest word that begins with these two characters."""
        found: dict[str, int] = {}
        for word in self.frequency:
            if 2 <= len(word) <= self.LONGEST_WORD:
                found[word[:2]] = max(found.get(word[:2], 0), len(word))
        return found

    def draw_like(self, candidates: str, rng: Random) -> str:
        """One of the characters, common ones more often."""
        weights = self._weights(candidates)
        return candidates[min(bisect_right(weights, rng.random() * weights[-1]), len(candidates) - 1)]

    def draw_sibling(self, word: str, rng: Random) -> str | None:
        """Another common word of two characters that shares the first or the second, common ones more often."""
        form = word[0] + "_" if rng.random() < 0.5 else "_" + word[1]
        words, weights = self._siblings.get(form, ((), ()))
        if not words:
            return None
        found = words[min(bisect_right(weights, rng.random() * weights[-1]), len(words) - 1)]
        return None if found == word else found

    @cached_property
    def _siblings(self) -> dict[str, tuple[Sequence[str], Sequence[float]]]:
        """`规_` or `_则` → the most common words of that form, with cumulated weights."""
        forms: dict[str, list[str]] = {}
        for word in self.frequency:
            if len(word) == 2:
                for form in (word[0] + "_", "_" + word[1]):
                    forms.setdefault(form, []).append(word)
        count = self.frequency.__getitem__
        top = {form: sorted(words, key=lambda w: (-count(w), w))[: self.MAX_SIBLINGS] for form, words in forms.items()}
        return {form: (words, list(accumulate(count(w) ** 0.5 for w in words))) for form, words in top.items()}

    def _weights(self, candidates: str) -> list[float]:
        found = self._weights_of.get(candidates)
        if found is None:
            found = list(accumulate(float(self.frequency.get(c, 0) + 1) ** 0.5 for c in candidates))
            self._weights_of[candidates] = found
        return found

    @cached_property
    def _weights_of(self) -> dict[str, list[float]]:
        return {}

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ChineseTables:
        return cls(**data)


Tables = EnglishTables | ChineseTables


def regular_past(lemma: str) -> str:
    """The lemma with -ed: `go` → `goed`, `try` → `tried`, `make` → `maked`."""
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return lemma[:-1] + "ied"
    return lemma + "ed"


def regular_plural(lemma: str) -> str:
    """The lemma with -s: `child` → `childs`, `city` → `cities`."""
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + "s"
