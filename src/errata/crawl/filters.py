"""Which paragraphs are prose: complete sentences of one language, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from errata.text.han import HAN
from errata.text.language import common_word_share, identify_language, language_sentences
from errata.text.words import Span

# Words (or Han characters) of a paragraph, and those of its longest sentence.
FEWEST_UNITS = {"en": 8, "zh": 10}
MOST_UNITS = {"en": 100, "zh": 200}
# English prose has half of its words among the commonest hundred; a list of names has none. Short paragraphs vary.
LEAST_COMMON, COMMON_COUNTS_FROM = 0.15, 12
# Shares of the characters that are not white space: letters, digits, signs of code.
LEAST_LETTERS, MOST_DIGITS, MOST_CODE = 0.75, 0.12, 0.02
MOST_CAPITALS = 0.3  # of the letters
LONGEST_WORD = 40
MOST_ADDRESSES = 0.1  # of the words
# Different words in a paragraph of `REPEATS_FROM` words or more.
LEAST_DIFFERENT, REPEATS_FROM = 0.3, 40

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*+")
_UNIT = {"en": _WORD, "zh": re.compile(f"[{HAN}]")}
_LETTER, _DIGIT, _CODE = re.compile(r"[^\W\d_]"), re.compile(r"\d"), re.compile(r"[{}<>|\\=_~^]")
_SOLID = re.compile(r"\S")
_TOKEN = re.compile(r"\S+")
_ADDRESS = re.compile(r"https?://|www\.|\w@\w", re.IGNORECASE)
# Signs of a text in UTF-8 that was read as something else (Ã©, â€™), and of one that lost characters.
_BROKEN = re.compile("\ufffd|Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|Â[\u00a0-\u00bf]|ï»¿")
_PLACEHOLDER = re.compile(r"\blorem ipsum\b|\bdolor sit amet\b", re.IGNORECASE)
_BEGIN = {
    "en": re.compile(r"[\"'“‘(\[«]{0,3}(?:[A-Z\u00c0-\u00de]|\d|[€$£¥#]\d|i(?:Phone|Pad|Pod|OS|Tunes|Mac)\b|eBay\b)"),
    "zh": re.compile(rf"[“‘「『（(《【\"']{{0,3}}[{HAN}A-Za-z0-9]"),
}
_END = {"en": re.compile(r"[.!?][\"'”’)\]»]{0,3}\Z"), "zh": re.compile(r"[。！？!?][”’」』）)\"']{0,3}\Z")}
# What a page shows of a text that goes on elsewhere.
_CUT = re.compile(
    r"(?:\.\.\.|…|\[\.\.\.\]|\[…\]|(?:read|see|learn|find out) more|continue reading)[\s.»)\]]{0,4}\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What becomes of a paragraph: the spans of its sentences, or the reason why it is dropped."""

    spans: tuple[Span, ...] = ()
    reason: str | None = None


def judge_paragraph(text: str, language: str, fewest_sentences: int = 1) -> Judged:
    """Whether a paragraph is complete prose in a language.

    >>> judge_paragraph("This is a whole sentence with enough words. So is this one here.", "en").spans
    ((0, 43), (44, 64))
    >>> judge_paragraph("and this one began somewhere else, before it came here.", "en").reason
    'incomplete'
    """
    if len(_UNIT[language].findall(text)) < FEWEST_UNITS[language]:
        return Judged(reason="short")
    if _BROKEN.search(text):
        return Judged(reason="broken-characters")
    if not _is_in(text, language):
        return Judged(reason="language")
    sentences = list(language_sentences(text, language))
    if any(found != language for found, _, _ in sentences):
        return Judged(reason="language")
    if reason := find_no_prose(text, language):
        return Judged(reason=reason)
    spans = tuple((start, end) for _, start, end in sentences)
    if any(len(_UNIT[language].findall(text, *span)) > MOST_UNITS[language] for span in spans):
        return Judged(reason="long-sentence")
    if not all(is_complete(text[start:end], language) for start, end in spans):
        return Judged(reason="incomplete")
    return Judged(spans) if len(spans) >= fewest_sentences else Judged(reason="short")


def find_no_prose(text: str, language: str) -> str | None:
    """Why a paragraph is no prose, if it is none."""
    n_characters = len(_SOLID.findall(text))
    letters = _LETTER.findall(text)
    if len(letters) < LEAST_LETTERS * n_characters:
        return "many-digits" if len(_DIGIT.findall(text)) > MOST_DIGITS * n_characters else "few-letters"
    if len(_DIGIT.findall(text)) > MOST_DIGITS * n_characters:
        return "many-digits"
    if sum(map(str.isupper, letters)) > MOST_CAPITALS * len(letters):
        return "many-capitals"
    if len(_CODE.findall(text)) > MOST_CODE * n_characters:
        return "code"
    return _find_odd_words(text, language)


def _find_odd_words(text: str, language: str) -> str | None:
    tokens, words = _TOKEN.findall(text), [word.casefold() for word in _UNIT[language].findall(text)]
    n_addresses = sum(_ADDRESS.search(token) is not None for token in tokens)
    if n_addresses and n_addresses > max(1.0, MOST_ADDRESSES * len(tokens)):
        return "many-addresses"
    longest = max((len(token) for token in tokens if not _ADDRESS.search(token)), default=0)
    if longest > LONGEST_WORD and language == "en":
        return "long-word"
    if len(words) >= REPEATS_FROM and len(set(words)) < LEAST_DIFFERENT * min(len(words), 5 * REPEATS_FROM):
        return "repetitive"
    return "placeholder" if _PLACEHOLDER.search(text) else None


def is_complete(sentence: str, language: str) -> bool:
    """Whether a sentence has its beginning and its end.

    >>> [is_complete(text, "en") for text in ("It is.", "Read this (now).", "It goes on...", "it is.", "A heading")]
    [True, True, False, False, False]
    """
    has_both = _BEGIN[language].match(sentence) is not None and _END[language].search(sentence[-8:]) is not None
    return has_both and _CUT.search(sentence[-40:]) is None


def _is_in(text: str, language: str) -> bool:
    if identify_language(text, language) != language:
        return False
    share, n_words = common_word_share(text)
    return language != "en" or n_words < COMMON_COUNTS_FROM or share >= LEAST_COMMON
