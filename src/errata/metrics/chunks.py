"""Chunks (Ye et al. 2023): a source, a hypothesis and its references cut at the same places, and compared.

Edits of all sides that overlap or touch make one chunk together. So each side either leaves a chunk alone or corrects
the whole of it, and a correction does not count twice because somebody wrote it as two edits. What stands between
such chunks is a chunk that no side corrects.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from errata.edits.apply import apply_edits
from errata.model import Edit, Tokens

Span = tuple[int, int]
Edits = Sequence[Edit]


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one side makes of a chunk, and whether it has an edit there."""

    tokens: Tokens
    is_corrected: bool


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How a hypothesis did against a reference, or against all together: the lengths of its chunks by verdict.

    A chunk is `hit` if it is corrected as the reference has it, `wrong` if the reference corrects it otherwise, `over`
    if the reference leaves it alone, `under` if only the reference corrects it. `n_kept` chunks are rightly left
    alone. The length of a chunk is that of its source or of its hypothesis, whichever is longer.
    """

    hit: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    over: tuple[int, ...] = ()
    under: tuple[int, ...] = ()
    n_kept: int = 0


@dataclass(frozen=True, slots=True)
class ChunkedSentence:
    """The verdicts of a sentence against each reference, and the lengths of what the references correct."""

    verdicts: tuple[Verdicts, ...]
    reference_lengths: tuple[int, ...] = ()


def find_spans(edits: Iterable[Edit]) -> list[Span]:
    """The source spans that some edit changes; edits that overlap or touch share one."""
    spans: list[Span] = []
    for edit in sorted(edits, key=lambda one: one.start):
        if spans and edit.start <= spans[-1][1]:
            start, end = spans.pop()
            spans.append((start, max(end, edit.end)))
        else:
            spans.append((edit.start, edit.end))
    return spans


def cut_chunks(source: Tokens, edits: Edits, spans: Sequence[Span]) -> list[Chunk]:
    """What a side makes of each span; every edit lies in one of them."""
    chunks = []
    for start, end in spans:
        own = [
            Edit(one.start - start, one.end - start, one.replacement)
            for one in edits
            if start <= one.start and one.end <= end
        ]
        chunks.append(Chunk(apply_edits(source[start:end], own), bool(own)))
    return chunks


def compare_chunks(
    source: Tokens, hypothesis: Edits, references: Sequence[Edits], *, is_independent: bool
) -> ChunkedSentence:
    """The verdicts of a sentence: one for each reference, or a single one where corrections count independently.

    Independently, a chunk is right if any reference has it so, and a correction is missing only if all references
    make one.
    """
    spans = find_spans(edit for side in (hypothesis, *references) for edit in side)
    own = cut_chunks(source, hypothesis, spans)
    others = [cut_chunks(source, edits, spans) for edits in references]
    lengths = [end - start for start, end in spans]
    groups = [list(zip(*others, strict=True))] if is_independent else [[(one,) for one in side] for side in others]
    n_unchanged = _count_gaps(len(source), spans)
    return ChunkedSentence(
        tuple(_judge(lengths, own, group, n_unchanged) for group in groups),
        tuple(
            max(length, len(one.tokens))
            for side in others
            for length, one in zip(lengths, side, strict=True)
            if one.is_corrected
        ),
    )


def _judge(
    lengths: Sequence[int], hypothesis: Sequence[Chunk], references: Sequence[tuple[Chunk, ...]], n_unchanged: int
) -> Verdicts:
    """The verdicts on the chunks of a hypothesis; each has the chunks of the references that it is held against."""
    hit, wrong, over, under = [], [], [], []
    n_kept = n_unchanged
    for length, chunk, wanted in zip(lengths, hypothesis, references, strict=True):
        size = max(length, len(chunk.tokens))
        if not chunk.is_corrected:
            if all(one.is_corrected for one in wanted):
                under.append(size)
            else:
                n_kept += 1
        elif any(one.tokens == chunk.tokens for one in wanted):
            hit.append(size)
        elif any(one.is_corrected for one in wanted):
            wrong.append(size)
        else:
            over.append(size)
    return Verdicts(tuple(hit), tuple(wrong), tuple(over), tuple(under), n_kept)


def _count_gaps(length: int, spans: Sequence[Span]) -> int:
    """How many stretches of the source stand between the spans, before the first and after the last."""
    borders = [0, *(place for span in spans for place in span), length]
    return sum(start < end for start, end in zip(borders[::2], borders[1::2], strict=True))
