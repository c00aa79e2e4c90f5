"""Sentences in parts: one that a model would cut anyway is corrected piece by piece, and others get their turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from errata.systems.documents import Segment
from errata.web.recent import MAX_SENTENCE, Edits


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or the `segment` of it that a model reads at once."""

    sentence: str
    segment: Segment | None = None

    @property
    def n_characters(self) -> int:
        if self.segment is None:
            return len(self.sentence)
        start, end = self.segment.bounds
        return end - start


def cut_sentence(corrector: Any, sentence: str) -> list[Part]:
    """The parts of a sentence, in order: one, unless it is long and the corrector says where it cuts."""
    # What is cut is never remembered: the edits of a piece may depend on the words beside it.
    if len(sentence) <= MAX_SENTENCE or not hasattr(corrector, "segments"):
        return [Part(sentence)]
    segments = corrector.segments(sentence)
    return [Part(sentence, segment) for segment in segments] if len(segments) > 1 else [Part(sentence)]


def correct_parts(corrector: Any, parts: Sequence[Part]) -> list[Edits]:
    """The edits of each part, as they stand in its sentence."""
    if any(part.segment for part in parts):
        corrections = corrector.correct_segments([(part.sentence, part.segment) for part in parts])
    else:
        corrections = corrector.correct([part.sentence for part in parts])
    return [correction.edits for correction in corrections]
