"""The tagger's sections of a recipe: `model:` and `data:`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from errata.networks.encoder import BackboneSettings
from errata.systems.tagger.decoding import Decoding
from errata.systems.tagger.inventory import get_inventory
from errata.training.synthetic import SyntheticSettings


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class DistilSettings:
    """Learn from another tagger's answers too: `weight` of the loss is the distance to its tag distribution.

    `teacher` is the folder of a trained tagger with the same tags; its tokenizer may be another one.
    """

    teacher: Path
    weight: float = 0.5
    temperature: float = 2.0

    def __post_init__(self) -> None:
        _require(0 < self.weight <= 1 and self.temperature > 0, "weight is above 0 up to 1, temperature above 0")


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """What the network is and how its loss is made.

    `phrases` is how many words one of GECToR's tags may add or put in a word's place: with 2, `alot → a lot` is one
    step. `vocabulary` names a trained tagger (or the cache folder of one) whose tags, tokenizer and word lists are
    taken instead of learning them: what a second stage of training and a teacher need (a pretrained encoder keeps its
    own tokenizer). `spelling` is the size of the dictionary behind the spelling tag, 0 for none. `keep_weight` below 1
    makes errors count for more than kept words. `early_exit` n finds words without errors after n layers, where
    they are done.
    """

    backbone: BackboneSettings
    inventory: Literal["gector", "pie", "lasertagger"] = "gector"
    tags: int = 5000
    min_count: int = 1
    phrases: int = 1
    inflections: bool = True
    spelling: int = 0
    vocabulary: Path | None = None
    head: Literal["linear", "factored"] = "linear"
    case_embedding: bool = False
    dropout: float = 0.0
    max_tokens: int = 128
    label_smoothing: float = 0.0
    keep_weight: float = 1.0
    detection_weight: float = 1.0
    early_exit: int | None = None
    distil: DistilSettings | None = None
    decoding: Decoding = field(default_factory=Decoding)

    def __post_init__(self) -> None:
        _require(2 < self.tags <= 32_000, "tags is between 3 and 32,000")
        _require(self.min_count >= 1 and self.spelling >= 0, "min_count is 1 or more, spelling 0 or more")
        _require(0 <= self.dropout < 1 and 0 <= self.label_smoothing < 1, "dropout and label_smoothing are in [0, 1)")
        _require(
            self.keep_weight > 0 and self.detection_weight >= 0, "keep_weight is above 0, detection_weight not below"
        )
        _require(self.max_tokens > 0 and self.phrases > 0, "max_tokens and phrases are above 0")
        _require(
            self.early_exit is None or (self.early_exit > 0 and self.has_detection),
            "early_exit is a number of layers, of an inventory with detection",
        )

    @property
    def has_detection(self) -> bool:
        """Whether there is a detection head: the inventory has one and its loss has weight."""
        return get_inventory(self.inventory).has_detection and self.detection_weight > 0


@dataclass(frozen=True, slots=True)
class TaggerData:
    """What is learnt from and judged on.

    `train` and `dev` are files of any format errata reads: M2, TSV pairs … `tokenise` cuts raw English text into
    words. `columns` says which columns of `.tsv` training files hold source and target (1 is the first) where there
    are others beside. `passes` is how many passes of a correction become examples (1: the first, as GECToR trains).
    `unchanged` is the share of sentences without errors that is kept, `targets` the share of corrected sentences that
    are shown too, as sentences without errors: a model that sees them learns when to stop. `variants` are files of
    RobustGEC's blocks, originals with variants, which come in pairs. What is in `exclude` (files of any format, plain
    text, folders of them), or nearly in it, is left out of `train`, `synthetic.text` and `variants`.
    """

    train: tuple[Path, ...] = ()
    dev: tuple[Path, ...] = ()
    synthetic: SyntheticSettings | None = None
    tokenise: bool = False
    columns: tuple[int, int] | None = None
    passes: int = 1
    unchanged: float = 1.0
    targets: float = 0.0
    dev_limit: int | None = None
    exclude: tuple[Path, ...] = ()
    variants: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        _require(bool(self.train or self.variants) or self.synthetic is not None, "give train, synthetic or variants")
        _require(self.passes >= 1, "passes is 1 or more")
        _require(self.columns is None or min(self.columns) >= 1, "columns count from 1")
        _require(0 <= self.unchanged <= 1 and 0 <= self.targets <= 1, "unchanged and targets are between 0 and 1")
