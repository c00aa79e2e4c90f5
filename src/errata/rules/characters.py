"""Patterns over characters, for Chinese: `大约|约 ...10 NUMBER ...4 [左右 > ]`.

Elements stand one after the other, without spaces in the text: words, with `|` between those of which one stands there,
classes, and gaps. `...10` is a gap of at most 10 characters of one clause, `,...40` one that may go on behind a comma;
`...10!没有|不` is one without these words. No gap crosses the end of a sentence. `?` behind words means that they may
be missing. `!用|得` stands for nothing: none of these words follows here; of `大|即!`, none stands before. `^` and
`$.` are the beginning and the end of the sentence, `^,` and `$` those of a clause.

What stands in brackets is replaced by what stands behind `>`: words, `~2` for what the second element in the brackets
is in the text, or nothing. Empty brackets put something in: `防止 ...20 事故 [ > 的发生] $`.

Every gap is bounded, so the time grows with the length of the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod

from errata.errors import DataError
from errata.rules.classes import SHAPES as ENGLISH_SHAPES
from errata.rules.classes import WordClass, read_class
from errata.rules.notation import check_word, no_class, shorten, split_choices, split_marked, unquote
from errata.text.words import Span

_GAP = re.compile(r"\A(,?)\.\.\.(\d{0,3})(?:!(\S{1,1000}))?\Z")
_COPY = re.compile(r"~(\d)")
_EXAMPLE = "大约 ...10 [左右 > ]"

# Marks that end a sentence, and those that end a clause; Chinese text has both widths.
_SENTENCE_ENDS, _CLAUSE_ENDS = "。！？；!?;\n", "，,：:"
_QUOTES = "“”‘’\"'「」『』（）()"
# Characters in a gap without a number: those of most objects and of most clauses, in exam sentences.
CLAUSE_GAP, SENTENCE_GAP = 20, 40
LONGEST_GAP = 80
# Ways in which the gaps of a pattern may lie together. The rules of errata have at most 1,600.
MOST_WAYS = 100_000

# Classes that are known by what they look like.
SHAPES: Mapping[str, str] = {
    "NUMBER": r"(?:分之|[0-9０-９一二三四五六七八九十百千万亿两几数半.．,%％‰～~—-]){1,16}",
    "HAN": r"[\u4e00-\u9fff]",
}
_PLACES: Mapping[str, str] = {
    "^": rf"\A[{re.escape(_QUOTES)}]{{0,2}}",
    "^,": rf"(?:\A|(?<=[{re.escape(_SENTENCE_ENDS + _CLAUSE_ENDS + _QUOTES)}—…]))",
    "$": rf"(?=[{re.escape(_SENTENCE_ENDS + _CLAUSE_ENDS + _QUOTES)}.—…]|\Z)",
    "$.": rf"(?=[{re.escape(_SENTENCE_ENDS + _QUOTES)}.…]{{0,3}}\Z)",
}
# Marks that stand for both widths of them.
_WIDTHS = {"，": "[，,]", "：": "[：:]", "；": "[；;]", "！": "[！!]", "？": "[？?]", "（": "[（(]", "）": "[）)]"}


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a text that a pattern fits: what is replaced, by what, and how far the pattern reaches."""

    edit: Span
    new: str
    around: Span


@dataclass(frozen=True)
class Passage:
    """A pattern over characters, as a regular expression that is compiled when a text has one of its `triggers`.

    These are the first two characters of words of which one must be there.
    """

    expression: str
    new: str
    triggers: frozenset[str]

    def find_all(self, text: str, pieces: Set[str]) -> Iterator[Found]:
        """The places it fits, from left to right; they may overlap. `pieces` are those of the text (`cut_pieces`)."""
        if self.triggers.isdisjoint(pieces):
            return
        match = self._compiled.search(text)
        while match is not None:
            if match.start() != match.end():
                new = _COPY.sub(lambda copy, match=match: match[f"e{copy[1]}"] or "", self.new)  # type: ignore[misc]
                yield Found(match.span("old"), new, match.span())
            match = self._compiled.search(text, match.start() + 1)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.expression)


