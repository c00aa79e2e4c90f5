"""Corrections in the histories of documentation: sentences that a commit changes a little.

The filters of benchmarks/models/pairs.py keep changes that correct. Those here leave out what commits change besides:
names, British and American spelling, house style.
"""

from __future__ import annotations

import difflib
import lzma
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.models.en_small import CHANGE_LIMIT, cut
from benchmarks.models.histories.markup import CODE, NOISE, is_english, may_begin_within, sentences
from benchmarks.models.histories.repositories import REVERT, TIERS, Hunk, Repository, changed_hunks, list_commits
from benchmarks.models.pairs import Moderation, Pair, is_spelt, only_corrections, small_changes
from rapidfuzz import fuzz

from errata.edits.pairing import pair_edits
from errata.model import Tokens

# Longer hunks are rewritten pages. Sentences that are less alike (0 to 100) are others, not corrected ones.
LONGEST_HUNK = 60
LEAST_ALIKE = 75
SHORTEST, LONGEST = 4, 70  # tokens of a sentence
_NUMBER = re.compile(r"\d+")

Varieties = Collection[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence before and after a commit."""

    source: str
    target: str
    repository: str
    tier: str


def mine(repository: Repository, tiers: Sequence[str], most: int, known: Collection[str]) -> list[Change]:
    """The changed English sentences of a history, from the newest `most` commits of each tier."""
    commits = list_commits(repository, tiers, most)
    changes = [
        Change(source, target, repository.name, commits[hunk.commit])
        for hunk in changed_hunks(repository, commits)
        for source, target in changed_sentences(hunk)
        if not changes_content(source, target) and is_english(target, known)
    ]
    counts = Counter(change.tier for change in changes)
    shown = ", ".join(f"{counts[tier]:,} {tier}" for tier in tiers)
    print(f"{repository.name}: {len(commits):,} commits, changes: {shown}", file=sys.stderr, flush=True)
    return changes


def changed_sentences(hunk: Hunk) -> Iterator[tuple[str, str]]:
    """Old and new form of the sentences that a hunk changes a little."""
    if len(hunk.lines) >= LONGEST_HUNK or not {"-", "+"} <= {line[0] for line in hunk.lines}:
        return
    first = hunk.lines[0]
    within = hunk.start > 1 and first[0] == " " and may_begin_within(first[1:])
    old = sentences((line[1:] for line in hunk.lines if line[0] != "+"), begins_within=within)
    new = sentences((line[1:] for line in hunk.lines if line[0] != "-"), begins_within=within)
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "replace" and j - i == m - k:
            for source, target in zip(old[i:j], new[k:m], strict=True):
                if source != target and fuzz.ratio(source, target) >= LEAST_ALIKE:
                    yield source, target


def changes_content(source: str, target: str) -> bool:
    """Whether code or numbers change, or something is no prose."""
    if any(pattern.findall(source) != pattern.findall(target) for pattern in (CODE, _NUMBER)):
        return True
    return any(NOISE.search(CODE.sub("", text)) for text in (source, target))


def without_reverts(changes: Iterable[Change]) -> Iterator[Change]:
    """Each change once, the surest tier first, and only in the direction in which it was made more often.

    Commits that revert others count, but give no changes.
    """
    listed = list(changes)
    times = Counter((change.source, change.target) for change in listed)
    made = (change for change in listed if change.tier != REVERT)
    seen: set[tuple[str, str]] = set()
    for change in sorted(made, key=lambda change: TIERS.index(change.tier)):
        key = change.source, change.target
        if key not in seen and times[key] > times[key[::-1]]:
            seen.add(key)
            yield change


class Judge:
    """Why a pair is left out, or None to keep it."""

    def __init__(self, known: Collection[str], varieties: Varieties) -> None:
        self._known, self._varieties = known, varieties
        self._often = Moderation(CHANGE_LIMIT)
        self._seen: set[Pair] = set()

    def __call__(self, pair: Pair) -> str | None:
        source, target = pair
        if not SHORTEST <= len(source) <= LONGEST:
            return "too short or too long"
        if pair in self._seen:
            return "seen before"
        self._seen.add(pair)
        if source.count("`") % 2 or target.count("`") % 2:
            return "broken code"
        return small_changes(pair, share=0.3) or only_corrections(pair) or self._language(pair) or self._often(pair)

    def _language(self, pair: Pair) -> str | None:
        source, target = pair
        for edit in pair_edits(source, target):
            old, new, before = source[edit.start : edit.end], edit.replacement, source[: edit.start]
            if is_house_style(before, old, new, source[edit.end : edit.end + 1]):
                return "house style"
            if before and is_name(old, new):
                return "a name"
            if (" ".join(old).lower(), " ".join(new).lower()) in self._varieties:
                return "British or American"
            if not is_spelt([word.lower() for word in new], self._known):
                return "an unknown word is put in"
        return None


def is_name(old: Tokens, new: Tokens) -> bool:
    """Whether a word with a capital becomes another word."""
    has_capital = any(word[:1].isupper() and word != "I" for word in (*old, *new))
    return has_capital and "".join(old).lower() != "".join(new).lower()


def is_house_style(before: Tokens, old: Tokens, new: Tokens, after: Tokens) -> bool:
    """Whether a style guide asks for a change: capitals within a sentence, serial comma, `that`, `click on`."""
    if before and len(old) == len(new) and "".join(old).lower() == "".join(new).lower():
        return "i" not in old
    if {old, new} == {(), (",",)} and after in {("and",), ("or",)}:
        return True
    if {old, new} == {(), ("that",)}:
        return True
    return old == ("on",) and not new and before[-1:] in {("click",), ("Click",)}


def read_varieties(data: Path) -> set[tuple[str, str]]:
    """Pairs of spellings of one word in British, American and other English."""
    varieties: set[tuple[str, str]] = set()
    with lzma.open(data / "lexicons" / "varcon.txt.xz", "rt", encoding="latin-1") as lines:
        for line in lines:
            entries = line.partition("|")[0].split("/")
            forms = {entry.rpartition(":")[2].strip().lower() for entry in entries if ":" in entry}
            varieties |= {(form, other) for form in forms for other in forms if form != other}
    return varieties


def judge_changes(changes: Iterable[Change], judge: Judge) -> Iterator[tuple[Change, Pair | str]]:
    """Each change with its tokens, or with the reason why it is left out."""
    for change in without_reverts(changes):
        pair = cut(change.source, change.target)
        yield change, judge(pair) or pair
