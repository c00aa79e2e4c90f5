"""What a step of training minimises: an objective turns a task's model and a batch into a loss.

`objective:` in a recipe names one; its other keys are the fields of the dataclass. Likelihood asks the task alone. CPR
compares what the model says of sentences and of their variants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from errata.errors import DataError
from errata.training.task import ComparingTask, Loss, Task
from errata.training.variants import ROWS

if TYPE_CHECKING:
    import torch
    from torch import nn


class Objective(Protocol):
    """A frozen dataclass whose fields are its settings."""

    name: ClassVar[str]

    def loss(self, task: Task, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss: ...


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The task's own loss: cross-entropy of the right answer."""

    name: ClassVar[str] = "likelihood"

    def loss(self, task: Task, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        return task.loss(model, batch)


@dataclass(frozen=True, slots=True)
class ContextRobustness:
    """CPR (Zhang et al. 2023): likelihood of sentences and variants, plus how far the answers to the two are apart.

    At every place that a sentence shares with its variant, both should get the same distribution: `alpha` is the weight
    of the symmetric Kullback-Leibler divergence there. With 0 it is only told, and the likelihood is minimised.
    """

    name: ClassVar[str] = "cpr"

    alpha: float = 1.0

    def __post_init__(self) -> None:
        if self.alpha < 0:
            raise ValueError("alpha is 0 or more")

    def loss(self, task: Task, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        if not isinstance(task, ComparingTask):
            raise DataError(f"objective cpr: {type(task).__name__} cannot compare a sentence with its variants")
        if ROWS not in batch:
            raise DataError("objective cpr compares sentences with their variants: name files of them in data.variants")
        compared = task.compare(model, batch)
        likelihood = compared.loss
        # Like the likelihood it is divided by all tokens, so alpha is the paper's, which weighs sums.
        divergence = likelihood.total.new_zeros(())
        for original, variant, scale in compared.heads:
            divergence = divergence + scale * symmetric_divergence(original, variant).sum()
        parts = {**likelihood.parts, "likelihood": likelihood.total.detach(), "kl": divergence.detach()}
        total = likelihood.total + self.alpha * divergence if self.alpha else likelihood.total
        return Loss(total, likelihood.n_tokens, parts)


def symmetric_divergence(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The mean of the two Kullback-Leibler divergences between the softmax of scores (…, choices), in nats."""
    log_left, log_right = (scores.float().log_softmax(-1) for scores in (left, right))
    # p log(p/q) + q log(q/p) = (p - q)(log p - log q)
    return ((log_left.exp() - log_right.exp()) * (log_left - log_right)).sum(-1) / 2


OBJECTIVES: dict[str, str] = {
    "likelihood": "errata.training.objectives:Likelihood",
    "cpr": "errata.training.objectives:ContextRobustness",
}
