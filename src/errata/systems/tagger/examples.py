"""Training examples: real pairs packed as arrays, and clean text corrupted afresh in every batch."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from errata.edits.apply import apply_edits
from errata.edits.carrying import find_shared
from errata.edits.pairing import pair_edits
from errata.model import Tokens
from errata.networks.subwords import EncoderInput, Subwords, pad_batch
from errata.systems.tagger.encode import Coverage, TaggedPass, encode
from errata.systems.tagger.tags import IGNORED
from errata.systems.tagger.vocabulary import Vocabulary
from errata.training.mixture import Mixture
from errata.training.packed import Packed, ragged
from errata.training.pairs import Example
from errata.training.variants import Places, SampleTokens, pair_samples

if TYPE_CHECKING:
    from errata.synth import NoiseModel

log = logging.getLogger(__name__)

# The places at which originals and variants are compared, for all heads.
SHARED = "slots"
# One row of a batch: the sentence in the subwords of the model (and of a teacher with another tokenizer), its labels.
Row = tuple[list[EncoderInput], "np.ndarray | list[int]"]


@dataclass(frozen=True, slots=True)
class Encoder:
    """From a source and its edits to rows: vocabulary, limits and views."""

    vocabulary: Vocabulary
    views: tuple[Subwords, ...]
    passes: int
    max_tokens: int

    def passes_of(self, example: Example) -> list[TaggedPass]:
        return encode(*example, self.vocabulary.inventory, self.vocabulary.tags, self.passes)

    def row(self, tagged: TaggedPass) -> Row:
        return [view.encode(tagged.tokens) for view in self.views], tagged.labels(self.vocabulary.tags)

    def first_pass(self, source: Tokens, target: Tokens) -> TaggedPass | None:
        """The first pass of a correction; None where the source is too long."""
        if len(source) > self.max_tokens:
            return None
        forms = self.vocabulary.inventory.lexicon.inflections
        return self.passes_of((source, pair_edits(source, target, forms.are_related if forms else None)))[0]


def pack_pairs(
    examples: Iterable[Example], encoder: Encoder, *, unchanged: float, targets: float, rng: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """The arrays of `PairExamples`; logs how much the tags express and what was left out.

    `unchanged` and `targets` are shares: of sentences without edits to keep, of corrected ones to add.
    """
    coverage = Coverage()
    too_long = dropped = 0
    rows: list[Row] = []
    for tokens, edits in examples:
        if not edits and rng.random() >= unchanged:
            dropped += 1
            continue
        passes = encoder.passes_of((tokens, edits))
        coverage.add(passes)
        if edits and rng.random() < targets:
            passes += encoder.passes_of((apply_edits(tokens, edits), ()))
        fitting = [one for one in passes if len(one.tokens) <= encoder.max_tokens]
        too_long += len(passes) - len(fitting)
        rows.extend(encoder.row(one) for one in fitting)
    log.info("the tags express %s", coverage)
    if too_long:
        log.warning("%d sentences longer than %d tokens left out", too_long, encoder.max_tokens)
    if dropped:
        log.info("%d unchanged sentences left out, as data.unchanged says", dropped)
    return _pack(rows, len(encoder.views))


def pack_variants(cases: Iterable[Sequence[SampleTokens]], encoder: Encoder) -> Mapping[str, np.ndarray]:
    """The arrays of `PairExamples` for all samples, and of `Pairs` for originals with their variants."""
    paired = pair_samples(cases, (SHARED,), encoder.first_pass, _share_slots)
    return {**_pack([encoder.row(one) for one in paired.samples], len(encoder.views)), **paired.arrays()}


def _share_slots(original: TaggedPass, variant: TaggedPass) -> Mapping[str, Places]:
    """The slots of words that both have, and the start; not where they need different tags."""
    slots = [(0, 0), *((word + 1, other + 1) for word, other in find_shared(original.tokens, variant.tokens))]
    return {SHARED: [(slot, other) for slot, other in slots if original.tags[slot] == variant.tags[other]]}


def _pack(rows: Sequence[Row], n_views: int) -> Mapping[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    for view in range(n_views):
        inputs = [views[view] for views, _ in rows]
        arrays[f"ids{view}"], arrays[f"pieces{view}"] = ragged([np.asarray(one.ids) for one in inputs], np.int32)
        arrays[f"cases{view}"], _ = ragged([np.asarray(one.cases) for one in inputs], np.uint8)
        arrays[f"first{view}"], arrays["slots"] = ragged([np.asarray(one.first) for one in inputs], np.uint16)
    arrays["labels"], _ = ragged([np.asarray(labels) for _, labels in rows], np.int32)
    return arrays


class PairExamples:
    """Packed pairs of a source and its target; `kind` is the setting that named their files."""

    def __init__(self, packed: Packed, n_views: int, kind: str = "train") -> None:
        self.packed, self.n_views, self.kind = packed, n_views, kind

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.packed["pieces0"])

    def __len__(self) -> int:
        return len(self.packed["slots"]) - 1

    def row(self, index: int, rng: np.random.Generator) -> Row:
        slots = slice(*self.packed["slots"][index : index + 2])
        views = []
        for view in range(self.n_views):
            where = slice(*self.packed[f"pieces{view}"][index : index + 2])
            arrays = self.packed[f"ids{view}"][where], self.packed[f"cases{view}"][where]
            views.append(EncoderInput(*arrays, self.packed[f"first{view}"][slots]))  # type: ignore[arg-type]
        return views, self.packed["labels"][slots]


def pack_clean(sentences: Iterable[Tokens], encoder: Encoder) -> Mapping[str, np.ndarray]:
    """The arrays of `NoisyExamples`: words as numbers, a word list, and lengths in subwords."""
    numbers: dict[str, int] = {}
    rows, lengths, too_long = [], [], 0
    subwords = encoder.views[0]
    for tokens in sentences:
        if len(tokens) > encoder.max_tokens:
            too_long += 1
            continue
        rows.append(np.asarray([numbers.setdefault(token, len(numbers)) for token in tokens], np.int32))
        lengths.append(2 + sum(len(subwords.word(token)[0]) for token in tokens))
    if too_long:
        log.warning("%d clean sentences longer than %d tokens left out", too_long, encoder.max_tokens)
    words, offsets = ragged(rows, np.int32)
    spelt, letters = ragged([np.frombuffer(word.encode(), np.uint8) for word in numbers], np.uint8)
    return {"words": words, "offsets": offsets, "lengths": np.asarray(lengths), "spelt": spelt, "letters": letters}


class NoisyExamples:
    """Clean sentences, corrupted and tagged when a batch is made."""

    kind: ClassVar[str] = "synthetic"

    def __init__(self, packed: Packed, noise: NoiseModel, encoder: Encoder) -> None:
        self.packed, self.noise, self.encoder = packed, noise, encoder
        self._words: list[str] | None = None

    @property
    def lengths(self) -> np.ndarray:
        return self.packed["lengths"]

    def __len__(self) -> int:
        return len(self.packed["lengths"])

    def tokens(self, index: int) -> Tokens:
        """A clean sentence."""
        if self._words is None:
            spelt, letters = self.packed["spelt"].tobytes(), self.packed["letters"].tolist()
            self._words = [spelt[a:b].decode() for a, b in pairwise(letters)]
        start, end = self.packed["offsets"][index : index + 2]
        return tuple(self._words[number] for number in self.packed["words"][start:end].tolist())

    def row(self, index: int, rng: np.random.Generator) -> Row:
        tokens = self.tokens(index)
        noisy = self.noise.corrupt(tokens, rng)
        if len(noisy.tokens) > self.encoder.max_tokens:
            return self.encoder.row(self.encoder.passes_of((tokens, ()))[0])
        passes = self.encoder.passes_of((noisy.tokens, noisy.edits))
        chosen = passes[int(rng.integers(len(passes)))] if len(passes) > 1 else passes[0]
        return self.encoder.row(chosen)


class TrainingExamples(Mixture[Row]):
    """Several sets of examples as one; batches are padded here."""

    def __init__(self, parts: Sequence[PairExamples | NoisyExamples], pads: Sequence[int]) -> None:
        super().__init__(parts)
        self.pads = tuple(pads)

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`ids`, `mask`, `cases`, `first`; `labels` and `errors` per slot (`IGNORED` in the padding); `teacher_…`."""
        rows = self.rows(indices, rng)
        batch = pad_batch([views[0] for views, _ in rows], self.pads[0])
        if len(self.pads) > 1:
            teacher = pad_batch([views[1] for views, _ in rows], self.pads[1])
            batch.update({f"teacher_{name}": array for name, array in teacher.items()})
        labels = np.full(batch["first"].shape, IGNORED, np.int64)
        errors = labels.copy()
        for row, (_, numbers) in enumerate(rows):
            labels[row, : len(numbers)] = numbers
            errors[row, : len(numbers)] = labels[row, : len(numbers)] != 0
        return {**batch, "labels": labels, "errors": errors}
