"""Scoring RobustGEC, 30,000 sentences in three subsets: `python -m benchmarks.speed.robust`.

Both definitions with intervals from a thousand resamples, P-CRS by action, distance and type, two worker processes.
Every other sample has its reference as hypothesis, the rest are left as they are, so that there are more edits to
extract than in the output of real systems. The first run fills the parse cache (`--cache FOLDER` keeps it), the second
is measured. CPU seconds are those of all processes; they tell how long it takes on cores that nobody else uses. Peak
memory is that of the scoring process: once with the smallest subset, once with all three. Exits 1 if it takes longer
than errata claims.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.speed.english import children_time
from benchmarks.speed.history import digest, peak_memory, record, shared_folder

from errata.robustness.cases import Subset, read_subsets, with_hypotheses
from errata.robustness.evaluation import RobustOptions, evaluate

SUBSETS = ("bea19", "conll14", "tem8")
# Seconds for all three subsets with a warm cache; the script published with RobustGEC needs a quarter of an hour.
CLAIM = 30


def find_paths(names: list[str]) -> list[Path]:
    """The files of the subsets."""
    return [shared_folder() / "data" / "en" / "robustgec" / name / "para.txt.xz" for name in names]


def make_hypotheses(subsets: list[Subset]) -> list[str]:
    """The reference of every other sample, the source of the rest."""
    samples = [sample for subset in subsets for case in subset.cases for sample in case.samples]
    return [one.target or "" if place % 2 else one.source for place, one in enumerate(samples)]


def run(names: list[str]) -> None:
    """Score subsets in this process; prints sentences, seconds, and peak memory in MiB."""
    start = time.perf_counter()
    subsets = read_subsets(find_paths(names))
    filled = with_hypotheses(subsets, make_hypotheses(subsets), "hypotheses")
    options = RobustOptions(by=("action", "distance", "type"), lenient=True, workers=2)
    report = evaluate(filled, "hypotheses", "en", options)
    n_sentences = report.total.n_cases + report.total.n_variants
    print(n_sentences, round(time.perf_counter() - start, 1), round(peak_memory()))


def measure(names: list[str], cache: str) -> dict[str, Any]:
    """What a process of its own prints."""
    line = [sys.executable, "-m", "benchmarks.speed.robust", "--run", *names]
    start = children_time()
    out = subprocess.run(
        line, check=True, capture_output=True, text=True, env=os.environ | {"ERRATA_CACHE": cache}
    ).stdout.split()
    cpu_seconds = round(children_time() - start, 1)
    return {"sentences": int(out[0]), "seconds": float(out[1]), "cpu_seconds": cpu_seconds, "peak_mib": int(out[2])}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", nargs="+", choices=SUBSETS, help=argparse.SUPPRESS)
    parser.add_argument("--cache", metavar="FOLDER", help="parse cache to fill and keep")
    args = parser.parse_args()
    if args.run:
        run(args.run)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        cache = args.cache or scratch
        first = measure(list(SUBSETS), cache)
        warm = measure(list(SUBSETS), cache)
        small = measure(["tem8"], cache)
    runs = {"first": first, "warm": warm, "tem8 alone": small}
    record("robust", {"input": digest(*find_paths(list(SUBSETS))), **runs})
    for name, one in runs.items():
        times = f"{one['seconds']:>6} s {one['cpu_seconds']:>6} s CPU"
        print(f"{name:<11} {one['sentences']:>6} sentences {times} {one['peak_mib']:>4} MiB")
    return 0 if warm["seconds"] <= CLAIM else 1


if __name__ == "__main__":
    sys.exit(main())
