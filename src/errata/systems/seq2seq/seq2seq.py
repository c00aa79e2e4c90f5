"""Sequence to sequence as a corrector: split, generate, compare with copying, align."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from errata.errors import DataError, UsageError
from errata.model import Tokens
from errata.systems.base import DecodingCorrector, ProposedEdit, override
from errata.systems.exported import has_exported
from errata.systems.manifest import Manifest, read_manifest
from errata.systems.seq2seq.answers import find_fault, propose_edits, split_sentences
from errata.systems.seq2seq.decoding import Decoding
from errata.systems.seq2seq.runtime import CT2, CTranslate2Runtime, Runtime, TorchRuntime
from errata.systems.seq2seq.subwords import Spelt, TextSubwords
from errata.text.sentences import cut_long
from errata.text.words import Span


@dataclass(frozen=True, slots=True)
class _Job:
    """A part of a sentence that is decoded at once."""

    sentence: int
    start: int
    tokens: Tokens
    subwords: list[int]


class Seq2Seq(DecodingCorrector):
    """An encoder-decoder, ready to propose edits.

    `faults` counts answers that were no corrections and left their source alone: `runaway`, `empty`, `repeated`,
    `unreadable`, `too long` (a single token beyond the network), and `unlikely` ones that `keep_bias` turned down.
    """

    kind: ClassVar[str] = "seq2seq"
    exporter: ClassVar[str | None] = "errata.systems.seq2seq.export:export_seq2seq"

    def __init__(
        self,
        runtime: Runtime,
        subwords: TextSubwords,
        *,
        language: str,
        max_tokens: int,
        decoding: Decoding | None = None,
        batch_tokens: int = 2048,
    ) -> None:
        self.runtime, self.subwords = runtime, subwords
        self.language, self.max_tokens = language, max_tokens
        self.decoding = decoding or Decoding()
        self.batch_tokens = batch_tokens
        self.faults: Counter[str] = Counter()

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
        length_penalty: float | None = None,
        keep_bias: float | None = None,
        split: bool | None = None,
    ) -> Seq2Seq:
        """The system in a folder; the converted network if it has one (`backend="torch"` insists on the other)."""
        manifest = read_manifest(folder) if manifest is None else manifest
        try:
            language, settings = manifest["language"], manifest["settings"]
            subwords = TextSubwords.load(folder, language, settings["positions"])
            decoder_start, max_tokens = int(settings["decoder_start"]), int(settings["max_tokens"])
            decoding = Decoding(**settings["decoding"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{folder} does not describe a seq2seq system: {error!r}") from error
        decoding = override(decoding, beam=beam, length_penalty=length_penalty, keep_bias=keep_bias, split=split)
        if backend not in (None, "torch", CT2):
            raise UsageError(f"no backend {backend!r}: choose torch or {CT2}")
        runtime: Runtime
        if backend == CT2 or (backend is None and has_exported(folder / CT2, manifest)):
            runtime = CTranslate2Runtime(folder / CT2, subwords, device, threads)
        else:
            from errata.systems.seq2seq.saved import load_network

            runtime = TorchRuntime(load_network(folder), subwords, decoder_start, device)
        return cls(
            runtime,
            subwords,
            language=language,
            max_tokens=max_tokens,
            decoding=decoding,
            batch_tokens=batch_tokens or (2048 if device == "cpu" else 16384),
        )

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of each sentence, in order."""
        jobs = [job for number, tokens in enumerate(sentences) for job in self._jobs(number, tuple(tokens))]
        found: list[list[tuple[int, ProposedEdit]]] = [[] for _ in sentences]
        for batch in self._batches(jobs):
            for job, edits in zip(batch, self._run(batch), strict=True):
                found[job.sentence].extend((job.start, edit) for edit in edits)
        return [[_shifted(one, by) for by, one in sorted(parts, key=_by_place)] for parts in found]

    def _jobs(self, number: int, tokens: Tokens) -> Iterator[_Job]:
        is_split = self.language == "zh" and self.decoding.split
        for start, end in split_sentences(tokens) if is_split else [(0, len(tokens))]:
            for first, last in self._fitting(tokens, start, end):
                if subwords := self.subwords.body(tokens[first:last]):
                    yield _Job(number, first, tokens[first:last], subwords)

    def _fitting(self, tokens: Tokens, start: int, end: int) -> Iterator[Span]:
        """The range in parts that fit the network with room for the answer to grow; a token that does not is left."""
        n_subwords = len(self.subwords.body(tokens[start:end]))
        if n_subwords + n_subwords // 8 + 1 < self.subwords.room:
            yield start, end
        elif end - start <= 1:
            self.faults["too long"] += 1
        else:
            half = (end - start + 1) // 2
            for first, last in cut_long(tokens[start:end], half, lambda token: not token[-1:].isalnum()):
                yield from self._fitting(tokens, start + first, start + last)

    def _batches(self, jobs: Sequence[_Job]) -> Iterator[list[_Job]]:
        """Jobs of like length under the token budget; every beam counts."""
        ordered = sorted(jobs, key=lambda job: len(job.subwords))
        start = 0
        while start < len(ordered):
            end = start + 1
            while (
                end < len(ordered)
                and (end + 1 - start) * len(ordered[end].subwords) * self.decoding.beam <= self.batch_tokens
            ):
                end += 1
            yield ordered[start:end]
            start = end

    def _run(self, batch: Sequence[_Job]) -> list[list[ProposedEdit]]:
        answers = self.runtime.generate([job.subwords for job in batch], self.decoding)
        proposals: list[list[ProposedEdit]] = [[] for _ in batch]
        changed: list[tuple[int, _Job, list[int], Spelt]] = []
        for number, (job, answer) in enumerate(zip(batch, answers, strict=True)):
            if answer is None:
                self.faults["runaway"] += 1
            elif answer != job.subwords:
                spelt = self.subwords.spell(answer, job.tokens)
                fault = find_fault(spelt, job.tokens)
                if fault or spelt is None:
                    self.faults[str(fault)] += 1
                elif spelt.tokens != job.tokens:
                    changed.append((number, job, answer, spelt))
        if changed:
            sources = [job.subwords for _, job, _, _ in changed]
            chances = self.runtime.score([*sources, *sources], [*(answer for _, _, answer, _ in changed), *sources])
            copies = chances[len(changed) :]
            for (number, job, _, spelt), made, copied in zip(changed, chances, copies, strict=False):
                if float(made.sum()) - float(copied.sum()) < self.decoding.keep_bias:
                    self.faults["unlikely"] += 1
                else:
                    proposals[number] = propose_edits(job.tokens, spelt, made)
        return proposals


def _by_place(entry: tuple[int, ProposedEdit]) -> tuple[int, int, int]:
    start, proposed = entry
    return start, proposed.edit.start, proposed.edit.end


def _shifted(proposed: ProposedEdit, by: int) -> ProposedEdit:
    edit = proposed.edit
    return replace(proposed, edit=replace(edit, start=edit.start + by, end=edit.end + by))
