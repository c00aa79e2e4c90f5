"""Everything a tagger's training needs on disk: vocabulary, packed pairs, packed clean text, dev.

Each lies in the cache under a key of its own. Only learning the vocabulary needs lemminflect; the rest is packed
wherever the vocabulary has travelled to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from errata.datasets.similar import DEFINITION
from errata.edits.pairing import pair_edits
from errata.errors import DataError
from errata.files import replacing_folder
from errata.networks.subwords import Subwords
from errata.systems.manifest import read_manifest
from errata.systems.tagger.examples import (
    SHARED,
    Encoder,
    NoisyExamples,
    PairExamples,
    TrainingExamples,
    pack_clean,
    pack_pairs,
    pack_variants,
)
from errata.systems.tagger.inventory import Inventory
from errata.systems.tagger.learn import WordCounts, learn_lexicon, learn_tags
from errata.systems.tagger.settings import TaggerData, TaggerSettings
from errata.systems.tagger.vocabulary import Vocabulary
from errata.training.decontaminate import Excluded
from errata.training.digests import key_of
from errata.training.packed import pack_once
from errata.training.pairs import (
    DevSentence,
    Example,
    Keep,
    load_dev,
    read_clean,
    read_dev,
    read_examples,
    write_dev,
)
from errata.training.synthetic import SyntheticSettings
from errata.training.variants import Pairs, read_samples

if TYPE_CHECKING:
    from errata.training.settings import Recipe

PACKING = 1  # goes up when other arrays or tags are made from the same data
DEV = "dev.jsonl"
# Corrupted sentences from which tags are learnt, beside all real pairs.
LEARNT_FROM_NOISE = 50_000
# Settings that have no say in the vocabulary or the packed data.
FREE_SETTINGS = (
    ("head", "case_embedding", "dropout", "label_smoothing", "keep_weight", "detection_weight", "early_exit",
     "distil", "decoding")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on; `excluded` says how much was left out of it as evaluation sentences."""

    vocabulary: Vocabulary
    examples: TrainingExamples | Pairs
    dev: list[DevSentence]
    excluded: Mapping[str, Any] = field(default_factory=dict)


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: TaggerSettings = recipe.model
    data: TaggerData = recipe.data
    key, excluded = _key(recipe), Excluded(recipe)
    learnt = cache / f"tagger-vocabulary-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            _learn_vocabulary(recipe, excluded).save(beside)
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
        parts.append(_pack_pairs(recipe, excluded, encoder, cache / f"tagger-pairs-{key_of(key, len(views))}"))
    if data.synthetic is not None:
        parts.append(_pack_clean(recipe, excluded, encoder, cache / f"tagger-clean-{key}"))
    if data.variants:
        folder = cache / f"tagger-variants-{key_of(key, len(views))}"
        parts.append(_pack_variants(recipe, excluded, encoder, folder))
    examples = TrainingExamples(parts, [view.pad for view in views])
    return Prepared(
        vocabulary,
        Pairs(examples, parts[-1].packed, (SHARED,)) if data.variants else examples,
        load_dev(learnt / DEV),
        {part.kind: notes["excluded"] for part in parts if "excluded" in (notes := part.packed.notes)},
    )


def _key(recipe: Recipe) -> str:
    """The name of everything that is made from the recipe's inputs and the settings that have a say in it."""
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    del plain["model"]["backbone"]["architecture"]
    if plain["model"]["phrases"] == 1:  # likewise
        del plain["model"]["phrases"]
    for name in ("exclude", "variants"):
        if not plain["data"][name]:  # as if the setting were not there: what was packed before it was stays good
            del plain["data"][name]
    if recipe.data.exclude:
        plain["data"]["near"] = DEFINITION
    digests = recipe.digests()
    if recipe.model.distil is not None:  # what a teacher answers is not packed; it may still be in training
        del digests[recipe.relative(recipe.model.distil.teacher)]
    return key_of(PACKING, digests, recipe.language, recipe.seed, plain["model"], plain["data"])


