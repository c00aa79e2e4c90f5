"""The character-level score of MuCGEC (Zhang et al. 2022), with the numbers of ChERRANT's compare program.

It differs from `errant` in where the edits come from (Chinese characters or words, several equally cheap alignments
per reference, pooled), in comparing corrections without the spaces between tokens, and in leaving out sentences that
nobody could annotate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from errata.edits.base import Extractor, get_extractor
from errata.metrics.edit_counts import (
    KeyFunction,
    detection_span,
    detection_tokens,
    joined_correction,
    joined_typed_correction,
)
from errata.metrics.edit_metric import EditMetric, EditOptions


@dataclass(frozen=True, slots=True)
class CherrantOptions(EditOptions):
    """What the Chinese extractor takes, on top of `EditOptions`.

    `level` is "char" or "word"; `strategy` "all" pools every cheapest alignment, "first" takes one; `simplify`
    converts targets to simplified characters; `lexicon` is a folder in ChERRANT's layout; `segmented` says that spaces
    separate words already (word level).
    """

    level: str = "char"
    strategy: str = "all"
    simplify: bool = False
    lexicon: Path | None = None
    segmented: bool = False
    workers: int = 1


class Cherrant(EditMetric[CherrantOptions]):
    """F-beta over Chinese edits, best reference per sentence, as ChERRANT's compare program prints it."""

    name = "cherrant"
    is_cuttable = True
    language = "zh"
    Options = CherrantOptions
    modes: ClassVar[Mapping[str, KeyFunction]] = {
        "cs": joined_correction,
        "ds": detection_span,
        "dt": detection_tokens,
        "cse": joined_typed_correction,
    }

    @property
    def reads_raw_text(self) -> bool:
        return not self.options.segmented

    def make_extractor(self) -> Extractor:
        options = self.options
        return get_extractor(
            "zh",
            level=options.level,
            strategy=options.strategy,
            simplify=options.simplify,
            lexicon=options.lexicon,
            segmented=options.segmented,
            workers=options.workers,
        )
