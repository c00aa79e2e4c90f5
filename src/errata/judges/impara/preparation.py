"""Everything that training IMPARA needs on disk: tokenizers, packed pairs for training and dev; keyed in the cache."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.files import replacing_folder
from errata.judges.borrowing import borrow_subwords
from errata.judges.impara.settings import ImparaData, ImparaSettings
from errata.judges.impara.supervision import RankedPair, Vectors, rank_pairs
from errata.networks.encoder import BackboneSettings, load_tokenizer
from errata.networks.subwords import Subwords
from errata.systems.installed import find_model
from errata.systems.manifest import MANIFEST
from errata.training.digests import file_digest, key_of
from errata.training.packed import Packed, pack_once, padded, ragged
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


class PairExamples:
    """Packed pairs: rows 2 i and 2 i + 1 are the better and the worse sentence of pair i."""

    def __init__(self, packed: Packed, pad: int) -> None:
        self.packed, self.pad = packed, pad

    @property
    def lengths(self) -> np.ndarray:
        """Subwords of a pair with its padding."""
        longest: np.ndarray = np.diff(self.packed["offsets"]).reshape(-1, 2).max(1)
        return 2 * longest

    def __len__(self) -> int:
        return (len(self.packed["offsets"]) - 1) // 2

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`ids`, `cases` and `mask` (2 × pairs, subwords): all better sentences, then all worse ones."""
        chosen = np.asarray(indices)
        rows = np.concatenate([2 * chosen, 2 * chosen + 1])
        offsets = self.packed["offsets"]
        ids = padded(self.packed["ids"], offsets, rows, self.pad)
        cases = padded(self.packed["cases"], offsets, rows, 0)
        mask = (np.arange(ids.shape[1]) < (offsets[rows + 1] - offsets[rows])[:, None]).astype(np.int64)
        return {"ids": ids, "mask": mask, "cases": cases}


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on: `subwords` of the encoder that is trained, `similar` of the other."""

    subwords: Subwords
    similar: Subwords
    train: PairExamples
    dev: PairExamples


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: ImparaSettings = recipe.model
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    borrowed = None if settings.tagger is None else file_digest(find_model(settings.tagger) / MANIFEST)
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
            pack_once(folder, lambda part=part: _pack(part, subwords))  # type: ignore[misc]
    train, dev = (PairExamples(Packed(folder), subwords.pad) for folder in folders)
    return Prepared(subwords, similar, train, dev)


def _similarity(settings: ImparaSettings) -> BackboneSettings:
    chosen = settings.similarity or settings.backbone
    assert chosen is not None  # the settings see to it
    return chosen


def _ranked_subwords(recipe: Recipe) -> Subwords:
    settings: ImparaSettings = recipe.model
    if settings.tagger is not None:
        return borrow_subwords(find_model(settings.tagger))
    assert settings.backbone is not None
    counts: Counter[str] = Counter()
    if settings.backbone.name is None:
        for tokens, _ in _read(recipe, recipe.data.train):
            counts.update(tokens)
    return Subwords(settings.backbone.tokenizer(counts, recipe.language), settings.backbone.positions)


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


def _pack(pairs: Sequence[RankedPair], subwords: Subwords) -> Mapping[str, np.ndarray]:
    encoded = [subwords.encode(tokens) for pair in pairs for tokens in (pair.better, pair.worse)]
    ids, offsets = ragged([np.asarray(one.ids) for one in encoded], np.int32)
    cases, _ = ragged([np.asarray(one.cases) for one in encoded], np.uint8)
    return {"ids": ids, "cases": cases, "offsets": offsets}
