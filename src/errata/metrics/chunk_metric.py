"""What the metrics over chunks share: cut and compare, weigh chunks by their length, choose references, resample."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from errata.edits.apply import apply_edits
from errata.errors import UnknownName
from errata.metrics.base import Item, Metric
from errata.metrics.chunks import ChunkedSentence, Edits, Verdicts, compare_chunks
from errata.metrics.compared import describe_gold, view_edits
from errata.metrics.edit_counts import sentence_weights
from errata.metrics.items import scored_references
from errata.metrics.plain_edits import annotate_plainly, check_edit_language, choose_extractor
from errata.model import Annotation, Tokens

ASSUMPTIONS = ("dependent", "independent")
WEIGHTS = ("length", "none")
AVERAGES = ("corpus", "sentence")
HIT, WRONG, OVER, UNDER, KEPT = range(5)

Chosen = TypeVar("Chosen", bound="ChunkOptions")


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """How chunks are compared and added up.

    `assumption` "dependent" holds a sentence against its best reference, "independent" each chunk against the chunks
    of all references. `weights` "length" makes long corrections count more, "none" all alike. `average` adds up chunks
    of the "corpus", or is the mean over each "sentence". `language` is that of the sources, unless it is named.
    """

    assumption: str = "dependent"
    weights: str = "length"
    average: str = "corpus"
    language: str | None = None

    def __post_init__(self) -> None:
        for name, choices in (("assumption", ASSUMPTIONS), ("weights", WEIGHTS), ("average", AVERAGES)):
            if getattr(self, name) not in choices:
                raise UnknownName(name, getattr(self, name), choices)
        check_edit_language(self.language)


@dataclass(frozen=True, slots=True)
class Curve:
    """How the weight of a chunk grows with its length, between two bounds; a falling one shrinks.

    A chunk as long as the mean correction of the references has weight 1.
    """

    steepness: float
    lowest: float
    highest: float
    is_falling: bool = False

    def weigh(self, lengths: np.ndarray, means: np.ndarray) -> np.ndarray:
        """The weights (rows, lengths) of chunks of such lengths, where corrections have these mean lengths (rows)."""
        difference = np.subtract.outer(means, lengths)
        grown = np.exp(-difference if self.is_falling else difference)
        weights: np.ndarray = np.clip(self.steepness / (1 + (self.steepness - 1) * grown), self.lowest, self.highest)
        return weights


@dataclass(frozen=True, slots=True)
class Curves:
    """The weights of chunks that are right, wrongly corrected, and missed."""

    right: Curve
    wrong: Curve
    missed: Curve


class ChunkMetric(Metric[ChunkedSentence], Generic[Chosen]):
    """A metric over the verdicts on chunks; a subclass says how weighted numbers of verdicts make a score.

    Verdicts are summed up in arrays whose last axis has the weights of hit, wrong, over, under and kept chunks.
    """

    options: Chosen

    @property
    @abstractmethod
    def curves(self) -> Curves:
        """The weights of chunks, where they are weighed by length."""

    @abstractmethod
    def score_sums(self, sums: np.ndarray) -> np.ndarray:
        """The score of sums (…, 5)."""

    @abstractmethod
    def rank(self, sums: np.ndarray, own: np.ndarray) -> list[np.ndarray]:
        """What decides between references, the most important first: higher is better.

        `own` (…, 5) are the sums of a sentence against a reference, `sums` those with the sentences before.
        """

    def compared(self, items: Sequence[Item]) -> str:
        """What extracted the edits of texts, and the gold."""
        has_texts = any(isinstance(side, str) for item in items for side in (item.hypothesis, *item.references))
        extraction = choose_extractor(items, self.options.language).signature if has_texts else "edits:given"
        return f"{extraction}|{describe_gold(items, view_edits)}"

    def prepare(self, items: Sequence[Item]) -> list[Item]:
        """The items with plain lists of edits in the place of texts."""
        return annotate_plainly(items, self.options.language)

    def stats(self, items: Sequence[Item]) -> list[ChunkedSentence]:
        """The verdicts of each sentence against its references; none where nobody could annotate it."""
        return [self._compare(item) for item in self.prepare(items)]

    def _compare(self, item: Item) -> ChunkedSentence:
        assert isinstance(item.hypothesis, Annotation)
        references = _drop_empty(item.source.tokens, [one.edits for one in scored_references(item)])
        if not references:
            return ChunkedSentence(())
        is_independent = self.options.assumption == "independent"
        return compare_chunks(item.source.tokens, item.hypothesis.edits, references, is_independent=is_independent)

    def totals(self, stats: Sequence[ChunkedSentence], indices: np.ndarray) -> np.ndarray:
        """The sums (rows, 5) of each row of sentence indices, each sentence against the reference chosen for it."""
        table = self._make_table(stats)
        drawn = sentence_weights(indices, len(stats))
        weights = table.weigh(drawn)
        if table.counts.shape[1] == 1:
            counts = (drawn @ table.counts.reshape(len(stats), -1)).reshape(len(drawn), 5, -1)
            single: np.ndarray = (counts * weights).sum(axis=-1)
            return single
        sums = np.zeros((len(indices), 5))
        for position in range(indices.shape[1]):
            sums += self._choose(table, weights, indices[:, position], sums)
        return sums

    def _make_table(self, stats: Sequence[ChunkedSentence]) -> _Table:
        return _Table(stats, self.curves if self.options.weights == "length" else None)

    def _choose(self, table: _Table, weights: np.ndarray, sentences: np.ndarray, so_far: np.ndarray) -> np.ndarray:
        """The sums (rows, 5) of one sentence of each row against the reference that serves the row best."""
        if not table.needs_choice[sentences].any():
            alike: np.ndarray = (table.counts[sentences, 0] * weights).sum(axis=-1)
            return alike
        candidates = np.einsum("rkvl,rvl->rkv", table.counts[sentences], weights)
        exists = table.exists[sentences]
        ranks = self.rank(so_far[:, None] + candidates, candidates)
        best = np.zeros(len(sentences), dtype=np.intp)
        rows = np.arange(len(sentences))
        for place in range(1, candidates.shape[1]):
            is_better = np.zeros(len(rows), dtype=bool)
            is_equal = exists[:, place]
            for key in ranks:
                is_better |= is_equal & (key[:, place] > key[rows, best])
                is_equal = is_equal & (key[:, place] == key[rows, best])
            best[is_better] = place
        chosen: np.ndarray = candidates[rows, best]
        return chosen

    def corpus_value(self, stats: Sequence[ChunkedSentence], sums: np.ndarray) -> float:
        """The score of a corpus that has these sums (5)."""
        if self.options.average == "corpus":
            return float(self.score_sums(sums))
        is_scored = [bool(one.verdicts) for one in stats]
        return float(self.sentence_scores(stats)[is_scored].mean()) if any(is_scored) else 0.0

    def resample(self, stats: Sequence[ChunkedSentence], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        if self.options.average == "corpus":
            return self.score_sums(self.totals(stats, indices))
        table = self._make_table(stats)
        weights = table.weigh(sentence_weights(indices, len(stats)))
        scores, n_scored = np.zeros(len(indices)), np.zeros(len(indices))
        for position in range(indices.shape[1]):
            sentences = indices[:, position]
            is_scored = table.exists[sentences].any(axis=1)
            own = self._choose(table, weights, sentences, np.zeros((len(indices), 5)))
            scores += np.where(is_scored, self.score_sums(own), 0.0)
            n_scored += is_scored
        means: np.ndarray = scores / np.maximum(n_scored, 1)
        return means

    def sentence_scores(self, stats: Sequence[ChunkedSentence]) -> np.ndarray:
        """The score of each sentence; the mean length of corrections is that of all sentences."""
        table = self._make_table(stats)
        weights = np.repeat(table.weigh(np.ones((1, len(stats)))), len(stats), axis=0)
        own = self._choose(table, weights, np.arange(len(stats)), np.zeros((len(stats), 5)))
        return self.score_sums(own)


def _drop_empty(source: Tokens, references: Sequence[Edits]) -> Sequence[Edits]:
    """The references that leave something of the source; the first where none does.

    A reference that deletes the sentence would make one chunk of it, and so hide what the others correct.
    """
    return [edits for edits in references if apply_edits(source, edits)] or references[:1]


class _Table:
    """The verdicts of sentences as arrays: how many chunks of each length there are.

    `counts` is (sentences, references, 5, lengths); without curves all lengths count as one. Chunks that are kept have
    the first length; their weight is 1 whatever it is.
    """

    def __init__(self, stats: Sequence[ChunkedSentence], curves: Curves | None) -> None:
        self.curves = curves
        width = max((len(one.verdicts) for one in stats), default=0) or 1
        longest = max(
            (length for one in stats for verdicts in one.verdicts for length in _lengths(verdicts)), default=0
        )
        self.counts = np.zeros((len(stats), width, 5, longest + 1 if curves else 1))
        self.exists = np.zeros((len(stats), width), dtype=bool)
        self.lengths = np.zeros((len(stats), 2))  # the sum of the lengths of what references correct, and how many
        for place, one in enumerate(stats):
            self.exists[place, : len(one.verdicts)] = True
            self.lengths[place] = sum(one.reference_lengths), len(one.reference_lengths)
            for reference, verdicts in enumerate(one.verdicts):
                cells = self.counts[place, reference]
                cells[KEPT, 0] = verdicts.n_kept
                for verdict, sizes in enumerate((verdicts.hit, verdicts.wrong, verdicts.over, verdicts.under)):
                    for size in sizes:
                        cells[verdict, size if curves else 0] += 1
        is_alike = (self.counts == self.counts[:, :1]).all(axis=(2, 3)) | ~self.exists
        self.needs_choice = ~is_alike.all(axis=1)  # most sentences get the same verdicts from all references

    def weigh(self, drawn: np.ndarray) -> np.ndarray:
        """The weight of a chunk by verdict and length, (rows, 5, lengths), for sentences drawn so often."""
        weights = np.ones((len(drawn), 5, self.counts.shape[-1]))
        if self.curves is not None:
            total, number = (drawn @ self.lengths).T
            means = total / np.maximum(number, 1)
            sizes = np.arange(self.counts.shape[-1])
            weights[:, HIT] = self.curves.right.weigh(sizes, means)
            weights[:, WRONG] = weights[:, OVER] = self.curves.wrong.weigh(sizes, means)
            weights[:, UNDER] = self.curves.missed.weigh(sizes, means)
        return weights


def _lengths(verdicts: Verdicts) -> tuple[int, ...]:
    return verdicts.hit + verdicts.wrong + verdicts.over + verdicts.under
