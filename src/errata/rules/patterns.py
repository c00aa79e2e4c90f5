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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from errata.errors import DataError
from errata.model import Tokens
from errata.rules.classes import CLAUSE_ENDS, SHAPES, WordClass, read_class, refuse_empty
from errata.rules.notation import check_word, shorten, split_choices, split_marked
from errata.text.morphology import follow_case

_EXAMPLE = "MODAL [of > have] PARTICIPLE"
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
# Rows that one line may mean: each optional element doubles them.
MOST_ROWS = 256
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


def read_pattern(text: str, known: Mapping[str, WordClass], where: str, *, replaces: bool = True) -> list[Pattern]:
    """The patterns that a line means: one for every way in which optional elements are there or not.

    `replaces` is whether it says what comes instead of the words in brackets, as `find` does and `skip` does not.
    """
    marked = split_marked(text, where, _EXAMPLE, replaces=replaces)
    zones = [(part, zone) for zone, group in enumerate(marked[:3]) for part in group]
    new = _check_new(marked.new, known, where)
    elements: dict[str, Element] = {}  # the rows share them
    return [_make(parts, new, elements, known, where) for parts in _expand(zones, where)]


def _check_new(words: Sequence[str], known: Mapping[str, WordClass], where: str) -> Tokens:
    """What stands behind ` > `, without signs that mean something before it only."""
    for word in words:
        if word in known or word in SHAPES:
            raise DataError(f"{where}: {word} is a class: words stand behind “ > ”, or {PAIR} for the word of a pair")
        if word[0] == ITSELF:
            continue  # its number is looked at beside the brackets
        check_word(word, where)
        if "_" in word and any(map(str.isalnum, word)):
            raise DataError(f"{where}: {shorten(word)}: behind “ > ”, spaces stand between tokens")
    return tuple(words)


Zoned = tuple[str, int]  # an element as written, and whether it stands before, inside or after the brackets


def _expand(parts: Sequence[Zoned], where: str) -> Iterator[list[Zoned]]:
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
    if prod(map(len, choices)) > MOST_ROWS:
        raise DataError(f"{where}: too many optional elements: write several lines, each with a few of them")
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
        raise DataError(f"{where}: nothing is marked: put a word in the brackets, and again behind “ > ”")
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
    if word == LOWERED:
        return True
    is_here = not number or (number.isdecimal() and 0 <= _number(word) < n_tokens)
    return is_here and not word.endswith(ADDED)


def _number(reference: str) -> int:
    """Which token in the brackets `~` or `~3` means, the first being 0."""
    return int(reference[1:].partition(ADDED)[0] or 1) - 1


def _copied(tokens: Tokens, first: int, reference: str) -> str:
    """The token that `~3` or `~3+s` means, with what is added."""
    return tokens[first + _number(reference)] + reference.partition(ADDED)[2]


def _read_element(part: str, known: Mapping[str, WordClass], where: str) -> Element:
    is_negated = len(part) > 1 and part[0] == "!"
    entries = split_choices(part[1:] if is_negated else part, where, part or REPEATED)
    if START in entries:
        raise DataError(f"{where}: ^ comes first")
    listed = [entry for entry in entries if entry not in (END, SAME)]
    words = known[listed[0]] if len(listed) == 1 and listed[0] in known else read_class(listed, known, where)
    is_same, may_end = SAME in entries, END in entries
    if not (is_same or may_end):
        refuse_empty(words, where)
    is_listed = not (is_negated or is_same or may_end) and words.is_closed
    return Element(words, is_negated, is_same, may_end, words.listed() if is_listed else frozenset())


def _with_case(old: Tokens, new: Tokens) -> Tokens:
    """The new words with the capitals of the old ones: all of them, or the first."""
    if not new:
        return new
    if len(old[0]) > 1 and old[0].isupper():
        return tuple(word.upper() for word in new)
    return (follow_case(old[0], new[0]), *new[1:])
