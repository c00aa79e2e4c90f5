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

from errata.errors import DataError
from errata.rules.classes import WordClass
from errata.text.words import Span

_MARKED = re.compile(r"\A([^\[\]]{0,1000})\[([^\[\]]{0,1000})\]([^\[\]]{0,1000})\Z")
_GAP = re.compile(r"\A(,?)\.\.\.(\d{0,3})(?:!(\S{1,1000}))?\Z")
_COPY = re.compile(r"~(\d)")

# Marks that end a sentence, and those that end a clause; Chinese text has both widths.
_SENTENCE_ENDS, _CLAUSE_ENDS = "。！？；!?;\n", "，,：:"
_QUOTES = "“”‘’\"'「」『』（）()"
# Characters in a gap without a number: those of most objects and of most clauses, in exam sentences.
CLAUSE_GAP, SENTENCE_GAP = 20, 40
LONGEST_GAP = 80

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


def read_passage(text: str, known: Mapping[str, WordClass], where: str) -> Passage:
    """The pattern that a line means; a fault is a `DataError`."""
    marked = _MARKED.match(text.strip())
    if marked is None:
        raise DataError(f"{where}: mark what is replaced, once: 大约 ...10 [左右 > ]")
    before, inside, after = marked.groups()
    old, _, new = f" {inside} ".partition(" > ")
    groups = [group.split() for group in (before, old, after)]
    new = new.strip()
    copied = {int(number) for number in _COPY.findall(new)}
    if any(not 1 <= number <= len(groups[1]) for number in copied):
        raise DataError(f"{where}: {new} copies an element that is not in the brackets")
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
        # Each word on its own: a look behind has one length.
        return "".join(f"(?<!{_literal(word)})" for word in _read_words(element[:-1], known, where)), frozenset()
    is_optional = element[-1] == "?" and len(element) > 1
    bare = element[:-1] if is_optional else element
    expression = f"(?:{_any_of(bare, known, where)})"
    if is_optional:
        return f"{expression}?", frozenset()
    is_listed = not any(entry in SHAPES for entry in bare.split("|"))
    return expression, frozenset(_read_words(bare, known, where)) if is_listed else frozenset()


def _read_gap(comma: str, number: str, without: str | None, known: Mapping[str, WordClass], where: str) -> str:
    most = int(number) if number else SENTENCE_GAP if comma else CLAUSE_GAP
    if most > LONGEST_GAP:
        raise DataError(f"{where}: a gap has at most {LONGEST_GAP} characters")
    inside = rf"[^{re.escape(_SENTENCE_ENDS + ('' if comma else _CLAUSE_ENDS))}]"
    if without:
        inside = f"(?:(?!{_any_of(without, known, where)}){inside})"
    return f"{inside}{{0,{most}}}?"


def _read_words(listed: str, known: Mapping[str, WordClass], where: str) -> list[str]:
    """The words of an element, longest first, with those of the classes it names."""
    words: set[str] = set()
    for entry in filter(None, listed.split("|")):
        if entry in known:
            words |= known[entry].listed()
        elif entry.isascii() and entry.isupper():
            raise DataError(f"{where}: there is no class {entry}")
        else:
            words.add(entry)
    return sorted(words, key=lambda word: (-len(word), word))


def _any_of(listed: str, known: Mapping[str, WordClass], where: str) -> str:
    """One of the words and shapes of an element, as a regular expression."""
    entries = listed.split("|")
    words = _read_words("|".join(entry for entry in entries if entry not in SHAPES), known, where)
    return "|".join([*map(_literal, words), *(SHAPES[entry] for entry in entries if entry in SHAPES)])


def _literal(word: str) -> str:
    return "".join(_WIDTHS.get(character) or re.escape(character) for character in word)


def _rarest(listed: Sequence[frozenset[str]]) -> frozenset[str]:
    """The words to look for first: the longest, or the fewest; marks come in two widths and are no good."""
    usable = [words for words in listed if not any(character in _WIDTHS for word in words for character in word)]
    return max(usable, key=lambda words: (min(map(len, words)), -len(words)), default=frozenset())
