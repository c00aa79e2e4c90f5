"""The loss of a batch: the mean of each module's own decisions, weighted and summed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch.nn import functional as F

from errata.systems.stg.data import TYPES
from errata.systems.stg.examples import IGNORED, INSERTING, MASKED, SOURCE, SWITCHED, TAGGED
from errata.systems.stg.model import GENERATOR, IMPOSSIBLE, SWITCH, TAGGER, StgModel, gather
from errata.systems.stg.plan import Tag
from errata.training.task import Loss, SharedScores
from errata.training.variants import PREFIX, ROWS, scores_at

if TYPE_CHECKING:
    from errata.systems.stg.settings import StgSettings

Batch = Mapping[str, torch.Tensor]


class StgScores(NamedTuple):
    """What the heads say of a batch, each (sentences, places, choices); `types` of each encoder."""

    switch: torch.Tensor
    tags: torch.Tensor
    counts: torch.Tensor
    fills: torch.Tensor | None  # of the sentences that have masks
    types: list[torch.Tensor]


def stg_scores(model: StgModel, batch: Batch) -> StgScores:
    """Each module reads what the right answers of those before it make: source, switched sentence, masked sentence."""
    first = batch["first"]
    states = model.encode(SWITCH, batch["ids"], batch["mask"])
    slots = gather(states, first)
    tag_states = states if model.is_joint else model.encode(TAGGER, batch["ids"], batch["mask"])
    tag_slots = _switched_slots(model, batch, slots if model.is_joint else gather(tag_states, first))
    # A sentence's start carries its error types.
    starts = [states[:, 0]] if model.is_joint else [states[:, 0], tag_states[:, 0]]
    fills = None
    if len(batch["fills"]):
        masked = model.encode(GENERATOR, batch["masked_ids"], batch["masked_mask"], batch["masked_hints"])
        fills = model.fill_scores(masked, batch["masked_where"])
    types = [head(start) for head, start in zip(model.types, starts, strict=False)]
    return StgScores(model.point(slots, first), model.tags(tag_slots), model.counts(tag_slots), fills, types)


def stg_loss(scores: StgScores, batch: Batch, settings: StgSettings) -> Loss:
    """The weighted sum of the means of all heads."""
    weights, smoothing = settings.loss, settings.label_smoothing
    keep = scores.tags.new_ones(len(Tag), dtype=torch.float32)
    keep[Tag.KEEP] = weights.keep
    parts = {
        "switch": _mean_loss(scores.switch, batch["following"]),
        "tags": _mean_loss(scores.tags, batch["tags"], smoothing, keep),
        "counts": _mean_loss(scores.counts, batch["counts"], smoothing),
    }
    total = weights.switch * parts["switch"] + weights.tagger * (parts["tags"] + parts["counts"])
    if scores.fills is not None:
        parts["generator"] = _mean_loss(scores.fills, batch["fills"], smoothing)
        total = total + weights.generator * parts["generator"]
    if weights.types:
        parts["types"] = torch.stack([_type_loss(one, batch["types"]) for one in scores.types]).mean()
        total = total + weights.types * parts["types"]
    n_slots = (batch["following"] != IGNORED).sum()
    return Loss(total, n_slots, {name: part.detach() for name, part in parts.items()})


def shared_scores(scores: StgScores, batch: Batch, settings: StgSettings) -> list[SharedScores]:
    """What the heads say where originals and variants share tokens; weighted as in the loss, per decision."""
    weights = settings.loss
    heads = [
        SharedScores(*_shared_pointers(scores.switch, batch), weights.switch / _n_decisions(batch["following"])),
        SharedScores(*scores_at(scores.tags, batch, TAGGED), weights.tagger / _n_decisions(batch["tags"])),
        SharedScores(*scores_at(scores.counts, batch, INSERTING), weights.tagger / _n_decisions(batch["counts"])),
    ]
    if scores.fills is not None:
        _, row, mask, other_row, other_mask = batch[PREFIX + MASKED]
        row_of = batch["masked_row"]
        original, variant = scores.fills[row_of[row], mask], scores.fills[row_of[other_row], other_mask]
        heads.append(SharedScores(original, variant, weights.generator / _n_decisions(batch["fills"])))
    return heads


def _shared_pointers(scores: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Pointer scores at shared slots over the slots that both sentences have: other slots mean nothing to the other."""
    pair, row, slot, other_row, other_slot = batch[PREFIX + SWITCHED]
    of_pair, _, choice, _, other_choice = batch[PREFIX + SOURCE]
    n_pairs = batch[ROWS].shape[1]
    return (
        _over_choices(scores[row, slot], pair, of_pair, choice, n_pairs),
        _over_choices(scores[other_row, other_slot], pair, of_pair, other_choice, n_pairs),
    )


def _over_choices(
    scores: torch.Tensor, pair: torch.Tensor, of_pair: torch.Tensor, choice: torch.Tensor, n_pairs: int
) -> torch.Tensor:
    """Scores (places, slots) as (places, choices): the choices of each place's pair in order, then impossible ones.

    `choice` are slots, `of_pair` the pairs that each belongs to, in order.
    """
    width = scores.shape[1]
    # The number of each choice among those of its pair.
    before = torch.searchsorted(of_pair.contiguous(), torch.arange(n_pairs, device=pair.device))
    number = torch.arange(len(of_pair), device=pair.device) - before[of_pair]
    table = torch.full((n_pairs, width), width, device=pair.device, dtype=choice.dtype)
    table[of_pair, number] = choice
    padded = torch.cat([scores, scores.new_full((len(scores), 1), IMPOSSIBLE)], 1)
    return padded.gather(1, table[pair])


def _n_decisions(labels: torch.Tensor) -> torch.Tensor:
    return (labels != IGNORED).sum().clamp(min=1)


def _switched_slots(model: StgModel, batch: Batch, slots: torch.Tensor) -> torch.Tensor:
    """The slots as the tagger should see them: those of switched sentences are read again."""
    rows = batch["switched_rows"]
    if not len(rows):
        return slots
    again = model.encode(TAGGER, batch["switched_ids"], batch["switched_mask"])
    return slots.index_copy(0, rows, gather(again, batch["switched_first"]))


def _mean_loss(
    scores: torch.Tensor, labels: torch.Tensor, smoothing: float = 0.0, weight: torch.Tensor | None = None
) -> torch.Tensor:
    """Cross-entropy over what is not IGNORED; 0 when all is."""
    total = F.cross_entropy(
        scores.flatten(0, 1).float(),
        labels.flatten(),
        weight=weight,
        ignore_index=IGNORED,
        label_smoothing=smoothing,
        reduction="sum",
    )
    return total / _n_decisions(labels)


def _type_loss(scores: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of FCGEC's types over the sentences whose types are known."""
    bits = types[:, None] >> torch.arange(len(TYPES), device=types.device) & 1
    wrong = F.binary_cross_entropy_with_logits(scores.float(), bits.float(), reduction="none").mean(1)
    known = types >= 0
    return (wrong * known).sum() / known.sum().clamp(min=1)
