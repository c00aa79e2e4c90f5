"""Memory on a CPU: limits are set once and only there, and nothing breaks where glibc is not."""

from __future__ import annotations

import ctypes
import os

import pytest
import torch

from errata.training import memory

CPU, GPU = torch.device("cpu"), torch.device("cuda")


@pytest.mark.parametrize(
    ("device", "before", "after"), [(CPU, None, "64"), (CPU, "7", "7"), (GPU, None, None)], ids=["cpu", "chosen", "gpu"]
)
def test_few_programs_are_kept_on_a_cpu(
    device: torch.device, before: str | None, after: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(memory.CAPACITY, before or "")
    if before is None:
        monkeypatch.delenv(memory.CAPACITY)
    memory.keep_few_programs(device)
    assert os.environ.get(memory.CAPACITY) == after
    monkeypatch.delenv(memory.CAPACITY, raising=False)


@pytest.mark.parametrize(("device", "calls"), [(CPU, 2), (GPU, 0)])
def test_memory_is_given_back_every_few_steps(
    device: torch.device, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[int] = []
    monkeypatch.setattr(memory, "_trim", lambda: called.append)
    for step in range(2 * memory.EVERY):
        memory.give_back(device, step)
    assert called == [0] * calls


def test_a_system_without_glibc_keeps_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    memory._trim.cache_clear()
    assert memory._trim()(0) == 0
    memory._trim.cache_clear()
