"""Which of our languages a text is in, by script."""

from __future__ import annotations

import re

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def identify_language(text: str, default: str = "en") -> str:
    """ "zh" where Han characters outnumber Latin words, else "en"; `default` when there is neither.

    A Chinese sentence with English names in it is Chinese: one Han character weighs as much as one Latin word.
    """
    share = han_share(text)
    return default if share is None else "zh" if share >= 0.5 else "en"


def han_share(text: str) -> float | None:
    """The share of Han characters among Han characters and Latin words; None when there is neither."""
    han, latin = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
    return han / (han + latin) if han or latin else None
