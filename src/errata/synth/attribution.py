"""Which generic noise could have made an error: what is too rare to be learnt by heart counts for its kind."""

from __future__ import annotations

from dataclasses import dataclass

from errata.model import Tokens
from errata.synth.chinese import DE, is_han
from errata.synth.tables import ChineseTables, EnglishTables, Tables
from errata.text import english_words as words

# Two spellings at least this alike (1 − distance / length) are one word spelt twice.
ALIKE = 0.6
# Share of misspellings that are slips of the fingers rather than of knowledge; only their sum can be counted.
TYPING_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Reversed:
    """An edit seen from the correct side: `correct` was written as `written`; neighbours are of the corrected text."""

    correct: Tokens
    written: Tokens
    type: str
    left: str
    right: str


def attribute(error: Reversed, tables: Tables) -> str | None:
    """The noise that could have made this error, None when no noise could."""
    if error.written in ((error.left,), (error.right,)) and not error.correct:
        return "double"
    if len(error.written) == 2 * len(error.correct) and error.written == error.correct * 2:
        return "double"
    if isinstance(tables, EnglishTables):
        return _english(error.correct, error.written, tables)
    return _chinese(error.correct, error.written, tables)


def is_word_choice(error: Reversed, tables: Tables) -> bool:
    """Whether one word was put for another, rather than a passage rewritten (or aligned badly)."""
    correct, written = error.correct, error.written
    if isinstance(tables, EnglishTables):
        words_only = all(token[:1].isalpha() for token in correct + written)
        return words_only and 1 <= len(correct) <= 2 and 1 <= len(written) <= 2
    known = tables.frequency
    return "".join(correct) in known and "".join(written) in known and abs(len(correct) - len(written)) <= 1


def is_respelling(correct: str, written: str, tables: EnglishTables) -> bool:
    """Whether `written` is no word, but nearly the correct one."""
    from rapidfuzz.distance import Levenshtein

    correct, written = correct.lower(), written.lower()
    return (
        len(written) > 1
        and written.isalpha()
        and correct.isalpha()
        and written not in tables.frequency
        and Levenshtein.normalized_similarity(correct, written) >= ALIKE
    )


def _english(correct: Tokens, written: Tokens, tables: EnglishTables) -> str | None:
    if len(correct) == 1 and len(written) == 1:
        return _english_word(correct[0], written[0], tables)
    if "".join(correct).lower() == "".join(written).lower() and correct and written:
        return "merge" if len(correct) > len(written) else "split"
    if len(correct) > 1 and sorted(t.lower() for t in correct) == sorted(t.lower() for t in written):
        return "order"
    if len(correct) + len(written) != 1:
        return None
    word = (correct or written)[0]
    kind = _function_word(word)
    return kind if kind or not correct else "drop"


def _english_word(correct: str, written: str, tables: EnglishTables) -> str | None:
    from rapidfuzz.distance import Levenshtein

    if correct.lower() == written.lower():
        return "case"
    kinds = {_function_word(correct), _function_word(written)}
    if len(kinds) == 1 and None not in kinds:
        return kinds.pop()
    lower, other = correct.lower(), written.lower()
    if other == tables.regularised(lower) or any(form == other for _, _, form in tables.forms(lower)):
        return "inflect"
    if is_respelling(correct, written, tables):
        return "spelling"
    return "confusable" if Levenshtein.normalized_similarity(lower, other) >= ALIKE else None


def _function_word(word: str) -> str | None:
    lower = word.lower()
    if lower in words.DETERMINERS:
        return "determiner"
    if lower in words.PREPOSITIONS:
        return "preposition"
    if any(lower in group for group in words.PRONOUN_GROUPS):
        return "pronoun"
    return None if word[:1].isalnum() else "punctuation"


def _chinese(correct: Tokens, written: Tokens, tables: ChineseTables) -> str | None:
    if not any(map(is_han, correct + written)):
        return "punctuation" if all(not t.isalnum() for t in correct + written) else None
    if not correct:
        return "insert"
    if not written:
        return "drop" if len(correct) == 1 else "drop-word" if len(correct) == 2 else None
    if sorted(correct) == sorted(written):
        return "swap" if len(correct) == 2 else "reorder"
    if len(correct) == len(written) == 1:
        right, wrong = correct[0], written[0]
        if right in DE and wrong in DE:
            return "de"
        if wrong in tables.same_sound.get(right, "") or wrong in tables.near_sound.get(right, ""):
            return "sound"
        return "glyph" if wrong in tables.glyphs.get(right, "") else None
    right, wrong = "".join(correct), "".join(written)
    if wrong in tables.word_sounds.get(right, ()):
        return "word-sound"
    return "synonym" if wrong in tables.synonyms.get(right, ()) else None
