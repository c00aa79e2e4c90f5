"""Training files of `en-open`: `python -m benchmarks.models.en_open` writes them to runs/data/en-open.

Every source allows commercial use. From the corpora in ERRATA_DATA: corrections from documentation whose licence allows
it, C4_200M and ErAConD. From `benchmarks.models.histories --open`, whose two files must be there already: clean
sentences, and corrections of grammar for the second stage, with those of doc-edits. Files of pairs are TSV (source,
target), tokenised. What was left out and why is printed. sources.tsv says how many pairs each repository has before the
filters, and under which licence. The recipe keeps evaluation sentences out (`data.exclude`).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from benchmarks.models.en_small import (
    SEED,
    Judged,
    from_c4,
    from_dialogue,
    from_documentation,
    known_words,
    rows,
    write,
)
from benchmarks.models.histories.licences import NO, YES, allows, read_licence
from benchmarks.models.pairs import Pair, is_spelt
from benchmarks.speed.history import shared_folder

from errata.edits.pairing import pair_edits
from errata.formats.files import open_for_writing, read_lines
from errata.text.words import tokenise_words

FOLDER = Path("runs/data/en-open")
# Sentences of each kind of prose that the second stage shows unchanged, and that it makes errors in. Books of the
# nineteenth century are the smaller part: nobody writes like that today.
CLEAN = {"prose-open": 40_000, "tatoeba-en": 10_000, "gutenberg": 10_000}
NOISY = {"prose-open": 60_000, "tatoeba-en": 20_000, "gutenberg": 40_000}
# Corrections of spelling, punctuation and hyphens that the second stage keeps. There are more of them in documentation
# than of grammar, and they teach the tagger to leave grammar alone.
OTHERS = 5_000
# Repositories that state a licence for their programs and another, or none, for their prose.
RESERVED = {"freeCodeCamp/freeCodeCamp": "BSD for the programs; the curriculum is under its owner's copyright"}


def open_repositories(table: Path) -> dict[str, str]:
    """The repositories of doc-edits that allow commercial use, with their licences."""
    header, *lines = rows(table)
    assert header[0] == "repository" and header[-1] == "licence", f"{table} has other columns"
    return {name: licence for name, *_, licence in lines if name not in RESERVED and is_open(licence)}


def is_open(licence: str) -> bool:
    """Whether a note on a licence names one that allows commercial use, and none that does not.

    >>> [is_open(note) for note in ("CC BY-SA 3.0 (see LICENSE.md)", "MIT/Apache-2.0", "CC0", "BSD-3-Clause")]
    [True, True, True, True]
    >>> [is_open(note) for note in ("CC BY-NC-SA 4.0", "see repo", "not stated", "GPL-3.0")]
    [False, False, False, False]
    """
    named = read_licence(licence).commercial
    if named == NO:
        return False
    return named == YES or licence == "CC0" or all(allows(name) == YES for name in licence.split("/"))


def sample(data: Path, folder: Path, counts: dict[str, int], seed: int) -> Iterator[str]:
    """Random sentences of the prose, so many of each file."""
    rng = random.Random(seed)
    for name, count in counts.items():
        path = folder / f"{name}.txt.xz"
        lines = [line.strip() for line in read_lines(path if path.exists() else data / "prose" / path.name)]
        yield from rng.sample(lines, min(count, len(lines)))


def from_prose(data: Path, folder: Path) -> Iterator[Judged]:
    for line in sample(data, folder, CLEAN, SEED):
        tokens = tuple(tokenise_words(line))
        yield (tokens, tokens) if 5 <= len(tokens) <= 60 else "too short or too long"


def from_histories(folder: Path, known: Collection[str]) -> Iterator[Judged]:
    """Corrections of grammar in documentation, and `OTHERS` of the rest."""
    names = "doc-edits", "doc-edits-open"
    lines = [row for name in names for row in rows(folder / f"{name}.tsv.xz")]
    pairs = [(tuple(source.split(" ")), tuple(target.split(" "))) for source, target in lines]
    others = [pair for pair in pairs if not is_grammar(pair, known)]
    kept = set(random.Random(SEED).sample(others, min(OTHERS, len(others))))
    for pair in pairs:
        yield pair if pair in kept or is_grammar(pair, known) else "spelling or punctuation"


def is_grammar(pair: Pair, known: Collection[str]) -> bool:
    """Whether some words change, and every word that is replaced was spelt right.

    >>> known = {"they", "has", "have", "left", "the"}
    >>> is_grammar((("They", "has", "left"), ("They", "have", "left")), known)
    True
    >>> is_grammar((("They", "hvae", "left"), ("They", "have", "left")), known)
    False
    >>> is_grammar((("They", "left"), ("They", "left", ".")), known)
    False
    """
    source, target = pair
    changes = [(source[edit.start : edit.end], edit.replacement) for edit in pair_edits(source, target)]
    changes = [(old, new) for old, new in changes if letters(old) != letters(new)]
    return bool(changes) and all(is_spelt([word.lower() for word in old], known) for old, _ in changes)


def letters(words: Sequence[str]) -> str:
    """What is left of words without case, spaces, hyphens and punctuation."""
    return "".join(character for character in "".join(words).lower() if character.isalpha())


def write_sources(data: Path, licences: dict[str, str], path: Path) -> None:
    """How many corrections each repository of doc-edits has, before the filters, the largest first."""
    commits = (row[2] for row in rows(data / "doc-edits" / "doc-edits.grammar.tsv.xz"))
    counts = Counter(commit.partition("@")[0] for commit in commits)
    with path.open("w", encoding="utf-8") as out:
        out.write("repository\tcorrections\tlicence\n")
        for name in sorted(licences, key=lambda name: -counts[name]):
            out.write(f"{name}\t{counts[name]}\t{licences[name]}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder to write to, with the files of the histories")
    args = parser.parse_args(arguments)
    folder: Path = args.out
    for name in ("prose-open.txt.xz", "doc-edits-open.tsv.xz"):
        if not (folder / name).is_file():
            parser.error(f"{folder / name} is missing: run benchmarks.models.histories --open first")
    data = shared_folder() / "data" / "en"
    known = known_words(data)
    licences = open_repositories(data / "doc-edits" / "sources.tsv")
    folder.mkdir(parents=True, exist_ok=True)
    write_sources(data, licences, folder / "sources.tsv")
    files = {
        "doc-edits": from_documentation(data, known, only=licences),
        "c4": from_c4(data, known),
        "eracond": from_dialogue(data, known),
        "clean": from_prose(data, folder),
        "second-stage": from_histories(folder, known),  # reads doc-edits
    }
    for name, judged in files.items():
        tally = write(judged, folder / f"{name}.tsv.xz")
        print(f"{name}: " + ", ".join(f"{count:,} {what}" for what, count in tally.most_common()), flush=True)
    with open_for_writing(folder / "second-stage.txt.xz") as out:
        for line in sample(data, folder, NOISY, SEED + 1):
            out.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
