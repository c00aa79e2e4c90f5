"""Everything that training IMPARA needs on disk: tokenizers, packed pairs for training and dev; keyed in the cache."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.files import replacing_folder
from errata.judges.impara.settings import ImparaData, ImparaSettings
from errata.judges.impara.supervision import RankedPair, Vectors, rank_pairs
from errata.judges.starting import choose_subwords, digest_start
from errata.judges.twins import Twins, pack_twins
from errata.model import Tokens
from errata.networks.encoder import BackboneSettings, load_tokenizer
from errata.networks.subwords import Subwords
from errata.training.digests import key_of
from errata.training.packed import Packed, pack_once
from errata.training.pairs import Example, read_examples

if TYPE_CHECKING:
    from errata.training.settings import Recipe

log = logging.getLogger(__name__)

PACKING = 1  # goes up when other arrays are made from the same data
RANKED, SIMILAR = "ranked", "similar"
# Without dev data, every so many sentences one is kept apart.
DEV_EVERY = 10
DEV_PAIRS = 1000
# Settings that have no say in the packed data.
FREE_SETTINGS = ("dropout", "pooling", "threshold", "case_embedding")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on: `subwords` of the encoder that is trained, `similar` of the other."""

    subwords: Subwords
    similar: Subwords
    train: Twins
    dev: Twins


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: ImparaSettings = recipe.model
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    borrowed = digest_start(settings)
    key = key_of(PACKING, recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"], borrowed)
    learnt = cache / f"impara-subwords-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            for name, subwords in ((RANKED, _ranked_subwords(recipe)), (SIMILAR, _similar_subwords(recipe))):
                (beside / name).mkdir()
                subwords.save(beside / name)
    subwords = Subwords.load(learnt / RANKED, settings.max_tokens + 2)
    similar = Subwords.load(learnt / SIMILAR, _similarity(settings).positions)
    folders = [cache / f"impara-{part}-{key}" for part in ("train", "dev")]
    if not all(folder.is_dir() for folder in folders):
        pairs = _make_pairs(recipe, similar)
        for folder, part in zip(folders, pairs, strict=True):
            pack_once(folder, lambda part=part: pack_twins(_sentences(part), subwords))  # type: ignore[misc]
    train, dev = (Twins(Packed(folder), subwords.pad) for folder in folders)
    return Prepared(subwords, similar, train, dev)


def _similarity(settings: ImparaSettings) -> BackboneSettings:
    chosen = settings.similarity or settings.backbone
    assert chosen is not None  # the settings see to it
    return chosen


def _ranked_subwords(recipe: Recipe) -> Subwords:
    return choose_subwords(recipe.model, recipe.language, (tokens for tokens, _ in _read(recipe, recipe.data.train)))


def _similar_subwords(recipe: Recipe) -> Subwords:
    similarity = _similarity(recipe.model)
    if similarity.name is None:
        return _ranked_subwords(recipe)
    return Subwords(load_tokenizer(similarity.name), similarity.positions)


def _make_pairs(recipe: Recipe, similar: Subwords) -> tuple[list[RankedPair], list[RankedPair]]:
    data: ImparaData = recipe.data
    train = list(_read(recipe, data.train))
    if data.dev:
        dev = list(_read(recipe, data.dev))
    else:
        order = np.random.default_rng(recipe.seed).permutation(len(train))
        train, dev = ([train[i] for i in order if (i % DEV_EVERY == 0) == is_dev] for is_dev in (False, True))
    vectors = _open_vectors(recipe, similar)
    limits = {"each": data.pairs_each, "seed": recipe.seed}
    return (
        rank_pairs(train, vectors, limit=data.pairs, **limits),
        rank_pairs(dev, vectors, limit=DEV_PAIRS, **limits),
    )


def _open_vectors(recipe: Recipe, similar: Subwords) -> Vectors:
    """What measures impacts: the encoder of similarity, as it is before training."""
    import torch

    from errata.judges.sentence_model import SentenceModel
    from errata.judges.vectors import SentenceVectors, TorchVectors

    torch.manual_seed(recipe.seed)
    encoder, hidden = _similarity(recipe.model).build(similar.tokenizer.get_vocab_size())
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return SentenceVectors(TorchVectors(SentenceModel(encoder, hidden, "mean").eval(), device), similar)


def _read(recipe: Recipe, paths: Sequence[Path]) -> Iterator[Example]:
    """Sources with edits, short enough for the encoder that is trained."""
    data: ImparaData = recipe.data
    limit, n_long = recipe.model.max_tokens, 0
    for tokens, edits in read_examples(paths, recipe.language, tokenise=data.tokenise, columns=data.columns):
        # A subset of the edits may make a sentence longer than both source and target.
        longest = len(tokens) + sum(max(0, len(edit.replacement) - (edit.end - edit.start)) for edit in edits)
        if longest <= limit:
            yield tokens, edits
        else:
            n_long += 1
    if n_long:
        log.warning("%d sentences longer than %d tokens left out", n_long, limit)


def _sentences(pairs: Sequence[RankedPair]) -> Iterator[tuple[Tokens, Tokens]]:
    return ((pair.better, pair.worse) for pair in pairs)
