"""Put token edits back into the text they came from.

The text outside an edit stays byte for byte; only the spaces an edit itself needs are added or taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from errata.text.words import Span, character_spans, piece_spans, word_spans

# Tokens written without a space before them …
_NO_SPACE_BEFORE = frozenset(
    ". , ; : ! ? ) ] } % ' ’ ” ... … n't n’t 's ’s 're ’re 've ’ve 'll ’ll 'd ’d 'm ’m".split()
)
# … and after them.
_NO_SPACE_AFTER = frozenset("( [ { $ £ € # “ ‘".split())
_HYPHENS = frozenset(("-", "/"))


def join_words(words: Sequence[str]) -> str:
    """Words written as running text: `join_words(["do", "n't", "!"])` is `"don't!"`."""
    text = ""
    glue = True
    for word in words:
        if not glue and word.lower() not in _NO_SPACE_BEFORE and word not in _HYPHENS:
            text += " "
        text += word
        glue = word in _NO_SPACE_AFTER or word in _HYPHENS
    return text


def place_words(
    text: str, spans: Sequence[Span], start: int, end: int, words: Sequence[str], inside: Span | None = None
) -> tuple[int, int, str]:
    """The character range and replacement that put `words` in the place of tokens [start, end) of `text`.

    `inside` bounds the text the tokens belong to (a sentence in a document). An insertion or deletion takes its
    spaces along:

    >>> place_words("I go home", [(0, 1), (2, 4), (5, 9)], 2, 2, ["back"])
    (4, 4, ' back')
    >>> place_words("I go home", [(0, 1), (2, 4), (5, 9)], 1, 2, [])
    (1, 4, '')
    >>> place_words("a long term plan", [(0, 1), (2, 6), (7, 11), (12, 16)], 2, 2, ["-"])
    (6, 7, '-')
    """
    first, last = inside or (0, len(text))
    if start < end:
        begin, stop = spans[start][0], spans[end - 1][1]
        if words:
            return _replace(text, spans, start, end, words, begin, stop)
        return _delete(text, begin, stop, first, last)
    replacement = join_words(words)
    if not replacement:
        place = spans[start][0] if start < len(spans) else last
        return place, place, ""
    if start > 0:
        place = spans[start - 1][1]
        if not _sticks(words[0], _mark(text, spans, start - 1)):
            replacement = " " + replacement
        if start == len(spans):
            return place, place, replacement
        following = spans[start][0]
        # A straight quotation mark right after a word closes, and stays where it is.
        sticks = text[following : following + 1] == '"' or _sticks(_mark(text, spans, start), words[-1])
        if following == place and not sticks:
            replacement += " "
        return place, following if _takes_gap(words[-1], text[place:following]) else place, replacement
    place = spans[0][0] if spans else first
    if spans and not _sticks(_mark(text, spans, 0), words[-1]):
        replacement += " "
    return place, place, replacement


def place_characters(
    text: str, spans: Sequence[Span], start: int, end: int, characters: Sequence[str], inside: Span | None = None
) -> tuple[int, int, str]:
    """Like `place_words` for Chinese: no spaces are added or taken away."""
    if start < end:
        return spans[start][0], spans[end - 1][1], "".join(characters)
    place = spans[start - 1][1] if start else spans[0][0] if spans else (inside or (0, 0))[0]
    return place, place, "".join(characters)


def place_pieces(
    text: str, spans: Sequence[Span], start: int, end: int, tokens: Sequence[str], inside: Span | None = None
) -> tuple[int, int, str]:
    """Like `place_words` for tokenised text: one space between tokens, whatever they are."""
    replacement = " ".join(tokens)
    if start < end and tokens:
        return spans[start][0], spans[end - 1][1], replacement
    if start < end:
        if start > 0:
            return spans[start - 1][1], spans[end - 1][1], ""
        return spans[0][0], spans[end][0] if end < len(spans) else spans[end - 1][1], ""
    if start > 0:
        return spans[start - 1][1], spans[start - 1][1], f" {replacement}" if tokens else ""
    place = spans[0][0] if spans else (inside or (0, 0))[0]
    return place, place, f"{replacement} " if tokens and spans else replacement


def _replace(
    text: str, spans: Sequence[Span], start: int, end: int, words: Sequence[str], begin: int, stop: int
) -> tuple[int, int, str]:
    replacement = join_words(words)
    previous = spans[start - 1] if start else None
    following = spans[end] if end < len(spans) else None
    is_dash = len(words) == 1 and words[0] in _HYPHENS  # "tea, coffee" → "tea - coffee"
    if previous and text[previous[1] : begin] == " " and _sticks_left(words[0]) and not is_dash:
        begin = previous[1]  # "do not" → "don't", "word ," → "word,"
    elif previous and previous[1] == begin and _opens_word(text[begin:stop], words[0]):
        replacement = " " + replacement  # "don't" → "do not"
    if following and following[0] == stop and _closes_word(text[begin:stop], words[-1], text[slice(*following)]):
        replacement += " "
    elif following and len(words) > 1 and _takes_gap(words[-1], text[stop : following[0]]):
        stop = following[0]  # "well known" → "well-known"
    return begin, stop, replacement


def _opens_word(old: str, new: str) -> bool:
    """Whether `new` needs a space that `old`, written onto the word before it, did not."""
    return _sticks_left(old) and not _sticks_left(new) and new[:1].isalnum()


def _closes_word(old: str, new: str, following: str) -> bool:
    """Whether a space is needed before `following` now that `new` stands where `old` did."""
    return not old[-1:].isalnum() and new[-1:].isalnum() and following[:1].isalnum()


def _delete(text: str, begin: int, stop: int, first: int, last: int) -> tuple[int, int, str]:
    before = begin > first and text[begin - 1] == " "
    after = stop < last and text[stop] == " "
    if before and (after or stop == last or not text[stop].isalnum()):
        return begin - 1, stop, ""
    if after and begin == first:
        return begin, stop + 1, ""
    glued = first < begin and stop < last and text[begin - 1].isalnum() and text[stop].isalnum()
    return begin, stop, " " if glued else ""


def _sticks_left(word: str) -> bool:
    return word.lower() in _NO_SPACE_BEFORE or word in _HYPHENS


def _sticks(word: str, previous: str) -> bool:
    return _sticks_left(word) or previous in _NO_SPACE_AFTER or previous in _HYPHENS


def _takes_gap(word: str, gap: str) -> bool:
    """Whether the space after a new word goes."""
    return gap == " " and (word in _HYPHENS or word in _NO_SPACE_AFTER)


def _mark(text: str, spans: Sequence[Span], number: int) -> str:
    """A token; a hyphen with a space after it is a dash, which is a word among words."""
    start, end = spans[number]
    token = text[start:end]
    is_dash = token in _HYPHENS and number + 1 < len(spans) and spans[number + 1][0] > end
    return "–" if is_dash else token


@dataclass(frozen=True, slots=True)
class Layout:
    """How a kind of text is cut into tokens and how token edits are written into it."""

    spans: Callable[[str], list[Span]]
    place: Callable[[str, Sequence[Span], int, int, Sequence[str], Span | None], tuple[int, int, str]]


LAYOUTS: dict[str, Layout] = {
    "en": Layout(word_spans, place_words),
    "zh": Layout(character_spans, place_characters),
    "tokenised": Layout(piece_spans, place_pieces),
}
