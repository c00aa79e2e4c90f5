"""Everything a tagger's training needs on disk: vocabulary, packed pairs, packed clean text, dev.

Each lies in the cache under a key of its own. Only learning the vocabulary needs lemminflect; the rest is packed
wherever the vocabulary has travelled to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.errors import DataError
from errata.synth import NoiseModel
from errata.systems.base import read_manifest
from errata.systems.tagger.data import DevSentence, Example, load_dev, read_clean, read_dev, read_examples, write_dev
from errata.systems.tagger.examples import Encoder, Mixture, NoisyExamples, PairExamples, pack_clean, pack_pairs
from errata.systems.tagger.inventory import Inventory
from errata.systems.tagger.learn import WordCounts, learn_lexicon, learn_tags
from errata.systems.tagger.settings import SyntheticSettings, TaggerData, TaggerSettings
from errata.systems.tagger.subwords import Subwords
from errata.systems.tagger.vocabulary import Vocabulary
from errata.train.digests import key_of
from errata.train.files import replacing_folder
from errata.train.packed import pack_once

if TYPE_CHECKING:
    from errata.train.settings import Recipe

PACKING = 1  # goes up when other arrays or tags are made from the same data
DEV = "dev.jsonl"
# Corrupted sentences from which tags are learnt, beside all real pairs.
LEARNT_FROM_NOISE = 50_000
# Settings that have no say in the vocabulary or the packed data.
FREE_SETTINGS = (
    ("head", "case_embedding", "dropout", "label_smoothing", "keep_weight", "detection_weight", "distil", "decoding")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on."""

    vocabulary: Vocabulary
    examples: Mixture
    dev: list[DevSentence]


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: TaggerSettings = recipe.model
    data: TaggerData = recipe.data
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    key = key_of(PACKING, recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"])
    learnt = cache / f"tagger-vocabulary-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            _learn_vocabulary(recipe).save(beside)
            dev = read_dev(data.dev, recipe.language, tokenise=data.tokenise)
            write_dev(dev[: data.dev_limit], beside / DEV)
    vocabulary = Vocabulary.load(learnt, settings.inventory, settings.backbone.positions)
    views = [vocabulary.subwords]
    if settings.distil is not None:
        taught = teacher_vocabulary(settings.distil.teacher, vocabulary).subwords
        if taught.tokenizer.to_str() != vocabulary.subwords.tokenizer.to_str():
            views.append(taught)
    encoder = Encoder(vocabulary, tuple(views), data.passes, settings.max_tokens)
    parts: list[PairExamples | NoisyExamples] = []
    if data.train:
        rng = np.random.default_rng(recipe.seed)
        packed = pack_once(
            cache / f"tagger-pairs-{key_of(key, len(views))}",
            lambda: pack_pairs(
                _pairs(recipe, vocabulary.inventory), encoder, unchanged=data.unchanged, targets=data.targets, rng=rng
            ),
        )
        parts.append(PairExamples(packed, len(views)))
    if data.synthetic is not None:
        clean = data.synthetic
        packed = pack_once(cache / f"tagger-clean-{key}", lambda: pack_clean(_clean(clean, recipe.language), encoder))
        parts.append(NoisyExamples(packed, _noise(clean), encoder))
    return Prepared(vocabulary, Mixture(parts, [view.pad for view in views]), load_dev(learnt / DEV))


def teacher_vocabulary(folder: Path, vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary of a teacher, which must have the same tags."""
    settings = read_manifest(folder)["settings"]
    taught = Vocabulary.load(folder, settings["model"]["inventory"], settings["max_positions"])
    if taught.tags.tags != vocabulary.tags.tags:
        raise DataError(f"the teacher {folder} has other tags; set model.vocabulary to its folder to take them over")
    return taught


def _learn_vocabulary(recipe: Recipe) -> Vocabulary:
    settings: TaggerSettings = recipe.model
    positions = settings.backbone.positions
    if settings.vocabulary is not None:
        return Vocabulary.load(settings.vocabulary, settings.inventory, positions)
    # Twice through the data: word knowledge decides how edits become tags.
    examples = [*_pairs(recipe, None), *_noised(recipe)]
    counts = WordCounts.of(examples)
    subwords = Subwords(settings.backbone.tokenizer(counts.both, recipe.language), positions)
    known = subwords.tokenizer.get_vocab()
    is_english = recipe.language == "en" and settings.inventory == "gector"
    lexicon = learn_lexicon(
        counts,
        known,
        inflections=settings.inflections and is_english,
        spelling=settings.spelling if is_english else 0,
    )
    tags, inventory = learn_tags(
        examples, settings.inventory, lexicon, size=settings.tags, min_count=settings.min_count
    )
    return Vocabulary(tags, inventory, subwords)


def _pairs(recipe: Recipe, inventory: Inventory | None) -> Iterator[Example]:
    forms = inventory.lexicon.inflections if inventory else None
    related = forms.are_related if forms else None
    data: TaggerData = recipe.data
    return read_examples(data.train, recipe.language, tokenise=data.tokenise, columns=data.columns, related=related)


def _clean(synthetic: SyntheticSettings, language: str) -> Iterator[tuple[str, ...]]:
    return islice(read_clean(synthetic.text, language), synthetic.sentences)


def _noise(synthetic: SyntheticSettings) -> NoiseModel:
    model = NoiseModel.load(synthetic.noise)
    return model.with_options(rate=synthetic.rate, clean=synthetic.clean, mix=synthetic.mix)


def _noised(recipe: Recipe) -> Iterator[Example]:
    """A sample of corrupted sentences from all of the clean text."""
    synthetic: SyntheticSettings | None = recipe.data.synthetic
    if synthetic is None:
        return
    noise = _noise(synthetic)
    per_file = LEARNT_FROM_NOISE // len(synthetic.text)
    texts = (islice(read_clean([path], recipe.language), per_file) for path in synthetic.text)
    for number, tokens in enumerate(chain.from_iterable(texts)):
        noisy = noise.corrupt_at(tokens, seed=recipe.seed, index=number)
        yield noisy.tokens, noisy.edits
