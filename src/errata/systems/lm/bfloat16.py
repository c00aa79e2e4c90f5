"""Products of bfloat16 numbers in a model that is otherwise of float32.

A processor that multiplies such numbers (AVX-512 BF16, AMX) does three to four times as many in a second; on another
one this is slower. What is rounded is what goes into a product and what comes out; norms, attention, and the sums from
layer to layer keep all 32 bits, which costs no time and rounds less than a model of bfloat16 throughout.
"""

from __future__ import annotations

import torch
from torch import nn
from transformers.pytorch_utils import Conv1D


class _Linear(nn.Module):
    """A linear layer that multiplies bfloat16 numbers."""

    def __init__(self, linear: nn.Linear | Conv1D) -> None:
        super().__init__()
        weight = linear.weight.detach().bfloat16()
        # GPT-2 has its matrices the other way round.
        self.weight = nn.Parameter(weight.T.contiguous() if isinstance(linear, Conv1D) else weight, requires_grad=False)
        self.bias = linear.bias

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        product = nn.functional.linear(given.bfloat16(), self.weight).to(given.dtype)
        return product if self.bias is None else product + self.bias


def multiply_in_bfloat16(model: nn.Module) -> None:
    """Replace every linear layer. Embeddings that share their weights with the head keep theirs in float32."""
    for name, layer in model.named_children():
        if isinstance(layer, nn.Linear | Conv1D):
            setattr(model, name, _Linear(layer))
        else:
            multiply_in_bfloat16(layer)
