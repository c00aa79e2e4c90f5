"""The tagger as a corrector: chunks on every core, batches by tokens, passes over what still changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from errata.edits.carrying import find_shared
from errata.errors import UsageError
from errata.model import Tokens
from errata.networks.subwords import EncoderInput, Subwords
from errata.systems.base import DecodingCorrector, ProposedEdit, override
from errata.systems.exported import has_exported
from errata.systems.manifest import Manifest, read_manifest
from errata.systems.tagger.averaging import average_answers
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

    def propose_together(self, groups: Sequence[Sequence[Tokens]]) -> list[list[ProposedEdit]]:
        """The edits of the first sentence of each group; its slots get the mean of the answers to the whole group.

        What a pass changes in the first sentence is changed in the others too, before the next pass.
        """
        drafts = [[Draft(tuple(tokens)) for tokens in group] for group in groups]
        active = [group for group in drafts if group[0].original]
        for _ in range(self.decoding.passes or self.inventory.passes):
            sentences = [draft.tokens for group in active for draft in group]
            answers = iter(self._answer(sentences))
            changed = [group for group in active if self._change_together(group, [next(answers) for _ in group])]
            active = [group for group in changed if all(0 < len(one.tokens) <= self._longest for one in group)]
        return [[self._with_alternatives(one, group[0].original) for one in group[0].edits()] for group in drafts]

    def _answer(self, sentences: Sequence[Tokens]) -> list[SlotAnswers]:
        """What the network says of each sentence."""
        groups, inputs = self._batches(sentences)
        batches = ([inputs[number] for number in group] for group in groups)
        answered = map_threads(lambda batch: next(self.runtime.run([batch])), batches, self.runtime.workers)
        found: dict[int, SlotAnswers] = {}
        for group, answers in zip(groups, answered, strict=True):
            ends = np.cumsum([len(inputs[number].first) for number in group])[:-1]
            rows = zip(*(np.split(column, ends) for column in answers), strict=True)
            found.update((number, SlotAnswers(*row)) for number, row in zip(group, rows, strict=True))
        return [found[number] for number in range(len(sentences))]

    def _change_together(self, group: Sequence[Draft], answers: Sequence[SlotAnswers]) -> bool:
        """Change the first draft by the mean of the answers, and the others likewise; whether the first differs now."""
        first, *others = group
        shared = [_shared_slots(first.tokens, draft.tokens) for draft in others]
        mean = average_answers(answers[0], list(zip(answers[1:], shared, strict=True)))
        tagged = self._choose([first], mean).get(0, [])
        for draft, slots in zip(others, shared, strict=True):
            own = [(slots[slot], tag, sure) for slot, tag, sure in tagged if slot in slots]
            draft.apply(list(changes(draft.tokens, own, self.inventory)))
        return first.apply(list(changes(first.tokens, tagged, self.inventory)))

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
        changed = [False] * len(drafts)
        for row, made in self._choose(drafts, answers).items():
            changed[row] = drafts[row].apply(list(changes(drafts[row].tokens, made, self.inventory)))
        return changed

    def _choose(self, drafts: Sequence[Draft], answers: SlotAnswers) -> dict[int, list[tuple[int, Tag, float]]]:
        """The slots that are not kept, with tag and confidence, of each draft that has any."""
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
        return {
            row: made
            for row, made in tagged.items()
            if error[starts[row] : starts[row + 1]].max() >= options.min_error_probability
        }


def _shared_slots(tokens: Tokens, variant: Tokens) -> dict[int, int]:
    """The slots of a variant by those of the sentence: of the start, and of the tokens both have."""
    return {0: 0} | {token + 1: other + 1 for token, other in find_shared(tokens, variant)}


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
