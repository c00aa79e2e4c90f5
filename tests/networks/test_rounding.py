"""Training with rounded weights: what is rounded, by how much, and that exact weights come back."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from errata.networks.quantised import BLOCK, dequantise, quantise
from errata.networks.rounding import Rounding, round_blocks


def network() -> nn.ModuleDict:
    torch.manual_seed(1)
    return nn.ModuleDict({"encoder": nn.Linear(128, 160), "small": nn.Linear(32, 32), "head": nn.Linear(128, 160)})


def test_only_large_matrices_of_the_backbone_are_rounded() -> None:
    model = network()
    exact = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    with Rounding(model, ("encoder", "small"), 4).in_place():
        changed = {name for name, weight in model.named_parameters() if not torch.equal(weight, exact[name])}
        values = model["encoder"].weight.detach().reshape(-1, BLOCK)
        assert all(len(block.unique()) <= 15 for block in values)
    assert changed == {"encoder.weight"}
    assert all(torch.equal(weight, exact[name]) for name, weight in model.named_parameters())


def test_gradients_are_those_of_the_rounded_weights() -> None:
    model, inputs = network(), torch.randn(5, 128)
    rounding = Rounding(model, ("encoder",), 4)
    with rounding.in_place():
        rounded = model["encoder"].weight.detach().clone()
        model["encoder"](inputs).square().sum().backward()
    found = model["encoder"].weight.grad
    twin = nn.Linear(128, 160)
    twin.load_state_dict({"weight": rounded, "bias": model["encoder"].bias.detach()})
    twin(inputs).square().sum().backward()
    torch.testing.assert_close(found, twin.weight.grad)


def test_exact_weights_come_back_after_a_fault() -> None:
    model = network()
    exact = model["encoder"].weight.detach().clone()
    with pytest.raises(KeyError), Rounding(model, ("encoder",), 4).in_place():
        raise KeyError
    assert torch.equal(model["encoder"].weight, exact)


def test_without_bits_nothing_happens() -> None:
    model = network()
    exact = model["encoder"].weight.detach().clone()
    with Rounding(model, ("encoder",), None).in_place():
        assert torch.equal(model["encoder"].weight, exact)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([8, 10]))
def test_they_are_rounded_as_they_are_stored(seed: int, bits: int) -> None:
    matrix = np.random.default_rng(seed).normal(size=(4, 2 * BLOCK)).astype(np.float32)
    rounded = round_blocks(torch.from_numpy(matrix).reshape(-1, BLOCK), bits)
    np.testing.assert_allclose(rounded.reshape(4, -1).numpy(), dequantise(quantise(matrix, bits)), rtol=1e-6, atol=1e-8)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([4, 5, 6]))
def test_storing_rounded_weights_costs_little(seed: int, bits: int) -> None:
    """Stored scales are 4.4 % apart, so what was rounded before is moved by a fiftieth, not rounded again."""
    matrix = np.random.default_rng(seed).normal(size=(8, 2 * BLOCK)).astype(np.float32)
    rounded = round_blocks(torch.from_numpy(matrix).reshape(-1, BLOCK), bits).reshape(8, -1)
    assert torch.allclose(round_blocks(rounded.reshape(-1, BLOCK), bits).reshape(8, -1), rounded, rtol=1e-5)
    stored = dequantise(quantise(rounded.numpy(), bits))
    error = np.sqrt(np.square(stored - rounded.numpy()).mean())
    assert error < 0.03 * rounded.numpy().std()
