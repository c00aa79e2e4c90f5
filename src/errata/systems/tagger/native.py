"""A tagger's network under our own kernels: what they need of an exported folder, and the runtime around them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import DataError
from errata.networks.native import is_available
from errata.networks.native.description import Description, Detector, Linear
from errata.networks.native.encoders import (
    DESCRIPTION,
    Shape,
    Weights,
    find_shape,
    read_embedding,
    read_last_norm,
    read_layers,
    read_linear,
)
from errata.networks.stored import INDEX, StoredWeights
from errata.networks.subwords import EncoderInput
from errata.systems.tagger.decoding import GATE
from errata.systems.tagger.factored import WORD_OPS, join_head
from errata.systems.tagger.runtime import Answers
from errata.systems.tagger.tags import TagVocabulary


class NativeRuntime:
    """An exported model under our own kernels.

    A batch runs on one core, and nothing is padded. With 256 tokens a core is as fast as it gets, with 128 it is 5 %
    slower. May be called from several threads at once.
    """

    batch_tokens, chunk_batches = 256, 4

    def __init__(self, description: Description, threads: int = 0) -> None:
        from errata.networks.native._network import Network

        self._network = Network(description)
        self.workers = threads or os.cpu_count() or 1

    @classmethod
    def load(cls, folder: Path, manifest: Mapping[str, Any], tags: TagVocabulary, threads: int = 0) -> NativeRuntime:
        """The network in an exported folder that `why_not` has nothing against."""
        shape = find_shape(_read_description(folder))
        assert shape is not None
        description = describe(StoredWeights.load(folder), shape, manifest["settings"]["model"], tags)
        n_tags = sum(weight.shape[0] for weight, _ in description.tags)
        if n_tags != len(tags):
            raise DataError(f"{folder}: the network has {n_tags} tags, tags.json has {len(tags)}")
        return cls(description, threads)

    def run(self, batches: Sequence[Sequence[EncoderInput]]) -> Iterator[Answers]:
        return map(self._answer, batches)

    def _answer(self, batch: Sequence[EncoderInput]) -> Answers:
        ids, cases, first = (
            np.fromiter(chain.from_iterable(getattr(one, name) for one in batch), np.int32)
            for name in ("ids", "cases", "first")
        )
        lengths = np.fromiter((len(one.ids) for one in batch), np.int32)
        n_slots = np.fromiter((len(one.first) for one in batch), np.int32)
        return Answers(*self._network.answer(ids, cases, lengths, first, n_slots))


def why_not(folder: Path, manifest: Mapping[str, Any]) -> str | None:
    """Why the folder's network cannot run natively here; None if it can."""
    if not is_available():
        return "this machine or build has no kernels (x86-64 with AVX2 and FMA, and a C compiler at installation)"
    if not (folder / INDEX).is_file() or not (folder / DESCRIPTION).is_file():
        return f"{folder} was not exported for it (errata export)"
    shape = find_shape(_read_description(folder))
    if shape is None:
        return "the encoder is neither BERT nor errata's own with learned positions"
    exit_after = manifest["settings"]["model"].get("early_exit")
    return "its early exit is after the last layer" if exit_after and exit_after >= shape.n_layers else None


def describe(weights: Weights, shape: Shape, settings: Mapping[str, Any], tags: TagVocabulary) -> Description:
    """A tagger's network from its weights and what the manifest says of the model."""
    exit_after = settings.get("early_exit")
    return Description(
        shape.hidden,
        shape.heads,
        shape.wide,
        shape.is_pre_norm,
        read_embedding(weights, shape, weights.floats("cases.weight") if settings["case_embedding"] else None),
        read_layers(weights, shape),
        read_last_norm(weights, shape),
        (_tag_head(weights, settings["head"], tags),),
        _detector(weights, "errors") if settings["detection"] else None,
        GATE,
        _detector(weights, "early") if exit_after else None,
        exit_after or 0,
        float(weights.floats("exit_below")) if exit_after else 0.0,
    )


def _tag_head(weights: Weights, head: str, tags: TagVocabulary) -> Linear:
    if head == "factored":
        project = {
            op: (weights.floats(f"tags.project.{op.value}.weight"), weights.floats(f"tags.project.{op.value}.bias"))
            for op in WORD_OPS
        }
        words, plain = weights.floats("tags.words"), weights.floats("tags.plain.weight")
        return join_head(tags.tags, words, plain, project, weights.floats("tags.bias"))
    return read_linear(weights, "tags")


def _detector(weights: Weights, name: str) -> Detector:
    return weights.floats(f"{name}.weight").reshape(-1), float(weights.floats(f"{name}.bias")[0])


def _read_description(folder: Path) -> dict[str, Any]:
    try:
        described: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{folder / DESCRIPTION} does not describe an encoder: {error}") from error
    return described
