"""Which of our languages a text is in, by script."""

from __future__ import annotations

import re

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def identify_language(text: str, default: str = "en") -> str:
    """ "zh" where Han characters outnumber Latin words, else "en"; `default` when there is neither.

    A Chinese sentence with English names in it is Chinese: one Han character weighs as much as one Latin word.
    """
    han, latin = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
    if not han and not latin:
        return default
    return "zh" if han >= latin else "en"
