"""A classifier ready to judge sentences: probabilities of labels, and the labels above their thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from errata.errors import DataError, UsageError
from errata.model import Tokens
from errata.networks.subwords import Subwords, pad_batch
from errata.systems.base import System
from errata.systems.classifier.runtime import ONNX, OnnxRuntime, Runtime, TorchRuntime
from errata.systems.exported import has_exported
from errata.systems.manifest import Manifest, read_manifest
from errata.text.sentences import cut_long
from errata.text.spacing import LAYOUTS

# Tokens of padding and all in a batch: on a CPU small ones stay in the cache, a GPU wants large ones.
CPU_BATCH, GPU_BATCH = 2048, 32768


@dataclass(frozen=True, slots=True)
class Judgement:
    """The labels of a sentence (none: it is correct) and the probability of every label."""

    labels: tuple[str, ...]
    probabilities: Mapping[str, float]


class Classifier(System):
    """Judges sentences; `thresholds` names the labels, with the probability from which a sentence has them."""

    kind: ClassVar[str] = "classifier"
    exporter: ClassVar[str | None] = "errata.systems.classifier.export:export_classifier"

    def __init__(
        self,
        runtime: Runtime,
        subwords: Subwords,
        thresholds: Mapping[str, float],
        *,
        language: str,
        max_tokens: int,
        batch_tokens: int = CPU_BATCH,
    ) -> None:
        self.runtime, self.subwords, self.thresholds = runtime, subwords, dict(thresholds)
        self.language, self.max_tokens, self.batch_tokens = language, max_tokens, batch_tokens

    @classmethod
    def load(
        cls,
        folder: Path,
        manifest: Manifest | None = None,
        *,
        device: str = "cpu",
        backend: str | None = None,
        threads: int = 0,
        batch_tokens: int | None = None,
        threshold: float | None = None,
    ) -> Classifier:
        """The classifier in a folder; `threshold` replaces those chosen on dev."""
        manifest = read_manifest(folder) if manifest is None else manifest
        try:
            if manifest["system"] != cls.kind:
                raise UsageError(f"{folder} holds a {manifest['system']}, not a classifier: use errata correct")
            language, settings = manifest["language"], manifest["settings"]
            thresholds = {str(label): float(value) for label, value in settings["thresholds"].items()}
            subwords = Subwords.load(folder, settings["max_positions"])
            max_tokens = int(settings["max_tokens"])
        except (KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{folder} is not a classifier this version reads: its manifest lacks {error}") from error
        if threshold is not None:
            if not 0 <= threshold <= 1:
                raise UsageError(f"threshold {threshold} is not between 0 and 1")
            thresholds = dict.fromkeys(thresholds, threshold)
        runtime: Runtime
        if backend == "onnx" or (backend is None and has_exported(folder / ONNX, manifest)):
            runtime = OnnxRuntime(folder / ONNX, device, threads)
        elif backend in (None, "torch"):
            from errata.systems.classifier.saved import load_model

            runtime = TorchRuntime(load_model(folder, len(thresholds)), device)
        else:
            raise UsageError(f"unknown backend {backend!r}: choose onnx or torch")
        size = batch_tokens or (CPU_BATCH if device == "cpu" else GPU_BATCH)
        return cls(runtime, subwords, thresholds, language=language, max_tokens=max_tokens, batch_tokens=size)

    def answers(self, texts: Sequence[str]) -> list[Any]:
        """The labels of each sentence."""
        return [judgement.labels for judgement in self.classify(texts)]

    def classify(self, sentences: Sequence[str], *, tokenised: bool = False) -> list[Judgement]:
        """A judgement for each text, in order; `tokenised` texts have their tokens between spaces."""
        layout = LAYOUTS["tokenised" if tokenised else self.language]
        tokens = [tuple(text[a:b] for a, b in layout.spans(text)) for text in sentences]
        return [self._judge(row) for row in self.probabilities(tokens)]

    def probabilities(self, sentences: Sequence[Tokens]) -> np.ndarray:
        """Probabilities (sentences, labels); a long sentence is read in segments and has the labels of all of them."""
        found = np.zeros((len(sentences), len(self.thresholds)))
        cut = [cut_long(tokens, self.max_tokens, lambda token: not token[-1:].isalnum()) for tokens in sentences]
        segments = [(row, sentences[row][a:b]) for row, ranges in enumerate(cut) for a, b in ranges if a < b]
        for batch in self._batches(segments):
            encoded = [self.subwords.encode(tokens) for _, tokens in batch]
            answers = self.runtime.run(pad_batch(encoded, self.subwords.pad))
            for (row, _), answer in zip(batch, answers, strict=True):
                found[row] = np.maximum(found[row], answer)
        return found

    def _judge(self, probabilities: np.ndarray) -> Judgement:
        by_label = dict(zip(self.thresholds, probabilities.tolist(), strict=True))
        labels = tuple(label for label, p in by_label.items() if p >= self.thresholds[label] and p > 0)
        return Judgement(labels, by_label)

    def _batches(self, segments: Sequence[tuple[int, Tokens]]) -> Iterator[list[tuple[int, Tokens]]]:
        """Segments of like length under the token budget."""
        ordered = sorted(segments, key=lambda segment: len(segment[1]))
        start = 0
        while start < len(ordered):
            end = start + 1
            while end < len(ordered) and (end + 1 - start) * (len(ordered[end][1]) + 2) <= self.batch_tokens:
                end += 1
            yield ordered[start:end]
            start = end
