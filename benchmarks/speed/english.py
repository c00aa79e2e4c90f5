"""English extraction against ERRANT 3.0.2: `python -m benchmarks.speed.english [SYSTEM …]`.

Both get the same parallel text (CoNLL-2014 and the output of a system, from the oracles), both write M2, and the
files must be identical. ERRANT's own program runs here, on the model that is installed. A run is a whole process, from
the start of Python to the written file; "work" leaves out the imports and the loading of the model. CPU seconds are
the best of several runs, with one thread for linear algebra, since other programs share the cores; with several
workers the clock on the wall counts instead. Exits 1 if a speed-up is below what errata claims.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from benchmarks.speed.history import digest, record, shared_folder

SYSTEMS = ("AMU", "CAMB", "GECToR-ens", "GPT-3.5")
RUNS, ERRANT_RUNS = 5, 2
CLAIMS = {"cold": 3, "two workers": 5, "warm": 20}
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "BLIS_NUM_THREADS": "1"}


def children_time() -> float:
    """CPU seconds of the processes started and ended so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_errant(source: str, target: str, output: str) -> None:
    """ERRANT's `errant_parallel` as it is, but for the name of the model; prints the CPU seconds after loading."""
    import errant
    import spacy
    from errant.commands import parallel_to_m2

    from errata.edits.en.spacy_analyser import find_model

    annotator = errant.load("en", spacy.load(find_model(), disable=["ner"]))
    start = time.process_time()
    flags = ["errant_parallel", "-orig", source, "-cor", target, "-out", output]
    with mock.patch.object(errant, "load", lambda _: annotator), mock.patch.object(sys, "argv", flags):
        parallel_to_m2.main()
    print(time.process_time() - start)


def run_errata(source: str, target: str, output: str) -> None:
    """errata's extraction in this process, nothing cached; prints the CPU seconds after loading."""
    from errata.edits.en import EnglishExtractor
    from errata.edits.en.analysers import make_analyser
    from errata.edits.en.lexicon import load_words
    from errata.formats.files import write_sentences
    from errata.formats.parallel import zip_lines

    extractor = EnglishExtractor(analyser=make_analyser())
    load_words()
    start = time.process_time()
    write_sentences(extractor.annotate((s, [t]) for s, t in zip_lines([source, target])), output, "m2")
    print(time.process_time() - start)


def peer(name: str, *files: Path) -> Callable[[], float]:
    """A function that runs this script as `name` in a process of its own and returns the seconds it prints."""
    line = [sys.executable, "-m", "benchmarks.speed.english", f"--{name}", *map(str, files)]

    def run() -> float:
        out = subprocess.run(line, check=True, capture_output=True, text=True, env=os.environ | ONE_THREAD).stdout
        return float(out.split()[-1])

    return run


def extract(*files: Path, cache: str, workers: int = 1) -> Callable[[], None]:
    """A function that runs `errata extract`."""
    source, target, output = map(str, files)
    line = [sys.executable, "-m", "errata", "extract", source, target, "-o", output, "--workers", str(workers)]

    def run() -> None:
        subprocess.run(line, check=True, env=os.environ | ONE_THREAD | {"ERRATA_CACHE": cache})

    return run


class Best(NamedTuple):
    """The shortest of several runs by each clock; `work` is what the runs themselves reported."""

    cpu: float
    wall: float
    work: float | None


def time_runs(run: Callable[[], float | None], runs: int) -> Best:
    """Run a process several times."""
    cpu, wall, work = [], [], []
    for _ in range(runs):
        cpu_start, wall_start = children_time(), time.perf_counter()
        work.append(run())
        cpu.append(children_time() - cpu_start)
        wall.append(time.perf_counter() - wall_start)
    return Best(min(cpu), min(wall), min((one for one in work if one is not None), default=None))


def measure(system: str) -> dict[str, Any]:
    """CPU and wall seconds of ERRANT and of errata in its modes, with the speed-ups."""
    folder = shared_folder() / "oracles" / "errant"
    source, target = folder / "conll14.src.txt", folder / f"{system}.hyp.txt"
    official = (folder / f"{system}.hyp.m2").read_bytes()
    with tempfile.TemporaryDirectory() as scratch:
        output, cache = Path(scratch) / "out.m2", str(Path(scratch) / "cache")
        modes: dict[str, tuple[Callable[[], float | None], int]] = {
            "errant": (peer("errant", source, target, output), ERRANT_RUNS),
            "cold": (extract(source, target, output, cache="off"), RUNS),
            "loaded": (peer("errata", source, target, output), RUNS),
            "two workers": (extract(source, target, output, cache="off", workers=2), RUNS),
            "warm": (extract(source, target, output, cache=cache), RUNS + 1),  # the first run fills the cache
        }
        best: dict[str, Best] = {}
        is_identical = True
        for name, (run, runs) in modes.items():
            best[name] = time_runs(run, runs)
            is_identical &= output.read_bytes() == official
            output.unlink()
    loaded, errant = best.pop("loaded"), best["errant"]
    speedup = {
        "cold": errant.cpu / best["cold"].cpu,
        "two workers": errant.wall / best["two workers"].wall,
        "warm": errant.cpu / best["warm"].cpu,
        "work only": (errant.work or 0.0) / (loaded.work or 1.0),
    }
    return {
        "system": system,
        "pairs": source.read_text("utf-8").count("\n"),
        "input": digest(source, target),
        "cpu_seconds": {name: round(one.cpu, 2) for name, one in best.items()},
        "wall_seconds": {name: round(one.wall, 2) for name, one in best.items()},
        "work_cpu_seconds": {"errant": round(errant.work or 0.0, 2), "cold": round(loaded.work or 0.0, 2)},
        "speedup": {name: round(times, 1) for name, times in speedup.items()},
        "identical": is_identical,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="*", default=["AMU"], metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--errant", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--errata", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.errant or args.errata:
        run_errant(*args.errant) if args.errant else run_errata(*args.errata)
        return 0
    is_good = True
    for system in args.systems:
        entry = measure(system)
        record("english-extraction", entry)
        print(f"{system}: M2 {'identical' if entry['identical'] else 'DIFFERENT'}")
        print(f"{'':<12} {'CPU s':>7} {'wall s':>7} {'speed-up':>9}")
        for name, seconds in entry["cpu_seconds"].items():
            times = entry["speedup"].get(name)
            print(f"{name:<12} {seconds:>7} {entry['wall_seconds'][name]:>7} {f'{times} ×' if times else '':>9}")
        theirs, ours = entry["work_cpu_seconds"].values()
        print(f"without imports and loading: {theirs} s and {ours} s, {entry['speedup']['work only']} ×")
        is_good &= entry["identical"] and all(entry["speedup"][name] >= least for name, least in CLAIMS.items())
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
