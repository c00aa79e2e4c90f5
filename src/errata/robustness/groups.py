"""P-CRS by groups of variants: what was done to the context, how far from the error, and with which words.

The first four groupings are those of the RobustGEC paper's figures; its rules are in the docstrings here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from errata.edits.carrying import SUBSTITUTE, Change
from errata.edits.en.extractor import EnglishExtractor
from errata.errors import DataError, FormatError, UnknownName, UsageError
from errata.formats.base import clean_lines
from errata.formats.files import PathLike, display_name, read_lines
from errata.model import Tokens
from errata.robustness.cases import split_sample
from errata.robustness.judging import Judge, JudgedCase
from errata.text.tokens import split_raw

SEVERAL, NO_ERROR, NO_CHANGE, OTHER = "several", "no error", "no change", "no substitution"
# Words between perturbation and error, up to and including these.
DISTANCES = (0, 1, 2, 4, 9)
# The paper's levels: fewer than 10 occurrences in the training data are low, more than 50 are high.
LOW, HIGH = 10, 50
# Cases whose sources are parsed at once.
AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant beside its original, and what is known of the words; `place` is that among the samples."""

    judged: JudgedCase
    place: int
    original: Tokens
    source: Tokens
    frequencies: Mapping[str, int] = field(default_factory=dict)
    parts_of_speech: Mapping[Tokens, Sequence[str]] = field(default_factory=dict)

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.judged.changes[self.place - 1]

    @property
    def new_words(self) -> list[str]:
        return [word.lower() for one in self.changes for word in self.source[one.new_start : one.new_end]]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """How many variants are in a group, and P-CRS in both definitions; None where no variant can be compared."""

    n_variants: int
    official: float
    consistent: float | None

    def as_dict(self) -> dict[str, Any]:
        return {"n_variants": self.n_variants, "official": self.official, "consistent": self.consistent}


Groups = Mapping[str, Mapping[str, GroupRow]]
"""Grouping → group → its row."""


def group_by_action(variant: Variant) -> Iterable[str]:
    """What was done to the original; `several` where it was not the same everywhere."""
    actions = {one.action for one in variant.changes}
    return [NO_CHANGE if not actions else SEVERAL if len(actions) > 1 else min(actions)]


def group_by_distance(variant: Variant) -> Iterable[str]:
    """Tokens between the perturbation and the error, where there is one of each."""
    edits = variant.judged.references[variant.place]
    if not edits:
        return [NO_ERROR]
    if len(edits) > 1 or len(variant.changes) != 1:
        return [SEVERAL]
    [edit], [change] = edits, variant.changes
    distance = max(0, edit.start - change.new_end, change.new_start - edit.end)
    return [_distance_label(distance)]


def _distance_label(distance: int) -> str:
    low = 0
    for high in DISTANCES:
        if distance <= high:
            return str(high) if low == high else f"{low}–{high}"
        low = high + 1
    return f"{low}+"


def group_by_frequency(variant: Variant) -> Iterable[str]:
    """How often the rarest of the new words occurs, where words were only substituted."""
    if not variant.changes or any(one.action != SUBSTITUTE for one in variant.changes):
        return [OTHER]
    count = min(variant.frequencies.get(word, 0) for word in variant.new_words)
    return ["low" if count < LOW else "high" if count > HIGH else "medium"]


def group_by_pos(variant: Variant) -> Iterable[str]:
    """The parts of speech of the new words, of the old ones where words were only deleted; a variant may have many."""
    new, old = (variant.parts_of_speech[text] for text in (variant.source, variant.original))
    found = [tag for one in variant.changes for tag in new[one.new_start : one.new_end] or old[one.start : one.end]]
    return dict.fromkeys(found or [NO_CHANGE])


def group_by_type(variant: Variant) -> Iterable[str]:
    """The types of the edits that the variant needs; a variant may have many."""
    return dict.fromkeys([edit.type for edit in variant.judged.references[variant.place]] or [NO_ERROR])


GROUPINGS: dict[str, Callable[[Variant], Iterable[str]]] = {
    "action": group_by_action,
    "distance": group_by_distance,
    "frequency": group_by_frequency,
    "pos": group_by_pos,
    "type": group_by_type,
}
# Rows in the order of a figure; those of other groupings go by size.
ORDERS: dict[str, list[str]] = {
    "action": ["substitute", "insert", "delete", SEVERAL, NO_CHANGE],
    "distance": [*(_distance_label(one) for one in DISTANCES), _distance_label(DISTANCES[-1] + 1), SEVERAL, NO_ERROR],
    "frequency": ["low", "medium", "high", OTHER],
}


