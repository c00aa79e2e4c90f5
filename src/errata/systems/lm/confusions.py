"""Confusion sets: the words or characters that may replace a token.

English follows Bryant and Briscoe (2018): other forms of the same word, articles, prepositions, and dictionary words
close to an unknown word. Chinese has characters that sound the same, and 的, 地 and 得.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache

from errata.errors import UnknownName
from errata.model import Edit
from errata.text.english_words import ARTICLES
from errata.text.morphology import follow_case

# The ten that are in Bryant and Briscoe's set and among the most frequent errors of learner corpora.
PREPOSITIONS = ("about", "at", "by", "for", "from", "in", "of", "on", "to", "with")
# Shorter unknown words are close to too many dictionary words. At a greater distance the word is another one.
MIN_SPELLING_LENGTH = 4
MAX_SPELLING_DISTANCE = 2
MAX_SPELLINGS = 12
PARTICLES = ("的", "地", "得")

Confusion = Callable[[Sequence[str], int], Iterator[str]]
"""Alternatives to token i of a sentence; an empty string deletes the token."""


def inflections(tokens: Sequence[str], i: int) -> Iterator[str]:
    """Other forms of the same word; of several words if the token may belong to each."""
    yield from _forms(tokens[i].lower()) if tokens[i].isalpha() else ()


def determiners(tokens: Sequence[str], i: int) -> Iterator[str]:
    """The other articles, and no article."""
    if tokens[i].lower() in ARTICLES:
        yield from (*ARTICLES, "")


def prepositions(tokens: Sequence[str], i: int) -> Iterator[str]:
    """The other prepositions, and no preposition."""
    if tokens[i].lower() in PREPOSITIONS:
        yield from (*PREPOSITIONS, "")


def spelling(tokens: Sequence[str], i: int) -> Iterator[str]:
    """Dictionary words close to an unknown word. A word with a capital inside a sentence counts as a name."""
    word = tokens[i]
    is_name = word[:1].isupper() and (i > 0 or word.isupper())
    if len(word) >= MIN_SPELLING_LENGTH and word.isascii() and word.isalpha() and not is_name:
        yield from _near_words(word.lower())


def sounds(tokens: Sequence[str], i: int) -> Iterator[str]:
    """Common characters with the same pronunciation; the tone may differ."""
    yield from _homophones().get(tokens[i], ())


def particles(tokens: Sequence[str], i: int) -> Iterator[str]:
    """的, 地 and 得 for one another."""
    if tokens[i] in PARTICLES:
        yield from PARTICLES


CONFUSIONS: dict[str, dict[str, Confusion]] = {
    "en": {
        "inflections": inflections,
        "determiners": determiners,
        "prepositions": prepositions,
        "spelling": spelling,
    },
    "zh": {"sounds": sounds, "particles": particles},
}


def confusion_edits(tokens: Sequence[str], language: str, names: Sequence[str]) -> Iterator[Edit]:
    """All one-token edits of the named confusion sets for a sentence, from left to right, each once."""
    sets = CONFUSIONS[language]
    for name in names:
        if name not in sets:
            raise UnknownName(f"confusion set ({language})", name, sets)
    for i, token in enumerate(tokens):
        words = dict.fromkeys(follow_case(token, word) for name in names for word in sets[name](tokens, i))
        for word in words:
            if word:
                if word != token:
                    yield Edit(i, i + 1, (word,))
            elif len(tokens) > 1:
                yield Edit(i, i + 1, ())


@lru_cache(maxsize=65536)
def _forms(word: str) -> tuple[str, ...]:
    from lemminflect import getAllInflections, getAllLemmas

    found: dict[str, None] = {}
    for part, lemmas in getAllLemmas(word).items():
        if part in ("VERB", "AUX", "NOUN", "ADJ"):
            for lemma in lemmas:
                inflected = getAllInflections(lemma, upos=part)
                found.update(dict.fromkeys(form for forms in inflected.values() for form in forms))
    return tuple(form for form in found if form != word and form.isalpha())


@lru_cache(maxsize=65536)
def _near_words(word: str) -> tuple[str, ...]:
    from lemminflect import getAllLemmas
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    from errata.edits.en.lexicon import load_words

    if word in load_words() or getAllLemmas(word):
        return ()
    words = _dictionary().get(word[0], [])
    found = extract(word, words, scorer=OSA.distance, score_cutoff=MAX_SPELLING_DISTANCE, limit=MAX_SPELLINGS)
    return tuple(near for near, _, _ in found)


@cache
def _dictionary() -> dict[str, list[str]]:
    """Lower-case dictionary words by their first letter, which typing errors seldom change."""
    from errata.edits.en.lexicon import load_words

    words: dict[str, list[str]] = {}
    for word in sorted(load_words()):
        if word.isalpha() and word.islower() and word.isascii() and len(word) > 2:
            words.setdefault(word[0], []).append(word)
    return words


@cache
def _homophones() -> dict[str, tuple[str, ...]]:
    """Each common character → the others with the same pronunciation, tones aside."""
    from pypinyin import Style, pinyin

    readings: dict[str, list[str]] = {}
    common = _common_characters()
    sounds_of = {character: pinyin(character, style=Style.NORMAL, heteronym=True)[0] for character in common}
    for character, sounded in sounds_of.items():
        for reading in sounded:
            readings.setdefault(reading, []).append(character)
    return {
        character: tuple(
            dict.fromkeys(other for reading in sounded for other in readings[reading] if other != character)
        )
        for character, sounded in sounds_of.items()
    }


def _common_characters() -> str:
    """The 3,755 characters of the first level of GB 2312: the most frequent ones."""
    rows = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    return b"".join(rows).decode("gb2312", errors="ignore")
