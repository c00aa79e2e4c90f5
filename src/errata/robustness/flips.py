"""Flips: variants that are corrected otherwise than their originals, side by side, the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise
from typing import Any

from errata.edits.carrying import find_changes
from errata.model import Counts, Tokens
from errata.robustness.cases import split_sample
from errata.robustness.judging import JudgedCase
from errata.text.tokens import join_tokens


@dataclass(frozen=True, slots=True)
class Piece:
    """Some tokens of a source and what the hypothesis has there; perturbed ones are not those of the other sample."""

    source: Tokens
    target: Tokens
    is_perturbed: bool = False

    @property
    def is_corrected(self) -> bool:
        return self.source != self.target


@dataclass(frozen=True, slots=True)
class FlipSide:
    """One of the two samples: its pieces, the reference, and the counts of the hypothesis."""

    pieces: tuple[Piece, ...]
    reference: str
    counts: Counts

    @property
    def text(self) -> str:
        """The source with `[old → new]` for corrections and braces around the perturbed words."""
        like = [token for piece in self.pieces for token in piece.source]
        return join_tokens([_show(piece, like) for piece in self.pieces if piece.source or piece.target], like=like)

    def as_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "reference": self.reference,
            "tp": self.counts.tp,
            "fp": self.counts.fp,
            "fn": self.counts.fn,
        }


def _show(piece: Piece, like: Sequence[str]) -> str:
    before, after = (join_tokens(tokens, like=like) for tokens in (piece.source, piece.target))
    shown = f"[{before or '∅'} → {after or '∅'}]" if piece.is_corrected else before
    return f"{{{shown}}}" if piece.is_perturbed else shown


@dataclass(frozen=True, slots=True)
class Flip:
    """An original and a variant that were corrected otherwise; `origin` and `line` are those of the variant."""

    origin: str
    line: int
    case: int
    sample: str
    original: FlipSide
    variant: FlipSide

    @property
    def weight(self) -> int:
        """How much better the original is corrected: right minus wrong edits; negative where the variant is better."""
        return _gain(self.original.counts) - _gain(self.variant.counts)

    def as_dict(self) -> dict[str, Any]:
        return {
            "origin": self.origin,
            "line": self.line,
            "case": self.case,
            "sample": self.sample,
            "weight": self.weight,
            "original": self.original.as_dict(),
            "variant": self.variant.as_dict(),
        }


def _gain(counts: Counts) -> int:
    return counts.tp - counts.fp


def is_flip(judged: JudgedCase, place: int) -> bool:
    """Whether the variant at a place among the samples has the error of the original and is corrected otherwise."""
    return judged.is_comparable[place - 1] and not judged.is_alike[place - 1]


def find_flips(cases: Iterable[JudgedCase], n: int, language: str) -> tuple[int, list[Flip]]:
    """How many flips there are, and the `n` worst: right minus wrong edits differ most, then in file order."""
    places = [(judged, place) for judged in cases for place in range(1, len(judged.counts)) if is_flip(judged, place)]

    def size(entry: tuple[JudgedCase, int]) -> tuple[int, int]:
        judged, place = entry
        weight = _gain(judged.counts[0]) - _gain(judged.counts[place])
        return abs(weight), weight

    return len(places), [_make_flip(judged, place, language) for judged, place in nlargest(n, places, key=size)]


def _make_flip(judged: JudgedCase, place: int, language: str) -> Flip:
    changes = judged.changes[place - 1]
    sample = judged.case.samples[place]
    spans = [[(one.start, one.end) for one in changes], [(one.new_start, one.new_end) for one in changes]]
    original, variant = (
        FlipSide(
            mark_pieces(
                split_sample(own.source, language), split_sample(own.prediction or "", language), spans[int(at > 0)]
            ),
            own.target or "",
            judged.counts[at],
        )
        for at, own in ((0, judged.case.samples[0]), (place, sample))
    )
    return Flip(judged.case.origin, sample.line, judged.case.number, sample.name, original, variant)


def mark_pieces(source: Tokens, target: Tokens, spans: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """The source in pieces: what stays, what is corrected, what is perturbed; together they make source and target."""
    pieces: list[Piece] = []
    position = 0
    for change in find_changes(source, target):
        pieces += _keep_pieces(source, position, change.start, spans)
        is_perturbed = any(start < change.end and change.start < end for start, end in spans)
        new = target[change.new_start : change.new_end]
        pieces.append(Piece(source[change.start : change.end], new, is_perturbed))
        position = change.end
    return (*pieces, *_keep_pieces(source, position, len(source), spans))


def _keep_pieces(source: Tokens, first: int, last: int, spans: Sequence[tuple[int, int]]) -> list[Piece]:
    """Tokens [first, last), which stay, cut where the perturbed ones begin and end."""
    borders = sorted({first, last, *(at for span in spans for at in span if first < at < last)})
    return [
        Piece(source[a:b], source[a:b], any(start <= a and b <= end for start, end in spans))
        for a, b in pairwise(borders)
    ]
