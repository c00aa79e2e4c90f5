"""Words that are in no dictionary and are no misspellings either: `anyio`, `acquis`, `curio`.

A tagger that does not know a word takes it for the nearest one it knows. A slip of the pen leaves evidence: one letter
is wrong, or the consonants are all there.
"""

from __future__ import annotations

import re

from errata.edits.en.lexicon import is_known
from errata.edits.explain.inflection import shared_tags
from errata.model import TextEdit

_WORD = re.compile(r"\s*(?P<word>[A-Za-z]{2,})\s*")
_VOWELS, _DOUBLED = re.compile("[aeiouy]"), re.compile(r"(.)\1+")
# In a long word two letters may be wrong if its ends are right: Wensday, but not anyio.
LONG = 7


def mistakes_rare_word(text: str, edit: TextEdit) -> bool:
    """Whether the edit puts another word for one that is in no dictionary, without evidence of a slip.

    >>> mistakes_rare_word("Use anyio.", TextEdit(4, 9, "any"))
    True
    >>> mistakes_rare_word("I recieve it.", TextEdit(2, 9, "receive"))
    False
    """
    old, new = _WORD.fullmatch(text, edit.start, edit.end), _WORD.fullmatch(edit.replacement)
    if old is None or new is None or _is_part(text, edit):
        return False
    word, other = old["word"].lower(), new["word"].lower()
    if word == other or is_known(old["word"]) or shared_tags(word, other):
        return False
    return not _is_slip(word, other)


def _is_part(text: str, edit: TextEdit) -> bool:
    """Whether the edit changes a part of a word: the rest of it is not known here."""
    return text[max(0, edit.start - 1) : edit.start].isalnum() or text[edit.end : edit.end + 1].isalnum()


def _is_slip(word: str, other: str) -> bool:
    from rapidfuzz.distance import OSA

    distance = OSA.distance(word, other)
    if distance <= 1 or _consonants(word) == _consonants(other):
        return not _is_beginning(word, other)
    return distance == 2 and len(word) >= LONG and (word[0], word[-1]) == (other[0], other[-1])


def _is_beginning(word: str, other: str) -> bool:
    """Whether one is the other and two letters or more: any, anyio."""
    return abs(len(word) - len(other)) > 1 and (word.startswith(other) or other.startswith(word))


def _consonants(word: str) -> str:
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", word))