def check_groupings(names: Sequence[str], language: str, frequencies: PathLike | None) -> None:
    """Refuse groupings that nothing is known for."""
    for name in names:
        if name not in GROUPINGS:
            raise UnknownName("grouping", name, GROUPINGS)
    if "pos" in names and language != "en":
        raise UsageError("pos groups by English parts of speech, the cases are Chinese: leave it out")
    if "frequency" in names and frequencies is None:
        raise UsageError("frequency needs a file of training text, or of words and their counts, to count words in")
    if "frequency" not in names and frequencies is not None:
        raise UsageError("frequencies are for the grouping by frequency: ask for it too")


def group_variants(
    cases: Sequence[JudgedCase], names: Sequence[str], judge: Judge, frequencies: PathLike | None = None
) -> dict[str, dict[str, GroupRow]]:
    """The rows of each grouping asked for."""
    counts = count_words(frequencies, _new_words(cases, judge.language)) if frequencies is not None else {}
    cells: dict[str, dict[str, list[int]]] = {name: {} for name in names}
    for variant in _find_variants(cases, judge, counts, needs_parser="pos" in names):
        at = variant.place - 1
        is_comparable = variant.judged.is_comparable[at]
        tally = (1, variant.judged.has_same_f[at], is_comparable, is_comparable and variant.judged.is_alike[at])
        for name in names:
            for label in GROUPINGS[name](variant):
                cell = cells[name].setdefault(label, [0, 0, 0, 0])
                for column, one in enumerate(tally):
                    cell[column] += one
    return {name: _make_rows(name, rows) for name, rows in cells.items()}


def _make_rows(name: str, cells: Mapping[str, Sequence[int]]) -> dict[str, GroupRow]:
    order = ORDERS.get(name) or sorted(cells, key=lambda label: (-cells[label][0], label))
    return {
        label: GroupRow(n, same / n, alike / comparable if comparable else None)
        for label in order
        if label in cells
        for n, same, comparable, alike in [cells[label]]
    }


def _find_variants(
    cases: Iterable[JudgedCase], judge: Judge, frequencies: Mapping[str, int], *, needs_parser: bool
) -> Iterator[Variant]:
    stream = iter(cases)
    while batch := list(islice(stream, AT_ONCE)):
        tokens = [[split_sample(one.source, judge.language) for one in judged.case.samples] for judged in batch]
        tags = _tag({text for texts in tokens for text in texts}, judge) if needs_parser else {}
        for judged, (original, *sources) in zip(batch, tokens, strict=True):
            for place, source in enumerate(sources, 1):
                yield Variant(judged, place, original, source, frequencies, tags)


def _tag(texts: Iterable[Tokens], judge: Judge) -> dict[Tokens, Sequence[str]]:
    """The parts of speech of the words of each text."""
    assert isinstance(judge.extractor, EnglishExtractor)
    analyses = judge.extractor.analyse(" ".join(text) for text in texts)
    return {tuple(analysis.words): analysis.pos for analysis in analyses.values()}


def _new_words(cases: Iterable[JudgedCase], language: str) -> set[str]:
    """All words that perturbations put in, in lower case."""
    words: set[str] = set()
    for judged in cases:
        sources = [split_sample(one.source, language) for one in judged.case.samples]
        for place, source in enumerate(sources[1:], 1):
            words.update(Variant(judged, place, sources[0], source).new_words)
    return words


def count_words(path: PathLike, wanted: set[str]) -> Counter[str]:
    """How often the wanted words, in lower case, occur in a text, or what a file of words and counts says of them.

    A file of counts has a word, a tab and a number in every line.
    """
    counts: Counter[str] = Counter()
    is_table: bool | None = None
    name = display_name(path)
    for number, line in enumerate(clean_lines(read_lines(path), name), 1):
        word, tab, count = line.partition("\t")
        is_entry = bool(tab) and count.isascii() and count.isdigit()
        is_table = is_entry if is_table is None else is_table
        if is_table and not is_entry:
            raise FormatError(name, number, f"not a word, a tab and a count, as the lines before ({line[:60]!r})")
        if is_table:
            if word.lower() in wanted:
                counts[word.lower()] += int(count[:18])  # more digits than that are no count of anything
        else:
            counts.update(token for token in map(str.lower, split_raw(line)) if token in wanted)
    if is_table is None:
        raise DataError(f"{name}: there are no words to count")
    return counts
