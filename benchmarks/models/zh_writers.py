"""What tells learners of Chinese from fluent writers, and development sets of both: for `errata tune`.

`python -m benchmarks.models.zh_writers` writes to runs/data/zh, from the corpora in ERRATA_DATA and without evaluation
sentences and their near duplicates:

- `learners.txt.xz`: sentences of learners' corpora, every other one corrected: their words tell, not their errors;
- `fluent.txt.xz`: exam sentences with and without their errors, and as much of every kind of clean prose;
- `learner-dev.para`: YACLC dev (minimal corrections) without sentences of the test sets, with two of its references:
  MuCGEC dev, which is used beside it, has two on average, and an edit is the more often right the more there are;
- `fluent-dev.para`: three development sets of native writers' errors as one. Of FCGEC valid it has the first half, the
  even sentences; the other half is for reporting.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_small import PROSE, Row, rows, write
from benchmarks.speed.history import shared_folder

from errata.datasets.texts import Texts, read_records
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
FLUENT_DEV = (("nacgec/nacgec.dev.ref.para", 1), ("fcgec/FCGEC_valid.json", 2), ("nasgec-exam/nasgec.exam.dev.para", 1))
LEARNER_DEV, N_REFERENCES = "cltc2022/track3.yaclc-minimal_dev.para", 2
# Test sets of learners' Chinese, with the number of the column that has the source.
TESTS = (("mucgec/mucgec.test.para", 1), ("mucgec/filter_sentences.txt", 0), ("nlpcc18/source.txt", 0))


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


def fluent_dev(data: Path) -> Iterator[Texts]:
    """The development sentences of native writers with their references."""
    for file, step in FLUENT_DEV:
        yield from (record.texts for record in list(read_records(data / file))[::step])


def learner_dev(data: Path) -> Iterator[Texts]:
    """The development sentences of learners with some of their references, but for those of test sets."""
    tested = {
        letters(line.rstrip("\n").split("\t")[column]) for file, column in TESTS for line in read_lines(data / file)
    }
    for record in read_records(data / LEARNER_DEV):
        if letters(record.texts[0]) not in tested:
            yield record.texts[: 1 + N_REFERENCES]


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def write_dev(sentences: Iterable[Texts], path: Path) -> None:
    """Numbered sentences with their references; one without any is right as it is."""
    numbered = enumerate(sentences)
    write(("\t".join((str(n), source, *(targets or [source]))) for n, (source, *targets) in numbered), path)


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
    write_dev(fluent_dev(data), out / "fluent-dev.para")
    write_dev(learner_dev(data), out / "learner-dev.para")
    print(f"{len(taught):,} sentences of learners, {len(written):,} of fluent writers; {held_out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
