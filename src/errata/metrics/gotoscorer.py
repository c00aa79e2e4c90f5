"""GoToScorer (Gotou et al. 2020): an F score in which an error counts the more, the fewer systems correct it.

Numbers are those of gec-metrics 0.1.1 (`GoToScorer`, by the authors of the paper): without weights by default there,
and with the weights of its `gecmetrics-gen-gotoscorer-weight` as `weights="text"`. That program compares only the text
of two chunks and not their place; `weights="span"` compares both, as the paper says. See docs/metrics/gotoscorer.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from errata.errors import DataError, UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_gold, describe_systems, view_edits
from errata.metrics.edit_counts import check_beta, f_scores, sentence_weights
from errata.metrics.items import scored_references
from errata.metrics.plain_edits import annotate_plainly, check_edit_language, choose_extractor
from errata.metrics.signature import make_signature
from errata.metrics.texts import is_usable
from errata.model import Annotation, Edit, Score, Tokens

WEIGHTS = ("span", "text", "none")
UNKNOWN = "UNK"  # the type of an edit that says only that something is wrong
Sums = tuple[float, float, float, float]
"""The weights of true positives, false positives, false negatives and true negatives."""
Weights = tuple[float, ...]


class Piece(NamedTuple):
    """A token, an edit or the gap between two tokens, and what a side makes of it."""

    start: int
    end: int
    text: str
    is_edit: bool

    @property
    def is_gap(self) -> bool:
        return self.start == self.end


@dataclass(frozen=True, slots=True)
class GotoscorerOptions:
    """`reference` is the number of the reference to score against, from 0: the metric knows one only.

    `weights` "span" asks which systems make the same of the same place, "text" which make the same anywhere, and
    "none" makes all errors count alike. `language` is that of the sources, unless it is named.
    """

    beta: float = 0.5
    weights: str = "span"
    reference: int = 0
    language: str | None = None

    def __post_init__(self) -> None:
        check_beta(self.beta)
        check_edit_language(self.language)
        if self.weights not in WEIGHTS:
            raise UnknownName("weights of GoToScorer", self.weights, WEIGHTS)
        if self.reference < 0:
            raise UsageError(f"reference is the number of a reference, from 0, not {self.reference}")


class Gotoscorer(Metric[Sums]):
    """F-beta over the pieces of the reference, weighed by how many systems get them wrong."""

    name = "gotoscorer"
    Options = GotoscorerOptions
    options: GotoscorerOptions

    def __init__(self, options: GotoscorerOptions | None = None) -> None:
        super().__init__(options)
        # The weights of a sentence are the same for every hypothesis, and finding them takes the longest.
        self._weights: dict[object, Weights] = {}

    @property
    def needs_systems(self) -> bool:
        return self.options.weights != "none"

    @property
    def signature(self) -> str:
        options = self.options
        return make_signature(
            self.name, f"F{options.beta:g}", weights=options.weights, reference=options.reference or None
        )

    def compared(self, items: Sequence[Item]) -> str:
        """What extracted the edits of texts, the gold, and which systems say what is difficult."""
        has_texts = any(
            isinstance(side, str) for item in items for side in (item.hypothesis, *item.references, *item.systems)
        )
        extraction = choose_extractor(items, self.options.language).signature if has_texts else "edits:given"
        gold = (
            f"{extraction}|{describe_gold([self._with_reference(n, one) for n, one in enumerate(items)], view_edits)}"
        )
        return f"{gold}|{describe_systems(items)}" if self.needs_systems else gold

    def _with_reference(self, place: int, item: Item) -> Item:
        """The item with the one reference that counts, none where nobody could annotate the sentence."""
        usable = [one for one in item.references if is_usable(one)]
        plain = [one for one in usable if isinstance(one, str) or not one.alignment]
        if not usable:
            return item
        if self.options.reference >= len(plain):
            raise DataError(
                f"sentence {place + 1} has no reference {self.options.reference}: "
                f"they are numbered from 0, and it has {len(plain)}"
            )
        chosen = plain[self.options.reference]
        return replace(item, references=(chosen if isinstance(chosen, str) else replace(chosen, annotator="0"),))

    def stats(self, items: Sequence[Item]) -> list[Sums]:
        """The weighted counts of each sentence; zeros where nobody could annotate it."""
        chosen = [self._with_reference(place, item) for place, item in enumerate(items)]
        self._learn_weights(chosen)
        annotated = annotate_plainly([replace(item, systems=()) for item in chosen], self.options.language)
        return [self._count(item, plain) for item, plain in zip(chosen, annotated, strict=True)]

    def _count(self, item: Item, plain: Item) -> Sums:
        references = scored_references(plain)
        if not references:
            return 0.0, 0.0, 0.0, 0.0
        reference = cut_pieces(plain.source.tokens, _known_edits(references[0]))
        weights = self._weights[_key(item)] if self.needs_systems else (1.0,) * len(reference)
        return judge_pieces(reference, cut_pieces(plain.source.tokens, _known_edits(plain.hypothesis)), weights)

    def _learn_weights(self, items: Sequence[Item]) -> None:
        """Find the weights of the sentences that were not seen before."""
        if not self.needs_systems:
            return
        new = {_key(item): item for item in items if _key(item) not in self._weights}
        if any(not item.systems for item in new.values()):
            raise UsageError(
                "gotoscorer weighs errors by how many systems correct them: give the outputs of systems with --system "
                "(systems=… in Python), or set weights=none"
            )
        # Every system is one more reference, so that its edits are extracted the same way. A sentence in which nobody
        # wrote an edit has a reference without edits, as in `scored_references`.
        widened = [
            replace(item, references=_renamed((*(item.references or (Annotation(),)), *item.systems)))
            for item in new.values()
        ]
        for key, plain in zip(new, annotate_plainly(widened, self.options.language), strict=True):
            reference, *systems = (cut_pieces(plain.source.tokens, _known_edits(one)) for one in plain.references)
            is_right = _stands_there if self.options.weights == "span" else _stands_anywhere
            hits = np.array([list(is_right(reference, pieces)) for pieces in systems], dtype=float)
            self._weights[key] = tuple((1 - hits.mean(axis=0)).tolist())

    def aggregate(self, stats: Sequence[Sums]) -> Score:
        """The corpus score; `parts` has precision, recall, accuracy and the weighted counts."""
        tp, fp, fn, tn = (float(one) for one in np.array(stats, dtype=float).reshape(-1, 4).sum(axis=0))
        value = float(f_scores(np.array([tp, fp, fn]), self.options.beta))
        total = tp + fp + fn + tn
        parts = {
            "precision": tp / (tp + fp) if fp else 1.0,
            "recall": tp / (tp + fn) if fn else 1.0,
            f"f{self.options.beta:g}": value,
            "accuracy": (tp + tn) / total if total else 1.0,
            "tp": tp,
            "fp": fp,
            "fn": fn,
        }
        return Score(self.name, value, parts, self.signature)

    def resample(self, stats: Sequence[Sums], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        table = np.array(stats, dtype=float).reshape(-1, 4)[:, :3]
        return f_scores(sentence_weights(indices, len(stats)) @ table, self.options.beta)


def cut_pieces(tokens: Tokens, edits: Sequence[Edit]) -> list[Piece]:
    """The edits and the other tokens in order, with the gap before each of them, unless an insertion stands there."""
    pieces: list[Piece] = []
    for piece in _edits_and_tokens(tokens, edits):
        if not piece.is_gap and not (pieces and pieces[-1].is_gap):
            pieces.append(Piece(piece.start, piece.start, "", False))
        pieces.append(piece)
    if not (pieces and pieces[-1].is_gap):
        pieces.append(Piece(len(tokens), len(tokens), "", False))
    return pieces


def _edits_and_tokens(tokens: Tokens, edits: Sequence[Edit]) -> Iterator[Piece]:
    position = 0
    for edit in edits:
        yield from (Piece(place, place + 1, tokens[place], False) for place in range(position, edit.start))
        yield Piece(edit.start, edit.end, " ".join(edit.replacement), True)
        position = edit.end
    yield from (Piece(place, place + 1, tokens[place], False) for place in range(position, len(tokens)))


def judge_pieces(reference: Sequence[Piece], hypothesis: Sequence[Piece], weights: Weights) -> Sums:
    """The weights of the pieces of a reference by what the hypothesis makes of them.

    A piece that the hypothesis edits wrongly is a false positive, and a false negative too if the reference edits it.
    A gap that lies inside an edit of the hypothesis counts as left alone, whatever the reference inserts there: so it
    is in gec-metrics.
    """
    spans = {(piece.start, piece.end): piece for piece in reversed(hypothesis)}  # of two insertions the first
    edits = [piece for piece in hypothesis if piece.is_edit]
    tp = fp = fn = tn = 0.0
    for piece, weight in zip(reference, weights, strict=True):
        own = spans.get((piece.start, piece.end))
        is_right = own.text == piece.text if own else piece.is_gap
        if own.is_edit if own else not piece.is_gap and any(_overlap(piece, edit) for edit in edits):
            if is_right:
                tp += weight
            else:
                fp += weight
                fn += weight if piece.is_edit else 0.0
        elif is_right:
            tn += weight
        else:
            fn += weight
    return tp, fp, fn, tn


def _overlap(piece: Piece, edit: Piece) -> bool:
    return piece.start <= edit.start < piece.end or edit.start <= piece.start < edit.end


def _stands_there(reference: Sequence[Piece], system: Sequence[Piece]) -> Iterator[bool]:
    """Whether a system makes the same of each piece."""
    found = {piece[:3] for piece in system}
    return (piece[:3] in found for piece in reference)


def _stands_anywhere(reference: Sequence[Piece], system: Sequence[Piece]) -> Iterator[bool]:
    """Whether the text of each piece stands anywhere in what a system made."""
    found = {piece.text for piece in system}
    return (piece.text in found for piece in reference)


def _known_edits(side: str | Annotation) -> list[Edit]:
    """The edits that say what is right."""
    assert isinstance(side, Annotation)
    return [edit for edit in side.edits if edit.type != UNKNOWN]


def _renamed(sides: Sequence[str | Annotation]) -> tuple[str | Annotation, ...]:
    """The sides, each by another annotator."""
    return tuple(one if isinstance(one, str) else replace(one, annotator=str(place)) for place, one in enumerate(sides))


def _key(item: Item) -> object:
    """What the weights of a sentence depend on."""
    return item.source, item.references, item.systems
