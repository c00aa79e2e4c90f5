"""Work that leaves a trace of every run, can take its time, and can have its process killed once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from errata.errors import DataError
from errata.scale.engines import ENGINES, Engine
from errata.scale.run import Plan, finished_shards

ROWS = [f"row {number}" for number in range(60)]
EXPECTED = "".join(f"{place} {row.upper()}\n" for place, row in enumerate(ROWS))
SHARDS = 12


@dataclass(frozen=True)
class Toy:
    """Upper case, with the place of each row; `log` is a folder."""

    log: Path
    seconds: float = 0.0
    kills_at: int = -1
    fails_at: int = -1

    def __call__(self, first: int, rows: list[str]) -> bytes:
        (self.log / f"{first}-{uuid.uuid4()}").touch()
        if first == self.fails_at:
            raise DataError(f"row {first + 1} is bad")
        killed = self.log / "killed"
        if first == self.kills_at and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(self.seconds)
        return "".join(f"{place} {row.upper()}\n" for place, row in enumerate(rows, first)).encode()

    def runs(self) -> list[int]:
        """The first rows of the shards that ran, in order."""
        return sorted(int(path.name.split("-")[0]) for path in self.log.iterdir() if path.name != "killed")


def run(work: Toy, folder: Path, engine: Engine, key: str = "toy", rows: list[str] = ROWS) -> str:
    plan = Plan(folder, key, len(rows), SHARDS)
    with finished_shards(work, rows, plan, engine) as paths:
        return "".join(path.read_text("utf-8") for path in paths)


def start_run(engine: str, address: str, log: Path, folder: Path) -> subprocess.Popen[bytes]:
    """A run in another process."""
    command = [sys.executable, __file__, engine, address, str(log), str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def kill_run(engine: str, address: str, log: Path, folder: Path) -> None:
    """Begin a run in another process and kill that when some shards are done."""
    process = start_run(engine, address, log, folder)
    end = time.monotonic() + 60
    while len(kept(folder)) < 3:
        assert process.poll() is None and time.monotonic() < end, "the run has ended"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def kept(folder: Path) -> list[int]:
    """The numbers of the shards that are done."""
    return sorted(int(path.name[:5]) for path in folder.glob("[0-9]*-*"))


def assert_goes_on(log: Path, folder: Path, engine: Engine) -> None:
    done, before = kept(folder), Toy(log).runs()
    assert 3 <= len(done) < SHARDS
    assert run(Toy(log), folder, engine) == EXPECTED
    again = Toy(log).runs()
    for number in done:
        assert again.count(5 * number) == before.count(5 * number), f"shard {number} ran again"


if __name__ == "__main__":  # a run to be killed: engine, address, log, folder
    name, address, log, folder = sys.argv[1:]
    engine = ENGINES[name](**({"address": address} if name == "ray" else {}))
    print(run(Toy(Path(log), seconds=0.4), Path(folder), engine), end="")
