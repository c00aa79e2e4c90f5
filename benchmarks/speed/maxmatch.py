"""MaxMatch against the official M2 scorer on four CoNLL-2014 systems: `python -m benchmarks.speed.maxmatch`.

The reference is not run here: it is the `seconds` in `oracles/maxmatch/scores.json`, the whole official program under
Python 3 on two shared cores. Ours is measured three ways: reading and scoring in one process with the compiled kernel,
the same in plain Python (both in CPU seconds, since one thread does everything and other programs share the cores),
and the whole command `errata m2scorer` with the start of Python, by the clock. Each is the best of several runs. Exits
1 if AMU is not at least 20 times as fast or a system takes a second.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

from benchmarks.speed.history import best_time, digest, record, shared_folder

from errata.metrics import _lattice, maxmatch
from errata.metrics.inputs import make_items, read_gold, read_hypotheses
from errata.metrics.maxmatch import MaxMatch
from errata.model import Score

MIN_SPEEDUP, MAX_SECONDS = 20, 1.0


def score(hypothesis: Path, gold: Path) -> Score:
    """Read both files and score."""
    corpus = read_gold(gold, "m2scorer")
    metric = MaxMatch()
    return metric.aggregate(metric.stats(make_items(corpus, read_hypotheses(hypothesis, corpus, "text"))))


def run_command(hypothesis: Path, gold: Path) -> None:
    command = [sys.executable, "-m", "errata", "m2scorer", str(hypothesis), str(gold)]
    subprocess.run(command, check=True, capture_output=True)


def measure(hypothesis: Path, gold: Path, reference: float) -> dict[str, float]:
    """Seconds of the three ways and how many times the compiled one beats the reference."""
    compiled = best_time(lambda: score(hypothesis, gold))
    with mock.patch.object(maxmatch, "best_paths", _lattice.best_paths):
        pure = best_time(lambda: score(hypothesis, gold), runs=3)
    command = best_time(lambda: run_command(hypothesis, gold), time.perf_counter, runs=3)
    return {
        "seconds": round(compiled, 4),
        "plain_python_seconds": round(pure, 4),
        "command_seconds": round(command, 4),
        "reference_seconds": reference,
        "speedup": round(reference / compiled, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--no-record", action="store_true", help="do not append to history.jsonl")
    args = parser.parse_args()
    oracles = shared_folder() / "oracles"
    gold = oracles / "errant" / "conll14.gold.m2"
    official = json.loads((oracles / "maxmatch" / "scores.json").read_text("utf-8"))
    results = {}
    print(f"{'system':<12} {'compiled':>9} {'python':>9} {'command':>9} {'official':>9} {'speed-up':>9}")
    for system, wanted in official.items():
        hypothesis = oracles / "errant" / f"{system}.hyp.txt"
        assert round(score(hypothesis, gold).value, 4) == wanted["f05"], f"{system}: the scores differ"
        row = results[system] = measure(hypothesis, gold, wanted["seconds"])
        times = (row[key] for key in ("seconds", "plain_python_seconds", "command_seconds", "reference_seconds"))
        print(f"{system:<12} {' '.join(f'{one:8.3f}s' for one in times)} {row['speedup']:8.0f}x")
    if not args.no_record:
        record("maxmatch", {"reference": "m2scorer, times in the oracles", "gold": digest(gold), "systems": results})
    is_fast = results["AMU"]["speedup"] >= MIN_SPEEDUP and all(row["seconds"] < MAX_SECONDS for row in results.values())
    print("fast enough" if is_fast else f"too slow: AMU {MIN_SPEEDUP}x and {MAX_SECONDS:g} s each are promised")
    return 0 if is_fast else 1


if __name__ == "__main__":
    sys.exit(main())
