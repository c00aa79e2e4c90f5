"""Attributions as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from errata.metrics.attribution import Attribution
from errata.reports.page import make_page

# How strong the colour of an edit is beside the strongest on the page, at least and at most.
FAINT, STRONG = 0.12, 0.55

STYLE = """
article { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem;
  margin: .8rem 0; }
del { color: var(--del); } ins { color: var(--ins); text-decoration: none; font-weight: 600; }
.edit { border-radius: 4px; padding: 0 .2rem; } .edit small { margin-left: .25rem; }
p { overflow-wrap: anywhere; }
"""


def format_page(title: str, rows: Sequence[tuple[int, Attribution]], signature: str) -> str:
    """The page: a card for each sentence, its edits coloured by what they add."""
    strongest = max((abs(share) for _, one in rows for share in one.contributions), default=0.0) or 1.0
    parts = [
        '<p class="quiet">Green edits raise the score of their sentence, red ones lower it.</p>',
        *(_card(number, one, strongest) for number, one in rows),
        f"<p><small>{escape(signature)}</small></p>",
    ]
    return make_page(title, parts, STYLE)


def _card(number: int, one: Attribution, strongest: float) -> str:
    words = " ".join(_words(one, strongest))
    return f"<article><small>{number}: {one.before:.4f} → {one.after:.4f}</small><p>{words}</p></article>"


def _words(one: Attribution, strongest: float) -> Iterator[str]:
    position = 0
    for edit, share in zip(one.edits, one.contributions, strict=True):
        yield from map(escape, one.tokens[position : edit.start])
        old, new = " ".join(one.tokens[edit.start : edit.end]), " ".join(edit.replacement)
        colour = "10 140 90" if share > 0 else "190 40 70"
        strength = FAINT + (STRONG - FAINT) * abs(share) / strongest if share else 0.0
        shown = f"<del>{escape(old)}</del> " * bool(old) + f"<ins>{escape(new)}</ins>" * bool(new)
        ground = f"background: rgb({colour} / {strength:.2f})"
        yield f'<span class="edit" style="{ground}">{shown}<small>{share:+.3f}</small></span>'
        position = edit.end
    yield from map(escape, one.tokens[position:])
