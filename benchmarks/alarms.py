"""How often a corrector changes text that editors have seen: `python -m benchmarks.alarms [--model en-base …]`.

Prose: sentences of UD English PUD (news and Wikipedia), ParTUT (law, news, talks) and LinES (literature, manuals). No
model of ours was trained on them. READMEs: the descriptions of installed packages, as Markdown. Prints edits per 1,000
words with each preset, and what Harper and lingotweaker would do where they are installed. Some of these edits are
right, since editors overlook things: `--show 50` lists a random sample for a person to judge.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.everyday.checkers import PEERS, Check, open_peers
from benchmarks.speed.history import shared_folder
from benchmarks.stability.__main__ import Group, readmes

from errata.model import TextEdit
from errata.pipeline.corrector import Pipeline
from errata.pipeline.load import load_corrector
from errata.pipeline.presets import ORDER

TREEBANKS = ("ud-pud", "ud-partut", "ud-lines")
# Sentences of a treebank: its tests and development sets have about 1,000, and more tell nothing new.
MOST_SENTENCES = 1500
SEED = 1
# Characters on either side of an edit that is shown.
CONTEXT = 40
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


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


def treebank(folder: Path) -> Group:
    """The sentences of a treebank as they were written, each a text."""
    sentences: list[str] = []
    for path in sorted(folder.glob("*.conllu.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            sentences += (line.removeprefix("# text = ").strip() for line in lines if line.startswith("# text = "))
    return Group(folder.name, "text", tuple(sentences[:MOST_SENTENCES]))


def groups(number: int) -> Iterator[Group]:
    for name in TREEBANKS:
        yield treebank(shared_folder() / "data/en" / name)
    yield readmes(number)


def correct(corrector: Pipeline, group: Group) -> list[tuple[str, TextEdit]]:
    """The edits that a corrector makes, each with its text."""
    corrections = corrector.correct(group.texts, markup=group.markup)
    return [(correction.source, edit) for correction in corrections for edit in correction.edits]


def count_words(group: Group) -> int:
    return sum(len(_WORD.findall(text)) for text in group.texts)


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model", nargs="*", default=["en-small"], help="installed models or folders; en-small without"
    )
    parser.add_argument("--preset", nargs="+", choices=ORDER, default=list(ORDER), help="these presets; all without")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), help="these peers; all without")
    parser.add_argument("--readmes", type=int, default=30, help="how many READMEs (30)")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="list N edits of each model and preset")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    results: list[Result] = []
    shown: dict[str, list[tuple[str, TextEdit]]] = {}
    texts = list(groups(args.readmes))
    for model in args.model:
        for preset in args.preset:
            name, corrector = f"{model} {preset}", load_corrector(model, preset=preset)
            for group in texts:
                edits = correct(corrector, group)
                results.append(Result(name, group.name, count_words(group), len(edits)))
                shown.setdefault(name, []).extend(edits)
    for name, check in open_peers(args.peers):
        for group in texts:
            if group.markup == "text":  # neither reads Markdown
                results.append(Result(name, group.name, count_words(group), count_changes(check, group.texts)))
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