def _pack_pairs(recipe: Recipe, excluded: Excluded, encoder: Encoder, folder: Path) -> PairExamples:
    data: TaggerData = recipe.data

    def arrays() -> Mapping[str, np.ndarray]:
        pairs = _pairs(recipe, encoder.vocabulary.inventory, excluded.start())
        rng = np.random.default_rng(recipe.seed)
        return pack_pairs(pairs, encoder, unchanged=data.unchanged, targets=data.targets, rng=rng)

    return PairExamples(pack_once(folder, arrays, excluded.notes), len(encoder.views))


def _pack_clean(recipe: Recipe, excluded: Excluded, encoder: Encoder, folder: Path) -> NoisyExamples:
    clean: SyntheticSettings = recipe.data.synthetic

    def arrays() -> Mapping[str, np.ndarray]:
        sentences = read_clean(clean.text, recipe.language, keep=excluded.start())
        return pack_clean(islice(sentences, clean.sentences), encoder)

    return NoisyExamples(pack_once(folder, arrays, excluded.notes), clean.load_noise(), encoder)


def _pack_variants(recipe: Recipe, excluded: Excluded, encoder: Encoder, folder: Path) -> PairExamples:
    data: TaggerData = recipe.data

    def arrays() -> Mapping[str, np.ndarray]:
        keep = excluded.start()
        return pack_variants(read_samples(data.variants, recipe.language, tokenise=data.tokenise, keep=keep), encoder)

    return PairExamples(pack_once(folder, arrays, excluded.notes), len(encoder.views), "variants")


def teacher_vocabulary(folder: Path, vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary of a teacher, which must have the same tags."""
    settings = read_manifest(folder)["settings"]
    taught = Vocabulary.load(folder, settings["model"]["inventory"], settings["max_positions"])
    if taught.tags.tags != vocabulary.tags.tags:
        raise DataError(f"the teacher {folder} has other tags; set model.vocabulary to its folder to take them over")
    return taught


def _learn_vocabulary(recipe: Recipe, excluded: Excluded) -> Vocabulary:
    settings: TaggerSettings = recipe.model
    positions = settings.backbone.positions
    if settings.vocabulary is not None:
        taken = Vocabulary.load(settings.vocabulary, settings.inventory, positions)
        if settings.backbone.name is None:
            return taken
        # A pretrained encoder reads its own subwords only; tags and words do not depend on them.
        return replace(taken, subwords=Subwords(settings.backbone.tokenizer(Counter(), recipe.language), positions))
    # Twice through the data: word knowledge decides how edits become tags.
    examples = [
        *_pairs(recipe, None, excluded.start()),
        *_noised(recipe, excluded.start()),
        *_sampled(recipe, excluded.start()),
    ]
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
        examples,
        settings.inventory,
        lexicon,
        size=settings.tags,
        min_count=settings.min_count,
        phrases=settings.phrases,
    )
    return Vocabulary(tags, inventory, subwords)


def _pairs(recipe: Recipe, inventory: Inventory | None, keep: Keep | None) -> Iterator[Example]:
    forms = inventory.lexicon.inflections if inventory else None
    related = forms.are_related if forms else None
    data: TaggerData = recipe.data
    return read_examples(
        data.train, recipe.language, tokenise=data.tokenise, columns=data.columns, related=related, keep=keep
    )


def _sampled(recipe: Recipe, keep: Keep | None) -> Iterator[Example]:
    """The originals and variants, one by one."""
    data: TaggerData = recipe.data
    for case in read_samples(data.variants, recipe.language, tokenise=data.tokenise, keep=keep):
        yield from ((source, pair_edits(source, target)) for source, target in case)


def _noised(recipe: Recipe, keep: Keep | None) -> Iterator[Example]:
    """A sample of corrupted sentences from all of the clean text."""
    synthetic: SyntheticSettings | None = recipe.data.synthetic
    if synthetic is None:
        return
    noise = synthetic.load_noise()
    per_file = LEARNT_FROM_NOISE // len(synthetic.text)
    texts = (islice(read_clean([path], recipe.language, keep=keep), per_file) for path in synthetic.text)
    for number, tokens in enumerate(chain.from_iterable(texts)):
        noisy = noise.corrupt_at(tokens, seed=recipe.seed, index=number)
        yield noisy.tokens, noisy.edits
