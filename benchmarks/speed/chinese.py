"""Chinese extraction against ChERRANT, and its memory while streaming: `python -m benchmarks.speed.chinese`.

ChERRANT is not run here: the reference is the time its README of oracles gives, 29 s for the 1,137 predictions and
74 s for the references of MuCGEC dev, on another machine. Ours is measured twice: extraction alone (the lexicon read
and every character analysed anew, nothing cached), and the whole command `errata cherrant parallel`, from the start of
Python to the M2 file. Both are CPU seconds, best of several runs, since one thread does everything and other programs
share the cores; extraction without the compiled kernel is measured once. The output is compared with the official one.
Exits 1 if extraction is not at least 50 times as fast.

Memory is the peak of a process that streams synthetic pairs through the extractor, for growing numbers of pairs.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.speed.history import best_time, digest, peak_memory, record, shared_folder

from errata.edits.zh import ChineseExtractor, _align_py, align
from errata.edits.zh.align import KERNEL

RUNS = 5
MIN_SPEEDUP = 50
INPUTS = {  # file → (what it is, side in the name of the official output, ChERRANT's seconds)
    "example_pred_dev.txt": ("predictions", "hyp", 29.0),
    "MuCGEC_dev.txt": ("references", "ref", 74.0),
}
SIZES = (10_000, 100_000, 1_000_000)
N_CHARACTERS = 3000  # distinct ones in the synthetic text, about as many as a newspaper uses


def children_time() -> float:
    """CPU seconds of the processes started and ended so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def synthetic_pairs(n: int, seed: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Random sentences of 8 to 30 characters, each with a copy in which one to three characters were changed."""
    rng = random.Random(seed)
    characters = [chr(0x4E00 + k) for k in range(N_CHARACTERS)]
    for _ in range(n):
        source = rng.choices(characters, k=rng.randint(8, 30))
        target = source.copy()
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(target) - 1)
            target[at : at + 2] = rng.choice(
                (target[at : at + 1], target[at : at + 2][::-1], [*target[at : at + 2], rng.choice(characters)])
            )
        yield "".join(source), ["".join(target)]


def stream(n: int) -> None:
    """Extract `n` synthetic pairs and print the seconds and the peak memory of this process in MiB."""
    start = time.perf_counter()
    n_edits = sum(len(a.edits) for s in ChineseExtractor().annotate(synthetic_pairs(n)) for a in s.annotations)
    print(f"{time.perf_counter() - start:.1f} {peak_memory():.1f} {n_edits}")


def measure_memory(n: int) -> dict[str, Any]:
    """Peak memory of a process of its own that streams `n` pairs."""
    command = [sys.executable, "-m", "benchmarks.speed.chinese", "--stream", str(n)]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return {"pairs": n, "seconds": float(out[0]), "peak_mib": float(out[1])}


def measure_speed(folder: Path, name: str, lexicon: Path | None) -> dict[str, Any]:
    """Seconds of extraction and of the command, with how many times they beat ChERRANT's."""
    what, side, reference = INPUTS[name]
    rows = [line.split("\t")[1:] for line in (folder / name).read_text("utf-8").splitlines()]

    def extract() -> None:
        for _ in ChineseExtractor(simplify=True, lexicon=lexicon).annotate((row[0], row[1:]) for row in rows):
            pass

    seconds = best_time(extract, runs=RUNS)
    with mock.patch.object(align, "fill_moves", _align_py.fill_moves):
        pure = best_time(extract, runs=1)
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "out.m2"
        command = [sys.executable, "-m", "errata", "cherrant", "parallel", "-f", str(folder / name), "-o", str(output)]
        command += ["--lexicon", str(lexicon)] if lexicon else []
        whole = best_time(lambda: subprocess.run(command, check=True), children_time, runs=RUNS)
        official = folder / f"mucgec_dev.{side}.char{'' if lexicon else '.nolexicon'}.m2"
        is_identical = output.read_bytes() == official.read_bytes()
    return {
        "input": what,
        "lexicon": lexicon is not None,
        "targets": sum(len(row) - 1 for row in rows),
        "seconds": round(seconds, 3),
        "plain_python_seconds": round(pure, 2),
        "command_seconds": round(whole, 3),
        "reference_seconds": reference,
        "speedup": round(reference / seconds, 1),
        "command_speedup": round(reference / whole, 1),
        "identical": is_identical,
    }


def run_speed() -> bool:
    """Measure, print and record; whether everything is as fast as claimed and identical."""
    folder = shared_folder() / "oracles" / "cherrant"
    lexicon = shared_folder() / "data" / "zh" / "lexical" / "cherrant"
    print(f"ChERRANT's seconds are those of the oracles' README, not measured here; kernel: {KERNEL}")
    columns = ("input", "lexicon", "ChERRANT", "extraction", "", "command", "", "no kernel", "M2")
    print("{:<12} {:<8} {:>9} {:>11} {:>6} {:>9} {:>6} {:>10}  {}".format(*columns))
    is_good = True
    entries = [measure_speed(folder, name, one) for name in INPUTS for one in (None, lexicon)]
    for entry in entries:
        print(
            f"{entry['input']:<12} {'yes' if entry['lexicon'] else 'no':<8} {entry['reference_seconds']:>7.1f} s "
            f"{entry['seconds']:>9.3f} s {entry['speedup']:>4.0f} × {entry['command_seconds']:>7.3f} s "
            f"{entry['command_speedup']:>4.0f} × {entry['plain_python_seconds']:>8.2f} s  "
            f"{'identical' if entry['identical'] else 'DIFFERENT'}"
        )
        is_good &= entry["identical"] and entry["speedup"] >= MIN_SPEEDUP
    corpus = digest(*(folder / name for name in INPUTS))
    record("chinese-extraction", {"kernel": KERNEL, "corpus": corpus, "runs": entries})
    return is_good


def run_memory(sizes: tuple[int, ...]) -> None:
    """Measure, print and record the memory curve."""
    print(f"{'pairs':>9} {'seconds':>9} {'peak memory':>12}")
    entries = []
    for n in sizes:
        entries.append(measure_memory(n))
        print(f"{n:>9,} {entries[-1]['seconds']:>9.1f} {entries[-1]['peak_mib']:>8.1f} MiB", flush=True)
    record("chinese-memory", {"kernel": KERNEL, "runs": entries})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("speed", "memory"), help="leave out the other half")
    parser.add_argument("--stream", type=int, metavar="N", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.stream is not None:
        stream(args.stream)
        return
    is_good = args.only == "memory" or run_speed()
    if args.only != "speed":
        run_memory(SIZES)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
