"""Raw text around a token model: segment, tokenise, propose, and put the edits back.

Texts of any length go in whole: they are split into sentences, over-long sentences at punctuation, and rejoined, so
nothing is cut off. Edits come back as character ranges of the original text; everything outside them is untouched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from errata.edits.apply import apply_text_edits
from errata.model import Correction, Edit, TextEdit
from errata.systems.base import Progress, ProposedEdit, TokenCorrector
from errata.text.sentences import cut_long, sentence_spans
from errata.text.spacing import LAYOUTS
from errata.text.words import Span

# Segments handed to the model at once: enough to sort by length and batch well, few enough to keep memory flat.
SEGMENTS_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a document the model sees at once: its bounds, and the character range of each token."""

    bounds: Span
    spans: tuple[Span, ...]


class DocumentCorrector:
    """A `Corrector` made from a `TokenCorrector`.

    `tokenised` takes sentences whose tokens are separated by spaces and gives them back the same way.
    Edits below `min_confidence` are left out.
    """

    def __init__(
        self, model: TokenCorrector, *, name: str, tokenised: bool = False, min_confidence: float = 0.0
    ) -> None:
        self.model, self.name, self.language = model, name, model.language
        self.tokenised, self.min_confidence = tokenised, min_confidence
        self._layout = LAYOUTS["tokenised" if tokenised else model.language]

    def correct(self, sentences: Sequence[str], *, progress: Progress | None = None) -> list[Correction]:
        """One correction per text, in order."""
        corrections: list[Correction] = []
        for texts in self._groups(sentences):
            corrections.extend(self._correct_group(texts))
            if progress:
                progress(len(texts))
        return corrections

    def _groups(self, texts: Sequence[str]) -> Iterator[list[tuple[str, list[Segment]]]]:
        group: list[tuple[str, list[Segment]]] = []
        n_segments = 0
        for text in texts:
            segments = self.segments(text)
            group.append((text, segments))
            n_segments += len(segments)
            if n_segments >= SEGMENTS_AT_ONCE:
                yield group
                group, n_segments = [], 0
        if group:
            yield group

    def segments(self, text: str) -> list[Segment]:
        """The pieces of `text` that the model sees, in order; together they hold every token."""
        sentences = [(0, len(text))] if self.tokenised else sentence_spans(text, self.language)
        return [piece for sentence in sentences for piece in self._pieces(text, sentence)]

    def _pieces(self, text: str, sentence: Span) -> Iterator[Segment]:
        start, end = sentence
        spans = [(start + a, start + b) for a, b in self._layout.spans(text[start:end])]
        tokens = [text[a:b] for a, b in spans]
        ranges = cut_long(tokens, self.model.max_tokens, lambda token: not token[-1:].isalnum())
        for first, last in ranges:
            if first < last:
                bounds = (start if first == 0 else spans[first][0], end if last == len(spans) else spans[last - 1][1])
                yield Segment(bounds, tuple(spans[first:last]))

    def _correct_group(self, group: Sequence[tuple[str, Sequence[Segment]]]) -> Iterator[Correction]:
        tokens = [tuple(text[a:b] for a, b in segment.spans) for text, segments in group for segment in segments]
        proposals = iter(self.model.propose(tokens))
        for text, segments in group:
            edits = [edit for segment in segments for edit in self._place_all(text, segment, next(proposals))]
            yield Correction(text, apply_text_edits(text, edits), tuple(edits))

    def _place_all(self, text: str, segment: Segment, proposed: Sequence[ProposedEdit]) -> list[TextEdit]:
        wanted = [p for p in proposed if p.confidence >= self.min_confidence]
        placed = [(p, self._place(text, segment, p)) for p in wanted]
        while (clash := _first_clash([edit for _, edit in placed])) is not None:
            # Two neighbours want the same space: place them as one edit.
            merged = _merge(placed[clash][0], placed[clash + 1][0], segment, text)
            placed[clash : clash + 2] = [(merged, self._place(text, segment, merged))]
        return [edit for _, edit in placed if text[edit.start : edit.end] != edit.replacement]

    def _place(self, text: str, segment: Segment, proposed: ProposedEdit) -> TextEdit:
        edit = proposed.edit
        start, end, replacement = self._layout.place(
            text, segment.spans, edit.start, edit.end, edit.replacement, segment.bounds
        )
        return TextEdit(start, end, replacement, _type_of(edit), proposed.confidence)


def _type_of(edit: Edit) -> str:
    """The system's own type, else what kind of change it is: M(issing), U(nnecessary) or R(eplacement)."""
    if edit.type != "UNK":
        return edit.type
    return "M" if edit.start == edit.end else "R" if edit.replacement else "U"


def _first_clash(edits: Sequence[TextEdit]) -> int | None:
    return next((i for i, (a, b) in enumerate(pairwise(edits)) if b.start < a.end), None)


def _merge(left: ProposedEdit, right: ProposedEdit, segment: Segment, text: str) -> ProposedEdit:
    between = tuple(text[a:b] for a, b in segment.spans[left.edit.end : right.edit.start])
    edit = replace(
        left.edit, end=right.edit.end, replacement=(*left.edit.replacement, *between, *right.edit.replacement)
    )
    return ProposedEdit(edit, min(left.confidence, right.confidence))
