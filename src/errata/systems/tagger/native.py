"""A tagger's network under our own kernels: what they need of an exported folder, and the runtime around them."""

from __future__ import annotations

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
    read_distances,
    read_embedding,
    read_last_norm,
    read_layers,
    read_linear,
    read_shape,
)
from errata.networks.stored import INDEX, StoredWeights
from errata.networks.subwords import N_CASES, EncoderInput
from errata.systems.manifest import MANIFEST
from errata.systems.tagger.decoding import GATE
from errata.systems.tagger.factored import WORD_OPS, join_head, phrases_of
from errata.systems.tagger.runtime import SlotAnswers
from errata.systems.tagger.saved import NetworkSettings, read_settings
from errata.systems.tagger.tags import TagVocabulary
from errata.systems.tagger.vocabulary import Vocabulary


class NativeRuntime:
    """An exported model under our own kernels.

    A batch runs on one core, and nothing is padded. Batches of 256 tokens are fastest; with 128 a core is 5 % slower.
    Several threads may call it at once. `origin` names the folder in messages.
    """

    batch_tokens, chunk_batches = 256, 4

    def __init__(self, description: Description, threads: int = 0, origin: str = "the network") -> None:
        from errata.networks.native._network import Network

        self._network, self._origin = Network(description), origin
        self.workers = threads or os.cpu_count() or 1

    @classmethod
    def load(cls, folder: Path, manifest: Mapping[str, Any], vocabulary: Vocabulary, threads: int = 0) -> NativeRuntime:
        """The network in an exported folder for which `why_not` gives no reason; `DataError` if it is damaged."""
        shape = read_shape(folder)
        assert shape is not None
        settings = read_settings(folder, manifest, vocabulary.tags)
        description = describe(StoredWeights.load(folder), shape, settings, vocabulary.tags)
        embedding, subwords = description.embedding, vocabulary.subwords
        n_subwords = subwords.tokenizer.get_vocab_size()
        if n_subwords > embedding.n_subwords:
            raise DataError(
                f"{folder}: tokenizer.json has {n_subwords} subwords, the table of embeddings has "
                f"{embedding.n_subwords} rows"
            )
        if subwords.max_positions > len(embedding.positions):
            raise DataError(
                f"{folder / MANIFEST}: max_positions is {subwords.max_positions}, "
                f"but the network has {len(embedding.positions)} positions"
            )
        return cls(description, threads, str(folder))

    def run(self, batches: Sequence[Sequence[EncoderInput]]) -> Iterator[SlotAnswers]:
        return map(self._answer, batches)

    def _answer(self, batch: Sequence[EncoderInput]) -> SlotAnswers:
        ids, cases, first = (
            np.fromiter(chain.from_iterable(getattr(one, name) for one in batch), np.int32)
            for name in ("ids", "cases", "first")
        )
        lengths = np.fromiter((len(one.ids) for one in batch), np.int32)
        n_slots = np.fromiter((len(one.first) for one in batch), np.int32)
        try:
            answers = SlotAnswers(*self._network.answer(ids, cases, lengths, first, n_slots))
        except ValueError as error:  # the tokenizer's marks, for one, may have numbers that no row belongs to
            raise DataError(f"{self._origin}: the tokenizer does not fit the network: {error}") from error
        # Finite weights can still be so large that sums overflow.
        if not all(np.isfinite(part).all() for part in (answers.keep, answers.best, answers.error)):
            raise DataError(f"{self._origin}: the network's answers are not numbers: copy or export the folder again")
        return answers


def why_not(folder: Path, manifest: Mapping[str, Any], vocabulary: Vocabulary) -> str | None:
    """Why the folder's network cannot run natively here; None if it can."""
    if not is_available():
        return "this machine or build has no kernels (x86-64 with AVX2 and FMA, and a C compiler at installation)"
    if not (folder / INDEX).is_file() or not (folder / DESCRIPTION).is_file():
        return f"{folder} was not exported for it (errata export)"
    shape = read_shape(folder)
    if shape is None:
        return "the encoder is neither BERT nor MPNet nor errata's own with learned positions"
    exit_after = read_settings(folder, manifest, vocabulary.tags).early_exit
    return "its early exit is after the last layer" if exit_after and exit_after >= shape.n_layers else None


def describe(weights: Weights, shape: Shape, settings: NetworkSettings, tags: TagVocabulary) -> Description:
    """A tagger's network from its weights and what the manifest says of it."""
    hidden, exit_after = shape.hidden, settings.early_exit
    cases = weights.floats("cases.weight", (N_CASES, hidden)) if settings.has_cases else None
    embedding = read_embedding(weights, shape, cases)
    return Description(
        hidden,
        shape.heads,
        shape.wide,
        shape.is_pre_norm,
        embedding,
        read_layers(weights, shape),
        read_last_norm(weights, shape),
        (_tag_head(weights, hidden, settings, tags),),
        _detector(weights, "errors", hidden) if settings.has_detection else None,
        GATE,
        _detector(weights, "early", hidden) if exit_after else None,
        exit_after or 0,
        float(weights.floats("exit_below", ())) if exit_after else 0.0,
        read_distances(weights, shape, len(embedding.positions)),
    )


def _tag_head(weights: Weights, hidden: int, settings: NetworkSettings, tags: TagVocabulary) -> Linear:
    if settings.head == "linear":
        return read_linear(weights, "tags", len(tags), hidden)
    project = {}
    for op in WORD_OPS:
        name = f"tags.project.{op.value}"
        project[op] = weights.floats(f"{name}.weight", (hidden, hidden)), weights.floats(f"{name}.bias", (hidden,))
    words = weights.floats("tags.words", (len(phrases_of(tags.tags)), hidden))
    n_plain = sum(tag.op not in WORD_OPS for tag in tags)
    plain = weights.floats("tags.plain.weight", (n_plain, hidden))
    return join_head(tags.tags, words, plain, project, weights.floats("tags.bias", (len(tags),)))


def _detector(weights: Weights, name: str, hidden: int) -> Detector:
    weight, bias = weights.floats(f"{name}.weight", (1, hidden)), weights.floats(f"{name}.bias", (1,))
    return weight[0], float(bias[0])
