"""Everything training needs on disk: tokenizer, packed pairs, packed clean text, dev; keyed in the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from errata.datasets.similar import DEFINITION
from errata.edits.apply import apply_edits
from errata.files import replacing_folder
from errata.model import Tokens
from errata.networks.encoder import load_tokenizer
from errata.networks.tokenizer import learn_characters
from errata.systems.seq2seq.borrowed import check_tagger, choose_subwords, digest_tagger
from errata.systems.seq2seq.examples import (
    SHARED,
    NoisyExamples,
    PairExamples,
    TrainingExamples,
    pack_clean,
    pack_pairs,
    pack_variants,
)
from errata.systems.seq2seq.settings import PIECES, Seq2SeqData, Seq2SeqSettings
from errata.systems.seq2seq.subwords import TextSubwords, learn_bytes
from errata.training.decontaminate import Excluded
from errata.training.digests import key_of
from errata.training.packed import pack_once
from errata.training.pairs import DevSentence, Keep, load_dev, read_dev, read_examples, write_dev
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
    """What training works on; `excluded` says how much was left out of it as evaluation sentences."""

    subwords: TextSubwords
    examples: TrainingExamples | Pairs
    dev: list[DevSentence]
    excluded: Mapping[str, Any] = field(default_factory=dict)


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: Seq2SeqSettings = recipe.model
    data: Seq2SeqData = recipe.data
    key, excluded = _key(recipe), Excluded(recipe)
    learnt = cache / f"seq2seq-pieces-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            _learn_subwords(recipe, excluded).save(beside)
            write_dev(read_dev(data.dev, recipe.language, tokenise=data.tokenise)[: data.dev_limit], beside / DEV)
    subwords = TextSubwords.load(learnt, recipe.language, settings.backbone.positions)
    parts: dict[str, PairExamples | NoisyExamples] = {}
    if data.train:
        rng = np.random.default_rng(recipe.seed)
        packed = pack_once(
            cache / f"seq2seq-pairs-{key}",
            lambda: pack_pairs(
                _pairs(recipe, excluded.start()), subwords, settings.max_tokens, unchanged=data.unchanged, rng=rng
            ),
            excluded.notes,
        )
        parts["pairs"] = PairExamples(packed)
    if data.synthetic is not None:
        clean = data.synthetic
        packed = pack_once(
            cache / f"seq2seq-clean-{key}",
            lambda: pack_clean(clean.read_text(recipe.language, excluded.start()), subwords, settings.max_tokens),
            excluded.notes,
        )
        parts["clean"] = NoisyExamples(packed, clean.load_noise(), subwords, settings.max_tokens)
    if data.variants:
        packed = pack_once(
            cache / f"seq2seq-variants-{key}",
            lambda: pack_variants(_cases(recipe, excluded.start()), subwords, settings.max_tokens),
            excluded.notes,
        )
        parts["variants"] = PairExamples(packed)
    examples = TrainingExamples(list(parts.values()), subwords)
    return Prepared(
        subwords,
        Pairs(examples, packed, (SHARED,)) if data.variants else examples,
        load_dev(learnt / DEV),
        {kind: notes["excluded"] for kind, part in parts.items() if "excluded" in (notes := part.packed.notes)},
    )


def _key(recipe: Recipe) -> str:
    """The name of everything that is made from the recipe's inputs and the settings that have a say in it."""
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    for name in FREE_SIZES:
        del plain["model"]["backbone"][name]
    if tagger := plain["model"]["backbone"]["tagger"]:
        plain["model"]["backbone"]["tagger"] = digest_tagger(tagger)
    else:
        del plain["model"]["backbone"]["tagger"]
    for name in ("exclude", "variants"):
        if not plain["data"][name]:  # as if the setting were not there: what was packed before it was stays good
            del plain["data"][name]
    if recipe.data.exclude:
        plain["data"]["near"] = DEFINITION
    return key_of(PACKING, recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"])


def _learn_subwords(recipe: Recipe, excluded: Excluded) -> TextSubwords:
    settings: Seq2SeqSettings = recipe.model
    backbone, language = settings.backbone, recipe.language
    theirs = backbone.tagger and check_tagger(backbone.tagger, language, backbone.positions)
    if settings.vocabulary is not None:
        return TextSubwords.load(settings.vocabulary, language, backbone.positions)
    if backbone.name is not None:
        return TextSubwords(load_tokenizer(backbone.name), language, backbone.positions)
    clean: Iterator[Tokens] = iter(())
    if recipe.data.synthetic is not None:
        clean = recipe.data.synthetic.read_text(language, excluded.start())
    counts: Counter[str] = Counter()
    pairs = chain(_pairs(recipe, excluded.start()), chain.from_iterable(_cases(recipe, excluded.start())))
    for tokens in chain(chain.from_iterable(pairs), clean):
        counts.update(tokens)
    if theirs:
        return choose_subwords(theirs, language, backbone.positions, counts, backbone.pieces)
    learn = learn_characters if language == "zh" else learn_bytes
    return TextSubwords(learn(counts, backbone.pieces or PIECES), language, backbone.positions)


def _cases(recipe: Recipe, keep: Keep | None) -> Iterator[list[SampleTokens]]:
    return read_samples(recipe.data.variants, recipe.language, tokenise=recipe.data.tokenise, keep=keep)


def _pairs(recipe: Recipe, keep: Keep | None) -> Iterator[tuple[Tokens, Tokens]]:
    data: Seq2SeqData = recipe.data
    for tokens, edits in read_examples(
        data.train, recipe.language, tokenise=data.tokenise, columns=data.columns, keep=keep
    ):
        yield tokens, apply_edits(tokens, edits)
