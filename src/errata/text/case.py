"""Capital and small letters of words."""

from __future__ import annotations


def capitalise(word: str) -> str:
    """The word with a capital first letter, the rest as it is."""
    return word[:1].upper() + word[1:]


def is_upper(word: str) -> bool:
    """Whether a word is written in capitals: `NATO`, but neither `I` nor `A`."""
    return len(word) > 1 and word.isupper()


def like_case(model: str, word: str) -> str:
    """The word in the case of another: `like_case("Goverment", "government")` is `Government`."""
    if is_upper(model):
        return word.upper()
    return capitalise(word) if model[:1].isupper() else word