@dataclass(frozen=True, slots=True)
class Passages:
    """The patterns over characters of a rule: where it counts, and where it does not."""

    finds: tuple[Passage, ...]
    skips: tuple[Passage, ...] = ()
    unless: frozenset[str] = frozenset()

    def triggers(self) -> frozenset[str]:
        """The pieces of a text by which any of its patterns is found."""
        return frozenset().union(*(passage.triggers for passage in self.finds))

    def find_all(self, text: str, pieces: Set[str]) -> list[Found]:
        """What the rule does in a text, each edit once; `pieces` are those of the text."""
        found = [one for passage in self.finds for one in passage.find_all(text, pieces)]
        if not found or any(word in text for word in self.unless):
            return []
        skipped = {one.edit for passage in self.skips for one in passage.find_all(text, pieces)}
        kept: dict[Span, Found] = {}
        for one in found:
            if one.edit not in skipped and text[slice(*one.edit)] != one.new:
                kept.setdefault(one.edit, one)
        return list(kept.values())


def cut_pieces(text: str) -> set[str]:
    """The characters of a text, alone and with the next one: by these, patterns are found."""
    return {*text, *map("".join, pairwise(text))}


def read_words(entries: Sequence[str], known: Mapping[str, WordClass], where: str) -> WordClass:
    """A class of words over characters: they are listed, so that they can be looked for in a text."""
    for entry in entries:
        if entry.lstrip("-") in (*SHAPES, *ENGLISH_SHAPES):
            raise DataError(f"{where}: {entry} stands in patterns, not in a class of Chinese words")
    found = read_class(entries, known, where)
    if found.pairs or not found.is_closed:
        raise DataError(f"{where}: a class of Chinese words has words alone, without * and >")
    return found


def read_passage(text: str, known: Mapping[str, WordClass], where: str, *, replaces: bool = True) -> Passage:
    """The pattern that a line means; a fault is a `DataError`.

    `replaces` is whether it says what comes instead of what is in brackets, as `find` does and `skip` does not.
    """
    *groups, words = split_marked(text, where, _EXAMPLE, replaces=replaces)
    new = "".join(words)
    _check_new(new, known, where)
    copied = {int(number) for number in _COPY.findall(new)}
    if any(not 1 <= number <= len(groups[1]) for number in copied):
        raise DataError(f"{where}: {new} copies an element that is not in the brackets")
    _check_gaps([element for group in groups for element in group], where)
    read = [[_read_element(element, known, where) for element in group] for group in groups]
    parts = [f"(?P<e{number}>{part})" if number in copied else part for number, (part, _) in enumerate(read[1], 1)]
    left, right = ("".join(part for part, _ in group) for group in (read[0], read[2]))
    triggers = _rarest([words for group in read for _, words in group if words])
    if not triggers:
        raise DataError(f"{where}: a pattern needs a word that must be there")
    return Passage(f"{left}(?P<old>{''.join(parts)}){right}", new, frozenset(word[:2] for word in triggers))


def _read_element(element: str, known: Mapping[str, WordClass], where: str) -> tuple[str, frozenset[str]]:
    """An element as a regular expression, and the words of which one must be there."""
    if element in _PLACES:
        return _PLACES[element], frozenset()
    if gap := _GAP.match(element):
        return _read_gap(gap[1], gap[2], gap[3], known, where), frozenset()
    if element[0] == "!" and len(element) > 1:
        return f"(?!{_any_of(element[1:], known, where)})", frozenset()
    if element[-1] == "!" and len(element) > 1:
        if any(entry in SHAPES for entry in element[:-1].split("|")):
            raise DataError(f"{where}: {shorten(element)}: words stand before !, not {' and '.join(SHAPES)}")
        # Each word on its own: a look behind has one length.
        return "".join(f"(?<!{_literal(word)})" for word in _read_words(element[:-1], known, where)), frozenset()
    is_optional = element[-1] == "?" and len(element) > 1
    bare = element[:-1] if is_optional else element
    expression = f"(?:{_any_of(bare, known, where)})"
    if is_optional:
        return f"{expression}?", frozenset()
    is_listed = not any(entry in SHAPES for entry in bare.split("|"))
    return expression, frozenset(_read_words(bare, known, where)) if is_listed else frozenset()


