"""The loss of a batch: the mean of each module's own decisions, weighted and summed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

from errata.systems.stg.data import TYPES
from errata.systems.stg.examples import IGNORED
from errata.systems.stg.model import GENERATOR, SWITCH, TAGGER, StgModel, gather
from errata.systems.stg.plan import Tag
from errata.training.task import Loss

if TYPE_CHECKING:
    from errata.systems.stg.settings import StgSettings

Batch = Mapping[str, torch.Tensor]


def stg_loss(model: StgModel, batch: Batch, settings: StgSettings) -> Loss:
    """Each module reads what the right answers of those before it make: source, switched sentence, masked sentence."""
    weights, smoothing = settings.loss, settings.label_smoothing
    first = batch["first"]
    states = model.encode(SWITCH, batch["ids"], batch["mask"])
    slots = gather(states, first)
    tag_states = states if model.is_joint else model.encode(TAGGER, batch["ids"], batch["mask"])
    tag_slots = _switched_slots(model, batch, slots if model.is_joint else gather(tag_states, first))
    keep = tag_slots.new_ones(len(Tag), dtype=torch.float32)
    keep[Tag.KEEP] = weights.keep
    parts = {
        "switch": _mean_loss(model.point(slots, first), batch["following"]),
        "tags": _mean_loss(model.tags(tag_slots), batch["tags"], smoothing, keep),
        "counts": _mean_loss(model.counts(tag_slots), batch["counts"], smoothing),
    }
    # A sentence's start carries its error types.
    starts = [states[:, 0]] if model.is_joint else [states[:, 0], tag_states[:, 0]]
    total = weights.switch * parts["switch"] + weights.tagger * (parts["tags"] + parts["counts"])
    if len(batch["fills"]):
        masked = model.encode(GENERATOR, batch["masked_ids"], batch["masked_mask"], batch["masked_hints"])
        scores = model.fill_scores(masked, batch["masked_where"])
        parts["generator"] = _mean_loss(scores, batch["fills"], smoothing)
        total = total + weights.generator * parts["generator"]
    if weights.types:
        parts["types"] = torch.stack(
            [_type_loss(head(start), batch["types"]) for head, start in zip(model.types, starts, strict=False)]
        ).mean()
        total = total + weights.types * parts["types"]
    n_slots = (batch["following"] != IGNORED).sum()
    return Loss(total, n_slots, {name: part.detach() for name, part in parts.items()})


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
    return total / (labels != IGNORED).sum().clamp(min=1)


def _type_loss(scores: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of FCGEC's types over the sentences whose types are known."""
    bits = types[:, None] >> torch.arange(len(TYPES), device=types.device) & 1
    wrong = F.binary_cross_entropy_with_logits(scores.float(), bits.float(), reduction="none").mean(1)
    known = types >= 0
    return (wrong * known).sum() / known.sum().clamp(min=1)
