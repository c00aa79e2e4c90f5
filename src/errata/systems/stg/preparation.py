"""Everything STG's training needs on disk: tokenizer, packed pairs, packed clean text, dev; keyed in the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.files import replacing_folder
from errata.model import Tokens
from errata.networks.subwords import Subwords
from errata.synth import NoiseModel
from errata.systems.stg.data import read_dev, read_examples, read_tokens
from errata.systems.stg.examples import (
    SHARED,
    Encoder,
    NoisyExamples,
    PairExamples,
    TrainingExamples,
    pack_clean,
    pack_examples,
    pack_variants,
)
from errata.systems.stg.settings import StgData, StgSettings
from errata.systems.stg.subwords import StgSubwords
from errata.training.digests import key_of
from errata.training.packed import pack_once
from errata.training.pairs import DevSentence, load_dev, write_dev
from errata.training.variants import Pairs, read_samples

if TYPE_CHECKING:
    from errata.training.settings import Recipe

PACKING = 2  # goes up when other arrays are made from the same data
DEV, NOISE = "dev.jsonl", "noise.json.xz"
# Settings that have no say in the tokenizer or the packed data.
FREE_SETTINGS = ("training", "hints", "masking", "dropout", "label_smoothing", "loss", "decoding")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on."""

    subwords: StgSubwords
    examples: TrainingExamples | Pairs
    dev: list[DevSentence]


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: StgSettings = recipe.model
    data: StgData = recipe.data
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    if not plain["data"]["variants"]:  # as if the setting were not there: what was packed before it was stays good
        del plain["data"]["variants"]
    key = key_of(PACKING, recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"])
    learnt = cache / f"stg-pieces-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            _learn_subwords(recipe).save(beside)
            write_dev(read_dev(data.dev, recipe.language, tokenise=data.tokenise)[: data.dev_limit], beside / DEV)
            if data.synthetic is not None:  # beside the rest: it has to travel with them
                data.synthetic.load_noise().save(beside / NOISE)
    subwords = StgSubwords.load(learnt, settings.backbone.positions, recipe.language)
    encoder = Encoder(subwords, settings.max_tokens, settings.max_insert)
    parts: list[PairExamples | NoisyExamples] = []
    if data.train:
        rng = np.random.default_rng(recipe.seed)
        pairs = read_examples(data.train, recipe.language, tokenise=data.tokenise)
        packed = pack_once(
            cache / f"stg-pairs-{key}", lambda: pack_examples(pairs, encoder, unchanged=data.unchanged, rng=rng)
        )
        parts.append(PairExamples(packed))
    if data.synthetic is not None:
        clean = data.synthetic
        packed = pack_once(cache / f"stg-clean-{key}", lambda: pack_clean(clean.read_text(recipe.language), encoder))
        parts.append(NoisyExamples(packed, NoiseModel.load(learnt / NOISE), encoder))
    if data.variants:
        cases = read_samples(data.variants, recipe.language, tokenise=data.tokenise)
        packed = pack_once(cache / f"stg-variants-{key}", lambda: pack_variants(cases, encoder))
        parts.append(PairExamples(packed))
    examples = TrainingExamples(parts, subwords, settings.masking)
    return Prepared(subwords, Pairs(examples, packed, SHARED) if data.variants else examples, load_dev(learnt / DEV))


def _learn_subwords(recipe: Recipe) -> Subwords:
    settings: StgSettings = recipe.model
    if settings.vocabulary is not None:
        return Subwords.load(settings.vocabulary, settings.backbone.positions)
    counts: Counter[str] = Counter()
    if settings.backbone.name is None:
        for tokens in _all_tokens(recipe):
            counts.update(tokens)
    return Subwords(settings.backbone.tokenizer(counts, recipe.language), settings.backbone.positions)


def _all_tokens(recipe: Recipe) -> Iterator[Tokens]:
    data: StgData = recipe.data
    pairs = read_tokens(data.train, recipe.language, tokenise=data.tokenise)
    cases = read_samples(data.variants, recipe.language, tokenise=data.tokenise)
    samples = (tokens for case in cases for sample in case for tokens in sample)
    return chain(pairs, samples, () if data.synthetic is None else data.synthetic.read_text(recipe.language))
