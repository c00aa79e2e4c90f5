"""Patterns over words: `MODAL NOT? [of > have] PARTICIPLE`.

Each element stands for one token: a word, a class, or several of them with `|` between; `!` before an element means any
token but these (or none), `?` after it that it may be missing. `=` is the same word as the one before. `^` is the
beginning of the sentence and `$` the end of a clause; both stand for no token. `WORD...` is any number of words, or
none: before the brackets in a pattern that begins with `^`, and behind them in one that then goes on to the end of the
sentence, whose last mark may follow. What stands in brackets is replaced by what stands behind `>`: words, `*` for
the correction that a class of pairs has for the token, `~` for the first token itself, `~3` for the third, `~+s` for
the first with an s, `~_` for the first in small letters, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from errata.errors import DataError
from errata.model import Tokens
from errata.rules.classes import CLAUSE_ENDS, WordClass, read_class
from errata.text.morphology import follow_case

_MARKED = re.compile(r"\A([^\[\]]{0,1000})\[([^\[\]]{1,1000})\]([^\[\]]{0,1000})\Z")
START, END, SAME, REPEATED = "^", "$", "=", "..."
# What may stand between the beginning of a sentence and its first word.
_OPENING = frozenset("\" “ ‘ ' ( [ - – — * •".split())
# Words that are nearly half of all English tokens. A pattern that is looked for by one of them is tried in every
# sentence, so such a word weighs as much as a long list of others.
_FREQUENT = frozenset(
    "the of and to a in is it you for that i was on with as be at by not are this 's he she we they his her my or from "
    "have had has an but all n't if so your our their what when do can will me him them no one there which who".split()
)
_FREQUENT_WEIGHT = 100
# The correction of a pair, and the token itself.
PAIR, ITSELF, ADDED, LOWERED = "*", "~", "+", "~_"


@dataclass(frozen=True, slots=True)
class Element:
    """What one token may be; `triggers` are the words to find it by, none where they cannot be listed."""

    words: WordClass
    is_negated: bool = False
    is_same: bool = False
    may_end: bool = False  # the clause may end here instead
    triggers: frozenset[str] = frozenset()

    def fits(self, words: Sequence[str], tokens: Tokens, i: int) -> bool:
        """Whether token i is what the element says; the place after the last token is no word at all."""
        if not 0 <= i < len(words):
            return self.is_negated != (self.may_end and i == len(words))
        if self.is_same:
            is_here = i > 0 and words[i] == words[i - 1]
        else:
            is_here = self.words.has(words[i], tokens[i]) or (self.may_end and words[i] in CLAUSE_ENDS)
        return is_here != self.is_negated


@dataclass(frozen=True, slots=True)
class Stretch:
    """Elements of which some, those with their number in `repeated`, fit any number of tokens or none."""

    elements: tuple[Element, ...]
    repeated: frozenset[int]

    def covers(self, words: Sequence[str], tokens: Tokens, start: int, end: int) -> bool:
        """Whether the elements fit all tokens from `start` to `end`; the time grows with their number alone."""
        reached = self._with_skipped({0})
        for i in range(start, end):
            here = [n for n in reached if n < len(self.elements) and self.elements[n].fits(words, tokens, i)]
            reached = self._with_skipped({n if n in self.repeated else n + 1 for n in here})
            if not reached:
                return False
        return len(self.elements) in reached

    def _with_skipped(self, reached: set[int]) -> set[int]:
        """The elements that may come next, with those that stand behind a repeated one, which may fit nothing."""
        for n in range(len(self.elements)):
            if n in reached and n in self.repeated:
                reached.add(n + 1)
        return reached


@dataclass(frozen=True, slots=True)
class Pattern:
    """Elements in a row, of which those from `start` to `end` are replaced by `new`.

    `trigger` is the element to look for first: the one with the fewest and rarest words, if any has words to list.
    `head` is what the sentence has before the elements, all of it, and `tail` what it has behind them.
    """

    elements: tuple[Element, ...]
    start: int
    end: int
    new: Tokens
    trigger: int | None
    at_start: bool = False
    head: Stretch | None = None
    tail: Stretch | None = None

    def match(self, words: Sequence[str], tokens: Tokens, first: int) -> bool:
        """Whether the elements fit from token `first` on."""
        if self.at_start and not all(word in _OPENING for word in words[: max(first, 0)]):
            return False
        if not all(element.fits(words, tokens, first + n) for n, element in enumerate(self.elements)):
            return False
        if self.head is not None and not self.head.covers(words, tokens, 0, first):
            return False
        after = first + len(self.elements)
        return self.tail is None or self.tail.covers(words, tokens, after, len(words) - (words[-1] in CLAUSE_ENDS))

    def replacement(self, words: Sequence[str], tokens: Tokens, first: int) -> Tokens:
        """What the marked tokens are replaced by, with their capitals."""
        if self.new == (LOWERED,):
            return (tokens[first + self.start].lower(),)
        made: list[str] = []
        for word in self.new:
            if word == PAIR:
                made += next(
                    pair
                    for n in range(self.start, self.end)
                    if (pair := self.elements[n].words.pairs.get(words[first + n]))
                )
            else:
                made.append(_copied(tokens, first + self.start, word) if word[0] == ITSELF else word)
        return _with_case(tokens[first + self.start : first + self.end], tuple(made))


def read_pattern(text: str, known: Mapping[str, WordClass], where: str) -> list[Pattern]:
    """The patterns that a line means: one for every way in which optional elements are there or not."""
    marked = _MARKED.match(text.strip())
    if marked is None:
        raise DataError(f"{where}: mark what is replaced, once: MODAL [of > have] PARTICIPLE")
    before, inside, after = marked.groups()
    old, _, new = f"{inside} ".partition(" > ")
    zones = [(part, zone) for zone, group in enumerate((before, old, after)) for part in group.split()]
    elements: dict[str, Element] = {}  # the rows share them
    return [_make(parts, tuple(new.split()), elements, known, where) for parts in _expand(zones)]


Zoned = tuple[str, int]  # an element as written, and whether it stands before, inside or after the brackets


def _expand(parts: Sequence[Zoned]) -> Iterator[list[Zoned]]:
    """The rows of elements without `?`, and without words beside `^`."""
    choices: list[list[Zoned | None]] = []
    for part, zone in parts:
        bare = part[:-1] if len(part) > 1 and part[-1] == "?" else part
        entries = bare.split("|")
        ways: list[Zoned | None] = [(bare, zone)]
        if START in entries and len(entries) > 1:
            ways = [(START, zone), ("|".join(entry for entry in entries if entry != START), zone)]
        if bare != part:
            ways.append(None)
        choices.append(ways)
    return ([part for part in chosen if part is not None] for chosen in product(*choices))


def _make(
    parts: Sequence[Zoned], new: Tokens, made: dict[str, Element], known: Mapping[str, WordClass], where: str
) -> Pattern:
    at_start = bool(parts) and parts[0][0] == START
    parts = parts[at_start:]
    for part, _ in parts:
        if part not in made:
            made[part] = _read_element(part.removesuffix(REPEATED), known, where)
    head, parts, tail = _cut(parts, where, at_start=at_start)
    elements = tuple(made[part] for part, _ in parts)
    start = sum(zone == 0 for _, zone in parts)
    end = start + sum(zone == 1 for _, zone in parts)
    if start == end:
        raise DataError(f"{where}: nothing is marked")
    for word in new:
        if word[0] == ITSELF and not _is_copy(word, end - start):
            raise DataError(f"{where}: {word} is none of the {end - start} tokens in the brackets")
    if PAIR in new and not any(element.words.pairs for element in elements[start:end]):
        raise DataError(f"{where}: no word in the brackets has a pair for {PAIR}")
    weights = [(_weigh(element.triggers), number) for number, element in enumerate(elements) if element.triggers]
    return Pattern(
        elements, start, end, new, min(weights)[1] if weights else None, at_start and not head,
        _stretch(head, made), _stretch(tail, made),
    )  # fmt: skip


def _cut(
    parts: Sequence[Zoned], where: str, *, at_start: bool
) -> tuple[Sequence[Zoned], Sequence[Zoned], Sequence[Zoned]]:
    """The parts up to the last repeated one before the brackets, those around, and from the first one behind them."""
    repeated = [n for n, (part, _) in enumerate(parts) if part.endswith(REPEATED)]
    if any(parts[n][1] == 1 for n in repeated):
        raise DataError(f"{where}: {REPEATED} does not stand in brackets")
    left = max((n + 1 for n in repeated if parts[n][1] == 0), default=0)
    right = min((n for n in repeated if parts[n][1] == 2), default=len(parts))
    if left and not at_start:
        raise DataError(f"{where}: {REPEATED} before the brackets needs {START} at the beginning")
    return parts[:left], parts[left:right], parts[right:]


def _stretch(parts: Sequence[Zoned], made: Mapping[str, Element]) -> Stretch | None:
    if not parts:
        return None
    repeated = frozenset(n for n, (part, _) in enumerate(parts) if part.endswith(REPEATED))
    return Stretch(tuple(made[part] for part, _ in parts), repeated)


def _weigh(words: frozenset[str]) -> int:
    """How often one of these words is met, roughly."""
    return len(words) + _FREQUENT_WEIGHT * len(words & _FREQUENT)


def _is_copy(word: str, n_tokens: int) -> bool:
    """Whether `~`, `~3` or `~3+s` means one of the tokens in the brackets."""
    number = word[1:].partition(ADDED)[0]
    return not number or word == LOWERED or (number.isdecimal() and 0 <= _number(word) < n_tokens)


def _number(reference: str) -> int:
    """Which token in the brackets `~` or `~3` means, the first being 0."""
    return int(reference[1:].partition(ADDED)[0] or 1) - 1


def _copied(tokens: Tokens, first: int, reference: str) -> str:
    """The token that `~3` or `~3+s` means, with what is added."""
    return tokens[first + _number(reference)] + reference.partition(ADDED)[2]


def _read_element(part: str, known: Mapping[str, WordClass], where: str) -> Element:
    is_negated = len(part) > 1 and part[0] == "!"
    entries = (part[1:] if is_negated else part).split("|")
    if START in entries:
        raise DataError(f"{where}: ^ comes first")
    listed = [entry for entry in entries if entry not in (END, SAME)]
    words = known[listed[0]] if len(listed) == 1 and listed[0] in known else read_class(listed, known, where)
    is_same, may_end = SAME in entries, END in entries
    is_listed = not (is_negated or is_same or may_end) and words.is_closed
    return Element(words, is_negated, is_same, may_end, words.listed() if is_listed else frozenset())


def _with_case(old: Tokens, new: Tokens) -> Tokens:
    """The new words with the capitals of the old ones: all of them, or the first."""
    if not new:
        return new
    if len(old[0]) > 1 and old[0].isupper():
        return tuple(word.upper() for word in new)
    return (follow_case(old[0], new[0]), *new[1:])
