"""Does `errata data check` find planted copies, and how fast: `python -m benchmarks.contamination [--records N]`.

Evaluation sentences of at least eight words or ten characters are changed in every way of `planting` and hidden in
clean prose. Then the command runs on the whole file, against every evaluation set that is here. Recall is the share of
planted copies that are found, for each way. Precision counts everything else that is found as wrong; prose has some
real copies too (`--show`). Time and memory are those of the whole command.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.contamination.planting import WAYS, Words, count, split
from benchmarks.speed.history import describe_machine, shared_folder

from errata.datasets.evaluation_sets import find_evaluation_sets
from errata.datasets.finding import Listing
from errata.formats.files import read_lines

SEED = 1
SHORTEST = {"en": 8, "zh": 10}
GLUE = {"en": " ", "zh": ""}


def read_prose(folder: Path, records: int) -> list[str]:
    """So many sentences of clean prose, as many from each file as its length allows."""
    files = sorted(folder.glob("*.txt.xz"))
    lines = (line.rstrip("\n") for path in files for line in read_lines(path))
    return list(islice(lines, records))


def plant(
    language: str, listing: Listing, prose: Sequence[str], each: int, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Changed evaluation sentences, each with the way it was changed."""
    sets, _ = find_evaluation_sets(listing, language)
    sources = sorted({texts[0] for one in sets for texts in one.sentences if texts})
    long = [units for units in map(split, sources) if count(units) >= SHORTEST[language]]
    sample = [split(text) for text in rng.sample(prose, min(len(prose), 5000))]
    words = Words([unit for units in sample for unit in units if unit.isalpha()], prose[:5000], GLUE[language])
    for name, change in WAYS.items():
        for units in rng.sample(long, each):
            yield name, change(units, words, rng)


def run(path: Path, data: Path) -> tuple[dict[str, object], float]:
    """The report of the command, with its pairs, and the seconds it took."""
    command = [sys.executable, "-m", "errata", "data", "check", str(path), "--against", "all", "--json", "--list"]
    start = time.perf_counter()
    done = subprocess.run([*command, "--data-dir", str(data)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout), time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--records", type=int, default=1_000_000, help="sentences of prose, half of each language at most"
    )
    parser.add_argument("--each", type=int, default=200, help="copies to plant in each way and language")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show N others that were found")
    args = parser.parse_args()
    data, rng = shared_folder() / "data", random.Random(SEED)
    listing = Listing(data)
    chinese = read_prose(data / "zh" / "prose", args.records // 2)
    prose = {"zh": chinese, "en": read_prose(data / "en" / "prose", args.records - len(chinese))}
    planted = [
        (language, *one) for language in prose for one in plant(language, listing, prose[language], args.each, rng)
    ]
    lines = [(text, None) for texts in prose.values() for text in texts]
    lines += [(text, (language, way)) for language, way, text in planted]
    rng.shuffle(lines)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        path.write_text("".join(text.replace("\t", " ") + "\n" for text, _ in lines), "utf-8")
        report, seconds = run(path, data)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {pair["record"]: pair for pair in report["pairs"]}  # type: ignore[attr-defined]
    hits = Counter(lines[record - 1][1] for record in found)
    sentences = sum(one["sentences"] for one in report["against"])  # type: ignore[attr-defined]
    print(f"{len(lines):,} records against {len(report['against'])} sets ({sentences:,} sentences)")  # type: ignore[arg-type]
    cpu = used.ru_utime + used.ru_stime
    print(f"{seconds:.1f} s ({cpu:.1f} s of one core), {used.ru_maxrss / 1024:.0f} MiB, {describe_machine()}")
    print(f"{report['definition']}\n\n| way | English | Chinese |\n|---|---:|---:|")
    for way in WAYS:
        shares = (f"{100 * hits[(language, way)] / args.each:.1f} %" for language in ("en", "zh"))
        print(f"| {way} | {' | '.join(shares)} |")
    right = sum(number for where, number in hits.items() if where)
    precision = 100 * right / (right + hits[None])
    print(f"\nprecision: {right:,} of {right + hits[None]:,} found were planted, {precision:.1f} %")
    others = [pair for record, pair in found.items() if lines[record - 1][1] is None]
    for pair in rng.sample(others, min(args.show, len(others))):
        print(f"{pair['set']}:{pair['sentence']} {pair['kind']} {pair['edits']}\n  {pair['text']}\n  {pair['copied']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
