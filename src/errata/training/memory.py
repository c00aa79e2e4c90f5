"""Memory of a long run on a CPU, where every batch has another shape.

oneDNN keeps a program and its scratch space for each of the last 1,024 shapes it met, and glibc keeps what was freed in
pieces too small for the next batch. A seq2seq of 23 million parameters so grew by 10 MB a second, to 5 GB in five
minutes. A shape hardly ever comes back, so few programs are kept, and what is free is given back now and then.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache

import torch

CAPACITY = "ONEDNN_PRIMITIVE_CACHE_CAPACITY"
# Programs that are kept: one step of a seq2seq has some 40 different products.
KEPT = 64
# Steps from one return of free memory to the next, which takes a few thousandths of a second.
EVERY = 10


def keep_few_programs(device: torch.device) -> None:
    """Have oneDNN keep few programs on a CPU, unless the environment says how many; before it makes the first one."""
    if device.type == "cpu":
        os.environ.setdefault(CAPACITY, str(KEPT))


def give_back(device: torch.device, step: int) -> None:
    """Every few steps on a CPU give free memory back to the system."""
    if device.type == "cpu" and step % EVERY == 0:
        _trim()(0)


@cache
def _trim() -> Callable[[int], int]:
    """glibc's `malloc_trim`; nothing where there is none (macOS, Windows, musl)."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda pad: 0
    return trim
