"""The whole proof: `python -m benchmarks.scale [--scored 1000000] [--corrected 100000] [--metric errant]`.

Scores and corrects prose with pseudo errors in one process, then on a Ray cluster of two nodes on this machine, a core
each. The second node is killed (SIGKILL to its processes) when a third of the shards is done. The output must be the
same, byte for byte. With `--folder`, sentences and the output of one process are kept there for the next call.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.clusters import kill_node, start_cluster
from benchmarks.scale.sentences import write_sentences

SHARDS_BEFORE_KILL = 1 / 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scored", type=int, default=1_000_000)
    parser.add_argument("--corrected", type=int, default=100_000)
    parser.add_argument("--metric", default="errant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shards", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="keep sentences and the output of one process here")
    parser.add_argument("--alone", action="store_true", help="run one process, and leave the cluster to the next call")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        for what, n_sentences in (("score", options.scored), ("correct", options.corrected)):
            if n_sentences:
                part = folder.resolve() / f"{n_sentences}-{options.seed}"
                write_sentences(part, n_sentences, options.seed)
                check(part, what, options.metric, 0 if options.alone else options.shards)


def check(folder: Path, what: str, metric: str, n_shards: int) -> None:
    """Run a command in both ways, and compare what comes of it; without shards only in one process."""
    score = ["score", "-m", metric, "--src", "src.txt", "--ref", "ref.txt", "--hyp", "hyp.txt", "--json"]
    commands = {
        "score": [*score, "--bootstrap", "100"],
        "correct": ["correct", "src.txt", "--tokenised", "--lang", "en", "--model", "en-small", "-o", "out.txt"],
    }
    label = f"score -m {metric}" if what == "score" else "correct"
    expected = folder / f"expected-{label.replace(' ', '-')}"
    if not expected.exists():
        load, begun = os.getloadavg()[0], time.monotonic()
        content = finish(folder, what, start(folder, commands[what]))
        tell(label, "one process", time.monotonic() - begun, load)
        expected.write_bytes(content)
    if n_shards:
        run_on_two_nodes(folder, what, label, [*commands[what], "--shards", str(n_shards)], expected.read_bytes())


def run_on_two_nodes(folder: Path, what: str, label: str, command: Sequence[str], expected: bytes) -> None:
    """Run the command on a cluster whose second node is killed on the way; the output must be the expected one."""
    shards = folder / {"score": ".hyp.txt.shards", "correct": ".out.txt.shards"}[what]
    n_shards = int(command[-1])
    cluster = start_cluster()
    try:
        load, begun = os.getloadavg()[0], time.monotonic()
        process = start(folder, [*command, "--engine", "ray", "--ray-address", cluster.address])
        while count_files(shards) < n_shards * SHARDS_BEFORE_KILL:
            assert process.poll() is None, "the run ended before a node could be killed"
            time.sleep(0.05)
        killed = kill_node(cluster)
        done = f"{count_files(shards)} of {n_shards} shards done after {time.monotonic() - begun:.0f} s"
        print(f"{label}: the second node killed ({len(killed)} processes) with {done}", flush=True)
        content = finish(folder, what, process)
        tell(label, "two nodes of a core, one killed", time.monotonic() - begun, load)
        assert content == expected, "the output is another one"
        print(f"{label}: the same {len(expected):,} bytes", flush=True)
    finally:
        cluster.shutdown()


def count_files(shards: Path) -> int:
    return len(list(shards.glob("[0-9]*-*")))


def tell(label: str, how: str, seconds: float, load: float) -> None:
    """A time, with what else the machine had to do before and after."""
    loads = f"load {load:.1f} before, {os.getloadavg()[0]:.1f} after"
    print(f"{label}: {how}: {seconds:.0f} s ({os.cpu_count()} cores, {loads})", flush=True)


def start(folder: Path, command: Sequence[str]) -> subprocess.Popen[bytes]:
    environment = os.environ | {"ERRATA_CACHE": "off"}  # parses are not to be remembered from one run to the next
    (folder / "out.txt").unlink(missing_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "errata", *command], cwd=folder, env=environment, stdout=subprocess.PIPE
    )


def finish(folder: Path, what: str, process: subprocess.Popen[bytes]) -> bytes:
    """What the command gives: its output file, or what it prints."""
    printed = process.communicate()[0]
    assert process.returncode == 0, f"errata {what} failed"
    return printed if what == "score" else (folder / "out.txt").read_bytes()


if __name__ == "__main__":
    main()
