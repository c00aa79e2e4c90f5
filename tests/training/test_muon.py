"""Muon: which weights it moves, how far, and what it learns."""

from __future__ import annotations

from copy import deepcopy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from errata.training.muon import ADAM_SIZE, Muon, orthogonalise
from errata.training.optimiser import build_optimiser
from errata.training.settings import OptimiserSettings

CPU = torch.device("cpu")


@settings(deadline=None)
@given(st.integers(1, 3), st.integers(2, 24), st.integers(2, 24), st.integers(0, 99))
def test_singular_values_become_alike(n: int, rows: int, columns: int, seed: int) -> None:
    matrices = torch.randn(n, rows, columns, generator=torch.Generator().manual_seed(seed))
    matrices[:, 0] += 1  # one direction is larger than the others
    values = torch.linalg.svdvals(orthogonalise(matrices).float())
    flat = torch.linalg.svdvals(matrices) < 1e-2 * torch.linalg.svdvals(matrices).amax()
    assert ((values > 0.5) & (values < 1.4))[~flat].all()


def test_matrices_of_one_shape_do_not_see_each_other() -> None:
    matrices = torch.randn(3, 8, 5, generator=torch.Generator().manual_seed(1))
    alone = torch.cat([orthogonalise(one[None]) for one in matrices])
    torch.testing.assert_close(orthogonalise(matrices), alone, atol=2e-2, rtol=2e-2)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Embedding(7, 6), nn.Linear(6, 4), nn.LayerNorm(4))
        self.head = nn.Linear(4, 2)

    @property
    def matrix(self) -> torch.Tensor:
        weight: torch.Tensor = self.encoder[1].weight  # type: ignore[assignment]
        return weight

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        answers: torch.Tensor = self.head(self.encoder(letters)).mean(1)
        return answers


def _backward(loss: torch.Tensor) -> None:
    loss.backward()  # type: ignore[no-untyped-call]


def build(net: Net, **changes: object) -> torch.optim.Optimizer:
    chosen = OptimiserSettings(learning_rate=0.01, name="muon", **changes)  # type: ignore[arg-type]
    return build_optimiser(net, chosen, ("encoder.",), CPU)


def test_only_matrices_of_the_backbone_are_its_own() -> None:
    net = Net()
    own = [p for group in build(net).param_groups if group["is_muon"] for p in group["params"]]
    assert [id(p) for p in own] == [id(net.matrix)]


def test_a_step_has_the_size_of_adams() -> None:
    weight = nn.Parameter(torch.zeros(40, 60))
    weight.grad = torch.randn(40, 60, generator=torch.Generator().manual_seed(1))
    Muon([{"params": [weight], "is_muon": True, "lr": 0.01, "weight_decay": 0.0}]).step()
    assert weight.detach().square().mean().sqrt().item() == pytest.approx(0.01 * ADAM_SIZE, rel=0.2)


def test_rates_set_from_outside_reach_both_parts() -> None:
    net = Net()
    optimiser = build(net, weight_decay=0.0)
    for group in optimiser.param_groups:
        group["lr"] = 0.0
    _backward(net(torch.tensor([[1, 2, 3]])).sum())
    before = [p.detach().clone() for p in net.parameters()]
    optimiser.step()
    assert all(a.equal(b) for a, b in zip(before, net.parameters(), strict=True))


def test_it_goes_on_from_its_state() -> None:
    torch.manual_seed(4)
    first, second = Net(), Net()
    second.load_state_dict(first.state_dict())
    optimisers = [build(first), build(second)]

    def step(net: Net, optimiser: torch.optim.Optimizer) -> None:
        _backward(net(torch.tensor([[1, 2, 3], [4, 5, 6]])).square().sum())
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)

    for _ in range(3):
        step(first, optimisers[0])
    second.load_state_dict(first.state_dict())
    optimisers[1].load_state_dict(deepcopy(optimisers[0].state_dict()))
    for net, optimiser in zip((first, second), optimisers, strict=True):
        step(net, optimiser)
    assert all(a.equal(b) for a, b in zip(first.parameters(), second.parameters(), strict=True))


def test_it_learns() -> None:
    torch.manual_seed(2)
    net = Net()
    optimiser = build(net)
    letters, wanted = torch.arange(6)[:, None], torch.arange(6) % 2
    losses = []
    for _ in range(60):
        loss = nn.functional.cross_entropy(net(letters), wanted)
        optimiser.zero_grad()
        _backward(loss)
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.3 * losses[0]


def test_adamw_stays_the_default() -> None:
    assert not isinstance(build_optimiser(Net(), OptimiserSettings(learning_rate=0.1), ("encoder.",), CPU), Muon)
