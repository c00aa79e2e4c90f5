"""Correct text with markup: the model reads the prose, and its edits come back to where the prose stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from errata.edits.apply import apply_text_edits
from errata.edits.explain import classify
from errata.model import TextEdit
from errata.pipeline.evidence import has_evidence
from errata.registry import lookup
from errata.text.language import han_share
from errata.text.projection import BLOCK_END, LINE_END, Part, PlacedEdit, Projection, Role, trim_edit
from errata.text.sentences import STOPS

Reader = Callable[[str], list[Part]]

# kind of markup → what tells its prose from the rest, and after a space the suffixes of files with it.
MARKUPS: dict[str, str] = {"markdown": "errata.text.markdown:parts .md .markdown .mdown .mkd .qmd .rmd"}
PLUGINS = "errata.markups"
READERS = {kind: line.split()[0] for kind, line in MARKUPS.items()}
SUFFIXES = {suffix: kind for kind, line in MARKUPS.items() for suffix in line.split()[1:]}

# Characters that markup is made of: no correction of prose brings them in.
_SPECIAL = frozenset("`*_[]<>|#$\\~{}&@")
_COLONS = tuple(":：")
_BLANKS_AND_END = re.compile(rf"[ \t]{{0,80}}(?:{BLOCK_END}|{LINE_END}|\Z)")
_DASH = re.compile(r"\S?\s+[-–—]+\s+\S?")
# A block after one that ends in these goes on with its sentence.
_CONTINUED = tuple(":：,;，；")
# Re-parse at most this many times to find edits that would change the markup; after that, drop all doubtful edits.
MOST_READINGS = 40


class Markup:
    """A kind of markup: what a model reads of a text with it, and which of its edits leave the markup as it is."""

    def __init__(self, kind: str) -> None:
        self._parts: Reader = lookup("markup", READERS, kind, group=PLUGINS)

    def read(self, text: str) -> Projection:
        return Projection.of(self._parts(text))

    def carry_back(self, view: Projection, edits: Sequence[TextEdit]) -> list[PlacedEdit]:
        """The edits that may be made, as far as they may be, and where."""
        unwanted = (_is_markup, _is_capital, _takes_dash)
        mild = [_without_stop(view.text, edit) for edit in edits]
        fit = [edit for edit in mild if not any(is_so(view.text, edit) for is_so in unwanted)]
        wanted = [edit for edit in fit if view.text[edit.start : edit.end] != edit.replacement]
        return self._harmless(view.original, view.place([edit for edit in wanted if has_evidence(view, edit)]))

    def _harmless(self, text: str, edits: list[PlacedEdit]) -> list[PlacedEdit]:
        """The edits that leave the markup as it is: "one. Two" must not become a list's "1. Two"."""
        budget = MOST_READINGS
        skeleton = self.skeleton(text) if edits else ()

        def keeps_markup(some: list[PlacedEdit]) -> bool:
            return self.skeleton(apply_text_edits(text, [placed.edit for placed in some])) == skeleton

        def search(some: list[PlacedEdit]) -> list[PlacedEdit]:
            nonlocal budget
            budget -= 1
            if not some or budget < 0:
                return []
            if keeps_markup(some):
                return some
            middle = len(some) // 2
            halves = (search(some[:middle]), search(some[middle:])) if middle else ([], [])
            both = halves[0] + halves[1]
            return both if keeps_markup(both) else halves[0]

        return search(edits)

    def skeleton(self, text: str) -> tuple[tuple[str, Role], ...]:
        return tuple((part.text, part.role) for part in self._parts(text) if part.is_markup)


def _is_markup(text: str, edit: TextEdit) -> bool:
    """Whether the edit writes characters of markup that were not there."""
    old, new = text[edit.start : edit.end], edit.replacement
    return any(new.count(sign) > old.count(sign) for sign in _SPECIAL.intersection(new))


def _is_capital(text: str, edit: TextEdit) -> bool:
    """Whether the edit only changes the case of the first word of a block that need not begin with a capital."""
    old, before = text[edit.start : edit.end], text[edit.start - 1 : edit.start]
    if old.lower() != edit.replacement.lower() or before not in ("", BLOCK_END, LINE_END):
        return False
    if before == LINE_END:
        return True
    end = text.find(BLOCK_END, edit.end)
    last = len(text) if end < 0 else end
    is_term = text.startswith(_COLONS, edit.end)  # `* clean: removes all files.`
    before_end = max(0, edit.start - 1)
    first = text.rfind(BLOCK_END, 0, before_end) + 1
    is_continued = text[max(first, before_end - 10) : before_end].rstrip().endswith(_CONTINUED)
    goes_on = is_continued or text[first:before_end][:1].islower()  # the items of a sentence
    return is_term or goes_on or not text.endswith(STOPS, edit.end, last)


def _takes_dash(text: str, edit: TextEdit) -> bool:
    """Whether the edit takes away a dash between spaces, as between a term and what it means: `- Term - meaning`."""
    change = trim_edit(text, edit)
    around = text[max(0, change.start - 1) : change.end + 1]
    return not change.replacement.strip() and _DASH.fullmatch(around) is not None


def _without_stop(text: str, edit: TextEdit) -> TextEdit:
    """The edit without the full stop it gives to the end of a block: headings, items and cells go without."""
    old, new = text[edit.start : edit.end], edit.replacement
    ends_block = _BLANKS_AND_END.match(text, edit.end) is not None
    if not ends_block or new[-1:] not in STOPS or text[max(0, edit.end - 1) : edit.end] in STOPS:
        return edit
    kept = replace(edit, replacement=new[:-1] + (old[-1:] if old[-1:] in _COLONS else ""), type="UNK")
    block = text[text.rfind(BLOCK_END, 0, edit.start) + 1 : edit.end]
    return replace(kept, type=classify(text, kept, "zh" if (han_share(block) or 0) >= 0.5 else "en"))
