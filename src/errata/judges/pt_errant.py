"""PT-ERRANT (Gong et al. 2022): the ERRANT score in which an edit counts as much as a pretrained encoder says.

The definition is that of the paper, which gec-metrics 0.1.1 (`PTERRANT`) and the authors' program (`--base errant`)
share. Neither can be reproduced to the digit without their encoder, bert-base-uncased: see docs/metrics/pt-errant.md.
Weights are found by `edit_weights`; everything else is `errant`, and with `weights="none"` the score is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from errata.edits.base import Extractor, get_extractor
from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName
from errata.judges.edit_weights import EditWeights, Weights, ask, check_weighing, in_whole_edits, with_targets
from errata.metrics.base import Item
from errata.metrics.edit_counts import (
    EditCounts,
    KeyFunction,
    SentenceCounts,
    correction_span,
    joined_correction,
    joined_typed_correction,
    typed_correction,
)
from errata.metrics.edit_metric import EditMetric, EditOptions
from errata.metrics.items import scored_references
from errata.model import Annotation, Counts, Edit, Score, correction


@dataclass(frozen=True, slots=True)
class PtErrantOptions(EditOptions):
    """What weighs edits, and what finds them, on top of `EditOptions`.

    `weights` "none" makes all edits count alike. `average` "sentences" is the mean over sentences of their own scores.
    `model` is the encoder, `layer` the number of its layer whose states are compared (None: the last). `language`
    chooses the extractor: ERRANT's, or ChERRANT's over characters.
    """

    weights: str = "bertscore"
    average: str = "corpus"
    model: str | None = None
    layer: int | None = None
    language: str = "en"
    tokenise: bool = False
    workers: int = 1
    device: str = "cpu"

    def __post_init__(self) -> None:
        EditOptions.__post_init__(self)
        check_weighing(self)
        if self.language not in LANGUAGES:
            raise UnknownName("language", self.language, LANGUAGES)


KEYS: Mapping[str, Mapping[str, KeyFunction]] = {
    "en": {"cs": correction_span, "cse": typed_correction},
    "zh": {"cs": joined_correction, "cse": joined_typed_correction},
}


class PtErrant(EditMetric[PtErrantOptions]):
    """F-beta over weighted edits, best reference per sentence."""

    name = "pt-errant"
    Options = PtErrantOptions
    modes: ClassVar[Mapping[str, KeyFunction]] = KEYS["en"]
    missing_annotator_agrees = True

    def __init__(self, options: PtErrantOptions | None = None) -> None:
        super().__init__(options)
        self.language = self.options.language
        self._weigh = EditWeights(self.options)

    @property
    def key(self) -> KeyFunction:
        return KEYS[self.options.language][self.options.mode]

    @property
    def reads_raw_text(self) -> bool:
        return self.options.tokenise or self.options.language == "zh"

    def setting_for(self, language: str) -> tuple[str, str]:
        return "language", language

    def make_extractor(self) -> Extractor:
        options = self.options
        tokenise = {} if options.language == "zh" else {"tokenise": options.tokenise}
        return get_extractor(options.language, workers=options.workers, **tokenise)

    def signature_fields(self) -> dict[str, Any]:
        fields = super().signature_fields()
        weighing = self._weigh.signature_fields()
        return {**fields, **weighing, "average": weighing["average"] or fields["average"]}

    def prepare(self, items: Sequence[Item]) -> list[Item]:
        return super().prepare(with_targets(items))

    def stats(self, items: Sequence[Item]) -> list[SentenceCounts]:
        """The weighted counts of each sentence against each of its references, in units."""
        ready = self.prepare(items)
        pairs = [(item, one) for item in ready for one in scored_references(item)]
        questions = [ask(item.source, one, [*self._edits(item.hypothesis), *self._edits(one)]) for item, one in pairs]
        weights = iter(self._weigh(questions))
        return [
            SentenceCounts(tuple(self._compare(item, one, next(weights)) for one in scored_references(item)))
            for item in ready
        ]

    def _edits(self, side: str | Annotation) -> list[Edit]:
        assert isinstance(side, Annotation)
        return list(self.counted_edits(side))

    def _compare(self, item: Item, reference: Annotation, weights: Weights) -> EditCounts:
        """As `compare_keys` counts, in units of weight: a matched edit counts as often as the reference has it."""
        proposed, wanted = ({self._key(edit) for edit in self._edits(side)} for side in (item.hypothesis, reference))
        cells: dict[str, list[int]] = {}

        def count(edit: Edit, place: int) -> None:
            cells.setdefault(edit.type, [0, 0, 0])[place] += weights[correction(edit)]

        for edit in self._edits(item.hypothesis):
            if self._key(edit) not in wanted:
                count(edit, 1)
        for edit in self._edits(reference):
            count(edit, 0 if self._key(edit) in proposed else 2)
        by_type = {name: Counts(*cell) for name, cell in cells.items()}
        return EditCounts(reference.annotator, sum(by_type.values(), Counts()), by_type)

    def _key(self, edit: Edit) -> object:
        return next(iter(self.key(edit)))

    def aggregate(self, stats: Sequence[SentenceCounts]) -> Score:
        """The corpus score, or the mean over sentences; counts are sums of weights."""
        if self.options.average == "corpus" or self.options.per_annotator:
            return in_whole_edits(super().aggregate(stats))
        scores = self.sentence_scores(stats)
        value = float(scores.mean()) if len(scores) else 0.0
        return Score(self.name, value, {f"f{self.options.beta:g}": value}, self.signature)

    def sentence_scores(self, stats: Sequence[SentenceCounts]) -> np.ndarray:
        return super().resample(stats, np.arange(len(stats))[:, None])

    def resample(self, stats: Sequence[SentenceCounts], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        if self.options.average == "corpus" or self.options.per_annotator:
            return super().resample(stats, indices)
        means: np.ndarray = self.sentence_scores(stats)[indices].mean(axis=1)
        return means
