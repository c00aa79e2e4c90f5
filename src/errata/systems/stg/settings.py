"""STG's sections of a recipe: `model:` and `data:`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from errata.networks.encoder import BackboneSettings
from errata.systems.stg.decoding import Decoding
from errata.training.synthetic import SyntheticSettings


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class LossWeights:
    """What each module's mean loss counts for in the sum; the paper keeps the tagger's an order below the others.

    `types` above 0 trains with type identification (TTI) on sentences that have error types. `keep` below 1 makes
    other tags count for more than KEEP (weighted cross-entropy).
    """

    switch: float = 1.0
    tagger: float = 1.0
    generator: float = 1.0
    types: float = 0.0
    keep: float = 1.0

    def __post_init__(self) -> None:
        _require(min(self.switch, self.tagger, self.generator, self.types) >= 0, "weights are 0 or more")
        _require(self.keep > 0, "keep is above 0")


@dataclass(frozen=True, slots=True)
class StgSettings:
    """What the networks are and how their loss is made.

    `training: joint` shares one encoder, `independent` gives each module its own. `hints` shows the generator the
    token that a mask replaces, which the paper does not, and without which a misspelt character can only be guessed.
    `masking` is the share of all other tokens that the generator has to guess too while it trains, as BERT does: what
    an encoder trained from scratch needs. `vocabulary` names a trained STG (or the cache folder of one) whose
    tokenizer is taken instead of learning one.
    """

    backbone: BackboneSettings
    training: Literal["joint", "independent"] = "joint"
    max_tokens: int = 128
    max_insert: int = 6
    hints: bool = False
    masking: float = 0.0
    dropout: float = 0.0
    label_smoothing: float = 0.0
    loss: LossWeights = field(default_factory=LossWeights)
    vocabulary: Path | None = None
    decoding: Decoding = field(default_factory=Decoding)

    def __post_init__(self) -> None:
        _require(0 < self.max_tokens <= self.backbone.positions - 2, "max_tokens is at most backbone.positions - 2")
        _require(self.max_insert > 0 and 0 <= self.masking < 1, "max_insert is above 0, masking in [0, 1)")
        _require(0 <= self.dropout < 1 and 0 <= self.label_smoothing < 1, "dropout and label_smoothing are in [0, 1)")


@dataclass(frozen=True, slots=True)
class StgData:
    """What is learnt from and judged on.

    `train` and `dev` are files of any format errata reads: FCGEC's JSON, TSV pairs, M2 … `tokenise` cuts raw English
    text into words. `unchanged` is the share of sentences without errors that is kept. `variants` are files of
    RobustGEC's blocks, originals with variants, which come in pairs.
    """

    train: tuple[Path, ...] = ()
    dev: tuple[Path, ...] = ()
    synthetic: SyntheticSettings | None = None
    tokenise: bool = False
    unchanged: float = 1.0
    dev_limit: int | None = None
    variants: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        _require(bool(self.train or self.variants) or self.synthetic is not None, "give train, synthetic or variants")
        _require(0 <= self.unchanged <= 1, "unchanged is between 0 and 1")
