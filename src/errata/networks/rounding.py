"""Training for few bits: each step is computed with the weights as an export will store them.

Rounding a trained model to 4 bits changes its answers. A model that was trained with rounded weights (while AdamW moves
the exact ones behind them) has learnt to live with it, and its export is exactly what was trained.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from errata.networks.quantised import BLOCK, MIN_SCALE, MIN_SIZE


class Rounding:
    """Rounds the matrices of a model whose names begin with one of `prefixes` to `bits`; None rounds nothing."""

    def __init__(self, model: nn.Module, prefixes: tuple[str, ...], bits: int | None) -> None:
        self.bits = bits
        self._weights = [
            module.weight
            for name, module in model.named_modules()
            if bits is not None and isinstance(module, nn.Linear) and name.startswith(prefixes)
            if module.weight.numel() >= MIN_SIZE and module.in_features % BLOCK == 0
        ]

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Inside the block the model has rounded weights; gradients computed there are those of the exact ones."""
        if self.bits is None or not self._weights:
            yield
            return
        exact = [weight.detach().clone() for weight in self._weights]
        # All at once: rounding 70 matrices one by one would keep a GPU waiting.
        together = torch.cat([weight.reshape(-1, BLOCK) for weight in exact])
        rounded = torch.split(round_blocks(together, self.bits), [weight.numel() // BLOCK for weight in exact])
        self._set([part.view_as(weight) for part, weight in zip(rounded, exact, strict=True)])
        try:
            yield
        finally:
            self._set(exact)

    @torch.no_grad()
    def _set(self, values: list[torch.Tensor]) -> None:
        torch._foreach_copy_([weight.detach() for weight in self._weights], values)


def round_blocks(blocks: torch.Tensor, bits: int) -> torch.Tensor:
    """Blocks (any number, `BLOCK`) as `quantised.quantise` stores them; rounding twice changes nothing."""
    largest = 2 ** (bits - 1) - 1
    exact = blocks.abs().amax(1, keepdim=True).clamp(min=MIN_SCALE)
    nearest = exact.half()
    is_less = nearest.float() * (1 + 1e-6) < exact
    scales = (nearest.view(torch.int16) + is_less).view(torch.half).float()  # the next half-precision float
    rounded: torch.Tensor = torch.round(blocks / scales * largest) * (scales / largest)
    return rounded
