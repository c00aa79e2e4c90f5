"""Words of a corpus: how often each occurs, with which tag, and beside which others; and groups of words.

`WordCounts` is learnt from correct text. As a language model it is a bigram with absolute discounting. A sentence that
was learnt from does not speak for itself: its own occurrences are taken off when it is scored.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise

from errata.synth.perturb.texts import Text
from errata.text.english_words import FUNCTION_WORDS

EDGE = "\n"  # before the first and after the last word
# Taken off every count of a pair, for pairs that were never seen: the usual value of absolute discounting.
DISCOUNT = 0.75
# Kinds of English groups whose words are inflected.
_INFLECTED = frozenset({"noun", "object", "clause"})


@cache
def read_groups(language: str) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Kind → groups of words that may stand for each other; lists of words to insert are groups of one."""
    content = tomllib.loads(files(__package__).joinpath("groups.toml").read_text(encoding="utf-8"))
    return {kind: tuple(tuple(group.split()) for group in groups) for kind, groups in content[language].items()}


@cache
def _mates(language: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(Kind, word) → the other words of its groups."""
    found: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for kind, groups in read_groups(language).items():
        for group in groups:
            for word in group if len(group) > 1 else ():
                found[kind, word].update(dict.fromkeys(other for other in group if other != word))
    return {key: tuple(words) for key, words in found.items()}


@cache
def find_mates(language: str, kind: str, text: str, lemma: str, tag: str) -> tuple[str, ...]:
    """The words of its groups that may stand for a word, in its form."""
    if language != "en" or kind not in _INFLECTED:
        return _mates(language).get((kind, text), ())
    return tuple(filter(None, (inflect(mate, tag) for mate in _mates(language).get((kind, lemma.lower()), ()))))


@cache
def inflect(lemma: str, tag: str) -> str:
    """The form of a lemma under a Penn tag; empty if there is none."""
    if tag in ("NN", "VB", "VBP"):
        return lemma
    from lemminflect import getInflection

    found: tuple[str, ...] = getInflection(lemma, tag=tag)
    return found[0] if found else ""


@dataclass
class WordCounts:
    """Counts of words and pairs in `n_sentences` sentences of a language."""

    language: str
    n_sentences: int = 0
    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_tag: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lemmas: dict[str, str] = field(default_factory=dict)
    # Singular nouns seen after `a`, and adjectives seen after `very`: those that can be counted, and compared.
    countable: Counter[str] = field(default_factory=Counter)
    gradable: Counter[str] = field(default_factory=Counter)
    _after: dict[str, Counter[str]] = field(default_factory=dict, repr=False)
    _before: dict[str, Counter[str]] = field(default_factory=dict, repr=False)
    _total: int = 0

    def add(self, text: Text) -> None:
        """Learn from a sentence."""
        self.n_sentences += 1
        line = plain_words(text)
        self.words.update(line[1:])
        self.pairs.update(pairwise(line))
        for number, word in enumerate(text.words):
            lower = word.text.lower()
            if number or not word.text[:1].isupper():
                self.by_tag[word.tag][word.text if word.tag == "NNP" else lower] += 1
                self.lemmas[lower] = word.lemma
            before = text.words[number - 1].text.lower() if number else ""
            if word.tag == "NN" and before in ("a", "an", "another", "every", "each"):
                self.countable[lower] += 1
            if word.tag == "JJ" and before in ("very", "really", "so", "too", "extremely"):
                self.gradable[lower] += 1

    def finish(self) -> WordCounts:
        """The counts, ready to be asked."""
        self._total = self.words.total()
        self._after, self._before = {}, {}
        for (first, second), count in self.pairs.items():
            self._after.setdefault(first, Counter())[second] = count
            self._before.setdefault(second, Counter())[first] = count
        return self

    def followers(self, word: str) -> Mapping[str, int]:
        """The words seen after a word."""
        return self._after.get(word, {})

    def preceding(self, word: str) -> Mapping[str, int]:
        """The words seen before a word."""
        return self._before.get(word, {})

    def shared_neighbours(self, word: str, other: str) -> int:
        """How many words with a meaning of their own were seen right before both, or right after both."""
        before = self.preceding(word).keys() & self.preceding(other).keys()
        after = self.followers(word).keys() & self.followers(other).keys()
        return sum(one.isalpha() and one not in FUNCTION_WORDS for found in (before, after) for one in found)

    def difference(self, words: Sequence[str], start: int, end: int, new: Sequence[str], *, is_learnt: bool) -> float:
        """Log-probability of words with [start, end) replaced by `new`, minus that of the words themselves.

        `is_learnt` says that the words are a sentence that was counted.
        """
        line = [EDGE, *words, EDGE]
        own = _Own(line if is_learnt else ())
        left, right = line[start], line[end + 1]
        return self._log(left, [*new, right], own) - self._log(left, [*line[start + 1 : end + 1], right], own)

    def _log(self, previous: str, following: Iterable[str], own: _Own) -> float:
        total = 0.0
        for word in following:
            total += math.log(self._probability(previous, word, own))
            previous = word
        return total

    def _probability(self, first: str, second: str, own: _Own) -> float:
        n_first = (self.n_sentences if first == EDGE else self.words[first]) - own.firsts[first]
        alone = (max(self.words[second] - own.seconds[second], 0) + 1) / (self._total + len(self.words) + 1)
        if n_first <= 0:
            return alone
        seen = max(self.pairs[first, second] - own.pairs[first, second] - DISCOUNT, 0.0)
        rest = min(1.0, DISCOUNT * max(len(self.followers(first)), 1) / n_first)
        return seen / n_first + rest * alone


class _Own:
    """The occurrences that a sentence itself brought to the counts."""

    def __init__(self, line: Sequence[str]) -> None:
        self.pairs = Counter(pairwise(line))
        self.firsts, self.seconds = Counter(line[:-1]), Counter(line[1:])


def plain_words(text: Text) -> list[str]:
    """The words of a text in lower case, between its edges."""
    return [EDGE, *(word.text.lower() for word in text.words), EDGE]
