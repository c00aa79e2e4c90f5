"""Which texts of a collection a text is equal to, or nearly.

Texts are compared by their units: words as letters and digits alone, whatever their case, and Han characters one by
one, in Simplified script. Two texts are *exact* copies if all their letters are the same. They are *near* duplicates if
the shorter one is a stretch of the longer one but for one edit in five units: a unit inserted, deleted or replaced. So
a sentence inside a longer text is found, and so is a part of a sentence. Shorter texts than eight words or ten
characters are only compared exactly: near ones are other sentences more often than not. Their copies are called
*short*; most are formulae (`Dear Sir or Madam ,`).

No near duplicate is missed. An edit touches three runs of three units at most, so texts of n units with n/5 edits share
all runs but 3n/5, and those that share so many are compared unit by unit.

The work is done by a kernel: the compiled one where it was built (and ERRATA_PURE is not set), otherwise its
plain-Python twin.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence

from errata.datasets._similar_py import EXACT as EXACT
from errata.datasets._similar_py import SHORT as SHORT
from errata.datasets.letters import letter_table

if os.environ.get("ERRATA_PURE") == "1":
    from errata.datasets._similar_py import Index
else:
    try:
        from errata.datasets._similar_c import Index  # type: ignore[assignment]
    except ImportError:
        from errata.datasets._similar_py import Index

KERNEL = "compiled" if Index.__module__.endswith("_c") else "python"

EDIT_PER = 5
SHORTEST_WORDS, SHORTEST_CHARACTERS = 8, 10
# Units. Longer texts are compared in windows of so many, which overlap by half: time stays linear in their length.
WINDOW = 1000
# Goes into reports; another definition gets another name.
DEFINITION = f"edits<=1/{EDIT_PER}|words>={SHORTEST_WORDS}|characters>={SHORTEST_CHARACTERS}|window:{WINDOW}"


class Collection:
    """Texts that can be found again; the numbers that `find` gives are their places."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._index = Index(
            [_compose(text) for text in texts],
            letter_table(),
            edit_per=EDIT_PER,
            words=SHORTEST_WORDS,
            characters=SHORTEST_CHARACTERS,
            window=WINDOW,
        )

    def find(self, text: str) -> list[tuple[int, int]]:
        """The numbers of the texts that `text` is nearly, with the edits between them; `EXACT` or `SHORT` if equal.

        >>> texts = Collection(["She goes home every day at five o'clock .", "Thank you ."])
        >>> texts.find("she goes home each day at five o'clock"), texts.find("Thank you!"), texts.find("Thanks .")
        ([(0, 1)], [(1, -2)], [])
        """
        return self._index.find(_compose(text))


def _compose(text: str) -> str:
    """Letters with their accents as single characters."""
    return text if text.isascii() or unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)
