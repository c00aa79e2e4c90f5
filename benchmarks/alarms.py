"""How often a corrector changes text that editors have seen: `python -m benchmarks.alarms [--model en-base …]`.

Prose: sentences of UD English PUD (news and Wikipedia), ParTUT (law, news, talks) and LinES (literature, manuals). No
model of ours was trained on them. READMEs: the descriptions of installed packages, as Markdown, up to their change log.
Prints edits per 1,000 words with each preset, and what Harper and lingotweaker would do where they are installed. Words
of code are not counted.

Some of these edits are right, since editors overlook things. `--judge edits.tsv` writes them to a table for a person,
who puts `right`, `harmless` (both are correct) or `wrong` into its first column. `--verdicts edits.tsv` reads them back
and prints how many edits are wrong. Verdicts are kept by the edit and the words around it, so they serve other models
and later versions too; with both options the new table has the verdicts that are known.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from benchmarks.everyday.checkers import PEERS, Check, open_peers
from benchmarks.speed.history import shared_folder
from benchmarks.stability.__main__ import Group, readmes

from errata.errors import FormatError
from errata.model import TextEdit
from errata.pipeline.corrector import Pipeline
from errata.pipeline.load import load_corrector
from errata.pipeline.presets import ORDER
from errata.pipeline.views import find_writing

TREEBANKS = ("ud-pud", "ud-partut", "ud-lines")
# Sentences of a treebank: its tests and development sets have about 1,000, and more tell nothing new.
MOST_SENTENCES = 1500
SEED = 1
# Characters on either side of an edit that is shown.
CONTEXT = 40
# Of more edits than this, of one corrector in one kind of text, a sample is judged.
MOST_JUDGED = 250
SAMPLE = 200
PROSE, README = "prose", "READMEs"
VERDICTS = ("right", "harmless", "wrong")
_COLUMNS = ("verdict", "kind", "before", "old", "new", "after")
# Characters on either side of an edit that is judged.
JUDGED_CONTEXT = 120
# The 97.5th percentile of the normal distribution.
_Z = 1.959964
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_CHANGE_LOG = re.compile(
    r"^#+[ ]*(?:full )?(?:change ?log|changes|release notes|history)\b", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Result:
    """The edits that a corrector makes in a group of texts."""

    corrector: str
    group: str
    n_words: int
    n_edits: int

    @property
    def per_thousand(self) -> float:
        return 1000 * self.n_edits / self.n_words


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit with the words around it, as a line of the table that a person fills in."""

    kind: str
    before: str
    old: str
    new: str
    after: str
    verdict: str = ""

    @classmethod
    def of(cls, kind: str, text: str, edit: TextEdit) -> JudgedEdit:
        before = text[max(0, edit.start - JUDGED_CONTEXT) : edit.start]
        after = text[edit.end : edit.end + JUDGED_CONTEXT]
        return cls(kind, *map(_visible, (before, text[edit.start : edit.end], edit.replacement, after)))

    @property
    def key(self) -> tuple[str, ...]:
        """What a verdict is about."""
        return self.kind, self.before, self.old, self.new, self.after


# The edits of each corrector in each kind of text.
Made = dict[tuple[str, str], list[JudgedEdit]]


@dataclass(frozen=True, slots=True)
class Rate:
    """Edits of some verdicts per 1,000 words, with a 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, count: int, n_words: int, share: float) -> Rate:
        """The rate of a count in a sample; `share` is the part of all edits that was judged.

        >>> Rate.of(8, 4000, 0.5)
        Rate(value=4.0, low=1.72, high=7.88)
        """
        scale = 1000 / (n_words * share)
        low, high = poisson_interval(count)
        return cls(*(round(scale * number, 2) for number in (count, low, high)))

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})"


def poisson_interval(count: int) -> tuple[float, float]:
    """The 95 % interval of the mean of a Poisson count, by Byar's approximation."""

    def bound(number: int, z: float) -> float:
        return number * (1 - 1 / (9 * number) + z / (3 * math.sqrt(number))) ** 3 if number else 0.0

    return bound(count, -_Z), bound(count + 1, _Z)


