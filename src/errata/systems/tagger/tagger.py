"""The tagger as a corrector: chunks on every core, batches by tokens, passes over what still changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from errata.errors import UsageError
from errata.model import Tokens
from errata.networks.subwords import EncoderInput, Subwords
from errata.systems.base import DecodingCorrector, ProposedEdit, override
from errata.systems.exported import has_exported
from errata.systems.manifest import Manifest, read_manifest
from errata.systems.tagger.decode import Draft, changes
from errata.systems.tagger.decoding import Decoding
from errata.systems.tagger.inventory import Inventory
from errata.systems.tagger.remembering import RememberingRuntime
from errata.systems.tagger.runtime import ONNX, OnnxRuntime, Runtime, SlotAnswers, TorchRuntime
from errata.systems.tagger.saved import read_folder_settings
from errata.systems.tagger.sharing import cut_chunks, map_threads
from errata.systems.tagger.tags import Tag, TagVocabulary
from errata.systems.tagger.vocabulary import Vocabulary

BACKENDS = ("native", "onnx", "torch")


class Tagger(DecodingCorrector):
    """A sequence tagger, ready to propose edits."""

    kind: ClassVar[str] = "tagger"
    exporter: ClassVar[str | None] = "errata.systems.tagger.export:export_tagger"
    # A tag with a probability above one half needs no bias against keep.
    decodings: ClassVar[tuple[Mapping[str, float], ...]] = tuple(
        {"keep_bias": bias, "min_error_probability": least}
        for bias, leasts in (
            (-0.35, (0.0, 0.2)),
            (-0.2, (0.0, 0.3)),
            (-0.1, (0.0, 0.3)),
            (0.0, (0.0, 0.3, 0.45, 0.55, 0.65, 0.75)),
        )
        for least in leasts
    )

    def __init__(
        self,
        runtime: Runtime,
        vocabulary: Vocabulary,
        *,
        language: str,
        max_tokens: int,
        decoding: Decoding | None = None,
        batch_tokens: int | None = None,
    ) -> None:
        self.runtime, self.vocabulary = runtime, vocabulary
        self.language, self.max_tokens = language, max_tokens
        self.decoding = decoding or Decoding()
        self.batch_tokens = batch_tokens or runtime.batch_tokens

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
        manifest: Manifest | None = None,
        *,
        device: str = "cpu",
        backend: str | None = None,
        threads: int = 0,
        batch_tokens: int | None = None,
        keep_bias: float | None = None,
        min_error_probability: float | None = None,
        passes: int | None = None,
    ) -> Tagger:
        """The tagger in a folder.

        An exported network runs natively where it can, else under ONNX Runtime. Others run in torch.
        `backend` (`native`, `onnx`, `torch`) insists on one of them. Decoding options override what the folder says;
        None leaves it.
        """
        manifest = read_manifest(folder) if manifest is None else manifest
        settings = read_folder_settings(folder, manifest)
        vocabulary = Vocabulary.load(folder, settings.inventory, settings.max_positions)
        return cls(
            _open_runtime(folder, manifest, vocabulary, device=device, backend=backend, threads=threads),
            vocabulary,
            language=settings.language,
            max_tokens=settings.max_tokens,
            decoding=override(
                settings.decoding,
                keep_bias=keep_bias,
                min_error_probability=min_error_probability,
                passes=passes,
            ),
            batch_tokens=batch_tokens,
        )

    def remembering(self) -> Tagger:
        """The same tagger; its network answers each sentence once."""
        other = copy(self)
        other.runtime = RememberingRuntime(self.runtime)
        return other

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of each sentence, in order."""
        return list(self.propose_each(sentences))

    def propose_each(self, sentences: Iterable[Tokens]) -> Iterator[list[ProposedEdit]]:
        """The edits of each sentence, in order and as soon as they are known; sentences are taken a little ahead."""
        chunks = cut_chunks(sentences, self.batch_tokens * self.runtime.chunk_batches, self.runtime.workers)
        for proposed in map_threads(self._propose, chunks, self.runtime.workers):
            yield from proposed

    def _propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of a chunk of sentences; those that no pass changes any more are not run again."""
        drafts = [Draft(tuple(tokens)) for tokens in sentences]
        active = [number for number, draft in enumerate(drafts) if draft.original]
        for _ in range(self.decoding.passes or self.inventory.passes):
            if not active:
                break
            changed: list[int] = []
            groups, inputs = self._batches([drafts[number].tokens for number in active])
            batches = [[inputs[i] for i in group] for group in groups]
            for group, answers in zip(groups, self.runtime.run(batches), strict=True):
                numbers = [active[i] for i in group]
                is_new = self._change([drafts[number] for number in numbers], answers)
                changed.extend(number for number, is_changed in zip(numbers, is_new, strict=True) if is_changed)
            # A draft that grew beyond what the encoder takes stays as it is.
            active = [number for number in sorted(changed) if 0 < len(drafts[number].tokens) <= self._longest]
        return [[self._with_alternatives(one, draft.original) for one in draft.edits()] for draft in drafts]

    def _with_alternatives(self, proposed: ProposedEdit, tokens: Tokens) -> ProposedEdit:
        """The edit, that of a misspelt word with the other words that are like it."""
        edit, speller = proposed.edit, self.inventory.lexicon.speller
        if speller is None or edit.end - edit.start != 1 or len(edit.replacement) != 1:
            return proposed
        others = [word for word in speller.suggest(tokens[edit.start]) if word != edit.replacement[0]]
        return replace(proposed, alternatives=tuple((word,) for word in others)) if others else proposed

    @property
    def _longest(self) -> int:
        return self.subwords.max_positions - 2

    def _batches(self, sentences: Sequence[Tokens]) -> tuple[list[list[int]], list[EncoderInput]]:
        """Groups of sentences of like length under the token budget, and every sentence as the encoder takes it."""
        inputs = [self.subwords.encode(tokens) for tokens in sentences]
        order = sorted(range(len(sentences)), key=lambda i: len(inputs[i].ids))
        groups: list[list[int]] = []
        for number in order:
            if groups and (len(groups[-1]) + 1) * len(inputs[number].ids) <= self.batch_tokens:
                groups[-1].append(number)
            else:
                groups.append([number])
        return groups, inputs

    def _change(self, drafts: Sequence[Draft], answers: SlotAnswers) -> list[bool]:
        """Change the drafts of a batch as the network says; for each whether its tokens differ now."""
        keep, best, tag, error = answers
        options = self.decoding
        wanted = np.flatnonzero((best > keep + options.keep_bias) & (best >= options.min_error_probability))
        # The tag's share of "something is wrong here", of which both heads have an opinion: the geometric mean.
        confidence = best[wanted] * np.sqrt(error[wanted] / np.maximum(1 - keep[wanted], 1e-6))
        chosen = zip(tag[wanted].tolist(), np.minimum(confidence, 1.0).tolist(), strict=True)
        starts = np.cumsum([0, *(len(draft.tokens) + 1 for draft in drafts)])
        rows = np.searchsorted(starts, wanted, side="right") - 1
        tagged: dict[int, list[tuple[int, Tag, float]]] = {}
        for row, slot, (number, sure) in zip(rows.tolist(), (wanted - starts[rows]).tolist(), chosen, strict=True):
            tagged.setdefault(row, []).append((slot, self.tags[number], sure))
        changed = [False] * len(drafts)
        for row, made in tagged.items():
            if error[starts[row] : starts[row + 1]].max() >= options.min_error_probability:
                changed[row] = drafts[row].apply(list(changes(drafts[row].tokens, made, self.inventory)))
        return changed


def _open_runtime(
    folder: Path, manifest: Manifest, vocabulary: Vocabulary, *, device: str, backend: str | None, threads: int
) -> Runtime:
    if backend not in (None, *BACKENDS):
        raise UsageError(f"unknown backend {backend!r}: choose {', '.join(BACKENDS)}")
    is_exported = backend is None and has_exported(folder / ONNX, manifest)
    if backend == "native" or (is_exported and device == "cpu"):
        from errata.systems.tagger.native import NativeRuntime, why_not

        hindrance = "it is for the CPU" if device != "cpu" else why_not(folder, manifest, vocabulary)
        if hindrance is None:
            return NativeRuntime.load(folder, manifest, vocabulary, threads)
        if backend == "native":
            raise UsageError(f"no native backend here: {hindrance}")
    if backend == "onnx" or is_exported:
        return OnnxRuntime(folder / ONNX, device, threads)
    from errata.systems.tagger.saved import load_model

    return TorchRuntime(load_model(folder, manifest, vocabulary), device)
