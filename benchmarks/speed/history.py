"""Measuring speed and keeping the record: one JSON line per run in `history.jsonl`, with machine and date."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from errata import __version__

HISTORY = Path(__file__).with_name("history.jsonl")


def shared_folder() -> Path:
    """The folder with `data/` and `oracles/`."""
    named = os.environ.get("ERRATA_DATA")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "shared"


def describe_machine() -> dict[str, Any]:
    """What a timing depends on."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {
        "cpu": model or platform.processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),  # other programs running at the time
        "python": platform.python_version(),
        "system": platform.system(),
    }


def digest(*paths: Path) -> str:
    """The first characters of the SHA-256 of the files' content."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()[:12]


def best_time(run: Callable[[], object], clock: Callable[[], float] = time.process_time, runs: int = 7) -> float:
    """The shortest of several runs: other programs only ever make one longer."""
    times = []
    for _ in range(runs):
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)


def peak_memory() -> float:
    """The peak memory of this process in MiB; Linux only.

    Not `ru_maxrss`: that outlives exec, so that a child reports at least what its parent held when it was started.
    """
    status = Path("/proc/self/status").read_text("utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM:")).split()[1]) / 1024


def record(benchmark: str, entry: Mapping[str, Any]) -> None:
    """Append a run to the history."""
    head = {
        "benchmark": benchmark,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "errata": __version__,
        "machine": describe_machine(),
    }
    with HISTORY.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({**head, **entry}, ensure_ascii=False) + "\n")