def choose_to_judge(edits: Sequence[JudgedEdit]) -> list[JudgedEdit]:
    """All edits, or a sample of many.

    The sample goes by a hash of each edit: a later version that makes most of the same edits has most of this sample.
    """
    if len(edits) <= MOST_JUDGED:
        return list(edits)
    return sorted(edits, key=lambda edit: sha256(repr((SEED, edit.key)).encode()).digest())[:SAMPLE]


def format_table(edits: Iterable[JudgedEdit]) -> Iterator[str]:
    """The lines of a table of edits, each edit once."""
    yield "\t".join(_COLUMNS) + "\n"
    for edit in {edit.key: edit for edit in edits}.values():
        yield "\t".join(getattr(edit, column) for column in _COLUMNS) + "\n"


def parse_table(lines: Iterable[str], *, origin: str = "<verdicts>") -> Iterator[JudgedEdit]:
    """The edits of a table."""
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    for row in rows:
        verdict = row["verdict"]
        if verdict and verdict not in VERDICTS:
            raise FormatError(origin, rows.line_num, f"{verdict!r} is no verdict (there are {', '.join(VERDICTS)})")
        yield JudgedEdit(**{column: row[column] for column in _COLUMNS})


def read_verdicts(path: Path) -> dict[tuple[str, ...], str]:
    """The verdicts of a table, by edit."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {edit.key: edit.verdict for edit in parse_table(lines, origin=str(path)) if edit.verdict}


def write_table(path: Path, made: Made, verdicts: Mapping[tuple[str, ...], str]) -> None:
    """The edits of all correctors that are to be judged, with the verdicts that are known."""
    chosen = [edit for edits in made.values() for edit in choose_to_judge(edits)]
    with path.open("w", encoding="utf-8", newline="") as table:
        table.writelines(format_table(replace(edit, verdict=verdicts.get(edit.key, "")) for edit in chosen))


def _visible(text: str) -> str:
    """The text in one line, with its outer spaces."""
    return re.sub(r"\s", " ", text)


def treebank(folder: Path) -> Group:
    """The sentences of a treebank as they were written, each a text."""
    sentences: list[str] = []
    for path in sorted(folder.glob("*.conllu.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            sentences += (line.removeprefix("# text = ").strip() for line in lines if line.startswith("# text = "))
    return Group(folder.name, "text", tuple(sentences[:MOST_SENTENCES]))


def groups(number: int, n_skipped: int = 0) -> Iterator[Group]:
    """The treebanks, and as many READMEs as wanted after those that are skipped."""
    for name in TREEBANKS:
        yield treebank(shared_folder() / "data/en" / name)
    descriptions = readmes(n_skipped + number)
    yield replace(descriptions, texts=tuple(_CHANGE_LOG.split(text)[0] for text in descriptions.texts[n_skipped:]))


def correct(corrector: Pipeline, group: Group) -> list[tuple[str, TextEdit]]:
    """The edits that a corrector makes, each with its text."""
    corrections = corrector.correct(group.texts, markup=group.markup)
    return [(correction.source, edit) for correction in corrections for edit in correction.edits]


def count_words(group: Group) -> int:
    """How many words a corrector reads: those of code are not among them."""
    writing = find_writing(group.markup)
    return sum(len(_WORD.findall(writing.read(text).text)) for text in group.texts)


def count_changes(check: Check, texts: Sequence[str]) -> int:
    """How many places a peer changes: runs of words that differ."""
    from difflib import SequenceMatcher

    n_changes = 0
    for text, corrected in zip(texts, check(texts), strict=True):
        if text != corrected:
            matcher = SequenceMatcher(None, text.split(), corrected.split(), autojunk=False)
            n_changes += sum(tag != "equal" for tag, *_ in matcher.get_opcodes())
    return n_changes


def show(edits: Sequence[tuple[str, TextEdit]], number: int) -> None:
    for text, edit in random.Random(SEED).sample(edits, min(number, len(edits))):
        before, after = text[max(0, edit.start - CONTEXT) : edit.start], text[edit.end : edit.end + CONTEXT]
        line = f"{before}[{text[edit.start : edit.end]}→{edit.replacement}]{after}"
        print("  " + " ".join(line.split()))


def count_verdicts(chosen: Iterable[JudgedEdit], verdicts: Mapping[tuple[str, ...], str]) -> Counter[str]:
    """How often each verdict was given; under the empty one, the edits that nobody judged."""
    return Counter(verdicts.get(edit.key, "") for edit in chosen)


def print_verdicts(results: Sequence[Result], made: Made, verdicts: Mapping[tuple[str, ...], str]) -> None:
    """The wrong edits of each corrector and kind of text."""
    counted = f"{'judged':>12} {'right':>6} {'harmless':>9} {'wrong':>6}"
    print(f"\n{'':24} {'':8} {counted}  wrong, and wrong or harmless, per 1,000 words")
    for (name, kind), edits in made.items():
        chosen = choose_to_judge(edits)
        counts = count_verdicts(chosen, verdicts)
        n_judged = len(chosen) - counts[""]
        if not n_judged:
            continue
        n_words = sum(
            one.n_words for one in results if one.corrector == name and (one.group == README) == (kind == README)
        )
        share = n_judged / len(edits)
        rates = [Rate.of(n, n_words, share) for n in (counts["wrong"], counts["wrong"] + counts["harmless"])]
        judged = f"{n_judged} of {len(edits)}"
        print(f"{name:24} {kind:8} {judged:>12}", end=" ")
        print(f"{counts['right']:6} {counts['harmless']:9} {counts['wrong']:6}  {'  '.join(map(str, rates))}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model", nargs="*", default=["en-small"], help="installed models or folders; en-small without"
    )
    parser.add_argument("--preset", nargs="+", choices=ORDER, default=list(ORDER), help="these presets; all without")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), help="these peers; all without")
    parser.add_argument("--readmes", type=int, default=30, help="how many READMEs (30)")
    parser.add_argument("--skip-readmes", type=int, default=0, metavar="N", help="leave out the first N READMEs")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="list N edits of each model and preset")
    parser.add_argument("--judge", type=Path, metavar="TSV", help="write the edits that are to be judged")
    parser.add_argument("--verdicts", type=Path, metavar="TSV", help="read such a table with its verdicts")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    verdicts = read_verdicts(args.verdicts) if args.verdicts else {}
    results: list[Result] = []
    shown: dict[str, list[tuple[str, TextEdit]]] = {}
    made: Made = {}
    texts = list(groups(args.readmes, args.skip_readmes))
    for model in args.model:
        for preset in args.preset:
            name, corrector = f"{model} {preset}", load_corrector(model, preset=preset)
            for group in texts:
                edits = correct(corrector, group)
                results.append(Result(name, group.name, count_words(group), len(edits)))
                shown.setdefault(name, []).extend(edits)
                kind = README if group.name == README else PROSE
                made.setdefault((name, kind), []).extend(JudgedEdit.of(kind, text, edit) for text, edit in edits)
    for name, check in open_peers(args.peers):
        for group in texts:
            if group.markup == "text":  # neither reads Markdown
                results.append(Result(name, group.name, count_words(group), count_changes(check, group.texts)))
    if args.judge:
        write_table(args.judge, made, verdicts)
    if args.json:
        print(json.dumps([{**asdict(one), "per_thousand": round(one.per_thousand, 2)} for one in results]))
        return 0
    print(f"{'':24} {'':12} {'words':>7} {'edits':>6} {'per 1,000 words':>16}")
    for one in sorted(results, key=lambda one: (one.group, one.corrector)):
        print(f"{one.corrector:24} {one.group:12} {one.n_words:7,} {one.n_edits:6,} {one.per_thousand:16.2f}")
    for name, found in shown.items():
        if args.show:
            print(f"\n{name}")
            show(found, args.show)
    if verdicts:
        print_verdicts(results, made, verdicts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
