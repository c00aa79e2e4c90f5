"""Training examples: real pairs packed as arrays, and clean text corrupted afresh in every batch."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from errata.edits.carrying import find_shared
from errata.model import Tokens
from errata.networks.subwords import EncoderInput, pad_batch
from errata.systems.stg.data import TYPES, Example
from errata.systems.stg.plan import Plan, Tag, plan_edits, plan_pair
from errata.systems.stg.subwords import NO_HINT, Mask, Masked, StgSubwords, pad_masked
from errata.training.clean_text import PackedText, pack_text
from errata.training.mixture import Mixture
from errata.training.packed import Packed, ragged
from errata.training.variants import Places, SampleTokens, pair_samples

if TYPE_CHECKING:
    from errata.synth import NoiseModel

log = logging.getLogger(__name__)

IGNORED = -100
# Where originals and variants are compared: all slots of the source they share, those whose order is compared, slots of
# the switched sentence with the same tag, those of them that insert, and masks with the same token.
SOURCE, SWITCHED, TAGGED, INSERTING, MASKED = SHARED = ("source", "switched", "tagged", "inserting", "masked")


@dataclass(frozen=True, slots=True)
class Row:
    """An example in numbers. Slots are the start and the tokens: of the source for `following`, else switched."""

    source: EncoderInput
    switched: EncoderInput | None
    following: Sequence[int] | np.ndarray
    tags: Sequence[int] | np.ndarray
    counts: Sequence[int] | np.ndarray  # tokens to insert less one; IGNORED where none are
    masked: Masked
    fills: Sequence[int] | np.ndarray  # the subword of each mask, IGNORED where no single one makes the token
    types: int  # bits in the order of TYPES, −1 when unknown


@dataclass(frozen=True, slots=True)
class Encoder:
    """From a source and its plan to a row."""

    subwords: StgSubwords
    max_tokens: int
    max_insert: int

    def row(self, example: Example) -> Row:
        tokens, plan = example.tokens, example.plan
        tags = plan.tags(tokens)
        masked, wanted = mask_plan(tokens, plan, tags)
        if len(masked) > self.subwords.room:  # the generator cannot see it whole
            masked, wanted = [], ()
        fills = [self.subwords.subword_of(token) for token in wanted]
        return Row(
            self.subwords.encode(tokens),
            self.subwords.encode([tokens[index] for index in plan.order]) if plan.is_switched else None,
            plan.next_slots(),
            [IGNORED if count > self.max_insert else tag for tag, count in tags],
            [count - 1 if 0 < count <= self.max_insert else IGNORED for _, count in tags],
            self.subwords.encode_masked(masked) if masked else Masked([], [], []),
            [IGNORED if fill is None else fill for fill in fills],
            -1 if example.types is None else sum(1 << TYPES.index(name) for name in set(example.types)),
        )


def mask_plan(tokens: Sequence[str], plan: Plan, tags: Sequence[tuple[Tag, int]]) -> tuple[list[str | Mask], Tokens]:
    """The sentence as the generator sees it, and the tokens its masks stand for."""
    shown: list[str | Mask] = [Mask() for _ in plan.outputs[0]]
    wanted = plan.outputs[0]
    for (tag, count), index, output in zip(tags[1:], plan.order, plan.outputs[1:], strict=True):
        if tag is Tag.KEEP:
            shown.append(tokens[index])
            continue
        if tag is Tag.INSERT:
            shown.append(tokens[index])
        elif tag is not Tag.DELETE:
            shown.append(Mask(tokens[index]))
            wanted += output[:1]
        shown.extend(Mask() for _ in range(count))
        wanted += output[1:]
    return shown, wanted


def pack_examples(
    examples: Iterable[Example], encoder: Encoder, *, unchanged: float, rng: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """The arrays of `PairExamples`; logs what was learnt from and what was left out."""
    rows: list[Row] = []
    too_long = dropped = unsaid = 0
    for example in examples:
        if example.plan.target() == example.tokens and rng.random() >= unchanged:
            dropped += 1
        elif len(example.tokens) > encoder.max_tokens:
            too_long += 1
        else:
            rows.append(encoder.row(example))
            unsaid += IGNORED in rows[-1].tags or IGNORED in rows[-1].fills
    n_switched, n_filled = sum(row.switched is not None for row in rows), sum(len(row.fills) > 0 for row in rows)
    log.info("%d examples, %d with a new order, %d with tokens to fill in", len(rows), n_switched, n_filled)
    if unsaid:
        log.info("%d of them need longer insertions or other tokens than the model has: learnt in part", unsaid)
    if too_long:
        log.warning("%d sentences longer than %d tokens left out", too_long, encoder.max_tokens)
    if dropped:
        log.info("%d unchanged sentences left out, as data.unchanged says", dropped)
    return _pack(rows)


def pack_variants(cases: Iterable[Sequence[SampleTokens]], encoder: Encoder) -> Mapping[str, np.ndarray]:
    """The arrays of `PairExamples` for all samples, and of `Pairs` for originals with their variants."""

    def encode(source: Tokens, target: Tokens) -> Example | None:
        is_fitting = 0 < len(source) <= encoder.max_tokens
        return Example(source, plan_pair(source, target)) if is_fitting else None

    paired = pair_samples(cases, SHARED, encode, lambda original, variant: share_places(original, variant, encoder))
    return {**_pack([encoder.row(one) for one in paired.samples]), **paired.arrays()}


def share_places(original: Example, variant: Example, encoder: Encoder) -> Mapping[str, Places]:
    """Where the heads may be compared: at tokens that both have, where the right answers are the same."""
    tokens = find_shared(original.tokens, variant.tokens)
    slots = [(0, 0), *((token + 1, other + 1) for token, other in tokens)]
    following, other_following = original.plan.next_slots(), variant.plan.next_slots()
    tags, other_tags = original.plan.tags(original.tokens), variant.plan.tags(variant.tokens)
    # Tags are given to the sentence in its new order.
    places, other_places = (np.argsort(example.plan.order).tolist() for example in (original, variant))
    moved = [(0, 0), *((places[token] + 1, other_places[other] + 1) for token, other in tokens)]
    alike = [(slot, other) for slot, other in moved if tags[slot] == other_tags[other]]
    return {
        SOURCE: slots,
        SWITCHED: [(slot, other) for slot, other in slots if (following[slot], other_following[other]) in set(slots)],
        TAGGED: alike,
        INSERTING: [(slot, other) for slot, other in alike if 0 < tags[slot][1] <= encoder.max_insert],
        MASKED: _share_masks(original, variant, encoder),
    }


def _share_masks(original: Example, variant: Example, encoder: Encoder) -> list[tuple[int, int]]:
    """The numbers of masks in the same surroundings that stand for the same token."""
    shown, wanted, ordinals = [], [], []
    for example in (original, variant):
        masked, tokens = mask_plan(example.tokens, example.plan, example.plan.tags(example.tokens))
        if len(masked) > encoder.subwords.room:  # as `Encoder.row` has it
            return []
        shown.append(masked)
        wanted.append(tokens)
        ordinals.append(np.cumsum([isinstance(one, Mask) for one in masked]) - 1)
    masks = [
        (int(ordinals[0][place]), int(ordinals[1][other]))
        for place, other in find_shared(*shown)
        if isinstance(shown[0][place], Mask)
    ]
    return [(mask, other) for mask, other in masks if wanted[0][mask] == wanted[1][other]]


# The ragged arrays of packed rows: name → (offsets it shares, type).
ARRAYS: dict[str, tuple[str, type[np.generic]]] = {
    "ids": ("pieces", np.int32),
    "first": ("slots", np.uint16),
    "following": ("slots", np.uint16),
    "tags": ("slots", np.int8),
    "counts": ("slots", np.int8),
    "switched_ids": ("switched_pieces", np.int32),
    "switched_first": ("switched_slots", np.uint16),
    "masked_ids": ("masked_pieces", np.int32),
    "where": ("masks", np.uint16),
    "hints": ("masks", np.int32),
    "fills": ("masks", np.int32),
}
NOTHING = EncoderInput([], [], [])


def _pack(rows: Sequence[Row]) -> Mapping[str, np.ndarray]:
    columns: dict[str, list[np.ndarray]] = {name: [] for name in ARRAYS}
    for row in rows:
        switched = row.switched or NOTHING
        values = {
            "ids": row.source.ids, "first": row.source.first,
            "following": row.following, "tags": row.tags, "counts": row.counts,
            "switched_ids": switched.ids, "switched_first": switched.first,
            "masked_ids": row.masked.ids, "where": row.masked.where, "hints": row.masked.hints, "fills": row.fills,
        }  # fmt: skip
        for name, value in values.items():
            columns[name].append(np.asarray(value, ARRAYS[name][1]))
    arrays: dict[str, np.ndarray] = {"types": np.asarray([row.types for row in rows], np.int16)}
    for name, (offsets, dtype) in ARRAYS.items():
        arrays[name], arrays[f"{offsets}_offsets"] = ragged(columns[name], dtype)
        if name.endswith("ids") and arrays[name].max(initial=0) < 1 << 16:  # packed data travel: half the space
            arrays[name] = arrays[name].astype(np.uint16)
    return arrays


class PairExamples:
    """Packed pairs."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.packed["pieces_offsets"])

    def __len__(self) -> int:
        return len(self.packed["types"])

    def row(self, index: int, rng: np.random.Generator) -> Row:
        def part(name: str) -> np.ndarray:
            start, end = self.packed[f"{ARRAYS[name][0]}_offsets"][index : index + 2]
            return self.packed[name][start:end]

        source = _encoder_input(part("ids"), part("first"))
        switched = _encoder_input(part("switched_ids"), part("switched_first"))
        masked = Masked(part("masked_ids"), part("where"), part("hints"))  # type: ignore[arg-type]
        return Row(
            source,
            switched if len(switched.ids) else None,
            part("following"),
            part("tags"),
            part("counts"),
            masked,
            part("fills"),
            int(self.packed["types"][index]),
        )