def _check_gaps(elements: Sequence[str], where: str) -> None:
    """Refuse gaps that are too long together: each multiplies the time of the others."""
    gaps = [gap for gap in map(_GAP.match, elements) if gap]
    if prod(1 + _gap_length(gap[1], gap[2]) for gap in gaps) > MOST_WAYS:
        raise DataError(f"{where}: the gaps are too long together: make them shorter, or write several lines")


def _gap_length(comma: str, number: str) -> int:
    """The characters of a gap at most."""
    return int(number) if number else SENTENCE_GAP if comma else CLAUSE_GAP


def _read_gap(comma: str, number: str, without: str | None, known: Mapping[str, WordClass], where: str) -> str:
    most = _gap_length(comma, number)
    if most > LONGEST_GAP:
        raise DataError(f"{where}: a gap has at most {LONGEST_GAP} characters")
    inside = rf"[^{re.escape(_SENTENCE_ENDS + ('' if comma else _CLAUSE_ENDS))}]"
    if without:
        inside = f"(?:(?!{_any_of(without, known, where)}){inside})"
    return f"{inside}{{0,{most}}}?"


def _check_new(new: str, known: Mapping[str, WordClass], where: str) -> None:
    """Refuse signs behind ` > ` that mean something before it only."""
    if new in known or new in SHAPES:
        raise DataError(f"{where}: {new} is a class: words stand behind “ > ”")
    plain = _COPY.sub("", new)
    if len(plain) > 1 or plain == "~":
        for sign in '~*|>"':
            if sign in plain:
                raise DataError(
                    f"{where}: {shorten(new)}: {sign} has no meaning behind “ > ”; ~2 is the second element"
                )


def _read_words(listed: str, known: Mapping[str, WordClass], where: str) -> list[str]:
    """The words of an element, longest first, with those of the classes it names."""
    words: set[str] = set()
    for entry in split_choices(listed, where, listed):
        if entry in known:
            words |= known[entry].written()
        elif entry in SHAPES:
            continue
        elif (exact := unquote(entry, where)) is not None:
            words.add(exact)
        elif entry != entry.lower():
            raise no_class(entry, (*SHAPES, *known), where)
        elif entry[0] == "-" and len(entry) > 1:
            raise DataError(f"{where}: {shorten(entry)}: exceptions stand in classes; in a pattern, write !{entry[1:]}")
        else:
            check_word(entry, where)
            words.add(entry)
    return sorted(words, key=lambda word: (-len(word), word))


def _any_of(listed: str, known: Mapping[str, WordClass], where: str) -> str:
    """One of the words and shapes of an element, as a regular expression."""
    entries = listed.split("|")
    words = _read_words(listed, known, where)
    return "|".join([*map(_literal, words), *(SHAPES[entry] for entry in entries if entry in SHAPES)])


def _literal(word: str) -> str:
    return "".join(_WIDTHS.get(character) or re.escape(character) for character in word)


def _rarest(listed: Sequence[frozenset[str]]) -> frozenset[str]:
    """The words to look for first: the longest, or the fewest; marks come in two widths and are no good."""
    usable = [words for words in listed if not any(character in _WIDTHS for word in words for character in word)]
    return max(usable, key=lambda words: (min(map(len, words)), -len(words)), default=frozenset())
