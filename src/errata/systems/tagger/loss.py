"""The loss of a batch: cross-entropy of the tags, detection of errors, distance to a teacher; pairs compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

from errata.systems.tagger.examples import SHARED
from errata.systems.tagger.runtime import INPUTS
from errata.systems.tagger.tags import IGNORED
from errata.training.task import Loss, SharedScores
from errata.training.variants import scores_at

if TYPE_CHECKING:
    from errata.systems.tagger.model import Scores, TaggerModel
    from errata.systems.tagger.settings import DistilSettings, TaggerSettings

Batch = Mapping[str, torch.Tensor]

EARLY_WEIGHT = 0.5  # of the early exit's detection, beside the last layer's


def tagging_loss(answers: Scores, batch: Batch, settings: TaggerSettings, teacher: TaggerModel | None) -> Loss:
    """The mean over slots; slots whose edit has no tag count for detection and for the teacher only."""
    scores, errors, early = answers
    is_slot = batch["errors"] != IGNORED
    n_slots = is_slot.sum()
    labels = batch["labels"]
    weights = None
    if settings.keep_weight != 1:
        weights = scores.new_ones(scores.shape[-1])
        weights[0] = settings.keep_weight
    tag_loss = F.cross_entropy(
        scores.flatten(0, 1).float(),
        labels.flatten(),
        weight=weights if weights is None else weights.float(),
        ignore_index=IGNORED,
        label_smoothing=settings.label_smoothing,
        reduction="sum",
    ) / n_slots.clamp(min=1)
    total, parts = tag_loss, {"tags": tag_loss.detach()}
    if teacher is not None and settings.distil is not None:
        distance = _distance(scores, teacher, batch, settings.distil, is_slot) / n_slots.clamp(min=1)
        total = (1 - settings.distil.weight) * total + settings.distil.weight * distance
        parts["teacher"] = distance.detach()
    for name, weight, found in (
        ("detection", settings.detection_weight, errors),
        ("early", EARLY_WEIGHT * settings.detection_weight, early),
    ):
        if found is not None:
            wrong = F.binary_cross_entropy_with_logits(
                found.float(), batch["errors"].clamp(min=0).float(), reduction="none"
            )
            detection = (wrong * is_slot).sum() / n_slots.clamp(min=1)
            total = total + weight * detection
            parts[name] = detection.detach()
    return Loss(total, n_slots, parts)


def shared_scores(answers: Scores, batch: Batch, settings: TaggerSettings, n_slots: torch.Tensor) -> list[SharedScores]:
    """What the heads say of slots that originals share with their variants; weighted as in the loss, per slot."""
    share = 1 / n_slots.clamp(min=1)
    heads = [SharedScores(*scores_at(answers.tags, batch, SHARED), share)]
    for weight, found in (
        (settings.detection_weight, answers.errors),
        (EARLY_WEIGHT * settings.detection_weight, answers.early),
    ):
        if found is not None:
            # An error or none: two choices, of which only the difference is scored.
            both = torch.stack([torch.zeros_like(found), found], -1)
            heads.append(SharedScores(*scores_at(both, batch, SHARED), weight * share))
    return heads


def _distance(
    scores: torch.Tensor, teacher: TaggerModel, batch: Batch, distil: DistilSettings, is_slot: torch.Tensor
) -> torch.Tensor:
    """Kullback-Leibler divergence from the teacher's softened distribution, summed over slots."""
    prefix = "teacher_" if "teacher_ids" in batch else ""
    with torch.no_grad():
        taught = teacher(*(batch[prefix + name] for name in INPUTS)).tags
    t = distil.temperature
    student, taught = (F.log_softmax(one.float() / t, -1) for one in (scores, taught))
    divergence = F.kl_div(student, taught, reduction="none", log_target=True).sum(-1)  # (sentences, slots)
    return (divergence * is_slot).sum() * t * t
