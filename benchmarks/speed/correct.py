"""Correcting text, beside other programs: `python -m benchmarks.speed.correct --model en-small`.

Each way runs in a process of its own and is asked for the first correction as soon as it can, then for the whole file
(tokenised sentences, CoNLL-2014's sources unless told otherwise) on all of `--threads` cores:

- `errata`: the model under our own kernels, with the types and confidences of all edits;
- `errata onnx`: the same under ONNX Runtime;
- `harper`: Harper's linter (pip install harper-py), one per thread;
- `lingotweaker`: a port of LanguageTool's rules (pip install lingotweaker lingotweaker-data-en), one per thread;
- `errata correct`: the command, for the first correction alone.

"First" is the time from the start of the process to the first correction of a short sentence, "memory" the peak of the
process. Ways take turns, `--runs` times; the best of each figure counts, since other programs on the machine only ever
make things slower. Sentences per CPU second are given beside sentences per second: with two idle cores the second is
twice the first.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.speed.history import digest, peak_memory, record, shared_folder

FIRST = "She go to school every days ."
Check = Callable[[Sequence[str]], object]


def open_errata(model: str, backend: str | None, threads: int, **options: Any) -> Check:
    from errata.pipeline.load import load_model

    if backend:
        options["backend"] = backend
    corrector = load_model(model, tokenised=True, threads=threads, **options)
    return corrector.correct


def open_harper(threads: int) -> Check:
    import harper

    return _one_each(harper.Linter, lambda linter, text: linter.lint(text), threads)


def open_lingotweaker(threads: int) -> Check:
    import lt_py

    return _one_each(lambda: lt_py.Engine("en-US"), lambda engine, text: engine.check(text), threads)


def _one_each(make: Callable[[], Any], check: Callable[[Any, str], object], threads: int) -> Check:
    """A checker for every thread, made when there is something for it to do."""
    checkers = [make()]

    def part(number: int, lines: Sequence[str]) -> None:
        for line in lines[number::threads]:
            check(checkers[number], line)

    def run(lines: Sequence[str]) -> None:
        if len(lines) < threads:
            part(0, lines)
            return
        with ThreadPoolExecutor(threads) as pool:
            checkers.extend(pool.map(lambda _: make(), range(threads - len(checkers))))
            list(pool.map(lambda number: part(number, lines), range(threads)))

    return run


WAYS: dict[str, Callable[[argparse.Namespace], Check]] = {
    "errata": lambda given: open_errata(given.model, None, given.threads, **options_of(given)),
    "errata onnx": lambda given: open_errata(given.model, "onnx", given.threads, **options_of(given)),
    "harper": lambda given: open_harper(given.threads),
    "lingotweaker": lambda given: open_lingotweaker(given.threads),
}


def options_of(given: argparse.Namespace) -> dict[str, Any]:
    return {name: value for name, value in (("passes", given.passes), ("preset", given.preset)) if value is not None}


def run_way(given: argparse.Namespace) -> None:
    """What a process of its own does: print its figures as JSON. The clock has run since `given.started`."""
    check = WAYS[given.way](given)
    check([FIRST])
    first = time.monotonic() - given.started
    lines = read_lines(given)
    check(lines[:20])
    wall, cpu = time.perf_counter(), time.process_time()
    check(lines)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    figures = {"first": first, "wall": wall, "cpu": cpu, "memory": peak_memory()}
    print(json.dumps(figures))


def read_lines(given: argparse.Namespace) -> list[str]:
    lines = given.file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line][: given.sentences]


def measure(way: str, arguments: Sequence[str]) -> dict[str, float]:
    """The figures of one process."""
    started = str(time.monotonic())  # the clock is the system's, the same in every process
    command = [sys.executable, "-m", "benchmarks.speed.correct", *arguments, "--way", way, "--started", started]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    return figures


def measure_command(given: argparse.Namespace) -> float:
    """Seconds from starting `errata correct` to its answer."""
    command = [sys.executable, "-m", "errata", "correct", "--tokenised", "--model", given.model]
    start = time.perf_counter()
    answer = subprocess.run(command, input=f"{FIRST}\n", check=True, capture_output=True, text=True)
    if answer.stdout.strip() == FIRST:
        print("errata correct changed nothing", file=sys.stderr)
    return time.perf_counter() - start


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="en-small", help="a bundled model, or the folder of an exported one")
    parser.add_argument("--file", type=Path, default=shared_folder() / "oracles/errant/conll14.src.txt")
    parser.add_argument("--sentences", type=int, default=None, help="the first so many lines")
    parser.add_argument("--passes", type=int, help="as in errata correct")
    parser.add_argument("--preset", help="as in errata correct")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=WAYS, default=list(WAYS), help="these ways")
    parser.add_argument("--dry", action="store_true", help="leave the history alone")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    if given.way:
        run_way(given)
        return
    # A user's Python keeps what it compiled; without that every start compiles errata anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    lines = read_lines(given)
    found: dict[str, list[dict[str, float]]] = {way: [] for way in given.only}
    commands = []
    for _ in range(given.runs):
        for way in given.only:
            found[way].append(measure(way, sys.argv[1:]))
        commands.append(measure_command(given))
    best = {way: {name: min(run[name] for run in runs) for name in runs[0]} for way, runs in found.items()}
    print(f"{len(lines)} sentences, {given.threads} threads, best of {given.runs}")
    print(f"{'':14} {'sentences/s':>12} {'per CPU second':>15} {'first':>8} {'memory':>10}")
    for way, one in best.items():
        rates = f"{len(lines) / one['wall']:12.1f} {len(lines) / one['cpu']:15.1f}"
        print(f"{way:14} {rates} {one['first']:6.2f} s {one['memory']:6.0f} MiB")
    print(f"{'errata correct':14} {'':12} {'':15} {min(commands):6.2f} s")
    if given.dry:
        return
    rows = {
        way: {
            "per_second": round(len(lines) / one["wall"], 1),
            "per_cpu_second": round(len(lines) / one["cpu"], 1),
            "first_seconds": round(one["first"], 3),
            "peak_mib": round(one["memory"], 1),
        }
        for way, one in best.items()
    }
    entry = {"corpus": digest(given.file), "sentences": len(lines), "model": Path(given.model).name}
    settings = {"threads": given.threads, "passes": given.passes, "preset": given.preset}
    record("correct", {**entry, **settings, "ways": rows, "command_first_seconds": round(min(commands), 3)})


if __name__ == "__main__":
    main()
