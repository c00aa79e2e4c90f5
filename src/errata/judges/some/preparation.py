"""Everything that training SOME needs on disk: the tokenizer, packed corrections with ratings; keyed in the cache."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.files import replacing_folder
from errata.judges.ratings import RatedCorrection, read_short_ratings
from errata.judges.some.settings import SomeData, SomeSettings
from errata.judges.starting import choose_subwords, digest_start
from errata.judges.twins import Twins, pack_twins
from errata.networks.subwords import Subwords
from errata.training.digests import key_of
from errata.training.packed import Packed, pack_once

if TYPE_CHECKING:
    from errata.training.settings import Recipe

log = logging.getLogger(__name__)

PACKING = 1  # goes up when other arrays are made from the same data
# Without dev data, the corrections of every so many sources are kept apart.
DEV_EVERY = 10
# Settings that have no say in the packed data.
FREE_SETTINGS = ("dropout", "pooling", "case_embedding")


class RatedTwins(Twins):
    """Sources with their corrections, and the ratings of these."""

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """The sentences, and `ratings` (pairs, 3)."""
        return {**super().collate(indices, rng), "ratings": np.asarray(self.packed["ratings"][np.asarray(indices)])}


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on."""

    subwords: Subwords
    train: RatedTwins
    dev: RatedTwins


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: SomeSettings = recipe.model
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    parts = (recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"], digest_start(settings))
    key = key_of(PACKING, *parts)
    learnt = cache / f"some-subwords-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            texts = (tokens for one in _read(recipe, recipe.data.train) for tokens in (one.source, one.output))
            choose_subwords(settings, recipe.language, texts).save(beside)
    subwords = Subwords.load(learnt, settings.max_tokens + 2)
    folders = [cache / f"some-{part}-{key}" for part in ("train", "dev")]
    if not all(folder.is_dir() for folder in folders):
        for folder, rated in zip(folders, _split(recipe), strict=True):
            pack_once(folder, lambda rated=rated: _pack(rated, subwords))  # type: ignore[misc]
    train, dev = (RatedTwins(Packed(folder), subwords.pad) for folder in folders)
    return Prepared(subwords, train, dev)


def _split(recipe: Recipe) -> tuple[list[RatedCorrection], list[RatedCorrection]]:
    data: SomeData = recipe.data
    train = _read(recipe, data.train)
    if data.dev:
        return train, _read(recipe, data.dev)
    # All corrections of a source are on one side.
    number = {source: place for place, source in enumerate(dict.fromkeys(one.source for one in train))}
    parts: tuple[list[RatedCorrection], list[RatedCorrection]] = ([], [])
    for one in train:
        parts[number[one.source] % DEV_EVERY == 0].append(one)
    return parts


def _read(recipe: Recipe, paths: Sequence[Path]) -> list[RatedCorrection]:
    return read_short_ratings(paths, recipe.language, recipe.model.max_tokens, tokenise=recipe.data.tokenise)


def _pack(rated: Sequence[RatedCorrection], subwords: Subwords) -> Mapping[str, np.ndarray]:
    ratings = np.array([one.ratings for one in rated], np.float32).reshape(-1, 3)
    return {**pack_twins(((one.source, one.output) for one in rated), subwords), "ratings": ratings}
