"""What a step of training minimises: an objective turns a task's model and a batch into a loss.

`objective:` in a recipe names one; its other keys are the fields of the dataclass. Likelihood asks the task alone.
Objectives that compare several runs of the model (CPR's agreement between contexts, ranking of corrected pairs)
belong here too: they see the whole batch and may call the task more than once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from errata.training.task import Loss, Task

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


OBJECTIVES: dict[str, str] = {"likelihood": "errata.training.objectives:Likelihood"}
