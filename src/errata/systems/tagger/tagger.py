"""The tagger as a corrector: batches by tokens, several passes, only over what still changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from errata.errors import DataError, UsageError
from errata.model import Tokens
from errata.systems.base import Progress, ProposedEdit, read_manifest
from errata.systems.onnx import has_network
from errata.systems.tagger.decode import Draft, changes
from errata.systems.tagger.decoding import Decoding
from errata.systems.tagger.inventory import Inventory
from errata.systems.tagger.runtime import ONNX, OnnxRuntime, Runtime, TorchRuntime
from errata.systems.tagger.subwords import Pieces, Subwords, pad_batch
from errata.systems.tagger.tags import TagVocabulary
from errata.systems.tagger.vocabulary import Vocabulary


class Tagger:
    """A sequence tagger, ready to propose edits."""

    kind: ClassVar[str] = "tagger"

    def __init__(
        self,
        runtime: Runtime,
        vocabulary: Vocabulary,
        *,
        language: str,
        max_tokens: int,
        decoding: Decoding | None = None,
        batch_tokens: int = 2048,
    ) -> None:
        self.runtime, self.vocabulary = runtime, vocabulary
        self.language, self.max_tokens = language, max_tokens
        self.decoding = decoding or Decoding()
        self.batch_tokens = batch_tokens

    @property
    def tags(self) -> TagVocabulary:
        return self.vocabulary.tags

    @property
    def inventory(self) -> Inventory:
        return self.vocabulary.inventory

    @property
    def subwords(self) -> Subwords:
        return self.vocabulary.subwords

    @classmethod
    def load(
        cls,
        folder: Path,
        *,
        device: str = "cpu",
        backend: str | None = None,
        threads: int = 0,
        batch_tokens: int | None = None,
        keep_bias: float | None = None,
        min_error_probability: float | None = None,
        passes: int | None = None,
        calibration: tuple[float, float] | None = None,
    ) -> Tagger:
        """The tagger in a folder; the exported network if it has one (`backend="torch"` insists on the other).

        Decoding options override what the folder says; None leaves it.
        """
        manifest = read_manifest(folder)
        settings = manifest.get("settings", {})
        try:
            language, inventory = manifest["language"], settings["model"]["inventory"]
            positions, max_tokens = int(settings["max_positions"]), int(settings["max_tokens"])
            decoding = Decoding(**settings.get("decoding", {}))
        except (KeyError, TypeError) as error:
            raise DataError(f"{folder} is not a tagger this version reads: its manifest lacks {error}") from error
        asked: dict[str, Any] = {
            "keep_bias": keep_bias,
            "min_error_probability": min_error_probability,
            "passes": passes,
            "calibration": calibration,
        }
        try:
            decoding = replace(decoding, **{name: value for name, value in asked.items() if value is not None})
        except ValueError as error:
            raise UsageError(str(error)) from error
        vocabulary = Vocabulary.load(folder, inventory, positions)
        return cls(
            _open_runtime(folder, vocabulary, device=device, backend=backend, threads=threads),
            vocabulary,
            language=language,
            max_tokens=max_tokens,
            decoding=decoding,
            # On a CPU small batches stay in the cache; a GPU wants large ones.
            batch_tokens=batch_tokens or (2048 if device == "cpu" else 65536),
        )

    def propose(self, sentences: Sequence[Tokens], *, progress: Progress | None = None) -> list[list[ProposedEdit]]:
        """The edits of each sentence, in order; sentences that no pass changes any more are not run again."""
        report = progress or (lambda n_sentences: None)
        drafts = [Draft(tuple(tokens)) for tokens in sentences]
        active = [number for number, draft in enumerate(drafts) if draft.original]
        report(len(drafts) - len(active))
        for passes_left in reversed(range(self.decoding.passes or self.inventory.passes)):
            changed: list[int] = []
            for batch, pieces in self._batches([(number, drafts[number].tokens) for number in active]):
                again = [number for number, is_new in self._run(batch, pieces, drafts) if is_new]
                changed.extend(again)
                report(len(batch) - (len(again) if passes_left else 0))
            # A draft that grew beyond what the encoder takes stays as it is.
            active = [number for number in sorted(changed) if 0 < len(drafts[number].tokens) <= self._longest]
            report(len(changed) - len(active) if passes_left else 0)
        return [
            [replace(one, confidence=self.decoding.calibrated(one.confidence)) for one in draft.edits()]
            for draft in drafts
        ]

    @property
    def _longest(self) -> int:
        return self.subwords.max_positions - 2

    def _batches(
        self, sentences: Sequence[tuple[int, Tokens]]
    ) -> Iterator[tuple[list[tuple[int, Tokens]], list[Pieces]]]:
        """Sentences of like length, with their pieces, under the token budget."""
        encoded = [self.subwords.encode(tokens) for _, tokens in sentences]
        order = sorted(range(len(sentences)), key=lambda i: len(encoded[i].ids))
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and (end + 1 - start) * len(encoded[order[end]].ids) <= self.batch_tokens:
                end += 1
            chosen = order[start:end]
            yield [sentences[i] for i in chosen], [encoded[i] for i in chosen]
            start = end

    def _run(
        self, batch: Sequence[tuple[int, Tokens]], pieces: Sequence[Pieces], drafts: Sequence[Draft]
    ) -> Iterator[tuple[int, bool]]:
        """Change the drafts as the network says; each with whether its tokens differ now."""
        keep, best, tag, error = self.runtime.run(pad_batch(pieces, self.subwords.pad))
        options = self.decoding
        wanted = (best > keep + options.keep_bias) & (best >= options.min_error_probability)
        # The tag's share of "something is wrong here", of which both heads have an opinion: the geometric mean.
        confidence = np.minimum(best * np.sqrt(error / np.maximum(1 - keep, 1e-6)), 1.0)
        for row, (number, tokens) in enumerate(batch):
            slots = len(tokens) + 1
            where = np.flatnonzero(wanted[row, :slots])
            if not len(where) or error[row, :slots].max() < options.min_error_probability:
                yield number, False
                continue
            tags = [self.tags[0]] * slots
            for slot in where.tolist():
                tags[slot] = self.tags[int(tag[row, slot])]
            made = list(changes(tokens, tags, confidence[row, :slots].tolist(), self.inventory))
            yield number, drafts[number].apply(made)


def _open_runtime(folder: Path, vocabulary: Vocabulary, *, device: str, backend: str | None, threads: int) -> Runtime:
    if backend not in (None, "onnx", "torch"):
        raise UsageError(f"unknown backend {backend!r}: choose onnx or torch")
    if backend == "onnx" or (backend is None and has_network(folder / ONNX)):
        return OnnxRuntime(folder / ONNX, device, threads)
    from errata.systems.tagger.saved import load_model

    return TorchRuntime(load_model(folder, read_manifest(folder), vocabulary), device)
