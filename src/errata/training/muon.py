"""Muon (Jordan et al., 2024): a matrix moves by its momentum with all singular values made alike.

AdamW moves each number by itself. The momentum of a matrix has a few large directions that drown the others, and Muon
gives all of them one length, so that rare things are learnt as soon as frequent ones. Steps are scaled to the size of
AdamW's (Liu et al., 2025), so both take the same learning rates. Matrices of one shape are worked on together: for an
encoder of 48 matrices this is some forty kernels instead of two thousand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

MOMENTUM = 0.95
# What an AdamW step's root mean square is in practice.
ADAM_SIZE = 0.2
# Of x → ax + bx³ + cx⁵, which brings singular values near 1 in five rounds.
COEFFICIENTS, ROUNDS = (3.4445, -4.7750, 2.0315), 5


class Muon(torch.optim.Optimizer):
    """Moves the matrices of groups with `is_muon`, and gives all other groups to AdamW."""

    def __init__(self, groups: list[dict[str, Any]], **adam: Any) -> None:
        super().__init__(groups, {"lr": 0.0})
        others = [dict(group) for group in self._others()]
        self._adam = torch.optim.AdamW(others, **adam) if others else None

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        assert closure is None, "gradients are there before a step"
        for group in self.param_groups:
            if group["is_muon"]:
                self._move(group)
        if self._adam is not None:
            for theirs, ours in zip(self._adam.param_groups, self._others(), strict=True):
                theirs["lr"] = ours["lr"]
            self._adam.step()

    def _others(self) -> list[dict[str, Any]]:
        return [group for group in self.param_groups if not group["is_muon"]]

    def _move(self, group: dict[str, Any]) -> None:
        by_shape: dict[tuple[int, ...], list[torch.Tensor]] = {}
        for weight in group["params"]:
            if weight.grad is not None:
                by_shape.setdefault(tuple(weight.shape), []).append(weight)
        for (rows, columns), weights in by_shape.items():
            gradients = [weight.grad for weight in weights if weight.grad is not None]  # all have one
            for weight in weights:
                if "momentum" not in self.state[weight]:
                    self.state[weight]["momentum"] = torch.zeros_like(weight)
            momenta = [self.state[weight]["momentum"] for weight in weights]
            torch._foreach_lerp_(momenta, gradients, 1 - MOMENTUM)
            ahead = torch._foreach_lerp(gradients, momenta, MOMENTUM)  # Nesterov's
            moves = orthogonalise(torch.stack(list(ahead)))
            size = ADAM_SIZE * max(rows, columns) ** 0.5
            torch._foreach_mul_(weights, 1 - group["lr"] * group["weight_decay"])
            torch._foreach_add_(weights, list(moves.to(weights[0].dtype).unbind()), alpha=-group["lr"] * size)

    def state_dict(self) -> dict[str, Any]:
        return {"muon": super().state_dict(), "adam": self._adam.state_dict() if self._adam is not None else None}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        super().load_state_dict(state_dict["muon"])
        if self._adam is not None:
            self._adam.load_state_dict(state_dict["adam"])


def orthogonalise(matrices: torch.Tensor) -> torch.Tensor:
    """The matrices (n, rows, columns) with singular values near 1, by Newton and Schulz's iteration in bfloat16."""
    a, b, c = COEFFICIENTS
    is_tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.bfloat16()
    x = x.mT if is_tall else x
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(ROUNDS):
        gram = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.mT if is_tall else x
