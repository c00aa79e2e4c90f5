"""What tells learners of Chinese from fluent writers, and a development set of the latter: for `errata tune`.

`python -m benchmarks.models.zh_writers` writes to runs/data/zh, from the corpora in ERRATA_DATA and without evaluation
sentences and their near duplicates:

- `learners.txt.xz`: sentences of learners' corpora, every other one corrected: their words tell, not their errors;
- `fluent.txt.xz`: exam sentences with and without their errors, and as much of every kind of clean prose;
- `fluent-dev.para`: three development sets of native writers' errors as one. Of FCGEC valid it has the first half, the
  even sentences; the other half is for reporting.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_small import PROSE, Row, rows, write
from benchmarks.speed.history import shared_folder

from errata.datasets.texts import read_records
from errata.formats.files import read_lines

SEED = 1
LEARNERS = frozenset(
    {"cged14", "cged15", "cged16-hsk", "cged16-tocfl", "cged18", "tocfl-grammar", "lang8-nlpcc18-sample"}
)
EXAMS = frozenset({"nasgec-exam-train", "grammargpt"})
# Sentences of each file of prose, so that newspapers are not all that is fluent.
OF_EACH = 5000
MOST_LEARNERS = 60_000
# Development sets, and which of their sentences: all, or every other one.
DEV = (("nacgec/nacgec.dev.ref.para", 1), ("fcgec/FCGEC_valid.json", 2), ("nasgec-exam/nasgec.exam.dev.para", 1))


def learners(pairs: list[Row], rng: random.Random) -> list[str]:
    """Sentences of learners, half of them as they were corrected."""
    texts = [rng.choice((source, target)) for corpus, source, target in pairs if corpus in LEARNERS]
    return rng.sample(texts, min(MOST_LEARNERS, len(texts)))


def fluent(pairs: list[Row], data: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Sentences of fluent writers, each with the name of its corpus."""
    for corpus, source, target in pairs:
        if corpus in EXAMS:
            yield corpus, source
            yield corpus, target
    for name in PROSE:
        lines = [line.rstrip("\n") for line in read_lines(data / "prose" / f"{name}.txt.xz")]
        yield from ((name, line) for line in rng.sample(lines, min(OF_EACH, len(lines))))


def dev_lines(data: Path) -> Iterator[str]:
    """The development sentences, numbered, with their references."""
    chosen = [record for file, step in DEV for record in list(read_records(data / file))[::step]]
    for number, (source, *targets) in enumerate(record.texts for record in chosen):
        yield "\t".join((str(number), source, *(targets or [source])))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/data/zh"), help="folder to write to")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    data, rng = shared_folder() / "data" / "zh", random.Random(SEED)
    held_out = HeldOut.of(data)
    pairs = list(rows(data / "train-pairs" / "grammar_pairs.tsv.xz"))
    taught = [text for text in learners(pairs, rng) if held_out.allows("learners", text)]
    written = [text for corpus, text in fluent(pairs, data, rng) if held_out.allows(corpus, text)]
    write(taught, out / "learners.txt.xz")
    write(written, out / "fluent.txt.xz")
    write(dev_lines(data), out / "fluent-dev.para")
    print(f"{len(taught):,} sentences of learners, {len(written):,} of fluent writers; {held_out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
