"""Everything that training IMPARA needs on disk: tokenizers, packed pairs for training and dev; keyed in the cache."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from errata.files import replacing_folder
from errata.judges.impara.rated_pairs import rank_rated, repeat_pairs
from errata.judges.impara.settings import ImparaData, ImparaSettings
from errata.judges.impara.supervision import RankedPair, Vectors, rank_pairs
from errata.judges.impara.taught import TAUGHT, TaughtTwins, ask_teachers, refuse_own, refuse_teachers
from errata.judges.impara.wrong_edits import (
    WrongEdits,
    collect_wrong,
    grown_length,
    read_proposals,
    refuse_strangers,
)
from errata.judges.ratings import read_short_ratings
from errata.judges.starting import build_sentence_model, choose_subwords, digest_start
from errata.judges.twins import Twins, pack_twins
from errata.networks.encoder import BackboneSettings, keep_layers
from errata.networks.subwords import Subwords
from errata.systems.installed import find_model
from errata.systems.tagger.borrowing import borrow_subwords
from errata.training.digests import key_of
from errata.training.packed import Packed, pack_once
from errata.training.pairs import Example, read_examples

if TYPE_CHECKING:
    from errata.judges.impara.frozen import VectorPairs
    from errata.judges.sentence_model import Pooling, SentenceModel
    from errata.training.settings import Recipe

log = logging.getLogger(__name__)

PACKING = 1  # goes up when other arrays are made from the same data
RANKED, SIMILAR = "ranked", "similar"
# Without dev data, every so many sentences one is kept apart.
DEV_EVERY = 10
DEV_PAIRS = 1000
# Settings that have no say in the packed data.
FREE_SETTINGS = ("dropout", "pooling", "threshold", "case_embedding", "frozen", "frozen_layers", "scaled")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on: `subwords` of the encoder that is trained, `similar` of the other."""

    subwords: Subwords
    similar: Subwords
    train: Twins | VectorPairs
    dev: Twins | VectorPairs


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: ImparaSettings = recipe.model
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    # What was packed before there were teachers, hypotheses or ratings keeps its key.
    distil = plain["model"].pop("distil")
    if distil is not None:
        plain["model"]["teachers"] = distil["teachers"]
    if plain["data"]["wrong_share"] is None:
        del plain["data"]["wrong_share"]
    if not plain["data"]["hypotheses"]:
        del plain["data"]["hypotheses"]
    if not plain["data"]["ratings"]:
        del plain["data"]["ratings"], plain["data"]["ratings_share"]
    borrowed = digest_start(settings), digest_start(_Similarity.of(settings))
    key = key_of(PACKING, recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"], borrowed)
    learnt = cache / f"impara-subwords-{key}"
    folders = [cache / f"impara-{part}-{key}" for part in ("train", "dev")]
    is_packed = all(folder.is_dir() for folder in folders)
    if settings.distil is not None:
        refuse_own(settings.distil.teachers, recipe.folder)
        if not is_packed:  # packed data travel without the teachers
            refuse_teachers(settings.distil.teachers, recipe.language)
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            for name, subwords in ((RANKED, _ranked_subwords(recipe)), (SIMILAR, _similar_subwords(recipe))):
                (beside / name).mkdir()
                subwords.save(beside / name)
    subwords = Subwords.load(learnt / RANKED, settings.max_tokens + 2)
    similar = Subwords.load(learnt / SIMILAR, _similar_positions(settings))
    if not is_packed:
        pairs = _make_pairs(recipe, similar)
        for folder, part in zip(folders, pairs, strict=True):
            pack_once(folder, lambda part=part: _pack(part, recipe, subwords))  # type: ignore[misc]
    kind = Twins if settings.distil is None else TaughtTwins
    train, dev = (kind(Packed(folder), subwords.pad) for folder in folders)
    if settings.frozen:
        return Prepared(subwords, similar, *(_freeze(twins, settings, subwords, cache) for twins in (train, dev)))
    return Prepared(subwords, similar, train, dev)


def _freeze(twins: Twins, settings: ImparaSettings, subwords: Subwords, cache: Path) -> VectorPairs:
    """The vectors of packed sentences, by the encoder as it is."""
    from errata.judges.impara.frozen import VectorPairs, pack_vectors

    folder = cache / f"impara-vectors-{key_of(twins.packed.folder.name, settings.pooling)}"
    model = build_sentence_model(settings, subwords.tokenizer.get_vocab_size())
    return VectorPairs(pack_once(folder, lambda: pack_vectors(twins, model)))


@dataclass(frozen=True, slots=True)
class _Similarity:
    """What the encoder that is not trained is: a sentence's vector is the mean of its states."""

    backbone: BackboneSettings | None
    tagger: str | None
    pooling: Pooling = "mean"
    case_embedding: bool = False

    @classmethod
    def of(cls, settings: ImparaSettings) -> _Similarity:
        if settings.similarity_tagger is not None:
            return cls(None, settings.similarity_tagger)
        return cls(settings.similarity or settings.backbone, None)


def _similar_positions(settings: ImparaSettings) -> int:
    chosen = _Similarity.of(settings)
    if chosen.tagger is not None:
        return borrow_subwords(find_model(chosen.tagger)).max_positions
    assert chosen.backbone is not None  # the settings see to it
    return chosen.backbone.positions


def _ranked_subwords(recipe: Recipe) -> Subwords:
    return choose_subwords(recipe.model, recipe.language, (tokens for tokens, _ in _read(recipe, recipe.data.train)))


def _similar_subwords(recipe: Recipe) -> Subwords:
    chosen = _Similarity.of(recipe.model)
    if chosen.backbone is not None and chosen.backbone.name is None:
        return _ranked_subwords(recipe)
    return choose_subwords(chosen, recipe.language, ())


def _make_pairs(recipe: Recipe, similar: Subwords) -> tuple[list[RankedPair], list[RankedPair]]:
    data: ImparaData = recipe.data
    # A judge reads corrections alone.
    ratings = read_short_ratings(data.ratings, recipe.language, recipe.model.max_tokens, with_source=False)
    rated, rated_dev = rank_rated(ratings, recipe.seed) if data.ratings else ([], [])
    train = list(_read(recipe, data.train))
    if data.dev:
        dev = list(_read(recipe, data.dev))
    else:
        order = np.random.default_rng(recipe.seed).permutation(len(train))
        train, dev = ([train[i] for i in order if (i % DEV_EVERY == 0) == is_dev] for is_dev in (False, True))
    wrong = _find_wrong(recipe, [*train, *dev]) if data.hypotheses else None
    vectors = _open_vectors(recipe, similar)
    drawn: dict[str, Any] = {
        "each": data.pairs_each,
        "seed": recipe.seed,
        "wrong": wrong,
        "wrong_share": data.wrong_share,
    }
    parts = (
        rank_pairs(train, vectors, limit=data.pairs, **drawn),
        rank_pairs(dev, vectors, limit=DEV_PAIRS, **drawn),
    )
    if data.ratings:
        parts[0].extend(repeat_pairs(rated, len(parts[0]), data.ratings_share))
        parts[1].extend(rated_dev)
    return parts


def _find_wrong(recipe: Recipe, examples: Sequence[Example]) -> WrongEdits:
    """The wrong edits of the sources that the recipe has hypotheses of."""
    data: ImparaData = recipe.data
    proposals = read_proposals(data.hypotheses, recipe.language, tokenise=data.tokenise)
    refuse_strangers(proposals, examples, data.hypotheses)
    return collect_wrong(examples, proposals, recipe.model.max_tokens)


def build_similarity(recipe: Recipe, similar: Subwords) -> SentenceModel:
    """The encoder that is not trained; without one of its own, the other one as it is before training."""
    import torch

    settings: ImparaSettings = recipe.model
    chosen = _Similarity.of(settings)
    torch.manual_seed(recipe.seed)
    model = build_sentence_model(chosen, similar.tokenizer.get_vocab_size())
    if settings.similarity_layers is not None:
        name = chosen.tagger if chosen.backbone is None else chosen.backbone.name
        keep_layers(model.encoder, settings.similarity_layers, str(name))
    return model.eval()


def _open_vectors(recipe: Recipe, similar: Subwords) -> Vectors:
    """What measures impacts: the encoder of similarity."""
    import torch

    from errata.judges.vectors import SentenceVectors, TorchVectors

    device = "cuda" if torch.cuda.is_available() else "cpu"
    return SentenceVectors(TorchVectors(build_similarity(recipe, similar), device), similar)


def _read(recipe: Recipe, paths: Sequence[Path]) -> Iterator[Example]:
    """Sources with edits, short enough for the encoder that is trained."""
    data: ImparaData = recipe.data
    limit, n_long = recipe.model.max_tokens, 0
    for tokens, edits in read_examples(paths, recipe.language, tokenise=data.tokenise, columns=data.columns):
        # A subset of the edits may make a sentence longer than both source and target.
        if grown_length(tokens, edits) <= limit:
            yield tokens, edits
        else:
            n_long += 1
    if n_long:
        log.warning("%d sentences longer than %d tokens left out", n_long, limit)


def _pack(pairs: Sequence[RankedPair], recipe: Recipe, subwords: Subwords) -> dict[str, np.ndarray]:
    arrays = pack_twins(((pair.better, pair.worse) for pair in pairs), subwords)
    settings: ImparaSettings = recipe.model
    if settings.distil is not None:
        arrays[TAUGHT] = ask_teachers(pairs, settings.distil.teachers)
    return arrays
