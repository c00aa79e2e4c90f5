"""Which characters are Han: one definition for everything that reads text.

`edits/zh/characters.py` alone has another: it reproduces ChERRANT, which knows the basic block only.
"""

from __future__ import annotations

import re

# The basic block, its extensions (A to H) and the compatibility ideographs, for use inside a character class.
HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
HAN_CHARACTER = re.compile(f"[{HAN}]")


def is_han(character: str) -> bool:
    """Whether a character is Han."""
    return HAN_CHARACTER.fullmatch(character) is not None
