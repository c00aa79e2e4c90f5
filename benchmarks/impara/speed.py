"""How long `errata score` takes with a judge: 1,312 sentences of CoNLL-14, from the start of the process to its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.speed.history import describe_machine

from errata.errors import DataError
from errata.formats.files import read_lines

SOURCE, OUTPUT = "esc.source.txt.xz", "esc.T5-Large.txt.xz"


def time_scoring(data: Path, metric: str, turns: int) -> list[float]:
    """Seconds of each turn; the output that is scored is T5-Large's, which changes two sentences of three."""
    folder = data / "en" / "system-outputs" / "conll14"
    with TemporaryDirectory() as scratch:
        plain = [Path(scratch, name.removesuffix(".xz")) for name in (SOURCE, OUTPUT)]
        for path in plain:
            path.write_text("".join(line + "\n" for line in read_lines(folder / f"{path.name}.xz")), encoding="utf-8")
        command = [sys.executable, "-m", "errata", "score", "--metric", metric]
        return [_time([*command, "--src", str(plain[0]), "--hyp", str(plain[1])]) for _ in range(turns)]


def _time(command: list[str]) -> float:
    began = perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise DataError(f"{' '.join(command[2:])} failed: {done.stderr.strip()}")
    return perf_counter() - began


def format_times(metric: str, times: list[float]) -> str:
    """A line for people."""
    machine = describe_machine()
    told = f"{machine['cores']} cores ({machine['cpu']}), load {machine['load']}"
    return f"{metric}: {min(times):.1f} s (of {', '.join(f'{one:.1f}' for one in times)}), {told}"
