"""The whole proof: `python -m benchmarks.scale [--scored 1000000] [--corrected 100000]`.

Scores and corrects made-up sentences in one process, then on a Ray cluster of two nodes on this machine, a core each.
One node is killed when a third of the shards is done. The output must be the same, byte for byte. Takes hours at full
size.
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
from random import Random

from benchmarks.clusters import start_cluster

SHARDS = 30
SUBJECTS = ("She", "The teacher", "My brother", "Every student in the class", "This company")
VERBS = {"have": "has", "go to": "goes to", "write about": "writes about", "need": "needs", "depend of": "depends on"}
NOUNS = {
    "two cat": "two cats",
    "an university": "a university",
    "informations": "information",
    "a old car": "an old car",
}
ENDS = ("every day .", "since 2010 .", "because of the weather .", "in the city of Paris .", "with 17 friends .")


def make_sentences(n_sentences: int, seed: int) -> tuple[list[str], list[str], list[str]]:
    """Sources, references, and hypotheses that have about half of the corrections."""
    rng = Random(seed)
    rows = []
    for number in range(n_sentences):
        verb, noun = rng.choice(list(VERBS)), rng.choice(list(NOUNS))
        begin, end = f"{number} : {rng.choice(SUBJECTS)}", rng.choice(ENDS)
        verbs, nouns = rng.choice([verb, VERBS[verb]]), rng.choice([noun, NOUNS[noun]])
        rows.append([f"{begin} {v} {n} {end}" for v, n in ((verb, noun), (VERBS[verb], NOUNS[noun]), (verbs, nouns))])
    sources, references, hypotheses = zip(*rows, strict=True)
    return list(sources), list(references), list(hypotheses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scored", type=int, default=1_000_000)
    parser.add_argument("--corrected", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, n_sentences in (("score", options.scored), ("correct", options.corrected)):
            if n_sentences:
                check(folder, what, n_sentences, options.seed)


def check(folder: Path, what: str, n_sentences: int, seed: int) -> None:
    """Run a command in both ways, and compare what comes of it."""
    texts = make_sentences(n_sentences, seed)
    for name, lines in zip(("src.txt", "ref.txt", "hyp.txt"), texts, strict=True):
        (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    score = ["score", "-m", "errant", "--src", "src.txt", "--ref", "ref.txt", "--hyp", "hyp.txt", "--json"]
    commands = {
        "score": [*score, "--bootstrap", "100"],
        "correct": ["correct", "src.txt", "--tokenised", "--model", "en-small", "-o", "out.txt"],
    }
    shards = folder / {"score": ".hyp.txt.shards", "correct": ".out.txt.shards"}[what]
    begun = time.monotonic()
    expected = finish(folder, what, start(folder, commands[what]))
    print(f"{what}: {n_sentences:,} sentences, one process: {time.monotonic() - begun:.0f} s", flush=True)
    seconds = run_on_two_nodes(folder, what, commands[what], shards, expected)
    print(f"{what}: two nodes of a core, one killed: {seconds:.0f} s, the same bytes", flush=True)


def run_on_two_nodes(folder: Path, what: str, command: Sequence[str], shards: Path, expected: bytes) -> float:
    """How long the command takes on a cluster whose second node is killed on the way."""
    cluster = start_cluster()
    try:
        begun = time.monotonic()
        process = start(
            folder, [*command, "--engine", "ray", "--ray-address", cluster.address, "--shards", str(SHARDS)]
        )
        while len(list(shards.glob("[0-9]*-*"))) < SHARDS // 3:
            assert process.poll() is None, "the run ended before a node could be killed"
            time.sleep(0.05)
        cluster.remove_node(cluster.second, allow_graceful=False)
        n_done = len(list(shards.glob("[0-9]*-*")))
        print(f"{what}: a node killed with {n_done} of {SHARDS} shards done", flush=True)
        assert finish(folder, what, process) == expected, "the output is another one"
        return time.monotonic() - begun
    finally:
        cluster.shutdown()


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
