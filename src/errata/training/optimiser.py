"""AdamW or Muon with the usual groups, learning rates by the step, cold epochs, and a moving average of the weights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from errata.training.muon import Muon
from errata.training.schedule import Timetable, rate_share

if TYPE_CHECKING:
    from errata.training.settings import OptimiserSettings, Recipe


# A number between dots in a parameter's name is that of a layer: `encoder.layers.3.widen.weight`.
_LAYER = re.compile(r"\.\d+\.")


def build_optimiser(
    model: nn.Module, settings: OptimiserSettings, backbone: tuple[str, ...], device: torch.device
) -> torch.optim.Optimizer:
    """An optimiser over groups: backbone or not, decayed (matrices) or not (norms, biases and other vectors).

    Muon moves the matrices of layers (`encoder.layers.3.widen.weight`); tables of embeddings and the rest are AdamW's.
    """
    tables = {id(table) for one in model.modules() if isinstance(one, nn.Embedding) for table in one.parameters()}
    groups: dict[tuple[bool, bool, bool], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:  # what the task froze for good (a LoRA base model) is none of our business
            is_backbone, is_matrix = name.startswith(backbone), parameter.ndim >= 2
            is_layered = parameter.ndim == 2 and id(parameter) not in tables and _LAYER.search(name) is not None
            is_muon = settings.name == "muon" and is_layered
            groups.setdefault((is_backbone, is_matrix, is_muon), []).append(parameter)
    described: list[dict[str, Any]] = [
        {
            "params": parameters,
            "weight_decay": settings.weight_decay if is_decayed else 0.0,
            "is_backbone": is_backbone,
            "is_muon": is_muon,
            "lr": settings.learning_rate,
        }
        for (is_backbone, is_decayed, is_muon), parameters in groups.items()
    ]
    adam: dict[str, Any] = {"betas": settings.betas, "eps": settings.epsilon, "fused": device.type == "cuda"}
    return Muon(described, **adam) if settings.name == "muon" else torch.optim.AdamW(described, **adam)


def set_rates(
    optimiser: torch.optim.Optimizer, recipe: Recipe, step: int, timetable: Timetable, seconds: float = 0.0
) -> float:
    """Set the learning rates of `step` (from 0), `seconds` into the run, and return the one outside the backbone."""
    settings, cold = recipe.optimiser, recipe.optimiser.cold
    if cold is not None and step < timetable.cold:
        share, rates = 1.0, {False: cold.learning_rate, True: 0.0}
    else:
        steps = timetable.expected_steps(step, seconds)
        share = rate_share(recipe.schedule, step - timetable.cold, steps - timetable.cold)
        rates = {False: settings.learning_rate, True: settings.backbone_learning_rate or settings.learning_rate}
    for group in optimiser.param_groups:
        group["lr"] = share * rates[group["is_backbone"]]
    return share * rates[False]


def freeze_backbone(optimiser: torch.optim.Optimizer, is_cold: bool) -> None:
    """Stop or start gradients of the backbone; without gradients AdamW leaves weights and moments alone."""
    for group in optimiser.param_groups:
        for parameter in group["params"] if group["is_backbone"] else ():
            parameter.requires_grad_(not is_cold)
            parameter.grad = None


class MovingAverage:
    """An exponential moving average of the trained weights; `None` as decay means none is kept."""

    def __init__(self, model: nn.Module, decay: float | None) -> None:
        self.decay = decay
        self._weights = [p for p in model.parameters() if p.requires_grad] if decay is not None else []
        self._mean = [p.detach().clone() for p in self._weights]

    @torch.no_grad()
    def update(self) -> None:
        if self.decay is not None:
            torch._foreach_lerp_(self._mean, [p.detach() for p in self._weights], 1 - self.decay)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Inside the block the model has the averaged weights."""
        trained = [p.detach().clone() for p in self._weights]
        self._set(self._mean)
        try:
            yield
        finally:
            self._set(trained)

    @torch.no_grad()
    def _set(self, values: list[torch.Tensor]) -> None:
        for parameter, value in zip(self._weights, values, strict=True):
            parameter.copy_(value)

    def state_dict(self) -> dict[str, Any]:
        return {"mean": self._mean}

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, Any]) -> None:
        for mean, saved in zip(self._mean, state["mean"], strict=True):
            mean.copy_(saved)
