"""IMPARA's sections of a recipe: `model:` and `data:`."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Literal

from errata.networks.encoder import BackboneSettings

# The paper's: similarity above which a hypothesis is about its source, pairs in all, and pairs from one sentence.
THRESHOLD, N_PAIRS, PAIRS_EACH = 0.9, 4096, 30


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class DistilSettings:
    """Learn from trained judges too: `weight` of the loss is the distance to their scores.

    `teachers` are their folders; what they say of a sentence (R) is averaged and divided by `temperature`, for σ(R) of
    most sentences is near 0 or 1. Their encoders may be larger, and their tokenizers others.
    """

    teachers: tuple[Path, ...]
    weight: float = 1.0
    temperature: float = 2.0

    def __post_init__(self) -> None:
        _require(bool(self.teachers), "teachers names at least one folder")
        is_scale = self.temperature > 0 and isfinite(self.temperature)
        _require(0 < self.weight <= 1 and is_scale, "weight is above 0 up to 1, temperature a number above 0")


@dataclass(frozen=True, slots=True)
class ImparaSettings:
    """Two encoders: one that learns to rank corrections, and one, not trained, that tells how alike sentences are.

    The first is a `backbone`, or that of a `tagger` (a model's name or folder), which has seen errors already.
    `similarity` measures the impact of edits as well; without it the backbone does, as it is before training. Of
    its layers the first `similarity_layers` are kept (null: all). Where there is no pretrained encoder, it may be
    the first layers of a tagger's (`similarity_tagger`): the later ones know more about errors than about meaning.
    A sentence's score comes from the state of its start mark (`pooling: first`, the paper's) or from the mean of its
    states. A hypothesis that is not more alike its source than `threshold` has the score 0. With `frozen` only the
    score is learnt: minutes on one core. With `frozen_layers` so many of the first layers stay as they are, which makes
    a step quicker. With `scaled` the score of a sentence says how sure one may be of it (see `calibration`), which
    tells sentences apart better and systems less well. With `distil` a small judge learns from larger ones.
    """

    backbone: BackboneSettings | None = None
    tagger: str | None = None
    similarity: BackboneSettings | None = None
    similarity_tagger: str | None = None
    similarity_layers: int | None = None
    pooling: Literal["first", "mean"] = "first"
    case_embedding: bool = False
    threshold: float = THRESHOLD
    frozen: bool = False
    frozen_layers: int = 0
    scaled: bool = False
    max_tokens: int = 126
    dropout: float = 0.1
    distil: DistilSettings | None = None

    def __post_init__(self) -> None:
        _require((self.backbone is None) != (self.tagger is None), "give backbone or tagger, one of them")
        _require(self.similarity is None or self.similarity_tagger is None, "give similarity or similarity_tagger")
        has_own = self.similarity is not None or self.similarity_tagger is not None
        _require(has_own or self.backbone is not None, "give similarity, or similarity_tagger and similarity_layers")
        _require(
            self.similarity is None or self.similarity.name is not None,
            "similarity is a pretrained encoder: it is not trained",
        )
        _require(
            self.similarity_tagger is None or self.similarity_layers is not None,
            "give similarity_layers: the last layers of a tagger no longer tell how alike sentences are",
        )
        _require(
            self.similarity_layers is None or (has_own and self.similarity_layers > 0),
            "similarity_layers is how many layers of similarity or similarity_tagger are kept, 1 or more",
        )
        is_pretrained = self.tagger is not None or (self.backbone is not None and self.backbone.name is not None)
        _require(is_pretrained or not self.frozen, "frozen is for a tagger or a pretrained backbone")
        _require(is_pretrained or not self.frozen_layers, "frozen_layers is for a tagger or a pretrained backbone")
        _require(self.frozen_layers >= 0, "frozen_layers is 0 or more")
        _require(not (self.frozen and self.frozen_layers), "frozen leaves no layer to learn: give it or frozen_layers")
        new_cases = self.case_embedding and self.tagger is None
        _require(not (new_cases and self.frozen_layers), "frozen_layers leaves a new case_embedding at zero: give one")
        _require(self.distil is None or not self.frozen, "frozen learns from pairs alone: leave distil out")
        _require(self.distil is None or not self.scaled, "distil takes the teachers' scale: leave scaled out")
        _require(0 <= self.threshold <= 1, "threshold is between 0 and 1")
        _require(self.max_tokens > 0, "max_tokens is above 0")
        _require(0 <= self.dropout < 1, "dropout is in [0, 1)")


@dataclass(frozen=True, slots=True)
class ImparaData:
    """The parallel data, and how pairs to rank are made of it.

    `pairs` limits them in all (null: no limit) and `pairs_each` for a sentence. `dev` is data to judge on; without it
    pairs of a tenth of the sentences are kept apart. `hypotheses` are what correctors made of some of the sources: an
    edit that is not gold is wrong, and makes a sentence worse. Pairs that differ in wrong edits make `wrong_share` of
    all (null: as many as are drawn). `ratings` are tables of corrections that people rated, in raw text; pairs of them
    are repeated until they make `ratings_share` of the training pairs, and more where there are as many already. The
    corrections of every tenth source are kept apart, and judged on beside `dev`. Without hypotheses and ratings pairs
    are the paper's.
    """

    train: tuple[Path, ...]
    dev: tuple[Path, ...] = ()
    hypotheses: tuple[Path, ...] = ()
    wrong_share: float | None = None
    ratings: tuple[Path, ...] = ()
    ratings_share: float = 0.25
    columns: tuple[int, int] | None = None
    tokenise: bool = False
    pairs: int | None = N_PAIRS
    pairs_each: int = PAIRS_EACH

    def __post_init__(self) -> None:
        _require(bool(self.train), "train names at least one file")
        _require(self.pairs is None or self.pairs > 0, "pairs is above 0, or null for no limit")
        _require(self.pairs_each > 0, "pairs_each is above 0")
        _require(self.wrong_share is None or bool(self.hypotheses), "wrong_share needs hypotheses")
        _require(self.wrong_share is None or 0 < self.wrong_share < 1, "wrong_share is between 0 and 1")
        _require(0 < self.ratings_share < 1, "ratings_share is between 0 and 1: parallel data makes the rest")
