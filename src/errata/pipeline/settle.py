"""The edits of a sentence after which a preset finds nothing more to change.

A sentence is looked at, changed, and looked at again until nothing is left. Where there is no end (a comma that comes
and goes), that place is left alone and the rest is tried again. So correcting the result again changes nothing: either
the preset is content with it, or it fails at the same place again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.pipeline.compose import compose, made_spans, source_span, touches
from errata.pipeline.sentences import Candidate
from errata.text.words import Span

Candidates = tuple[Candidate, ...]
# Of some edits of a sentence, those that are allowed.
Permit = Callable[[str, list[TextEdit]], list[TextEdit]]

# How often a sentence is tried again without the places where there was no end.
MAX_TRIES = 4
# How often a sentence is changed. Of the sentences of W&I dev that change at all, one in twenty changes twice, and one
# in four hundred more often.
MAX_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Settled:
    """The edits of a sentence; it is not certain that they are stable where some had to be left out."""

    edits: list[TextEdit]
    is_certain: bool = True


Looking = Generator[str, Candidates, Settled]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which candidates are made: those of the preset with the number `rank`, if the one numbered `shown` is so sure.

    The preset that is shown is the one the user chose; `rank` may be that of a more careful one, whose edits are made
    first.
    """

    rank: int
    shown: int
    min_confidence: float = 0.0

    def choose(self, candidates: Candidates, made: Sequence[Span] = ()) -> list[TextEdit]:
        """The edits that are made, with any further change of what a model has `made` before.

        A word that was just changed is not left for a more eager preset to change again: both presets make both
        changes, or they would not be nested. What a rule has made is right without that.
        """
        return [
            replace(one.edit, confidence=one.confidences[self.shown])
            for one in candidates
            if one.confidences[self.shown] >= self.min_confidence
            and (one.rank <= self.rank or any(touches(span, one.edit) for span in made))
        ]


def settle(sentence: str, selection: Selection, permit: Permit) -> Looking:
    """Asks for looks at texts, the sentence first, and returns the sentence's edits."""
    restless: list[Span] = []
    for _ in range(MAX_TRIES):
        edits, more = yield from _try(sentence, selection, permit, restless)
        if not more:
            return Settled(edits, not restless)
        restless += more
    return Settled([], False)


def _try(
    sentence: str, selection: Selection, permit: Permit, restless: Sequence[Span]
) -> Generator[str, Candidates, tuple[list[TextEdit], list[Span]]]:
    """The edits outside of the `restless` places of the sentence, and further places where there is no end."""
    text, seen = sentence, {sentence}
    edits: list[TextEdit] = []
    before: list[TextEdit] = []
    for _ in range(MAX_ROUNDS):
        made = [span for span, edit in zip(made_spans(edits), edits, strict=True) if not edit.about]
        chosen = selection.choose((yield text), made)
        wanted = permit(text, [edit for edit in chosen if not _is_restless(edits, edit, restless)])
        if not wanted:
            return edits, []
        before, edits = edits, compose(sentence, edits, wanted)
        text = apply_text_edits(text, wanted)
        if text in seen:
            break
        seen.add(text)
    changed = set(before) ^ set(edits)
    return [], [(edit.start, edit.end) for edit in changed]


def _is_restless(edits: Sequence[TextEdit], edit: TextEdit, restless: Sequence[Span]) -> bool:
    """Whether an edit of what `edits` made of a sentence is at one of its restless places."""
    if not restless:
        return False
    start, end = source_span(edits, (edit.start, edit.end))
    return any(start <= last and first <= end for first, last in restless)


def take_once(sentence: str, selection: Selection, permit: Permit) -> Looking:
    """The edits of a single look."""
    return Settled(permit(sentence, selection.choose((yield sentence))))
