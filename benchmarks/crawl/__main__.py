"""The whole proof: `python -m benchmarks.crawl [--pages 2000] [--kills 20] [--no-ray]`.

Packs synthetic pages as WARC, and checks exact counts, the same bytes on one core, two cores and Ray, and after kills
at random moments. Takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from benchmarks.crawl.runs import crawl_archives, read_output, start_run
from benchmarks.crawl.synthetic import make_pages, pack

from errata.crawl.engines import Engine
from errata.crawl.stages import STAGES

N_FILES = 8
RECORDS_PER_PART = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-ray", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        check(Path(name), options.pages, options.kills, options.seed, not options.no_ray)


def check(folder: Path, n_pages: int, n_kills: int, seed: int, has_ray: bool) -> None:
    archives = folder / "archives"
    archives.mkdir()
    expected = pack(make_pages(n_pages, seed), archives, N_FILES).as_counts()
    begun = time.monotonic()
    finished = crawl_archives(archives, folder / "one")
    seconds = time.monotonic() - begun
    assert finished.report is not None and finished.report["counts"] == expected, "the counts differ"
    print(f"one core: {seconds:.1f} s, every count as expected", flush=True)
    output = read_output(folder / "one")
    crawl_archives(archives, folder / "two", engine=Engine(workers=2))
    assert read_output(folder / "two") == output, "two cores write something else"
    print("two cores: the same bytes", flush=True)
    if has_ray:
        command = [sys.executable, "-m", "benchmarks.crawl.on_ray", str(archives), str(folder / "ray")]
        subprocess.run(command, check=True)
        assert read_output(folder / "ray") == output, "Ray writes something else"
        print("a Ray cluster of two nodes: the same bytes", flush=True)
    kill_often(archives, folder / "killed", n_kills, Random(seed), seconds)
    found = read_output(folder / "killed")
    assert {**found, "report.json": b""} == {**output, "report.json": b""}, "a killed run writes something else"
    assert crawl_counts(found) == crawl_counts(output), "a killed run counts something else"
    print(f"killed {n_kills} times: the same bytes", flush=True)


def crawl_counts(output: dict[str, bytes]) -> object:
    return json.loads(output["report.json"])["counts"]


def kill_often(archives: Path, folder: Path, n_kills: int, rng: Random, seconds: float) -> None:
    """Kill a run at random moments until it was killed so often, then let it end."""
    n_killed, longest, stages = 0, max(5.0, seconds / 4), Counter[str]()
    while n_killed < n_kills:
        process = start_run(archives, folder, workers=2, records_per_part=RECORDS_PER_PART)
        try:
            process.wait(rng.uniform(0.5, longest))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            n_killed += 1
            stages[_stage_of(folder)] += 1
            continue
        assert process.returncode == 0, "the run failed"
        # It ended before it was killed often enough: begin anew, and be quicker.
        longest *= 0.7
        for path in sorted(folder.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
    assert start_run(archives, folder, workers=2, records_per_part=RECORDS_PER_PART).wait() == 0, "the run failed"
    print("killed in " + ", ".join(f"{stage} ({count})" for stage, count in stages.items()), flush=True)


def _stage_of(folder: Path) -> str:
    """The last stage of a run that has written anything."""
    return next((stage for stage in reversed(STAGES) if any((folder / "work" / stage).glob("*"))), "start")


if __name__ == "__main__":
    main()
