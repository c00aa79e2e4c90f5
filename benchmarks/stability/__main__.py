"""Whether a second run of `errata correct` finds nothing, and what that costs: `python -m benchmarks.stability`.

Corrects this repository's documents, READMEs of installed packages and samples of prose (where the corpora are), then
corrects the results. Prints for each group how many edits the first run made, how many the second run still found, how
many edits of a careful preset a more eager one does not make, and the time beside that of a single look at every
sentence. Exits 1 if a second run found anything.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import distributions
from pathlib import Path

from benchmarks.speed.history import shared_folder

from errata.model import Correction
from errata.pipeline.corrector import Pipeline
from errata.pipeline.load import load_corrector
from errata.pipeline.presets import ORDER

ROOT = Path(__file__).resolve().parents[2]
SEED = 1
# Characters of a sample of prose: some hundred paragraphs.
SAMPLE = 60_000


@dataclass(frozen=True, slots=True)
class Group:
    """Texts of one kind."""

    name: str
    markup: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What the runs over a group with one preset found, and how long they took."""

    group: str
    preset: str
    n_texts: int
    n_characters: int
    n_edits: int
    n_edits_once: int
    n_found_again: int
    seconds: float
    seconds_once: float


def documents() -> Group:
    """The Markdown of this repository."""
    paths = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/errata/**/*.md")]
    return Group("documents", "markdown", tuple(path.read_text(encoding="utf-8") for path in sorted(paths)))


def readmes(number: int) -> Group:
    """The descriptions of installed packages other than ours."""
    found = sorted(
        (one.metadata["Name"], text)
        for one in distributions()
        if len(text := one.metadata.get_payload() or "") > 500
        and "markdown" in (one.metadata["Description-Content-Type"] or "")
        and not one.metadata["Name"].startswith("errata")
    )
    return Group("READMEs", "markdown", tuple(dict(found).values())[:number])


def prose(data: Path) -> Iterator[Group]:
    """A sample of every prose corpus."""
    for path in sorted(data.glob("*/prose/*.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            some = [line for _, line in zip(range(20_000), lines, strict=False)]
        start = random.Random(SEED).randrange(max(1, len(some) - 500))
        yield Group(path.name.split(".")[0], "text", ("".join(some[start:])[:SAMPLE],))


def run(group: Group, pipeline: Pipeline) -> tuple[list[Correction], float]:
    started = time.perf_counter()
    found = pipeline.correct(group.texts, markup=group.markup)
    return found, time.perf_counter() - started


def measure(group: Group, preset: str) -> tuple[Result, list[Correction]]:
    """The result of a group with a preset, and its corrections."""
    pipeline = load_corrector(preset=preset)
    once = Pipeline("once", pipeline.load, replace(pipeline.options, is_stable=False))
    once.correct(["This are a test. 这是一个测试。"])
    singly, seconds_once = run(group, once)
    first, seconds = run(group, pipeline)
    again, _ = run(replace(group, texts=tuple(one.target for one in first)), pipeline)
    for source, one in zip(group.texts, again, strict=True):
        for edit in one.edits:
            place = one.source[max(0, edit.start - 30) : edit.end + 30]
            print(f"{group.name}, {preset}: {place!r} {edit} ({source[:40]!r} …)", file=sys.stderr)
    return Result(
        group.name,
        preset,
        len(group.texts),
        sum(map(len, group.texts)),
        sum(len(one.edits) for one in first),
        sum(len(one.edits) for one in singly),
        sum(len(one.edits) for one in again),
        seconds,
        seconds_once,
    ), first


def crossed(careful: Sequence[Correction], eager: Sequence[Correction]) -> int:
    """How many edits of the first are none of the second's."""
    pairs = zip(careful, eager, strict=True)
    keys = [[{(e.start, e.end, e.replacement) for e in one.edits} for one in pair] for pair in pairs]
    return sum(len(one - other) for one, other in keys)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", nargs="+", choices=ORDER, default=["balanced"])
    parser.add_argument("--readmes", type=int, default=30, help="how many packages")
    parser.add_argument("--no-prose", action="store_true", help="leave the prose corpora out")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    groups = [documents(), readmes(given.readmes), *([] if given.no_prose else prose(shared_folder() / "data"))]
    results: list[Result] = []
    if not given.json:
        counts = f"{'edits':>6} {'once':>6} {'again':>5}"
        print(f"{'group':28} {'preset':9} {'texts':>5} {'characters':>10} {counts} {'time':>14}")
    for group in groups:
        made: list[list[Correction]] = []
        for preset in (preset for preset in ORDER if preset in given.presets):
            result, corrections = measure(group, preset)
            results.append(result)
            made.append(corrections)
            if not given.json:
                cost = f"{result.seconds:.1f} s, {result.seconds / max(result.seconds_once, 1e-9):.2f} ×"
                counts = f"{result.n_edits:6} {result.n_edits_once:6} {result.n_found_again:5}"
                print(
                    f"{group.name:28} {preset:9} {result.n_texts:5} {result.n_characters:10} {counts} {cost:>14}",
                    flush=True,
                )
        for one, other in itertools.pairwise(made):
            if n_crossed := crossed(one, other):
                print(f"{group.name}: {n_crossed} edits are not nested", file=sys.stderr)
    if given.json:
        print(json.dumps([asdict(one) for one in results], indent=1))
    return 1 if any(one.n_found_again for one in results) else 0


if __name__ == "__main__":
    sys.exit(main())
