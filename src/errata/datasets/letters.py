"""What two texts are compared by: their letters and digits, whatever the case, width and Chinese script.

The table says for every code point what it counts as. Both kernels of `datasets.similar` read texts through it.
"""

from __future__ import annotations

import logging
import unicodedata
from array import array
from collections.abc import Sequence
from functools import cache

from errata.text.han import HAN_CHARACTER

log = logging.getLogger(__name__)

# Code points with letters end before this one.
LAST = 0x32000
# Marks a character that is a unit by itself: Han and kana are written without spaces.
UNIT = 1 << 31
GAP = 0
_KANA = (0x3041, 0x30FF)


@cache
def letter_table() -> array[int]:
    """By code point: `GAP`, the letter it counts as, or that letter with `UNIT`.

    >>> [chr(letter_table()[ord(one)]) for one in "Aａ１"], letter_table()[ord("_")]
    (['a', 'a', '1'], 0)
    """
    alphabet = "".join(map(chr, range(LAST)))
    han = {ord(character) for character in HAN_CHARACTER.findall(alphabet)}
    simplified = _simplified(sorted(han))
    table = array("I", bytes(4 * LAST))
    for code, character in enumerate(alphabet):
        if character.isalnum():
            plain = unicodedata.normalize("NFKC", character).casefold()
            letter = ord(plain) if len(plain) == 1 else code
            is_unit = letter in han or _KANA[0] <= letter <= _KANA[1]
            table[code] = simplified.get(letter, letter) | (UNIT if is_unit else 0)
    return table


def _simplified(han: Sequence[int]) -> dict[int, int]:
    """By code point: the Simplified character of a Traditional one."""
    try:
        import opencc
    except ModuleNotFoundError:  # where models are trained, few packages are installed
        log.warning("opencc is not installed: Traditional and Simplified characters count as different")
        return {}
    lines = opencc.OpenCC("t2s").convert("\n".join(map(chr, han))).split("\n")
    return {old: ord(new) for old, new in zip(han, lines, strict=True) if len(new) == 1}
