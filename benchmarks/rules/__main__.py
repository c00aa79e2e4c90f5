"""How often the rules for everyday slips are right: `python -m benchmarks.rules`.

Clean prose: nearly every hit there is a false alarm, unless the text itself is wrong. A person looks at the hits
(`--show`) and writes those in which the text is wrong into `judged.txt` by their digest; the others count as wrong.
Pairs: W&I and FCE train and the doc-edits, whose annotators agree with an edit, change its place in another way (which
counts as wrong unless it was judged), or leave the place alone. Annotators overlook slips, so the last say nothing.

Exits 1 if a rule has less than 98 % of its clear cases right. `--language zh` does the same for Chinese. Its pairs are
the exam sentences of NaSGEC train, many of which editors mended in another place than the rule, and the sentences of
foreign learners in CGED, TOCFL, Lang-8 and VisCGEC. Their annotators rewrite whole passages: what they do in another
way is printed, but only where they agree with a rule is it a clear case.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from benchmarks.speed.history import shared_folder

from errata.edits.apply import apply_edits
from errata.edits.pairing import pair_edits
from errata.formats import iter_sentences
from errata.formats.files import read_lines
from errata.model import Edit, Tokens
from errata.rules import RuleBook, RuleEdit, load_rules
from errata.text.tokens import split_characters
from errata.text.words import tokenise_words

N_SENTENCES = 300_000
FLOOR = 0.98
JUDGED = {"en": Path(__file__).with_name("judged.txt"), "zh": Path(__file__).with_name("judged-zh.txt")}
TOKENISE = {"en": tokenise_words, "zh": split_characters}
# Words on either side of a place in which an annotator may have put the correction.
CONTEXT = 3
AGREED, OTHER, ALONE = "agreed", "other", "alone"
Tokenise = Callable[[str], Sequence[str]]
CounterOf = Callable[[str], Counter[str]]  # the counter of a rule by its name
Annotated = tuple[Tokens, list[Edit]]  # a sentence and the edits of an annotator
M2 = ("wi/m2/A.train.gold.bea19.m2.xz", "wi/m2/B.train.gold.bea19.m2.xz", "wi/m2/C.train.gold.bea19.m2.xz",
      "fce/m2/fce.train.rebuilt.m2.xz")  # fmt: skip
PAIRS = ("doc-edits/doc-edits.grammar.tsv.xz",)
# Pairs of many corpora in one file, the name of the corpus first; those written by native speakers for exams.
CHINESE_PAIRS, EXAMS = "train-pairs/grammar_pairs.tsv.xz", ("nasgec-exam-train",)
LEARNERS = (
    "cged14",
    "cged15",
    "cged16-hsk",
    "cged16-tocfl",
    "cged18",
    "lang8-nlpcc18-sample",
    "tocfl-grammar",
    "viscgec",
)


@dataclass(slots=True)
class Tally:
    """What became of a rule's edits."""

    prose: Counter[bool] = field(default_factory=Counter)  # whether a person found the text wrong
    pairs: Counter[str] = field(default_factory=Counter)
    learners: Counter[str] = field(default_factory=Counter)

    @property
    def right(self) -> int:
        return self.prose[True] + self.pairs[AGREED] + self.learners[AGREED]

    @property
    def clear(self) -> int:
        return self.prose.total() + self.pairs[AGREED] + self.pairs[OTHER] + self.learners[AGREED]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=N_SENTENCES, help="of clean prose")
    parser.add_argument("--rule", action="append", help="only this rule; may be repeated")
    parser.add_argument(
        "--show", action="store_true", help="print every hit in prose, and in pairs where others differ"
    )
    parser.add_argument("--language", choices=sorted(JUDGED), default="en")
    options = parser.parse_args()
    book = load_rules(options.language)
    if options.rule:
        book = RuleBook(rule for rule in book.rules if rule.name in options.rule)
    data = shared_folder() / "data" / options.language
    tallies: dict[str, Tally] = defaultdict(Tally)
    judged = read_judged(JUDGED[options.language])
    tokenise = TOKENISE[options.language]
    n_words = count_prose(book, tokenise, data, options.sentences, tallies, judged, show=options.show)
    pairs = read_pairs(data) if options.language == "en" else read_chinese_pairs(data, EXAMS)
    n_pair_words = count_pairs(book, pairs, lambda name: tallies[name].pairs, judged, show=options.show)
    unit = "words" if options.language == "en" else "characters"
    print(f"prose: {n_words:,} {unit}; pairs: {n_pair_words:,} {unit}", end="")
    has_learners = options.language == "zh"
    if has_learners:
        learners = read_chinese_pairs(data, LEARNERS)
        n_learner_words = count_pairs(book, learners, lambda name: tallies[name].learners, judged, show=False)
        print(f"; learner pairs: {n_learner_words:,} {unit}", end="")
    columns = ["rule", "prose, false of all", f"per million {unit}", "pairs agreed / other / alone"]
    columns += ["learner pairs"] * has_learners + ["clear cases right"]
    print(f"\n\n| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    failed = [
        rule.name
        for rule in book.rules
        if not report(rule.name, tallies[rule.name], n_words, has_learners=has_learners)
    ]
    if failed:
        sys.exit(f"below {FLOOR:.0%}: {', '.join(failed)}")