def _encoder_input(ids: np.ndarray, first: np.ndarray) -> EncoderInput:
    """Packed subwords as a batch takes them; nothing reads their case classes."""
    return EncoderInput(ids, np.zeros_like(ids), first)  # type: ignore[arg-type]


def pack_clean(sentences: Iterable[Tokens], encoder: Encoder) -> Mapping[str, np.ndarray]:
    """The arrays of `NoisyExamples`."""
    return pack_text(sentences, encoder.max_tokens, lambda token: len(encoder.subwords.base.word(token)[0]))


class NoisyExamples:
    """Clean sentences, corrupted when a batch is made."""

    def __init__(self, packed: Packed, noise: NoiseModel, encoder: Encoder) -> None:
        self.text, self.noise, self.encoder = PackedText(packed), noise, encoder

    @property
    def lengths(self) -> np.ndarray:
        return self.text.lengths

    def __len__(self) -> int:
        return len(self.text)

    def row(self, index: int, rng: np.random.Generator) -> Row:
        tokens = self.text[index]
        noisy = self.noise.corrupt(tokens, rng)
        if 0 < len(noisy.tokens) <= self.encoder.max_tokens:
            return self.encoder.row(Example(noisy.tokens, plan_edits(noisy.tokens, noisy.edits)))
        return self.encoder.row(Example(tokens, plan_edits(tokens, ())))


