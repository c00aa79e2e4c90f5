"""Where a run computes: one device by default, several when launched so (`torchrun`, `accelerate launch`)."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import torch
from torch import distributed

from errata.errors import UsageError

# Only the first process evaluates and saves; the others wait for it this long.
PATIENCE = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Place:
    """This process's device and its place among the `world` processes of the run."""

    device: torch.device
    rank: int = 0
    world: int = 1

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def share(self, value: Any) -> Any:
        """The first process's `value`, in every process."""
        if self.world == 1:
            return value
        box = [value]
        distributed.broadcast_object_list(box, src=0)
        return box[0]

    def gather(self, value: Any) -> list[Any]:
        """Every process's `value`, by rank."""
        if self.world == 1:
            return [value]
        values: list[Any] = [None] * self.world
        distributed.all_gather_object(values, value)
        return values

    def sum(self, tensor: torch.Tensor) -> torch.Tensor:
        """The sum of `tensor` over all processes (in place)."""
        if self.world > 1:
            distributed.all_reduce(tensor)
        return tensor


def pick_device(name: str) -> torch.device:
    """The device called `name`; `auto` is the GPU when there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise UsageError(f"no device {name!r}: use auto, cpu, cuda or cuda:N") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise UsageError(f"no device {name!r}: torch sees no GPU here (use --device cpu)")
    return device


@contextmanager
def joined(name: str) -> Iterator[Place]:
    """This process's place; joins the process group the launcher's environment describes, if any."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    device = pick_device(name)
    if world == 1:
        yield Place(device)
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=PATIENCE)
    try:
        yield Place(device, distributed.get_rank(), world)
    finally:
        distributed.destroy_process_group()


def seed_all(seed: int) -> None:
    """Seed the global generators of python, numpy and torch (every device)."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def random_states() -> dict[str, Any]:
    """The states of all global generators, in types `torch.load(weights_only=True)` takes."""
    name, keys, *rest = np.random.get_state()
    return {
        "python": random.getstate(),
        "numpy": (name, torch.from_numpy(np.asarray(keys).astype(np.int64)), *rest),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state() if torch.cuda.is_available() else None,
    }


def set_random_states(states: dict[str, Any]) -> None:
    """Put back what `random_states` gave."""
    random.setstate(states["python"])
    name, keys, *rest = states["numpy"]
    np.random.set_state((name, keys.numpy().astype(np.uint32), *rest))
    torch.set_rng_state(states["torch"])
    if states["cuda"] is not None:
        torch.cuda.set_rng_state(states["cuda"])


@contextmanager
def untouched_randomness() -> Iterator[None]:
    """Whatever the block draws, the run afterwards is as if it had not."""
    states = random_states()
    try:
        yield
    finally:
        set_random_states(states)
