"""Training examples: real pairs packed as arrays, and clean text corrupted afresh in every batch."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from errata.edits.carrying import find_shared
from errata.model import Tokens
from errata.systems.seq2seq.subwords import TextSubwords
from errata.training.clean_text import PackedText, pack_text
from errata.training.mixture import Mixture
from errata.training.packed import Packed, ragged
from errata.training.variants import Places, SampleTokens, pair_samples

if TYPE_CHECKING:
    from errata.synth import NoiseModel

log = logging.getLogger(__name__)

IGNORED = -100
# The places of the decoder at which originals and variants are compared.
SHARED = "written"

# Source and target in subwords, without marks.
Row = tuple[list[int], list[int]]


def pack_pairs(
    pairs: Iterable[tuple[Tokens, Tokens]],
    subwords: TextSubwords,
    max_tokens: int,
    *,
    unchanged: float,
    rng: np.random.Generator,
) -> Mapping[str, np.ndarray]:
    """The arrays of `PairExamples`; logs what was left out, and why."""
    sources, targets = [], []
    too_long = dropped = 0
    for source, target in pairs:
        if source == target and rng.random() >= unchanged:
            dropped += 1
            continue
        row = subwords.body(source), subwords.body(target)
        if max(len(source), len(target)) > max_tokens or max(map(len, row)) > subwords.room:
            too_long += 1
            continue
        sources.append(np.asarray(row[0], np.int32))
        targets.append(np.asarray(row[1], np.int32))
    log.info("%d pairs", len(sources))
    if too_long:
        log.warning("%d pairs longer than %d tokens or %d subwords left out", too_long, max_tokens, subwords.room)
    if dropped:
        log.info("%d unchanged sentences left out, as data.unchanged says", dropped)
    return _pack(sources, targets)


def pack_variants(
    cases: Iterable[Sequence[SampleTokens]], subwords: TextSubwords, max_tokens: int
) -> Mapping[str, np.ndarray]:
    """The arrays of `PairExamples` for all samples, and of `Pairs` for originals with their variants."""

    def encode(source: Tokens, target: Tokens) -> SampleTokens | None:
        is_long = max(len(source), len(target)) > max_tokens
        return (
            None if is_long or max(map(len, map(subwords.body, (source, target)))) > subwords.room else (source, target)
        )

    def share(original: SampleTokens, variant: SampleTokens) -> Mapping[str, Places]:
        return {SHARED: share_written(original[1], variant[1], subwords)}

    paired = pair_samples(cases, (SHARED,), encode, share)
    sides = ([np.asarray(subwords.body(sample[side]), np.int32) for sample in paired.samples] for side in (0, 1))
    return {**_pack(*sides), **paired.arrays()}


def share_written(target: Tokens, other: Tokens, subwords: TextSubwords) -> list[tuple[int, int]]:
    """Where the decoder writes the subwords of tokens that two targets share, and their ends."""
    first = len(subwords.prefix)
    if subwords.is_whole:  # tokens have no subwords of their own
        bodies = [subwords.body(tokens) for tokens in (target, other)]
        shared = find_shared(*bodies)
        ends = tuple(map(len, bodies))
    else:
        starts = [
            np.cumsum([0, *(len(subwords.unit(token)) for token in tokens)]).tolist() for tokens in (target, other)
        ]
        shared = [
            (starts[0][token] + step, starts[1][same] + step)
            for token, same in find_shared(target, other)
            for step in range(len(subwords.unit(target[token])))
        ]
        ends = starts[0][-1], starts[1][-1]
    return [(first + place, first + same) for place, same in (*shared, ends)]


def _pack(sources: list[np.ndarray], targets: list[np.ndarray]) -> Mapping[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    arrays["source"], arrays["source_offsets"] = ragged(sources, np.int32)
    arrays["target"], arrays["target_offsets"] = ragged(targets, np.int32)
    return arrays


class PairExamples:
    """Packed pairs."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed

    @property
    def lengths(self) -> np.ndarray:
        """Subwords of the longer side, marks included."""
        sides = (np.diff(self.packed[f"{side}_offsets"]) for side in ("source", "target"))
        return np.maximum(*sides) + 2

    def __len__(self) -> int:
        return len(self.packed["source_offsets"]) - 1

    def row(self, index: int, rng: np.random.Generator) -> Row:
        def side(name: str) -> list[int]:
            start, end = self.packed[f"{name}_offsets"][index : index + 2]
            numbers: list[int] = self.packed[name][start:end].tolist()  # a mapped array is slow, number by number
            return numbers

        return side("source"), side("target")


def pack_clean(sentences: Iterable[Tokens], subwords: TextSubwords, max_tokens: int) -> Mapping[str, np.ndarray]:
    """The arrays of `NoisyExamples`."""
    return pack_text(sentences, max_tokens, lambda token: len(subwords.unit(token)))


class NoisyExamples:
    """Clean sentences, corrupted when a batch is made."""

    def __init__(self, packed: Packed, noise: NoiseModel, subwords: TextSubwords, max_tokens: int) -> None:
        self.packed, self.text = packed, PackedText(packed)
        self.noise, self.subwords, self.max_tokens = noise, subwords, max_tokens

    @property
    def lengths(self) -> np.ndarray:
        return self.text.lengths

    def __len__(self) -> int:
        return len(self.text)

    def row(self, index: int, rng: np.random.Generator) -> Row:
        """The corrupted sentence and the clean one, each within the network's positions."""
        clean = self.text[index]
        noisy = self.noise.corrupt(clean, rng).tokens
        target = self.subwords.body(clean)[: self.subwords.room]
        source = self.subwords.body(noisy) if 0 < len(noisy) <= self.max_tokens else target
        return (source if len(source) <= self.subwords.room else target), target


class TrainingExamples(Mixture[Row]):
    """Several sets of examples as one; batches are padded and marked here."""

    def __init__(self, parts: Sequence[PairExamples | NoisyExamples], subwords: TextSubwords) -> None:
        super().__init__(parts)
        self.subwords = subwords

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`ids` and `mask` of the sources, `labels` of the targets (`IGNORED` in the padding)."""
        return pad_rows(self.rows(indices, rng), self.subwords)


def pad_rows(rows: Sequence[Row], subwords: TextSubwords) -> dict[str, np.ndarray]:
    """The arrays of a batch, with marks around every text."""
    sources = [subwords.marked(source) for source, _ in rows]
    targets = [[*subwords.prefix, *target, subwords.end] for _, target in rows]
    ids = np.full((len(rows), max(map(len, sources))), subwords.pad, np.int64)
    mask = np.zeros_like(ids)
    labels = np.full((len(rows), max(map(len, targets))), IGNORED, np.int64)
    for number, (source, target) in enumerate(zip(sources, targets, strict=True)):
        ids[number, : len(source)] = source
        mask[number, : len(source)] = 1
        labels[number, : len(target)] = target
    return {"ids": ids, "mask": mask, "labels": labels}
