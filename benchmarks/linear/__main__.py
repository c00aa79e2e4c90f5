"""Long texts from end to end: `python -m benchmarks.linear` corrects a megabyte of one sign, and of many others.

Every text goes through `errata correct` (plain and Markdown) and through a server (`/v1/correct`, `/v2/check`), at
250 kB, 500 kB and 1 MB. The exit status is 1 where twice the text takes more than three times as long, where a megabyte
takes longer than its bound, or where `/healthz` took more than 100 ms meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.linear.inputs import Recipe
from benchmarks.linear.loopback import Server, send_check, send_correct, send_correct_markdown, watched_server
from benchmarks.server.__main__ import PROGRAM

REPEATS = (
    *("a", "a-", "a.", "a@", "1.", "/a", "a_", "'a", "[", "*", "`", "|", "<a ", "e\u0301", "中"),
    *(" ", "\n", "- ", "a b ", "She go to school. "),
)
SIZES = (250_000, 500_000, 1_000_000)
# Twice the text may take three times as long; what takes less than FLOOR seconds is start-up and noise.
MOST_GROWTH, FLOOR = 3.0, 2.0
# Seconds for the longest text: of signs without white space, which no model need read, and of words, which it reads.
SIGNS_BOUND, WORDS_BOUND = 10.0, 300.0
# Seconds after which a run is given up.
PATIENCE = 600.0
DEAF = 0.1
WAYS: dict[str, Callable[[Server | None, str], float]] = {
    "correct": lambda _, text: run_command(text, ".txt"),
    "correct .md": lambda _, text: run_command(text, ".md"),
    "/v1/correct": lambda server, text: server.ask(send_correct, text, PATIENCE) if server else 0.0,
    "/v1/correct md": lambda server, text: server.ask(send_correct_markdown, text, PATIENCE) if server else 0.0,
    "/v2/check": lambda server, text: server.ask(send_check, text, PATIENCE) if server else 0.0,
}


@dataclass(frozen=True, slots=True)
class Row:
    """The seconds a text took at each size, and the longest that the server's `/healthz` took meanwhile."""

    way: str
    repeat: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    deaf: float | None

    @property
    def faults(self) -> list[str]:
        """What is wrong; nothing if all is well."""
        found = []
        for size, short, long in zip(self.sizes, self.seconds, self.seconds[1:], strict=False):
            if long > MOST_GROWTH * max(short, FLOOR):
                found.append(f"grows from {size} characters on")
        bound = WORDS_BOUND if any(map(str.isspace, self.repeat)) else SIGNS_BOUND
        if self.seconds[-1] > bound:
            found.append(f"longer than {bound:g} s")
        if self.deaf is not None and self.deaf > DEAF:
            found.append("deaf")
        return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.linear", description=__doc__)
    parser.add_argument("--repeats", nargs="+", default=REPEATS, metavar="TEXT", help="what is repeated")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS), help="where it goes through")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="characters (250000 500000 1000000)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    is_well = True
    for row in measure(args.ways, args.repeats, tuple(args.sizes)):
        is_well = is_well and not row.faults
        print(json.dumps({**asdict(row), "faults": row.faults}) if args.json else line(row), flush=True)
    return 0 if is_well else 1


def measure(ways: list[str], repeats: list[str], sizes: tuple[int, ...]) -> Iterator[Row]:
    """A row for every way and repeat; the server is started if a way leads through it."""
    with ExitStack() as stack:
        server = None
        if any(way.startswith("/") for way in ways):
            server = stack.enter_context(watched_server(max(sizes), PATIENCE))
        for way in ways:
            for repeat in repeats:
                if server:
                    server.pulse.take()
                seconds = tuple(round(WAYS[way](server, Recipe(repeat).make(size)), 2) for size in sizes)
                deaf = round(server.pulse.take(), 3) if server and way.startswith("/") else None
                yield Row(way, repeat, sizes, seconds, deaf)


def run_command(text: str, suffix: str) -> float:
    """The seconds of `errata correct` on a file; infinite where it fails or takes longer than `PATIENCE`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"text{suffix}"
        path.write_text(text, encoding="utf-8", newline="")
        started = time.monotonic()
        command = [sys.executable, "-c", PROGRAM, "correct", str(path)]
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=PATIENCE)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return float("inf")
        return time.monotonic() - started


def line(row: Row) -> str:
    times = " ".join(f"{seconds:8.2f} s" for seconds in row.seconds)
    deaf = "" if row.deaf is None else f"  /healthz {1000 * row.deaf:6.0f} ms"
    return f"{row.way:15} {row.repeat!r:22} {times}{deaf}  {', '.join(row.faults) or 'ok'}"


if __name__ == "__main__":
    sys.exit(main())
