"""Everything training needs on disk: tokenizer, packed pairs, packed clean text, dev; keyed in the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.edits.apply import apply_edits
from errata.files import replacing_folder
from errata.model import Tokens
from errata.networks.encoder import load_tokenizer
from errata.networks.tokenizer import learn_characters
from errata.systems.seq2seq.examples import (
    SHARED,
    NoisyExamples,
    PairExamples,
    TrainingExamples,
    pack_clean,
    pack_pairs,
    pack_variants,
)
from errata.systems.seq2seq.settings import Seq2SeqData, Seq2SeqSettings
from errata.systems.seq2seq.subwords import TextSubwords, learn_bytes
from errata.training.digests import key_of
from errata.training.packed import pack_once
from errata.training.pairs import DevSentence, load_dev, read_dev, read_examples, write_dev
from errata.training.variants import Pairs, SampleTokens, read_samples

if TYPE_CHECKING:
    from errata.training.settings import Recipe

PACKING = 1  # goes up when other arrays are made from the same data
DEV = "dev.jsonl"
# Settings that have no say in the tokenizer or the packed data.
FREE_SETTINGS = ("label_smoothing", "decoding")
FREE_SIZES = ("encoder_layers", "decoder_layers", "hidden", "heads", "feed_forward", "dropout")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on."""

    subwords: TextSubwords
    examples: TrainingExamples | Pairs
    dev: list[DevSentence]


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: Seq2SeqSettings = recipe.model
    data: Seq2SeqData = recipe.data
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    for name in FREE_SIZES:
        del plain["model"]["backbone"][name]
    if not plain["data"]["variants"]:  # as if the setting were not there: what was packed before it was stays good
        del plain["data"]["variants"]
    key = key_of(PACKING, recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"])
    learnt = cache / f"seq2seq-pieces-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            _learn_subwords(recipe).save(beside)
            write_dev(read_dev(data.dev, recipe.language, tokenise=data.tokenise)[: data.dev_limit], beside / DEV)
    subwords = TextSubwords.load(learnt, recipe.language, settings.backbone.positions)
    parts: list[PairExamples | NoisyExamples] = []
    if data.train:
        rng = np.random.default_rng(recipe.seed)
        packed = pack_once(
            cache / f"seq2seq-pairs-{key}",
            lambda: pack_pairs(_pairs(recipe), subwords, settings.max_tokens, unchanged=data.unchanged, rng=rng),
        )
        parts.append(PairExamples(packed))
    if data.synthetic is not None:
        clean = data.synthetic
        packed = pack_once(
            cache / f"seq2seq-clean-{key}",
            lambda: pack_clean(clean.read_text(recipe.language), subwords, settings.max_tokens),
        )
        noise = clean.load_noise()
        parts.append(NoisyExamples(packed, noise, subwords, settings.max_tokens))
    if data.variants:
        packed = pack_once(
            cache / f"seq2seq-variants-{key}",
            lambda: pack_variants(_cases(recipe), subwords, settings.max_tokens),
        )
        parts.append(PairExamples(packed))
    examples = TrainingExamples(parts, subwords)
    return Prepared(
        subwords,
        Pairs(examples, packed, (SHARED,)) if data.variants else examples,
        load_dev(learnt / DEV),
    )


def _learn_subwords(recipe: Recipe) -> TextSubwords:
    settings: Seq2SeqSettings = recipe.model
    backbone, language = settings.backbone, recipe.language
    if settings.vocabulary is not None:
        return TextSubwords.load(settings.vocabulary, language, backbone.positions)
    if backbone.name is not None:
        return TextSubwords(load_tokenizer(backbone.name), language, backbone.positions)
    clean: Iterator[Tokens] = iter(()) if recipe.data.synthetic is None else recipe.data.synthetic.read_text(language)
    counts: Counter[str] = Counter()
    pairs = chain(_pairs(recipe), chain.from_iterable(_cases(recipe)))
    for tokens in chain(chain.from_iterable(pairs), clean):
        counts.update(tokens)
    learn = learn_characters if language == "zh" else learn_bytes
    return TextSubwords(learn(counts, backbone.pieces), language, backbone.positions)


def _cases(recipe: Recipe) -> Iterator[list[SampleTokens]]:
    return read_samples(recipe.data.variants, recipe.language, tokenise=recipe.data.tokenise)


def _pairs(recipe: Recipe) -> Iterator[tuple[Tokens, Tokens]]:
    data: Seq2SeqData = recipe.data
    for tokens, edits in read_examples(data.train, recipe.language, tokenise=data.tokenise, columns=data.columns):
        yield tokens, apply_edits(tokens, edits)
