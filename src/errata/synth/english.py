"""English noises: each is one method that yields what can go wrong with a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random

from errata.model import Tokens
from errata.synth import everyday
from errata.synth.everyday import Everyday
from errata.synth.learned import LearnedNoise
from errata.synth.sampler import CALL, INSERT, REPLACE, Change, Weighted
from errata.synth.statistics import Statistics
from errata.synth.tables import EnglishTables
from errata.synth.typing import SpellingChannel, mistype
from errata.text import english_words as words
from errata.text.case import capitalise, is_upper, like_case

# A word with a capital inside a sentence is mostly a name: nobody can correct a misspelt name.
NAME_WEIGHT = 0.15
# Inflection rates where no corpus gave any: from → to.
INFLECTIONS = {
    "NN>NNS": 2.0, "NNS>NN": 3.0, "VB>VBZ": 1.0, "VB>VBG": 1.5, "VB>VBD": 1.5, "VBZ>VB": 3.0, "VBD>VB": 2.5,
    "VBD>VBN": 0.5, "VBN>VB": 1.5, "VBN>VBD": 1.0, "VBG>VB": 2.5, "VBG>VBN": 0.5, "VBD>VBG": 0.5, "VBZ>VBD": 1.0,
    "VBZ>VBG": 0.4, "VBD>VBZ": 0.7, "JJR>JJ": 2.0, "JJS>JJ": 2.0, "JJ>JJR": 0.2, "RBR>RB": 2.0, "RB>RBR": 0.1,
}  # fmt: skip
# goed, childs: as a share of the forms that exist
REGULARISED = 0.2


class English:
    """What can go wrong with English words."""

    names: Sequence[str] = (
        "learned", "lexical", "inflect", "determiner", "preposition", "pronoun", "confusable", "spelling", "typing",
        "case", "punctuation", "order", "split", "merge", "drop", "double", *everyday.NAMES,
    )  # fmt: skip
    # Shares of the noises where no corpus gave any; about the mixture of learner English.
    shares: Mapping[str, float] = {
        "learned": 0.0, "lexical": 0.0, "inflect": 0.19, "determiner": 0.15, "preposition": 0.11, "pronoun": 0.04,
        "confusable": 0.04, "spelling": 0.08, "typing": 0.05, "case": 0.03, "punctuation": 0.11, "order": 0.02,
        "split": 0.01, "merge": 0.015, "drop": 0.04, "double": 0.015, **everyday.SHARES,
    }  # fmt: skip

    def __init__(self, statistics: Statistics, tables: EnglishTables) -> None:
        self._tables = tables
        self._learned = LearnedNoise(statistics, self.word_class)
        self._everyday = Everyday(tables, statistics.everyday)
        self._inflections = statistics.inflections or INFLECTIONS
        self._channel = SpellingChannel(tables.spelling)
        self._groups = _groups(words.PREPOSITION_GROUPS), _groups(words.PRONOUN_GROUPS)
        self._confusables = _united(_pairs(_not_everyday(words.CONFUSABLES)), tables.confusables)
        self._noises = (
            self._inflect, self._determiner, self._preposition, self._pronoun, self._confusable, self._spelling,
            self._typing, self._punctuation, self._order, self._split, self._merge, self._drop,
        )  # fmt: skip

    def actions(self, token: str) -> Iterator[Weighted]:
        """What can go wrong with this token, or before it; names are mostly left alone, numbers and URLs always."""
        if not token.strip():
            return
        if is_protected(token):
            yield from self._learned.insertions(token)
            return
        yield from self._case(token)
        if self._is_name(token):
            for noise in (self._inflect, self._typing, self._spelling):
                for name, weight, action in noise(token):
                    yield name, NAME_WEIGHT * weight, action
            yield from self._learned.insertions(token)
            return
        yield from self._learned.actions(token)
        yield from self._everyday.actions(token)
        yield "double", self._everyday.rate("double", word_kind(token)), (REPLACE, (token, token), "double")
        for noise in self._noises:
            yield from noise(token)

    def phrases(self) -> dict[tuple[str, str], list[Weighted]]:
        found = self._learned.phrases()
        for pair, slips in self._everyday.phrases().items():
            found.setdefault(pair, []).extend(slips)
        return found

    def starts(self) -> list[Weighted]:
        return self._everyday.starts()

    def start_key(self, token: str) -> str:
        """The first word in lower case, where it is not a name."""
        lower = token.lower()
        return (
            lower
            if lower != token and lower in self._tables.frequency and token != "I" and not is_upper(token)
            else token
        )

    def fits(self, tokens: Tokens, start: int, end: int, rng: Random) -> bool:
        return True

    def at_start(self, tokens: Tokens, end: int, new: Tokens) -> Change:
        """Give the sentence its capital: a dropped first word hands it to the next, an inserted one takes it."""
        first = tokens[0]
        if not first[:1].isupper():
            return 0, end, new
        if not new:
            if end >= len(tokens) or not tokens[end][:1].isalpha():
                return 0, end, new
            return 0, end + 1, (capitalise(tokens[end]),)
        if end == 0:
            return 0, 1, (capitalise(new[0]), *new[1:], self.start_key(first))
        return 0, end, (capitalise(new[0]), *new[1:])

    def word_class(self, token: str) -> str:
        """The class that speaks for a word in what is inserted before it: its possible tags, or itself."""
        tags = self._tables.tags(token)
        if tags:
            return tags
        if token[:1].isdigit():
            return "number"
        if not token[:1].isalpha():
            return token if token in words.PUNCTUATION else "symbol"
        return "name" if token[0].isupper() else "word"

    def _is_name(self, token: str) -> bool:
        return token[0].isupper() and token != "I"

    def _inflect(self, token: str) -> Iterator[Weighted]:
        lower = token.lower()
        total = 0.0
        for source, target, form in self._tables.forms(lower):
            weight = self._inflections.get(f"{source}>{target}", 0.0)
            if weight > 0.0 and form != lower:
                total += weight
                yield "inflect", weight, (REPLACE, (like_case(token, form),), "inflect")
        regular = self._tables.regularised(lower)
        if regular and lower not in words.AUXILIARIES:
            yield "inflect", REGULARISED * total, (REPLACE, (like_case(token, regular),), "inflect")

    def _determiner(self, token: str) -> Iterator[Weighted]:
        if token in words.DETERMINERS:
            if token in words.ARTICLES:
                yield "determiner", 3.0, (REPLACE, (), "determiner")
            for other in words.ARTICLES if token in words.ARTICLES else words.DETERMINERS:
                if other != token:
                    yield "determiner", 0.7 if token in words.ARTICLES else 0.1, (REPLACE, (other,), "determiner")
        elif (tags := self._tables.tags(token)) and ("NN" in tags or "JJ" in tags):
            for article, weight in (("the", 0.25), ("a", 0.1)):
                yield "determiner", weight, (CALL, partial(self._insert_article, article), "determiner")

    def _insert_article(self, article: str, tokens: Tokens, i: int, rng: Random) -> Change | None:
        if i == 0 or tokens[i - 1] in words.DETERMINERS or not tokens[i - 1][:1].isalpha():
            return None
        return i, i, ("an" if article == "a" and tokens[i][0] in "aeiou" else article,)

    def _preposition(self, token: str) -> Iterator[Weighted]:
        if token in words.PREPOSITIONS:
            near = self._groups[0].get(token, ())
            for other in near:
                yield "preposition", 2.0 / len(near), (REPLACE, (other,), "preposition")
            for other in words.PREPOSITIONS[:9]:
                if other != token and other not in near:
                    yield "preposition", 0.05, (REPLACE, (other,), "preposition")
            yield "preposition", 1.0, (REPLACE, (), "preposition")
        elif token in words.DETERMINERS or token in self._groups[1]:
            for other in ("to", "of", "in", "for", "on", "at", "with"):
                yield "preposition", 0.02, (INSERT, (other,), "preposition")

    def _pronoun(self, token: str) -> Iterator[Weighted]:
        lower = token.lower()
        near = self._groups[1].get(lower, ())
        for other in near:
            yield "pronoun", 1.0 / len(near), (REPLACE, ("I" if other == "i" else other,), "pronoun")
        if near:
            yield "pronoun", 0.3, (REPLACE, (), "pronoun")

    def _confusable(self, token: str) -> Iterator[Weighted]:
        near = self._confusables.get(token.lower(), ())
        for other in near:
            yield "confusable", 1.0 / len(near), (REPLACE, tuple(like_case(token, other).split(" ")), "confusable")

    def _spelling(self, token: str) -> Iterator[Weighted]:
        listed = self._tables.misspellings.get(token.lower(), ())
        for wrong in listed:
            yield "spelling", 1.0 / len(listed), (REPLACE, tuple(like_case(token, wrong).split(" ")), "spelling")
        if self._tables.spelling and len(token) > 3 and token.isalpha():
            # Long words are misspelt more often.
            yield "spelling", 0.15 * (len(token) - 3), (CALL, self._misspell, "spelling")

    def _misspell(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        return _changed_word(i, self._channel.misspell(tokens[i], rng))

    def _typing(self, token: str) -> Iterator[Weighted]:
        if len(token) > 2 and token.isalpha():
            yield "typing", 0.2 * (len(token) - 2), (CALL, _mistype, "typing")

    def _case(self, token: str) -> Iterator[Weighted]:
        if token[0].isalpha():
            weight = 3.0 if token == "I" else 2.0 if token[0].isupper() else 0.2
            yield "case", weight, (CALL, _change_case, "case")

    def _punctuation(self, token: str) -> Iterator[Weighted]:
        slips = words.PUNCTUATION_SLIPS.get(token) or words.CLITIC_SLIPS.get(token)
        if slips:
            for slip in slips:
                yield "punctuation", 2.0 / len(slips), (REPLACE, (slip,) if slip else (), "punctuation")
        elif token[0].isalpha():
            weight = 0.6 if token in words.COMMA_BEFORE else 0.05
            yield "punctuation", weight, (CALL, _insert_comma, "punctuation")

    def _order(self, token: str) -> Iterator[Weighted]:
        if token[0].isalpha():
            if token in words.ADVERBS_THAT_MOVE or token.endswith("ly"):
                yield "order", 8.0, (CALL, self._move, "order")
            yield "order", 0.3, (CALL, self._swap, "order")

    def _swap(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        return self._reorder(tokens, i, i + 1, i + 2)

    def _move(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        """Move the word over one to three words to its left or right."""
        distance = 1 + int(rng.random() * 3)
        if rng.random() < 0.5:
            return self._reorder(tokens, i, i + 1, i + 1 + distance)
        return self._reorder(tokens, i - distance, i, i + 1)

    def _reorder(self, tokens: Tokens, start: int, middle: int, end: int) -> Change | None:
        """Exchange [start, middle) and [middle, end), unless there is punctuation in the way."""
        if start < 0 or end > len(tokens) or not all(token[:1].isalpha() for token in tokens[start:end]):
            return None
        old = tokens[start:end]
        if start == 0:
            old = (self.start_key(old[0]), *old[1:])
        new = old[middle - start :] + old[: middle - start]
        if start == 0 and tokens[0][:1].isupper():
            new = (capitalise(new[0]), *new[1:])
        return None if new == tokens[start:end] else (start, end, new)

    def _split(self, token: str) -> Iterator[Weighted]:
        for left, right in self._tables.splits(token):
            yield "split", 1.0, (REPLACE, (left, right), "split")

    def _merge(self, token: str) -> Iterator[Weighted]:
        if token[0].isalpha() and len(token) < 7:
            yield "merge", 1.0, (CALL, self._merge_next, "merge")

    def _merge_next(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        """Write two words as one; two that make a word together much rather than any others."""
        if i + 1 >= len(tokens) or not tokens[i + 1].isalpha():
            return None
        if tokens[i + 1] == "-" or (tokens[i] + tokens[i + 1]).lower() in self._tables.frequency or rng.random() < 0.04:
            return i, i + 2, (tokens[i] + tokens[i + 1],)
        return None

    def _drop(self, token: str) -> Iterator[Weighted]:
        if token[0].isalpha():
            yield "drop", self._everyday.rate("drop", word_kind(token)), (REPLACE, (), "drop")


def word_kind(token: str) -> str:
    """How rates of doubled and dropped words are counted: function words go wrong more often than others."""
    if token in words.AUXILIARIES:
        return "auxiliary"
    return "function" if token in words.FUNCTION_WORDS else "other"


def is_protected(token: str) -> bool:
    """Whether a token is a number, an address, code or the like, which nobody could restore."""
    return not token.isalpha() and (
        any(map(str.isdigit, token)) or any(c in "@_/\\#<>=`{}" for c in token) or "://" in token or "www." in token
    )


def _changed_word(i: int, word: str | None) -> Change | None:
    return None if word is None else (i, i + 1, (word,))


def _mistype(tokens: Tokens, i: int, rng: Random) -> Change | None:
    return _changed_word(i, mistype(tokens[i], rng))


def _change_case(tokens: Tokens, i: int, rng: Random) -> Change | None:
    word = tokens[i]
    if word[0].islower():
        new = word.upper() if rng.random() < 0.02 else capitalise(word)
    else:
        new = word.lower() if rng.random() < 0.95 or is_upper(word) else word.upper()
    return None if new == word else (i, i + 1, (new,))


def _insert_comma(tokens: Tokens, i: int, rng: Random) -> Change | None:
    return None if i == 0 or not tokens[i - 1][:1].isalnum() else (i, i, (",",))


def _groups(groups: tuple[tuple[str, ...], ...]) -> dict[str, tuple[str, ...]]:
    """Word → the other words of its groups."""
    found: dict[str, dict[str, None]] = {}
    for group in groups:
        for word in group:
            found.setdefault(word, {}).update((other, None) for other in group if other != word)
    return {word: tuple(others) for word, others in found.items()}


def _pairs(pairs: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    """Word → words it is taken for, both ways; a phrase of two words is an outcome only."""
    return {word: others for word, others in _groups(pairs).items() if " " not in word}


def _not_everyday(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The pairs that are no everyday slips, which have rates of their own."""
    groups = [{phrase.replace(" ", "") for phrase in group} for group in words.HOMOPHONES]
    apart = {phrase.replace(" ", "") for phrase in (*words.RUN_TOGETHER, *(two for two, _ in words.ONE_OR_TWO))}
    return tuple(
        (one, other)
        for one, other in pairs
        if one.replace(" ", "") not in apart and not any({one, other} <= group for group in groups)
    )


def _united(first: Mapping[str, tuple[str, ...]], second: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {word: tuple(dict.fromkeys((*first.get(word, ()), *second.get(word, ())))) for word in {**first, **second}}
