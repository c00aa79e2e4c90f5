"""SOME's sections of a recipe: `model:` and `data:`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from errata.networks.encoder import BackboneSettings


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class SomeSettings:
    """One encoder for the three ratings: a `backbone`, or that of a `tagger` (a model's name or folder).

    Grammaticality and fluency are read off the vector of the hypothesis; meaning off those of source and hypothesis.
    """

    backbone: BackboneSettings | None = None
    tagger: str | None = None
    pooling: Literal["first", "mean"] = "mean"
    case_embedding: bool = False
    max_tokens: int = 126
    dropout: float = 0.1

    def __post_init__(self) -> None:
        _require((self.backbone is None) != (self.tagger is None), "give backbone or tagger, one of them")
        _require(self.max_tokens > 0, "max_tokens is above 0")
        _require(0 <= self.dropout < 1, "dropout is in [0, 1)")


@dataclass(frozen=True, slots=True)
class SomeData:
    """Rated corrections (TMU-GFM's table); without `dev` a tenth of the sources is kept apart."""

    train: tuple[Path, ...]
    dev: tuple[Path, ...] = ()
    tokenise: bool = True

    def __post_init__(self) -> None:
        _require(bool(self.train), "train names at least one file")
