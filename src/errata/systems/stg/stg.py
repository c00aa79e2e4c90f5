"""Switch-Tagger-Generator as a corrector: order, tags, fillings; each stage reads what the one before made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from errata.errors import DataError, UsageError
from errata.model import Tokens
from errata.networks.subwords import pad_batch
from errata.systems.base import DecodingCorrector, ProposedEdit, override
from errata.systems.exported import has_exported
from errata.systems.manifest import Manifest, read_manifest
from errata.systems.stg.decoding import Decoding
from errata.systems.stg.plan import Plan, Tag
from errata.systems.stg.runtime import READER, OnnxRuntime, Runtime, TorchRuntime
from errata.systems.stg.search import find_order, order_score
from errata.systems.stg.subwords import Mask, StgSubwords, pad_masked

# Tokens of padding and all in a batch: on a CPU small ones stay in the cache, a GPU wants large ones.
CPU_BATCH, GPU_BATCH = 2048, 32768


@dataclass(slots=True)
class Draft:
    """A sentence on its way through the stages; slot 0 is its start, slot k + 1 the token in place k."""

    tokens: Tokens
    order: tuple[int, ...] = ()
    move_confidence: dict[int, float] = field(default_factory=dict)  # by slot of the source whose follower is new
    tags: list[tuple[Tag, int]] = field(default_factory=list)
    tag_confidence: list[float] = field(default_factory=list)
    fills: list[tuple[str, float]] = field(default_factory=list)

    @property
    def switched(self) -> Tokens:
        return tuple(self.tokens[index] for index in self.order)

    def masked(self) -> list[str | Mask]:
        """What the generator reads."""
        shown: list[str | Mask] = []
        for token, (tag, count) in zip((None, *self.switched), self.tags, strict=True):
            if token is not None and tag in (Tag.KEEP, Tag.INSERT):
                shown.append(token)
            elif tag in (Tag.MODIFY, Tag.MODIFY_INSERT):
                shown.append(Mask(token))
            shown.extend(Mask() for _ in range(count))
        return shown

    def proposals(self) -> list[ProposedEdit]:
        """The edits; the confidence of each is that of its least certain decision."""
        fills = iter(self.fills)
        outputs: list[Tokens] = []
        certain = list(self.tag_confidence)
        switched = self.switched
        for slot, (tag, count) in enumerate(self.tags):
            kept = (switched[slot - 1],) if slot and tag in (Tag.KEEP, Tag.INSERT) else ()
            n_new = count + (tag in (Tag.MODIFY, Tag.MODIFY_INSERT))
            new = [next(fills) for _ in range(n_new)]
            certain[slot] = min([certain[slot], *(probability for _, probability in new)])
            outputs.append((*kept, *(token for token, _ in new)))
        proposals = []
        for edit in Plan(self.order, tuple(outputs)).edits(self.tokens):
            slots = range(edit.start, edit.start + 1) if edit.start == edit.end else range(edit.start + 1, edit.end + 1)
            decisions = [certain[slot] for slot in slots if self.tags[slot][0] is not Tag.KEEP]
            if edit.type == "W":
                decisions += [p for slot, p in self.move_confidence.items() if edit.start <= slot <= edit.end]
            proposals.append(ProposedEdit(edit, min(decisions, default=1.0)))
        return proposals


class SwitchTagGenerate(DecodingCorrector):
    """STG, ready to propose edits."""

    kind: ClassVar[str] = "stg"
    exporter: ClassVar[str | None] = "errata.systems.stg.export:export_stg"

    def __init__(
        self,
        runtime: Runtime,
        subwords: StgSubwords,
        *,
        max_tokens: int,
        decoding: Decoding | None = None,
        batch_tokens: int = CPU_BATCH,
    ) -> None:
        self.runtime, self.subwords, self.max_tokens = runtime, subwords, max_tokens
        self.language = subwords.language
        self.decoding, self.batch_tokens = decoding or Decoding(), batch_tokens

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
        beam: int | None = None,
        order_bias: float | None = None,
        keep_bias: float | None = None,
        min_error_probability: float | None = None,
    ) -> SwitchTagGenerate:
        """STG in a folder; the exported networks if it has them (`backend="torch"` insists on the others).

        `beam`, `order_bias`, `keep_bias` and `min_error_probability` override what the folder says.
        """
        manifest = read_manifest(folder) if manifest is None else manifest
        try:
            language, settings = manifest["language"], manifest["settings"]
            subwords = StgSubwords.load(folder, settings["max_positions"], language)
            decoding = Decoding(**settings["decoding"])
            max_tokens = int(settings["max_tokens"])
        except (KeyError, TypeError) as error:
            raise DataError(f"{folder} is not an STG this version reads: its manifest lacks {error}") from error
        decoding = override(
            decoding,
            beam=beam,
            order_bias=order_bias,
            keep_bias=keep_bias,
            min_error_probability=min_error_probability,
        )
        runtime: Runtime
        if backend == "onnx" or (backend is None and has_exported(folder / READER, manifest)):
            runtime = OnnxRuntime(folder, device, threads)
        elif backend in (None, "torch"):
            from errata.systems.stg.saved import load_model

            runtime = TorchRuntime(load_model(folder, manifest, subwords), device)
        else:
            raise UsageError(f"unknown backend {backend!r}: choose onnx or torch")
        size = batch_tokens or (CPU_BATCH if device == "cpu" else GPU_BATCH)
        return cls(runtime, subwords, max_tokens=max_tokens, decoding=decoding, batch_tokens=size)

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of each sentence, in order."""
        drafts = [Draft(tuple(tokens)) for tokens in sentences]
        found = [draft for draft in drafts if draft.tokens]
        for batch in self._batches(found, lambda draft: len(draft.tokens)):
            self._switch_and_tag(batch)
        unfilled = [draft for draft in found if any(isinstance(token, Mask) for token in draft.masked())]
        for batch in self._batches(unfilled, lambda draft: len(draft.masked())):
            self._fill(batch)
        return [draft.proposals() if draft.tokens else [] for draft in drafts]

    def _batches(self, drafts: Sequence[Draft], size: Callable[[Draft], int]) -> Iterator[list[Draft]]:
        """Drafts of like length under the token budget."""
        ordered = sorted(drafts, key=size)
        start = 0
        while start < len(ordered):
            end = start + 1
            while end < len(ordered) and (end + 1 - start) * (size(ordered[end]) + 2) <= self.batch_tokens:
                end += 1
            yield ordered[start:end]
            start = end

    def _switch_and_tag(self, drafts: Sequence[Draft]) -> None:
        pad = self.subwords.base.pad
        reading = self.runtime.read(pad_batch([self.subwords.encode(draft.tokens) for draft in drafts], pad))
        moved = []
        for row, draft in enumerate(drafts):
            slots = len(draft.tokens) + 1
            self._choose_order(draft, reading.pointers[row, :slots, :slots])
            if draft.move_confidence:
                moved.append(draft)
            else:
                self._choose_tags(draft, reading.tags[row, :slots], reading.counts[row, :slots])
        if moved:
            again = self.runtime.read(pad_batch([self.subwords.encode(draft.switched) for draft in moved], pad))
            for row, draft in enumerate(moved):
                slots = len(draft.tokens) + 1
                self._choose_tags(draft, again.tags[row, :slots], again.counts[row, :slots])

    def _choose_order(self, draft: Draft, pointers: np.ndarray) -> None:
        same = tuple(range(len(draft.tokens)))
        order = find_order(pointers, self.decoding.beam)
        if order != same and order_score(pointers, order) - order_score(pointers, same) <= self.decoding.order_bias:
            order = same
        draft.order = order
        slots = [0, *(index + 1 for index in order), 0]
        for place, slot in enumerate(slots[:-1]):
            following = slots[place + 1]
            if following != (slot + 1) % len(pointers):
                draft.move_confidence[slot] = float(np.exp(pointers[slot, following]))

    def _choose_tags(self, draft: Draft, tags: np.ndarray, counts: np.ndarray) -> None:
        keep = tags[:, Tag.KEEP]
        others = tags.copy()
        others[:, Tag.KEEP] = 0
        others[0, [Tag.DELETE, Tag.MODIFY, Tag.MODIFY_INSERT]] = 0  # before the first token there is only inserting
        best, number = others.max(1), others.argmax(1)
        options = self.decoding
        wanted = (best > keep + options.keep_bias) & (best >= options.min_error_probability)
        draft.tags = [(Tag.KEEP, 0)] * len(tags)
        draft.tag_confidence = [1.0] * len(tags)
        for slot in np.flatnonzero(wanted).tolist():
            tag, confidence, count = Tag(int(number[slot])), float(best[slot]), 0
            if tag in (Tag.INSERT, Tag.MODIFY_INSERT):
                count = int(counts[slot].argmax()) + 1
                confidence = min(confidence, float(counts[slot, count - 1]))
            draft.tags[slot], draft.tag_confidence[slot] = (tag, count), confidence
        self._shorten(draft)

    def _shorten(self, draft: Draft) -> None:
        """Give up the least certain insertions until the generator can see the sentence whole."""
        while len(draft.masked()) > self.subwords.room:
            slot = min((s for s, (_, count) in enumerate(draft.tags) if count), key=draft.tag_confidence.__getitem__)
            tag = Tag.KEEP if draft.tags[slot][0] is Tag.INSERT else Tag.MODIFY
            draft.tags[slot] = (tag, 0)

    def _fill(self, drafts: Sequence[Draft]) -> None:
        masked = [self.subwords.encode_masked(draft.masked()) for draft in drafts]
        filling = self.runtime.fill(pad_masked(masked, self.subwords.base.pad))
        for row, (draft, one) in enumerate(zip(drafts, masked, strict=True)):
            n = len(one.where)
            chosen = zip(filling.subword[row, :n].tolist(), filling.probability[row, :n].tolist(), strict=True)
            draft.fills = [(self.subwords.fills[subword], probability) for subword, probability in chosen]
