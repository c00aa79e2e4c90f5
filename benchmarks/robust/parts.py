"""RobustGEC in three parts: to train on, to develop on, and to report on.

The parts are drawn by a seed and stratified by subset. Sentences recur: the same one in two cases, the words of an
essay's question in many essays. Such cases are kept together, so nothing in one part is nearly in another.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.errors import UsageError
from errata.files import write_text
from errata.formats.files import read_lines
from errata.formats.robustgec import format_cases, parse_cases
from errata.model import RobustCase

SUBSETS = ("bea19", "conll14", "tem8")
TRAIN, DEV, TEST = PARTS = ("train", "dev", "test")
ORIGINALS = "train-originals.tsv"
# How many cases to train and to develop on; the others are to report on.
SIZES = {TRAIN: 2000, DEV: 500}
# Decides which cases are in which part. Another seed makes other parts, whose scores cannot be compared.
SEED = 2023
# Cases belong together that share so many of their runs of five words, from eight words on.
RUN, SHARE, SHORTEST = 5, 0.5, 8
_WORD = re.compile(r"[^\W_]+")
# `do n't` and `don't` are the same words.
_CLITIC = re.compile(r"(?<!\s)\s++(?=n?['’]\w)|['’]")


@dataclass(frozen=True, slots=True)
class SubsetCase:
    """A case and the subset it is from."""

    subset: str
    case: RobustCase

    @property
    def texts(self) -> list[str]:
        """What must not be in another part: sources and targets of all samples."""
        samples = (self.case.original, *self.case.variants)
        return [text for sample in samples for text in (sample.source, sample.target)]


def read_cases(folder: Path) -> list[SubsetCase]:
    """All cases of RobustGEC as it is published: a folder for each subset."""
    return [
        SubsetCase(subset, case)
        for subset in SUBSETS
        for case in parse_cases(read_lines(folder / subset / "para.txt.xz"), origin=subset)
    ]


def split_cases(
    cases: Sequence[SubsetCase], sizes: Mapping[str, int] = SIZES, seed: int = SEED
) -> dict[str, list[SubsetCase]]:
    """The cases of each part in their old order, of every subset its share; near duplicates stay together."""
    n_rest = len(cases) - sum(sizes.values())
    if n_rest < 0:
        raise UsageError(f"there are {len(cases)} cases, and {sum(sizes.values())} are wanted for training and dev")
    rng = random.Random(seed)
    groups = find_groups(cases)
    rng.shuffle(groups)
    room = {(part, subset): n for part, n_cases in sizes.items() for subset, n in share_out(cases, n_cases).items()}
    parts: dict[str, list[int]] = {part: [] for part in PARTS}
    # Groups are drawn first, the largest at the beginning; single cases then fill the parts to the last place.
    for group in sorted(groups, key=len, reverse=True):
        wanted = Counter(cases[number].subset for number in group)
        fitting = [part for part in sizes if all(room[part, subset] >= n for subset, n in wanted.items())]
        part = fitting[0] if fitting else TEST
        if len(group) > 1:
            (part,) = rng.choices([*fitting, TEST], [*(sizes[one] for one in fitting), n_rest])
        parts[part] += group
        if part != TEST:
            for subset, n in wanted.items():
                room[part, subset] -= n
    return {part: [cases[number] for number in sorted(numbers)] for part, numbers in parts.items()}


def share_out(cases: Iterable[SubsetCase], n_cases: int) -> dict[str, int]:
    """How many of `n_cases` each subset gives, by its size; what rounding leaves goes to the largest fractions."""
    counts = Counter(one.subset for one in cases)
    exact = {subset: n_cases * count / counts.total() for subset, count in counts.items()}
    shares = {subset: int(value) for subset, value in exact.items()}
    for subset in sorted(exact, key=lambda one: (shares[one] - exact[one], one))[: n_cases - sum(shares.values())]:
        shares[subset] += 1
    return shares


def find_groups(cases: Sequence[SubsetCase]) -> list[list[int]]:
    """The numbers of cases that belong together.

    Two cases have a text in common, or half of the five-word runs in the original of one are in the other. Results were
    published for parts made in this way, so the rule stays, though `errata.datasets.similar` has a better one.
    """
    texts: dict[str, list[int]] = defaultdict(list)  # letters of a text → the cases that have it
    runs: dict[tuple[str, ...], set[int]] = defaultdict(set)  # a run → the cases that have it
    for number, one in enumerate(cases):
        for text in one.texts:
            units = _split_words(text)
            texts["".join(units)].append(number)
            for run in _find_runs(units):
                runs[run].add(number)
    together = _Groups(len(cases))
    for owners in texts.values():
        for other in owners[1:]:
            together.join(owners[0], other)
    for number, one in enumerate(cases):
        units = _split_words(one.case.original.source)
        own = _find_runs(units)
        if len(units) < SHORTEST:
            continue
        counts = Counter(other for run in own for other in runs[run])
        for other, count in counts.items():
            if count >= SHARE * len(own):
                together.join(number, other)
    return together.groups()


def _split_words(text: str) -> list[str]:
    return _WORD.findall(_CLITIC.sub("", text.casefold()))


def _find_runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]


class _Groups:
    """Numbers that are joined two at a time."""

    def __init__(self, n: int) -> None:
        self._leaders = list(range(n))

    def join(self, one: int, other: int) -> None:
        self._leaders[self._leader(one)] = self._leader(other)

    def groups(self) -> list[list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for number in range(len(self._leaders)):
            found[self._leader(number)].append(number)
        return list(found.values())

    def _leader(self, number: int) -> int:
        while self._leaders[number] != number:
            self._leaders[number] = number = self._leaders[self._leaders[number]]
        return number


def write_parts(parts: Mapping[str, Sequence[SubsetCase]], folder: Path) -> None:
    """A folder for each part with a file for each subset, and the originals of the training part as TSV."""
    for part, cases in parts.items():
        for subset in SUBSETS:
            blocks = format_cases(one.case for one in cases if one.subset == subset)
            write_text(folder / part / f"{subset}.para", "".join(blocks))
    originals = (one.case.original for one in parts[TRAIN])
    write_text(folder / ORIGINALS, "".join(f"{one.source}\t{one.target}\n" for one in originals))


def count_leaks(parts: Mapping[str, Sequence[SubsetCase]]) -> int:
    """How many groups of near duplicates are in more than one part."""
    everything = [(part, one) for part, cases in parts.items() for one in cases]
    part_of = [part for part, _ in everything]
    groups = find_groups([one for _, one in everything])
    return sum(len({part_of[number] for number in group}) > 1 for group in groups)
