"""Names of people: what is taken for one, and when two are the same."""

from __future__ import annotations

import unicodedata

from errata.web.refusals import Refusal

MAX_LENGTH = 100
# Compatibility forms can be eighteen times as long as the character they stand for.
MAX_FOLDED = 200
# Controls, halves of characters, private and unassigned ones, breaks of lines: nobody is called that.
_REFUSED = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
# Marks that turn the direction of what follows: a page would show the name, and what is beside it, in another order.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def fold_name(name: str) -> str:
    """What is compared: two names that look the same, but for capitals and spaces, are the same.

    >>> fold_name(" Annotator\u20031"), fold_name("ＡＮＮＯＴＡＴＯＲ 1")
    ('annotator 1', 'annotator 1')
    """
    folded = ""
    while folded != name:  # one pass may make characters that the next one changes
        folded, name = name, _fold_once(name)
    return folded


def check_name(name: str) -> str:
    """The name as it is shown; refused where it is none."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= MAX_LENGTH or len(fold_name(shown)) > MAX_FOLDED:
        raise Refusal(422, f"name: give 1 to {MAX_LENGTH} characters")
    if not is_name(name):
        raise Refusal(422, "name: use letters, digits, spaces and punctuation; one of the characters cannot be seen")
    return shown


def is_name(name: str) -> bool:
    """Whether somebody can be called so: characters one can see, of which something is left when folded."""
    folded = fold_name(name)
    are_seen = all(unicodedata.category(c) not in _REFUSED and c not in _TURNING for c in name.strip())
    return are_seen and 1 <= len(folded) <= MAX_FOLDED


def _fold_once(name: str) -> str:
    """Joiners and other marks that are not seen do not count."""
    compatible = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(c for c in compatible if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).split())
