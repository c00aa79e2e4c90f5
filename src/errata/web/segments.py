"""Sentences in parts: one that a model would cut anyway is corrected piece by piece, and others get their turn."""

from __future__ import annotations

from dataclasses import dataclass

from errata.pipeline.sentences import Segment, SentenceCorrector
from errata.web.recent import MAX_SENTENCE


@dataclass(frozen=True, slots=True)
class QueuedSegment:
    """A sentence, or the `segment` of it that a model reads at once."""

    sentence: str
    segment: Segment | None = None

    @property
    def n_characters(self) -> int:
        if self.segment is None:
            return len(self.sentence)
        start, end = self.segment.bounds
        return end - start


def cut_sentence(corrector: SentenceCorrector, sentence: str) -> list[QueuedSegment]:
    """The parts of a sentence, in order: one, unless it is long and the model would cut it."""
    # What is cut is never remembered: the edits of a piece may depend on the words beside it.
    if len(sentence) <= MAX_SENTENCE:
        return [QueuedSegment(sentence)]
    segments = corrector.cut(sentence)
    return (
        [QueuedSegment(sentence, segment) for segment in segments] if len(segments) > 1 else [QueuedSegment(sentence)]
    )