def report(name: str, tally: Tally, n_words: int, *, has_learners: bool) -> bool:
    """Print a rule's row; whether enough of its edits are right."""
    share = tally.right / tally.clear if tally.clear else 1.0
    per_million = 1e6 * tally.prose[False] / max(n_words, 1)
    counted = (tally.pairs, tally.learners) if has_learners else (tally.pairs,)
    pairs = " | ".join(" / ".join(str(some[outcome]) for outcome in (AGREED, OTHER, ALONE)) for some in counted)
    shown = f"{share:.1%} of {tally.clear}" if tally.clear else "none"
    print(f"| `{name}` | {tally.prose[False]} of {tally.prose.total()} | {per_million:.2f} | {pairs} | {shown} |")
    return share >= FLOOR


def read_judged(path: Path) -> set[str]:
    """The digests of hits in which a person found the text wrong and the rule right."""
    return {line.split()[0] for line in read_lines(path) if line.strip() and not line.startswith("#")}


def count_prose(
    book: RuleBook,
    tokenise: Tokenise,
    data: Path,
    n_sentences: int,
    tallies: dict[str, Tally],
    judged: set[str],
    *,
    show: bool,
) -> int:
    """Count hits in clean prose, the same share of every file; the number of words read."""
    files = sorted((data / "prose").glob("*.txt.xz"))
    lengths = {path: sum(1 for _ in read_lines(path)) for path in files}
    step = max(1, sum(lengths.values()) // n_sentences)
    n_words = 0
    for path in files:
        for line in islice(read_lines(path), 0, None, step):
            tokens = tuple(tokenise(line.strip()))
            n_words += len(tokens)
            for hit in book.propose(tokens):
                digest = digest_of(hit, tokens)
                tallies[hit.rule.name].prose[digest in judged] += 1
                if show and digest not in judged:
                    print(f"{digest} prose {hit.rule.name}: {shown(tokens, hit.edit)}")
    return n_words


def count_pairs(
    book: RuleBook, pairs: Iterable[Annotated], counter_of: CounterOf, judged: set[str], *, show: bool
) -> int:
    """Count what annotators did where a rule has an edit, in the rule's counter; the number of words read."""
    n_words = 0
    for tokens, edits in pairs:
        n_words += len(tokens)
        for hit in book.propose(tokens):
            outcome = compare(tokens, hit.edit, edits)
            digest = digest_of(hit, tokens)
            if outcome == OTHER and digest in judged:
                outcome = AGREED
            counter_of(hit.rule.name)[outcome] += 1
            if show and outcome != AGREED:
                print(f"{digest} {outcome} {hit.rule.name}: {shown(tokens, hit.edit)}")
    return n_words


def read_pairs(data: Path) -> Iterator[Annotated]:
    """Source tokens and the edits of the first annotator."""
    for name in M2:
        for annotated in iter_sentences(data / name):
            if annotated.annotations:
                yield annotated.sentence.tokens, list(annotated.annotations[0].edits)
    for name in PAIRS:
        for line in read_lines(data / name):
            source, target = (tuple(tokenise_words(cell)) for cell in line.rstrip("\n").split("\t")[:2])
            yield source, list(pair_edits(source, target))


def read_chinese_pairs(data: Path, corpora: Collection[str]) -> Iterator[Annotated]:
    """The characters of sentences and the edits of their correction; a sentence that is in two corpora comes once."""
    seen: set[str] = set()
    for line in read_lines(data / CHINESE_PAIRS):
        corpus, source, target = line.rstrip("\n").split("\t")[:3]
        if corpus in corpora and source not in seen:
            seen.add(source)
            tokens = tuple(split_characters(source))
            yield tokens, list(pair_edits(tokens, tuple(split_characters(target))))


def compare(tokens: Tokens, edit: Edit, edits: Iterable[Edit]) -> str:
    """Whether annotators' edits make of the place what the rule makes of it, perhaps with more."""
    near = [one for one in edits if one.start <= edit.end and edit.start <= one.end]
    if not near:
        return ALONE
    start = max(0, min(edit.start, *(one.start for one in near)) - CONTEXT)
    end = min(len(tokens), max(edit.end, *(one.end for one in near)) + CONTEXT)
    inside = [one for one in edits if start <= one.start and one.end <= end]
    moved = [Edit(one.start - start, one.end - start, one.replacement) for one in inside]
    theirs = f" {' '.join(apply_edits(tokens[start:end], moved))} "
    # A short word may stand elsewhere too: it is looked for with a neighbour.
    left, right = (edit.start, edit.end + 1) if edit.replacement else (max(0, edit.start - 1), edit.end)
    old = f" {' '.join(tokens[left:right])} "
    if old not in theirs and all(f" {word} ".lower() in theirs.lower() for word in edit.replacement):
        return AGREED
    touched = any(one.start < edit.end and edit.start < one.end for one in near)
    return OTHER if touched else ALONE


def digest_of(hit: RuleEdit, tokens: Tokens) -> str:
    text = f"{hit.rule.name}\t{hit.edit.start}\t{' '.join(tokens)}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def shown(tokens: Tokens, edit: Edit) -> str:
    before, after = " ".join(tokens[max(0, edit.start - 6) : edit.start]), " ".join(tokens[edit.end : edit.end + 6])
    return f"{before} [{' '.join(tokens[edit.start : edit.end])} → {' '.join(edit.replacement)}] {after}"


if __name__ == "__main__":
    main()
