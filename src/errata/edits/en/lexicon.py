"""The British English word list that decides what counts as a spelling error.

ERRANT's types depend on exactly this list (en_GB-large of 2020.12.07), which no other package carries; it is read as
data from the installed `errant` distribution, none of whose code runs.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from errata.errors import DataError

# Searching the list as text takes a millisecond, making a set of it seventy: worth it after so many words.
SEARCHES = 50


@cache
def load_words() -> frozenset[str]:
    """All words of the list; "cat" is in it, "Cat" is not."""
    return frozenset(_read().split())


class WordList:
    """Whether a word is in the list, at once for the first few that are asked for."""

    def __init__(self) -> None:
        self._text = f"\n{_read()}"
        self._searches_left = SEARCHES

    def __contains__(self, word: str) -> bool:
        if self._searches_left <= 0:
            return word in load_words()
        self._searches_left -= 1
        return f"\n{word}\n" in self._text


@cache
def word_list() -> WordList:
    """The list, for asking about words."""
    return WordList()


def is_known(word: str) -> bool:
    """Whether the word is in the list as it is written or without its capitals.

    >>> is_known("Cat"), is_known("London"), is_known("cta")
    (True, True, False)
    """
    words = word_list()
    return word in words or word.lower() in words


def _read() -> str:
    package = find_spec("errant")
    if package is None or not package.submodule_search_locations:
        raise DataError("the English word list is not installed; run: pip install errant==3.0.2")
    path = Path(package.submodule_search_locations[0]) / "en" / "resources" / "en_GB-large.txt"
    return path.read_text(encoding="utf-8")
