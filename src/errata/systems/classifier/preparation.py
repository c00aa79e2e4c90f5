"""Everything a classifier's training needs on disk: tokenizer, packed sentences, dev; keyed in the cache."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.files import replacing_folder
from errata.networks.subwords import Subwords
from errata.systems.classifier.data import Labelled, load_labelled, read_labelled, write_labelled
from errata.systems.classifier.settings import ClassifierData, ClassifierSettings
from errata.training.digests import key_of
from errata.training.packed import Packed, pack_once, padded, ragged

if TYPE_CHECKING:
    from errata.training.settings import Recipe

log = logging.getLogger(__name__)

PACKING = 1  # goes up when other arrays are made from the same data
DEV = "dev.jsonl"
# Settings that have no say in the tokenizer or the packed data.
FREE_SETTINGS = ("dropout", "positive_weight")


class SentenceExamples:
    """Packed sentences with their labels."""

    def __init__(self, packed: Packed, pad: int) -> None:
        self.packed, self.pad = packed, pad

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.packed["offsets"])

    def __len__(self) -> int:
        return len(self.packed["labels"])

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`ids` and `mask` (sentences, subwords), `labels` (sentences, labels)."""
        chosen = np.asarray(indices)
        ids = padded(self.packed["ids"], self.packed["offsets"], chosen, self.pad)
        mask = (np.arange(ids.shape[1]) < self.lengths[chosen][:, None]).astype(np.int64)
        return {"ids": ids, "mask": mask, "labels": self.packed["labels"][chosen].astype(np.float32)}


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on."""

    subwords: Subwords
    examples: SentenceExamples
    dev: list[Labelled]


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: ClassifierSettings = recipe.model
    data: ClassifierData = recipe.data
    plain = recipe.as_dict()
    for name in FREE_SETTINGS:
        del plain["model"][name]
    key = key_of(PACKING, recipe.digests(), recipe.language, recipe.seed, plain["model"], plain["data"])
    learnt = cache / f"classifier-pieces-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            _learn_subwords(recipe).save(beside)
            write_labelled([*_read(recipe, data.dev)][: data.dev_limit], beside / DEV)
    subwords = Subwords.load(learnt, settings.backbone.positions)
    packed = pack_once(cache / f"classifier-{key}", lambda: _pack(_read(recipe, data.train), subwords, settings))
    return Prepared(subwords, SentenceExamples(packed, subwords.pad), load_labelled(learnt / DEV))


def as_array(sentences: Iterable[Labelled], labels: Sequence[str]) -> np.ndarray:
    """Which sentence has which label, 0 or 1 (sentences, labels)."""
    rows = [[label in one.labels for label in labels] for one in sentences]
    return np.asarray(rows, np.uint8).reshape(-1, len(labels))


def _read(recipe: Recipe, paths: Iterable[Path]) -> Iterator[Labelled]:
    return read_labelled(paths, recipe.model.task, recipe.language, tokenise=recipe.data.tokenise)


def _learn_subwords(recipe: Recipe) -> Subwords:
    settings: ClassifierSettings = recipe.model
    if settings.vocabulary is not None:
        return Subwords.load(settings.vocabulary, settings.backbone.positions)
    counts: Counter[str] = Counter()
    if settings.backbone.name is None:
        for sentence in _read(recipe, recipe.data.train):
            counts.update(sentence.tokens)
    return Subwords(settings.backbone.tokenizer(counts, recipe.language), settings.backbone.positions)


def _pack(sentences: Iterable[Labelled], subwords: Subwords, settings: ClassifierSettings) -> Mapping[str, np.ndarray]:
    read = list(sentences)
    kept = [one for one in read if 0 < len(one.tokens) <= settings.max_tokens]
    if len(kept) < len(read):
        log.warning("%d sentences empty or longer than %d tokens left out", len(read) - len(kept), settings.max_tokens)
    labels = as_array(kept, settings.labels)
    tally = ", ".join(f"{n} {label}" for label, n in zip(settings.labels, labels.sum(0), strict=True))
    log.info("%d sentences: %s", len(kept), tally)
    ids, offsets = ragged([np.asarray(subwords.encode(one.tokens).ids) for one in kept], np.int32)
    return {"ids": ids, "offsets": offsets, "labels": labels}
