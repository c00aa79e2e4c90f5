"""The edits of a sentence after which a preset finds nothing more to change.

A sentence is looked at, changed, and looked at again until nothing is left. Where there is no end (a comma that comes
and goes) no edit is made. So correcting the result again changes nothing: either the preset is content with it, or it
fails again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.pipeline.compose import compose, made_spans, touches
from errata.systems.documents import Candidate
from errata.text.words import Span

Candidates = tuple[Candidate, ...]
# Of some edits of a sentence, those that are allowed.
Permit = Callable[[str, list[TextEdit]], list[TextEdit]]
Looking = Generator[str, Candidates, list[TextEdit] | None]

# How often a sentence is changed. Of the sentences of W&I dev that change at all, one in twenty changes twice, and one
# in four hundred more often.
MAX_ROUNDS = 5


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
        """The edits that are made, with any further change of what was `made` before.

        A word that was just changed is not left for a more eager preset to change again: both presets make both
        changes, or they would not be nested.
        """
        return [
            replace(one.edit, confidence=one.confidences[self.shown])
            for one in candidates
            if one.confidences[self.shown] >= self.min_confidence
            and (one.rank <= self.rank or any(touches(span, one.edit) for span in made))
        ]


def settle(sentence: str, selection: Selection, permit: Permit) -> Looking:
    """Asks for looks at texts, the sentence first, and returns the sentence's edits; None if there is no end."""
    text, seen = sentence, {sentence}
    edits: list[TextEdit] = []
    for _ in range(MAX_ROUNDS):
        wanted = permit(text, selection.choose((yield text), made_spans(edits)))
        if not wanted:
            return edits
        edits = compose(sentence, edits, wanted)
        text = apply_text_edits(text, wanted)
        if text in seen:
            return None
        seen.add(text)
    return None


def take_once(sentence: str, selection: Selection, permit: Permit) -> Looking:
    """The edits of a single look."""
    return permit(sentence, selection.choose((yield sentence)))
