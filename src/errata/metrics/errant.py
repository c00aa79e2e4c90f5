"""The ERRANT score (Bryant, Felice and Briscoe 2017), with the numbers of `errant_compare` 3.0.2.

Counting and choosing references is in `edit_counts`, what the edit metrics share in `edit_metric`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from errata.edits.base import Extractor, get_extractor
from errata.metrics.edit_counts import (
    KeyFunction,
    correction_span,
    detection_span,
    detection_tokens,
    typed_correction,
)
from errata.metrics.edit_metric import EditMetric, EditOptions


@dataclass(frozen=True, slots=True)
class ErrantOptions(EditOptions):
    """How edits are found in texts, on top of `EditOptions`; edits that a file gives are taken as they are."""

    merge: str = "rules"
    lev: bool = False
    tokenise: bool = False
    workers: int = 1
    cache: bool = True


class Errant(EditMetric[ErrantOptions]):
    """F-beta over edits, best reference per sentence, as `errant_compare` prints it."""

    name = "errant"
    is_cuttable = True
    language = "en"
    Options = ErrantOptions
    modes: ClassVar[Mapping[str, KeyFunction]] = {
        "cs": correction_span,
        "ds": detection_span,
        "dt": detection_tokens,
        "cse": typed_correction,
    }
    # CoNLL-2014's combined M2 writes edits that both annotators gave once, under the first of them.
    missing_annotator_agrees = True
    type_remedy = "; give it ERRANT's: errata errant-m2 -gold GOLD.m2 -out TYPED.m2"

    @property
    def reads_raw_text(self) -> bool:
        return self.options.tokenise

    def make_extractor(self) -> Extractor:
        options = self.options
        return get_extractor(
            "en",
            merge=options.merge,
            lev=options.lev,
            tokenise=options.tokenise,
            workers=options.workers,
            cache=options.cache,
        )
