"""PT-M2 (Gong et al. 2022): MaxMatch in which an edit counts as much as a pretrained encoder says.

It follows the authors' program (github.com/pygongnlp/PT-M2): `average="corpus"` is its `--base m2`, and
`average="sentences"`, which the authors recommend, its `--base sentm2`. The numbers are the same only with the same
encoder: see docs/metrics/pt-m2.md. Weights are found by `edit_weights`; everything else is `maxmatch`, and with
`weights="none"` the score is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from errata.judges.edit_weights import EditWeights, Weights, ask, check_weighing, in_whole_edits, with_targets
from errata.metrics.base import Item
from errata.metrics.items import scored_references
from errata.metrics.maxmatch import (
    AnnotatorCounts,
    Matches,
    MaxMatch,
    MaxMatchOptions,
    SentenceStats,
    find_matches,
)
from errata.metrics.texts import side_text, split_like
from errata.model import Annotation, Edit, Score, correction


@dataclass(frozen=True, slots=True)
class PtM2Options(MaxMatchOptions):
    """What weighs edits, on top of `MaxMatchOptions`.

    `weights` "none" makes all edits count alike. `average` "sentences" is the mean over sentences of their own scores.
    `model` is the encoder, `layer` the number of its layer whose states are compared (None: the last).
    """

    weights: str = "bertscore"
    average: str = "corpus"
    model: str | None = None
    layer: int | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        MaxMatchOptions.__post_init__(self)
        check_weighing(self)


class PtM2(MaxMatch):
    """F-beta over the weighted phrase edits that agree best with an annotator's."""

    name = "pt-m2"
    Options = PtM2Options
    options: PtM2Options

    def __init__(self, options: PtM2Options | None = None) -> None:
        super().__init__(options)
        self._weigh = EditWeights(self.options)

    @property
    def signature(self) -> str:
        fields = self._weigh.signature_fields().items()
        return super().signature + "".join(f"|{key}:{value}" for key, value in fields if value is not None)

    def prepare(self, items: Sequence[Item]) -> Sequence[Item]:
        return super().prepare(with_targets(items))

    def stats(self, items: Sequence[Item]) -> list[SentenceStats]:
        """The weighted counts of each sentence for each of its annotators, in units."""
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        ready = self.prepare(items)
        matched = [self._match(item, numbers) for item in ready]
        questions = [
            ask(item.source, reference, [*matches.proposed, *reference.edits])
            for item, found in zip(ready, matched, strict=True)
            for reference, matches in found
        ]
        weights = iter(self._weigh(questions))
        return [tuple(_count(reference, matches, next(weights)) for reference, matches in found) for found in matched]

    def _match(self, item: Item, numbers: defaultdict[str, int]) -> list[tuple[Annotation, Matches]]:
        references = scored_references(item)
        hypothesis = split_like(item.source, side_text(item.source, item.hypothesis))
        golds = [reference.edits for reference in references]
        found = find_matches(item.source.tokens, hypothesis, golds, self.options, numbers)
        return list(zip(references, found, strict=True))

    def aggregate(self, stats: Sequence[SentenceStats]) -> Score:
        """The corpus score, or the mean over sentences; counts are sums of weights."""
        if self.options.average == "corpus":
            return in_whole_edits(super().aggregate(stats))
        scores = self.sentence_scores(stats)
        value = float(scores.mean()) if len(scores) else 0.0
        return Score(self.name, value, {f"f{self.options.beta:g}": value}, self.signature)

    def sentence_scores(self, stats: Sequence[SentenceStats]) -> np.ndarray:
        return super().resample(stats, np.arange(len(stats))[:, None])

    def resample(self, stats: Sequence[SentenceStats], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        if self.options.average == "corpus":
            return super().resample(stats, indices)
        means: np.ndarray = self.sentence_scores(stats)[indices].mean(axis=1)
        return means


def _count(reference: Annotation, matches: Matches, weights: Weights) -> AnnotatorCounts:
    """Weighted counts. A gold edit that was matched by one of its alternatives weighs what that alternative does."""
    proposed = sum(weights[correction(edit)] for edit in matches.proposed)
    correct = sum(weights[correction(edit)] for edit in matches.correct)
    taken = {(edit.start, edit.end): edit for edit in matches.correct}
    gold = sum(weights[correction(_met(edit, taken.get((edit.start, edit.end))))] for edit in reference.edits)
    return AnnotatorCounts(reference.annotator, correct, proposed, gold)


def _met(gold: Edit, matched: Edit | None) -> Edit:
    """The edit whose weight a gold edit has."""
    return matched if matched is not None and matched.replacement in gold.replacements else gold
