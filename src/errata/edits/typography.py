"""Signs that a corrector leaves as they are written: the form of quotation marks, emoji and other symbols.

Corpora to train on have straight quotation marks and no emoji. So a tagger takes “ for a wrong ", and 🤗 for noise.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from errata.model import TextEdit

_QUOTE = re.compile("[\"“”„‟«»'‘’‚‛‹›]")
_DOUBLE = frozenset('"“”„‟«»')


def keep_quotes(text: str, edit: TextEdit) -> TextEdit:
    """The edit with the quotation marks of the text, where it only writes them in another form.

    >>> keep_quotes("He said “hi”.", TextEdit(8, 11, '"Hi')).replacement
    '“Hi'
    """
    old, new = _QUOTE.findall(text[edit.start : edit.end]), _QUOTE.findall(edit.replacement)
    if old == new or [one in _DOUBLE for one in old] != [one in _DOUBLE for one in new]:
        return edit
    written = iter(old)
    return replace(edit, replacement=_QUOTE.sub(lambda _: next(written), edit.replacement))


def drops_symbol(text: str, edit: TextEdit) -> bool:
    """Whether the edit takes out an emoji or another symbol that is no punctuation.

    >>> drops_symbol("I like it 🤗.", TextEdit(9, 11, ""))
    True
    """
    return any(
        unicodedata.category(sign) == "So" and sign not in edit.replacement for sign in text[edit.start : edit.end]
    )
