"""What is scored and corrected: prose with pseudo errors, no sentence twice, and corrections of about half of them.

The noise is learnt from W&I's training part; prose and W&I are read from `../shared/data/en` (`ERRATA_DATA`).
"""

from __future__ import annotations

import subprocess
import sys
from itertools import chain
from pathlib import Path
from random import Random

from benchmarks.speed.history import shared_folder
from rapidfuzz.distance import Levenshtein

from errata.formats.files import read_lines

NAMES = ("src.txt", "ref.txt", "hyp.txt")
# Shares of what a made-up system does: edits that it finds, and sentences in which it drops a word that was right.
FOUND, SPOILT = 0.5, 0.1


def write_sentences(folder: Path, n_sentences: int, seed: int) -> None:
    """Write sources, references and hypotheses into a folder, unless it has them."""
    if all((folder / name).exists() for name in NAMES):
        return
    folder.mkdir(parents=True, exist_ok=True)
    data, rng = shared_folder() / "data" / "en", Random(seed)
    prose = draw_prose(sorted((data / "prose").glob("*.txt.xz")), n_sentences, rng)
    (folder / "prose.txt").write_text("".join(f"{line}\n" for line in prose), "utf-8")
    run_errata(
        "synth", "learn", *map(str, sorted((data / "wi" / "m2").glob("*.train.*"))), "-o", f"{folder}/noise.json"
    )
    run_errata("synth", "corrupt", f"{folder}/prose.txt", "-m", f"{folder}/noise.json", "-o", f"{folder}/pairs.tsv")
    pairs = [line.rstrip("\n").split("\t") for line in read_lines(folder / "pairs.tsv")]
    rows = [(source, target, correct_partly(source, target, rng)) for source, target in pairs]
    for name, lines in zip(NAMES, zip(*rows, strict=True), strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def draw_prose(paths: list[Path], n_sentences: int, rng: Random) -> list[str]:
    """So many different sentences in random order."""
    found = list(dict.fromkeys(line.rstrip("\n") for line in chain.from_iterable(map(read_lines, paths))))
    if len(found) < n_sentences:
        raise SystemExit(f"there are {len(found):,} sentences of prose, fewer than {n_sentences:,}")
    return rng.sample(found, n_sentences)


def correct_partly(source: str, target: str, rng: Random) -> str:
    """The source with some of the changes that lead to the target, and now and then a word too few."""
    old, new = source.split(), target.split()
    made: list[str] = []
    for change in Levenshtein.opcodes(old, new):
        is_made = change.tag != "equal" and rng.random() < FOUND
        made += new[change.dest_start : change.dest_end] if is_made else old[change.src_start : change.src_end]
    if len(made) > 1 and rng.random() < SPOILT:
        del made[rng.randrange(len(made))]
    return " ".join(made)


def run_errata(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "errata", *arguments], check=True, stdout=subprocess.DEVNULL)
