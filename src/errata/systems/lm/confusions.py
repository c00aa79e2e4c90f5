"""Confusion sets: what could stand in the place of a token.

English after Bryant and Briscoe (2018): other forms of the same word, articles, prepositions, and dictionary words near
a word no dictionary knows. Chinese: characters that sound the same, and 的地得.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache

from errata.errors import UnknownName
from errata.model import Edit
from errata.text.english_words import ARTICLES
from errata.text.morphology import follow_case

# The ten that Bryant and Briscoe's set and the error counts of learner corpora agree on; "" leaves the word out.
PREPOSITIONS = ("about", "at", "by", "for", "from", "in", "of", "on", "to", "with")
# Shorter unknown words have too many neighbours, and longer edits are other words.
MIN_SPELLING_LENGTH = 4
MAX_SPELLING_DISTANCE = 2
MAX_SPELLINGS = 12
PARTICLES = ("的", "地", "得")

Confusion = Callable[[Sequence[str], int], Iterator[str]]
"""Alternatives for token i of a sentence; an empty string deletes it."""


def inflections(tokens: Sequence[str], i: int) -> Iterator[str]:
    """Other forms of the words a token may be a form of."""
    yield from _forms(tokens[i].lower()) if tokens[i].isalpha() else ()


def determiners(tokens: Sequence[str], i: int) -> Iterator[str]:
    """The other articles, or none."""
    if tokens[i].lower() in ARTICLES:
        yield from (*ARTICLES, "")


def prepositions(tokens: Sequence[str], i: int) -> Iterator[str]:
    """The other prepositions, or none."""
    if tokens[i].lower() in PREPOSITIONS:
        yield from (*PREPOSITIONS, "")


def spelling(tokens: Sequence[str], i: int) -> Iterator[str]:
    """Dictionary words near an unknown one; capitals inside a sentence are taken for a name."""
    word = tokens[i]
    is_name = word[:1].isupper() and (i > 0 or word.isupper())
    if len(word) >= MIN_SPELLING_LENGTH and word.isascii() and word.isalpha() and not is_name:
        yield from _near_words(word.lower())


def sounds(tokens: Sequence[str], i: int) -> Iterator[str]:
    """Common characters that are read the same, whatever the tone."""
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
    """Every one-token edit the named confusion sets know for a sentence, left to right, none twice."""
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
    """Lower-case dictionary words by their first letter, which typing errors seldom touch."""
    from errata.edits.en.lexicon import load_words

    words: dict[str, list[str]] = {}
    for word in sorted(load_words()):
        if word.isalpha() and word.islower() and word.isascii() and len(word) > 2:
            words.setdefault(word[0], []).append(word)
    return words


@cache
def _homophones() -> dict[str, tuple[str, ...]]:
    """Common characters → those read the same without tone."""
    from pypinyin import Style, pinyin

    readings: dict[str, list[str]] = {}
    common = _common_characters()
    of = {character: pinyin(character, style=Style.NORMAL, heteronym=True)[0] for character in common}
    for character, sounded in of.items():
        for reading in sounded:
            readings.setdefault(reading, []).append(character)
    return {
        character: tuple(dict.fromkeys(o for reading in sounded for o in readings[reading] if o != character))
        for character, sounded in of.items()
    }


def _common_characters() -> str:
    """The 3,755 characters of the first level of GB 2312, which were chosen by use."""
    rows = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    return b"".join(rows).decode("gb2312", errors="ignore")