class TrainingExamples(Mixture[Row]):
    """Several sets of examples as one; batches are padded here."""

    def __init__(
        self, parts: Sequence[PairExamples | NoisyExamples], subwords: StgSubwords, masking: float = 0.0
    ) -> None:
        super().__init__(parts)
        self.pad = subwords.base.pad
        self.mask, self.masking = subwords.mask, masking
        # Guessing others (unknown, parts of words) would teach what no answer may be.
        self._is_fill = np.zeros(subwords.base.tokenizer.get_vocab_size(), bool)
        self._is_fill[list(subwords.fills)] = True

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """The source, labels per slot, the switched sentences with their rows, and the masked ones.

        Only sentences that are switched, or have masks, are there a second time: most are neither. `masked_row` is the
        row of each sentence among the masked ones, −1 where it has no masks.
        """
        rows = self.rows(indices, rng)
        batch = pad_batch([row.source for row in rows], self.pad)
        del batch["cases"]
        shape = batch["first"].shape
        batch["following"] = _padded([row.following for row in rows], shape[1], IGNORED)
        batch["tags"] = _padded([row.tags for row in rows], shape[1], IGNORED)
        batch["counts"] = _padded([row.counts for row in rows], shape[1], IGNORED)
        batch["types"] = np.array([row.types for row in rows], np.int64)
        moved = [(number, row.switched) for number, row in enumerate(rows) if row.switched is not None]
        batch["switched_rows"] = np.array([number for number, _ in moved], np.int64)
        if moved:
            switched = pad_batch([sentence for _, sentence in moved], self.pad)
            batch["switched_ids"], batch["switched_mask"] = switched["ids"], switched["mask"]
            batch["switched_first"] = _padded([sentence.first for _, sentence in moved], shape[1], 0)
        filled = [(row.masked, row.fills) for row in rows]
        if self.masking:
            filled = [self._mask_more(*one, rng) for one in filled]
        has_masks = np.array([len(fills) > 0 for _, fills in filled])
        batch["masked_row"] = np.where(has_masks, np.cumsum(has_masks) - 1, -1)
        filled = [one for one in filled if len(one[1])]
        masked = pad_masked([one for one, _ in filled], self.pad)
        batch.update({f"masked_{name}": array for name, array in masked.items()})
        batch["fills"] = _padded([fills for _, fills in filled], masked["where"].shape[1], IGNORED)
        return batch

    def _mask_more(
        self, masked: Masked, fills: Sequence[int] | np.ndarray, rng: np.random.Generator
    ) -> tuple[Masked, np.ndarray]:
        """The sentence with a share of its other tokens masked as well."""
        ids = np.array(masked.ids, np.int64)
        chosen = np.flatnonzero((rng.random(len(ids)) < self.masking) & self._is_fill[ids])
        hidden = ids[chosen]
        ids[chosen] = self.mask
        where = np.concatenate([np.asarray(masked.where, np.int64), chosen])
        hints = np.concatenate([np.asarray(masked.hints, np.int64), np.full(len(chosen), NO_HINT)])
        fills = np.concatenate([np.asarray(fills, np.int64), hidden])
        return Masked(ids, where, hints), fills  # type: ignore[arg-type]


def _padded(rows: Sequence[Sequence[int] | np.ndarray], width: int, fill: int) -> np.ndarray:
    out = np.full((len(rows), width), fill, np.int64)
    for number, row in enumerate(rows):
        out[number, : len(row)] = row
    return out
