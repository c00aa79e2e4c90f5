"""What a judged set is: sentences, systems' corrections of them, and what people say of the corrections.

A judged set is one class with `name` and `load`, and one line in `JUDGED_SETS`. It knows files; everything else
(rankings, correlations, windows, pages) works on the `Track`s that it gives.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from errata.errors import DataError, UnknownName, UsageError
from errata.metrics.inputs import Gold
from errata.parameters import check_options
from errata.registry import lookup_class
from errata.stats.resampling import DEFAULT_SEED

PathLike = str | os.PathLike[str]
ALL = "all"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of two systems' corrections of a sentence, the first is better (1), worse (-1) or as good (0)."""

    sentence: int
    first: str
    second: str
    outcome: int


@dataclass(frozen=True, slots=True)
class Rated:
    """Corrections of one sentence, each with what it is worth; `systems` names who made them, where that is known."""

    sentence: int
    texts: tuple[str, ...]
    values: tuple[float, ...]
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """Corrections of the same sentences that were judged in the same way.

    `outputs` has the text of each system for each sentence of `gold`. What people say is in `judgements` (pairs), in
    `rated` (a number for each correction), in `scores` (a number for each system, by how it was found), or in several
    of these. `groups` are the choices of systems to report. `order` is what the order of the corrections of one
    sentence is called; `is_choice` says that they are candidates, of which a metric may choose one. `is_panel` says
    that the same annotators wrote the references of all sentences.
    """

    name: str
    gold: Gold
    outputs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    judgements: Sequence[Judgement] = ()
    rated: Sequence[Rated] = ()
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    order: str = "within sentence"
    is_choice: bool = False
    is_panel: bool = False
    warnings: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name, texts in self.outputs.items():
            if len(texts) != len(self.gold):
                raise DataError(f"{name} has {len(texts)} sentences, {self.gold.name} {len(self.gold)}")

    @property
    def has_references(self) -> bool:
        return any(one.annotations for one in self.gold.sentences)


@dataclass(frozen=True, slots=True)
class SetOptions:
    """`gold` is a file with references, where the set does not bring them; `sentences` draws so many of them."""

    gold: PathLike | None = None
    sentences: int | None = None
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if self.sentences is not None and self.sentences < 2:
            raise UsageError(f"sentences is how many to draw, at least 2, not {self.sentences}")


class JudgedSet(ABC):
    """A set of judged corrections, with its options fixed."""

    name: str
    # Whether sentences can be drawn: only where nobody judged particular ones.
    draws_sentences: bool = False

    def __init__(self, options: SetOptions | None = None) -> None:
        self.options = options or SetOptions()
        if self.options.sentences is not None and not self.draws_sentences:
            raise UsageError(f"people judged the sentences of {self.name}: none can be drawn, leave out the number")

    @abstractmethod
    def load(self, root: Path) -> list[Track]:
        """The tracks of the set, whose files are under `root`."""


JUDGED_SETS: dict[str, str] = {
    "gjg15": "errata.meta_eval.gjg15:Gjg15",
    "seeda": "errata.meta_eval.seeda:Seeda",
    "maege": "errata.meta_eval.maege:Maege",
    "gmeg": "errata.meta_eval.gmeg:Gmeg",
    "cltc": "errata.meta_eval.cltc:Cltc",
}


def get_judged_set(name: str, **options: Any) -> JudgedSet:
    """The judged set registered as `name`, here or by another package: `get_judged_set("gjg15", gold="gold.m2")`."""
    kind = lookup_class("judged set", JUDGED_SETS, name, JudgedSet, group="errata.judged_sets")
    for option in options:
        if option not in SetOptions.__dataclass_fields__:
            raise UnknownName("option of a judged set", option, SetOptions.__dataclass_fields__)
    check_options(SetOptions, options)
    found: JudgedSet = kind(SetOptions(**options))
    return found
