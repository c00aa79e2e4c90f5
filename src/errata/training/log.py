"""The log of a run: one JSON object per line, and the sums and times that make a line.

A checkpoint remembers how long the log was; a resumed run cuts it back to there, so every step is in it exactly once.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from errata.errors import DataError
from errata.training.batches import Batch
from errata.training.task import Loss


class TrainingLog:
    """`log.jsonl` of a run, continued at byte `keep`. Processes other than the first write nowhere (`path` None)."""

    def __init__(self, path: Path | None, keep: int = 0) -> None:
        self._file = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            os.truncate(path, min(keep, path.stat().st_size))
            self._file = path.open("a", encoding="utf-8")

    def write(self, event: str, **values: Any) -> None:
        if self._file is not None:
            self._file.write(json.dumps({"event": event, **values}, ensure_ascii=False) + "\n")
            self._file.flush()

    def sync(self) -> int:
        """The log's length in bytes, once the disk has them all."""
        if self._file is None:
            return 0
        os.fsync(self._file.fileno())
        return os.fstat(self._file.fileno()).st_size

    def __enter__(self) -> TrainingLog:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()


def read_log(path: Path) -> list[dict[str, Any]]:
    """The records of a log; a last line cut short by a crash is left out."""
    records = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            records.append(json.loads(line))
    return records


class Meter:
    """Sums of losses over the steps since the last record, kept on the device until they are read."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._sums: dict[str, torch.Tensor] = {}

    def add(self, loss: Loss) -> None:
        self._add("tokens", loss.n_tokens, 1)
        self._add("loss", loss.total.detach(), loss.n_tokens)
        for name, value in loss.parts.items():
            self._add(f"parts.{name}", value, loss.n_tokens)

    def _add(self, name: str, value: float | torch.Tensor, weight: int | torch.Tensor) -> None:
        start = self._sums.get(name)
        term = torch.as_tensor(value, dtype=torch.float32, device=self.device) * weight
        self._sums[name] = term if start is None else start + term

    def state_dict(self) -> dict[str, float]:
        return {name: float(value) for name, value in self._sums.items()}

    def load_state_dict(self, state: Mapping[str, float]) -> None:
        self._sums = {name: torch.tensor(value, device=self.device) for name, value in state.items()}

    def read(self, sums: Mapping[str, float]) -> dict[str, Any]:
        """Means by name from summed sums, and start again."""
        self._sums = {}
        tokens = max(sums.get("tokens", 0.0), 1.0)
        means = {name: value / tokens for name, value in sums.items() if name != "tokens"}
        parts = {name.removeprefix("parts."): value for name, value in means.items() if name.startswith("parts.")}
        return {"loss": means["loss"], **({"parts": parts} if parts else {})}


class Clock:
    """Where the time since the last record went: waiting for data, computing on the device, everything else.

    On a GPU computing is measured by events on the device, between the first kernel of a step and its last; what is
    left of the step time is the device waiting for the host.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._start_window()

    def _start_window(self) -> None:
        self._began = time.perf_counter()
        self._waited = self._computed = 0.0
        self._events: list[tuple[torch.cuda.Event, torch.cuda.Event]] = []
        self._steps = self._tokens = self._padded = 0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self._waited += time.perf_counter() - began

    @contextmanager
    def computing(self) -> Iterator[None]:
        if self.device.type == "cuda":
            events = _timing_event(), _timing_event()
            events[0].record()
            yield
            events[1].record()
            self._events.append(events)
        else:
            began = time.perf_counter()
            yield
            self._computed += time.perf_counter() - began
        self._steps += 1

    def count(self, batches: list[Batch]) -> None:
        self._tokens += sum(batch.n_tokens for batch in batches)
        self._padded += sum(batch.n_padded for batch in batches)

    def read(self, world: int = 1) -> dict[str, Any]:
        """The window's figures, and start again. `step_to_compute` is 1 when the device never waits."""
        if self._events:
            self._events[-1][1].synchronize()
            self._computed = sum(first.elapsed_time(last) for first, last in self._events) / 1000
        elapsed = time.perf_counter() - self._began
        steps, computed = max(1, self._steps), max(self._computed, 1e-9)
        figures = {
            "tokens_per_second": round(self._tokens * world / elapsed),
            "step_ms": round(1000 * elapsed / steps, 3),
            "compute_ms": round(1000 * computed / steps, 3),
            "wait_ms": round(1000 * self._waited / steps, 3),
            "step_to_compute": round(elapsed / computed, 4),
            "padding": round(1 - self._tokens / max(1, self._padded), 4),
        }
        if self.device.type == "cuda":
            figures["gpu_gib"] = round(torch.cuda.max_memory_allocated(self.device) / 2**30, 3)
        self._start_window()
        return figures

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Time in the block (evaluating, saving) belongs to no step."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        began = time.perf_counter()
        yield
        self._began += time.perf_counter() - began


def _timing_event() -> torch.cuda.Event:
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


def refuse_nonfinite(loss: float, step: int) -> None:
    """Raise when the loss is no number any more; nothing of it has been saved."""
    if not math.isfinite(loss):
        raise DataError(
            f"the loss is {loss} at step {step}: lower optimiser.learning_rate, lengthen schedule.warmup or set "
            "optimiser.clip, then --resume from the last checkpoint or start again"
        )
