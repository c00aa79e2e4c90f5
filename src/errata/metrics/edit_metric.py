"""What the metrics over edits share: annotate texts, count against each reference, choose, add up, resample."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from errata.edits.base import Extractor
from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_gold, view_edits
from errata.metrics.doubts import find_foreign_types
from errata.metrics.edit_counts import (
    EditCounts,
    KeyFunction,
    Keys,
    SentenceCounts,
    check_beta,
    choose_references,
    collect_keys,
    compare_keys,
    correction_text,
    f_scores,
    merge_types,
    resample_totals,
    sentence_weights,
)
from errata.metrics.items import annotate_items, scored_references
from errata.metrics.signature import make_signature
from errata.model import Annotation, Counts, Edit, Score


def score_parts(counts: Counts, beta: float) -> dict[str, float]:
    """The numbers reported for counts: precision, recall, F-beta and the counts themselves."""
    return {
        "precision": counts.precision,
        "recall": counts.recall,
        f"f{beta:g}": counts.f(beta),
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
    }


Chosen = TypeVar("Chosen", bound="EditOptions")

CORRECTION_MODES = frozenset({"cs", "cse"})
TYPE_LEVELS = ("operation", "main", "full")


@dataclass(frozen=True, slots=True)
class EditOptions:
    """`mode` is what must agree: span and correction (cs), span (ds), token (dt), or span, correction and type (cse).

    `by_type` adds a table by "operation" (M, R, U), "main" type (NOUN:NUM) or "full" type (R:NOUN:NUM). `single` and
    `multi` keep the edits of at most one token on either side, or the others; `filter` leaves out error types.
    """

    beta: float = 0.5
    mode: str = "cs"
    by_type: str | None = None
    per_annotator: bool = False
    single: bool = False
    multi: bool = False
    filter: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.by_type is not None and self.by_type not in TYPE_LEVELS:
            raise UnknownName("type level", self.by_type, TYPE_LEVELS)
        check_beta(self.beta)
        if self.single and self.multi:
            raise UsageError("single and multi exclude each other: together no edit is left")


def is_single(edit: Edit) -> bool:
    """Whether the edit touches at most one token on either side."""
    return edit.end - edit.start < 2 and len(correction_text(edit).split()) < 2


def is_counted(edit: Edit, options: EditOptions) -> bool:
    """Whether the edit takes part in scoring."""
    # UNK means that something is wrong here but nobody knows the correction: detection can use it, correction not.
    if edit.type == "UNK" and options.mode in CORRECTION_MODES:
        return False
    if (options.single or options.multi) and is_single(edit) != options.single:
        return False
    return edit.type not in options.filter


def type_at_level(type_: str, level: str) -> str:
    """`R:NOUN:NUM` as "operation" is `R`, as "main" `NOUN:NUM`; types of other schemes stay whole."""
    operation, colon, main = type_.partition(":")
    if level == "full" or not colon:
        return type_
    return operation if level == "operation" else main


class EditMetric(Metric[SentenceCounts], Generic[Chosen]):
    """A metric that compares the edits of a hypothesis with those of each reference.

    A subclass says what makes two edits equal in each mode (`modes`) and which extractor finds the edits of a text.
    """

    options: Chosen
    modes: ClassVar[Mapping[str, KeyFunction]]
    # Whether an annotator of the corpus who is missing from a sentence agrees with those there (`per_annotator` only).
    missing_annotator_agrees: ClassVar[bool] = False
    # What to do about gold with types of another kind, after "; ".
    type_remedy: ClassVar[str] = ""

    def __init__(self, options: Chosen | None = None) -> None:
        super().__init__(options)
        if self.options.mode not in self.modes:
            raise UnknownName("mode", self.options.mode, self.modes)
        self._extractor: Extractor | None = None

    @abstractmethod
    def make_extractor(self) -> Extractor:
        """What finds the edits of texts."""

    def signature_fields(self) -> dict[str, Any]:
        """What the score depends on besides beta and the extractor."""
        options = self.options
        return {
            "mode": options.mode,
            "average": "annotators" if options.per_annotator else None,
            "edits": "single" if options.single else "multi" if options.multi else None,
            "without": options.filter or None,
        }

    @property
    def signature(self) -> str:
        """How edits are compared."""
        return make_signature(self.name, f"F{self.options.beta:g}", **self.signature_fields())

    def compared(self, items: Sequence[Item]) -> str:
        """What extracted the edits of texts, and the gold; with `per_annotator` it matters who made which edits."""
        has_texts = any(isinstance(side, str) for item in items for side in (item.hypothesis, *item.references))
        extraction = self._get_extractor().signature if has_texts else "edits:given"
        view = partial(view_edits, with_annotators=self.options.per_annotator)
        return f"{extraction}|{describe_gold(items, view)}"

    def type_doubt(self, items: Sequence[Item]) -> str | None:
        """That the gold has types which the hypothesis cannot have, where scores depend on types."""
        is_typed = self.options.mode == "cse"
        if not (is_typed or self.options.by_type) or (doubt := find_foreign_types(items)) is None:
            return None
        effect = "no edit can be right in mode cse" if is_typed else "there are no scores by type"
        return f"{doubt}: {effect}{self.type_remedy}"

    def _get_extractor(self) -> Extractor:
        if self._extractor is None:
            self._extractor = self.make_extractor()
        return self._extractor

    def prepare(self, items: Sequence[Item]) -> list[Item]:
        """The items with texts replaced by their edits, so that `stats` of any part of them is cheap."""
        return annotate_items(items, self._get_extractor)

    def stats(self, items: Sequence[Item]) -> list[SentenceCounts]:
        """The counts of each sentence against each of its references."""
        return [self._count(item) for item in self.prepare(items)]

    def _count(self, item: Item) -> SentenceCounts:
        assert isinstance(item.hypothesis, Annotation)
        hypothesis = self._keys(item.hypothesis)
        references = tuple(compare_keys(hypothesis, self._keys(one), one.annotator) for one in scored_references(item))
        return SentenceCounts(references)

    def counted_edits(self, annotation: Annotation) -> Iterator[Edit]:
        """The edits that take part in scoring."""
        return (edit for edit in annotation.edits if is_counted(edit, self.options))

    @property
    def key(self) -> KeyFunction:
        """What two edits must have in common to be the same."""
        return self.modes[self.options.mode]

    def _keys(self, annotation: Annotation) -> Keys:
        return collect_keys(self.counted_edits(annotation), self.key)

    def aggregate(self, stats: Sequence[SentenceCounts]) -> Score:
        """The corpus score; each sentence is scored against the reference that serves the corpus so far best."""
        if self.options.per_annotator:
            return self._average_annotators(stats)
        chosen = choose_references(stats, self.options.beta)
        parts = score_parts(sum((one.total for one in chosen), Counts()), self.options.beta)
        return self._score(parts, chosen)

    def _average_annotators(self, stats: Sequence[SentenceCounts]) -> Score:
        """The mean over annotators of the score against each of them alone; `parts` has each one's as well."""
        beta = self.options.beta
        columns = self.by_annotator(stats)
        scores = {
            name: score_parts(sum((one.total for one in column if one), Counts()), beta)
            for name, column in columns.items()
        }
        labels = list(score_parts(Counts(), beta))
        means = {part: float(np.mean([one[part] for one in scores.values()])) if scores else 0.0 for part in labels}
        each = {f"{part}[{name}]": one[part] for name, one in scores.items() for part in labels}
        chosen = [one for column in columns.values() for one in column if one]
        return self._score(means | each, chosen)

    def by_annotator(self, stats: Sequence[SentenceCounts]) -> dict[str, list[EditCounts | None]]:
        """For each annotator, the counts of every sentence; None where that annotator has no say."""
        names = dict.fromkeys(one.annotator for sentence in stats for one in sentence.references)
        found = [{one.annotator: one for one in sentence.references} for sentence in stats]

        def counts(name: str, place: int) -> EditCounts | None:
            first = next(iter(found[place].values()), None) if self.missing_annotator_agrees else None
            return found[place].get(name, first)

        return {name: [counts(name, place) for place in range(len(stats))] for name in names}

    def _score(self, parts: Mapping[str, float], chosen: Sequence[EditCounts]) -> Score:
        beta = self.options.beta
        by_type = None
        if self.options.by_type:
            labelled: dict[str, Counts] = {}
            for name, counts in sorted(merge_types(chosen).items()):
                label = type_at_level(name, self.options.by_type)
                labelled[label] = labelled.get(label, Counts()) + counts
            by_type = {label: score_parts(counts, beta) for label, counts in sorted(labelled.items())}
        return Score(self.name, parts[f"f{beta:g}"], parts, self.signature, by_type)

    def resample(self, stats: Sequence[SentenceCounts], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        if self.options.per_annotator:
            return self._resample_annotators(stats, indices)
        return f_scores(resample_totals(stats, indices, self.options.beta), self.options.beta)

    def _resample_annotators(self, stats: Sequence[SentenceCounts], indices: np.ndarray) -> np.ndarray:
        columns = self.by_annotator(stats)
        own = np.array([[any(r.annotator == name for r in s.references) for name in columns] for s in stats])
        table = np.array(
            [
                [(one.total.tp, one.total.fp, one.total.fn) if one else (0, 0, 0) for one in row]
                for row in zip(*columns.values(), strict=True)
            ]
        )  # (sentences, annotators, 3)
        weights = sentence_weights(indices, len(stats))
        totals = np.rint(weights @ table.reshape(len(stats), -1)).reshape(len(indices), len(columns), 3)
        scores = f_scores(totals, self.options.beta)
        present = weights @ own > 0  # an annotator none of whose sentences were drawn has no score
        means: np.ndarray = (scores * present).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
        return means
