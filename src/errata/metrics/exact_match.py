"""Exact match: the share of sentences whose hypothesis equals one of the references (FCGEC's correction metric)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from errata.metrics.base import Item, Metric
from errata.metrics.classification import is_erroneous
from errata.metrics.selection import strip_punctuation
from errata.metrics.signature import make_signature
from errata.metrics.texts import reference_texts, side_text
from errata.model import Score


@dataclass(frozen=True, slots=True)
class ExactMatchOptions:
    """What is ignored in the comparison, and whether sentences that need no correction count.

    Runs of white space and white space at the ends never matter. `ignore_punctuation` ignores spaces as well.
    """

    ignore_spaces: bool = False
    ignore_punctuation: bool = False
    ignore_case: bool = False
    erroneous_only: bool = False


class SentenceMatch(NamedTuple):
    """Whether the sentence counts, and whether its hypothesis is right."""

    is_counted: bool
    is_match: bool


class ExactMatch(Metric[SentenceMatch]):
    """Accuracy of whole sentences."""

    name = "exact-match"
    is_cuttable = True
    Options = ExactMatchOptions
    options: ExactMatchOptions

    @property
    def signature(self) -> str:
        options = self.options
        ignored = {
            "spaces": options.ignore_spaces or options.ignore_punctuation,
            "punctuation": options.ignore_punctuation,
            "case": options.ignore_case,
        }
        return make_signature(
            self.name,
            "accuracy",
            ignore=[name for name, is_ignored in ignored.items() if is_ignored] or None,
            sentences="erroneous" if options.erroneous_only else "all",
        )

    def stats(self, items: Sequence[Item]) -> list[SentenceMatch]:
        """For each sentence whether it counts and whether it matches."""
        return [self._match(item) for item in items]

    def _match(self, item: Item) -> SentenceMatch:
        references = reference_texts(item)
        is_counted = bool(references) and (not self.options.erroneous_only or is_erroneous(item))
        hypothesis = self._normal(side_text(item.source, item.hypothesis))
        return SentenceMatch(is_counted, is_counted and hypothesis in map(self._normal, references))

    def _normal(self, text: str) -> str:
        if self.options.ignore_case:
            text = text.lower()
        if self.options.ignore_punctuation:
            return strip_punctuation(text)
        return ("" if self.options.ignore_spaces else " ").join(text.split())

    def aggregate(self, stats: Sequence[SentenceMatch]) -> Score:
        """The share of matches among the sentences that count; 1 if none does, as nothing is wrong then."""
        counted = sum(one.is_counted for one in stats)
        matched = sum(one.is_match for one in stats)
        value = matched / counted if counted else 1.0
        parts = {"accuracy": value, "matched": matched, "counted": counted}
        return Score(self.name, value, parts, self.signature)

    def resample(self, stats: Sequence[SentenceMatch], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        table = np.array(stats, dtype=np.int64).reshape(-1, 2)
        counted, matched = table[:, 0][indices].sum(axis=1), table[:, 1][indices].sum(axis=1)
        shares: np.ndarray = np.where(counted > 0, matched / np.maximum(counted, 1), 1.0)
        return shares
