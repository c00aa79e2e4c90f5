"""A book of rules: read from a file, found by their words, with the edits they propose.

A file has classes of words (`NAME: word word …`) and rules, one after the other:

    rule should-of
    about   After “should”, “could” and the like, “of” stands for “have”.
    find    MODAL NOT? [of > have] PARTICIPLE
    skip    [of] course
    wrong   You should of told me.
    right   You should have told me.
    keep    He could, of course, be right.

`find` may come several times; `skip` says where none of them counts: its marked words are those of `find`. `unless`
has words: a sentence with one of them is left alone. `sure` is how often an edit of the rule is right. Every rule has
examples: what it corrects, and what it leaves alone. Instead of `find`, one rule has `learnt confusables`.

A file that begins with `language zh` is about Chinese: its patterns are over characters (`rules.characters`).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import accumulate

from errata.errors import DataError, UnknownName, find_nearest
from errata.model import Edit, Tokens
from errata.rules.characters import SHAPES as CHARACTER_SHAPES
from errata.rules.characters import Passage, Passages, cut_pieces, read_passage, read_words
from errata.rules.classes import SHAPES, WordClass, read_class, refuse_empty
from errata.rules.confusables import load_confusables
from errata.rules.notation import shorten
from errata.rules.patterns import Pattern, read_pattern
from errata.text.words import Span

# How often an edit of a rule is right unless the rule says otherwise: what a rule must reach to be in the book.
SURE = 0.98
COMMENT = "#"
BYTE_ORDER_MARK = "\ufeff"
# What a rule has, as its lines begin.
KEYS = ("about", "find", "skip", "unless", "sure", "wrong", "right", "keep")
_RULE_NAME = re.compile(r"\w[\w-]{0,99}")
# Control characters, except tabs, and separators of lines and paragraphs.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_CLASS_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,99}")
# The file of rules that comes with errata, for every language that has one.
BOOKS = {"en": "english.rules", "zh": "chinese.rules"}


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with the slip, and without it."""

    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A slip: where it is found, what to say about it, and examples of what is corrected and what is not."""

    name: str
    about: str
    patterns: tuple[Pattern, ...]
    skips: tuple[Pattern, ...] = ()
    sure: float = SURE
    examples: tuple[Example, ...] = ()
    kept: tuple[str, ...] = ()
    finds: tuple[str, ...] = ()  # the patterns as they are written
    written_skips: tuple[str, ...] = ()
    written_unless: str = ""
    where: str = ""  # its file and line
    unless: WordClass | None = None  # the rule leaves sentences with these words alone
    is_learnt: bool = False  # its edits are those of the confusables
    language: str = "en"
    passages: Passages | None = None  # instead of patterns, where tokens are characters
    lines: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # where each sentence stands


@dataclass(frozen=True, slots=True)
class RuleEdit:
    """An edit that a rule proposes; a hint counts only where another corrector proposes the same.

    `around` is the range of tokens that make it a slip, where that is more than the edit.
    """

    edit: Edit
    rule: Rule
    is_hint: bool = False
    around: Span | None = None


class RuleBook:
    """Rules, found by the words that can be a part of them."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._learnt = next((rule for rule in self.rules if rule.is_learnt), None)
        self._over_characters = [
            (rule, rule.passages, rule.passages.triggers()) for rule in self.rules if rule.passages is not None
        ]
        self._by_word: dict[str, list[tuple[Rule, Pattern, int]]] = {}
        for rule in self.rules:
            for pattern in rule.patterns:
                assert pattern.trigger is not None, "checked when the rule was read"
                for word in pattern.elements[pattern.trigger].triggers:
                    self._by_word.setdefault(word, []).append((rule, pattern, pattern.trigger))

    def propose(self, tokens: Tokens) -> list[RuleEdit]:
        """The edits of all rules in a sentence, in order; of two that overlap the surer one, or the first."""
        return [one for one in self.propose_all(tokens) if not one.is_hint]

    def propose_all(self, tokens: Tokens) -> list[RuleEdit]:
        """The edits and the hints of all rules in a sentence, in order; none overlap."""
        if not self._by_word and self._learnt is None:
            return self._propose([], tokens)
        words = [token.lower() for token in tokens]
        if not any("’" in word for word in words):
            return self._propose(words, tokens)
        plain = tuple(token.replace("’", "'") for token in tokens)
        found = self._propose([word.replace("’", "'") for word in words], plain)
        return [RuleEdit(_curl(one.edit), one.rule, one.is_hint) for one in found]

    def without(self, names: Collection[str]) -> RuleBook:
        """The book without the rules of these names."""
        known = [rule.name for rule in self.rules]
        for name in names:
            if name not in known:
                raise UnknownName("rule", name, known)
        return RuleBook(rule for rule in self.rules if rule.name not in names)

    def of_language(self, language: str) -> RuleBook:
        """The rules about a language."""
        return RuleBook(rule for rule in self.rules if rule.language == language)

    def _propose(self, words: list[str], tokens: Tokens) -> list[RuleEdit]:
        get = self._by_word.get
        found: list[RuleEdit] = []
        for i, word in enumerate(words):
            for rule, pattern, trigger in get(word, ()):
                edit = _apply(rule, pattern, words, tokens, i - trigger)
                if edit is not None:
                    found.append(RuleEdit(edit, rule))
        if self._learnt is not None:
            confused = load_confusables().propose(words, tokens)
            found += [RuleEdit(edit, self._learnt, not is_sure) for edit, is_sure in confused]
        if self._over_characters:
            found += self._find_passages(tokens)
        return _apart(found) if len(found) > 1 else found

    def _find_passages(self, tokens: Tokens) -> Iterator[RuleEdit]:
        """The edits of rules over characters, where they begin and end with a token."""
        text = "".join(tokens)
        numbers = dict(zip(accumulate(map(len, tokens), initial=0), range(len(tokens) + 1), strict=True))
        pieces = cut_pieces(text)
        for rule, passages, triggers in self._over_characters:
            if triggers.isdisjoint(pieces):
                continue
            for found in passages.find_all(text, pieces):
                (start, end), (first, last) = found.edit, found.around
                if start in numbers and end in numbers:
                    edit = Edit(numbers[start], numbers[end], tuple(found.new))
                    around = numbers.get(first, edit.start), numbers.get(last, edit.end)
                    yield RuleEdit(edit, rule, around=around)


def _apply(rule: Rule, pattern: Pattern, words: list[str], tokens: Tokens, first: int) -> Edit | None:
    """What the rule does where its pattern begins at token `first`; None where it does not fit."""
    if not pattern.match(words, tokens, first):
        return None
    if rule.unless is not None and any(map(rule.unless.has, words, tokens)):
        return None
    start, end = first + pattern.start, first + pattern.end
    if any(start >= skip.start and skip.match(words, tokens, start - skip.start) for skip in rule.skips):
        return None
    new = pattern.replacement(words, tokens, first)
    return None if new == tokens[start:end] else Edit(start, end, new)


def _apart(found: list[RuleEdit]) -> list[RuleEdit]:
    """The edits in order, without those that overlap a surer one."""
    kept: list[RuleEdit] = []  # in order, so that an edit has two neighbours to look at
    for one in sorted(found, key=lambda one: (one.is_hint, -one.rule.sure, one.edit.start, one.edit.end)):
        at = bisect(kept, (one.edit.start, one.edit.end), key=lambda other: (other.edit.start, other.edit.end))
        beside = kept[max(0, at - 1) : at + 1]
        if all(one.edit.end <= other.edit.start or other.edit.end <= one.edit.start for other in beside):
            kept.insert(at, one)
    return kept


def _curl(edit: Edit) -> Edit:
    """The edit with apostrophes as the sentence has them."""
    return Edit(edit.start, edit.end, tuple(word.replace("'", "’") for word in edit.replacement), edit.type)


@cache
def load_rules(language: str = "en") -> RuleBook:
    """The rules about a language that come with errata."""
    path = files(__package__).joinpath(BOOKS[language])
    return RuleBook(read_rules(path.read_text(encoding="utf-8").splitlines(), path.name))


def read_rules(lines: Iterable[str], origin: str) -> Iterator[Rule]:
    """The rules of a file, in its order; a fault is a `DataError` that names the line."""
    classes: dict[str, WordClass] = {}
    names: dict[str, int] = {}
    draft: _Draft | None = None
    language = "en"
    for n_before, (number, key, rest) in enumerate(_entries(lines, origin)):
        where = f"{origin}:{number}"
        if key.isupper() and key.endswith(":"):
            classes[_new_class(key[:-1], classes, where)] = _read_words(rest, classes, where, language)
        elif key == "language":
            language = _read_language(rest, where, is_first=n_before == 0)
        elif key == "rule":
            names[_new_rule(rest, names, where)] = number
            if draft is not None:
                yield draft.finish()
            draft = _Draft(rest, where, language)
        elif key not in (*KEYS, "learnt"):
            raise _unknown_key(key, where)
        elif draft is None:
            raise DataError(f"{where}: {key} stands before the first rule: begin with a line such as: rule should-of")
        else:
            draft.add(key, rest, classes, where)
    if draft is None:
        raise DataError(f"{origin}: there is no rule in it; a rule begins with a line such as: rule should-of")
    yield draft.finish()


def refuse_doubles(rules: Iterable[Rule]) -> None:
    """Refuse two rules of one name, of which no option could choose one."""
    known: dict[str, Rule] = {}
    for rule in rules:
        other = known.setdefault(rule.name, rule)
        if other is rule:
            continue
        if other.where == rule.where:
            raise DataError(f"{rule.where}: the file is given twice: leave it out once")
        raise DataError(f"{rule.where}: there is a rule {rule.name} at {other.where} too: choose another name")


def _new_rule(name: str, names: Mapping[str, int], where: str) -> str:
    if not _RULE_NAME.fullmatch(name):
        raise DataError(
            f"{where}: the name of a rule is one word of letters, digits and hyphens, not {shorten(name)!r}"
        )
    if name in names:
        raise DataError(f"{where}: there is a rule {name} in line {names[name]} already: choose another name")
    return name


def _new_class(name: str, classes: Collection[str], where: str) -> str:
    if not _CLASS_NAME.fullmatch(name):
        raise DataError(f"{where}: the name of a class has capitals, digits and _, not {shorten(name)!r}")
    if name in SHAPES or name in CHARACTER_SHAPES:
        raise DataError(f"{where}: {name} is known by its shape: choose another name for the class")
    if name in classes:
        raise DataError(f"{where}: there is a class {name} above already: choose another name")
    return name


def _unknown_key(key: str, where: str) -> DataError:
    if ":" in key or key.isupper():
        return DataError(f"{where}: {shorten(key)!r}: a class is written NAME: word word, with its name in capitals")
    near = find_nearest(key, KEYS)
    return DataError(
        f"{where}: {shorten(key)!r} is none of {', '.join(KEYS)}{f'; did you mean {near}?' if near else ''}"
    )


def _entries(lines: Iterable[str], origin: str) -> Iterator[tuple[int, str, str]]:
    """(line number, first word, rest) of every entry; indented lines go on with the entry before."""
    number, entry = 0, ""
    for at, line in enumerate(lines, 1):
        if at == 1:
            line = line.removeprefix(BYTE_ORDER_MARK)
        _check_line(line.rstrip("\r\n"), f"{origin}:{at}")
        bare = line.strip()
        if not bare or bare.startswith(COMMENT):
            continue
        if line[0].isspace():
            if not entry:
                raise DataError(f"{origin}:{at}: an indented line goes on with the one above, and there is none")
            entry += f" {bare}"
            continue
        if entry:
            yield number, *_split(entry)
        number, entry = at, bare
    if entry:
        yield number, *_split(entry)


def _check_line(line: str, where: str) -> None:
    """Refuse characters that move the cursor or the screen where the rule is shown."""
    if (control := _CONTROL.search(line)) is None:
        return
    if control[0] == "\0":
        raise DataError(f"{where}: this is no text: it has a NUL byte")
    if control[0] == "\r":
        raise DataError(f"{where}: lines end with CR alone: convert the file, with: tr '\\r' '\\n'")
    raise DataError(f"{where}: there is a control character, U+{ord(control[0]):04X}: take it out")


def _split(entry: str) -> tuple[str, str]:
    key, *rest = entry.split(maxsplit=1)
    return key, "".join(rest)


def _read_words(text: str, classes: Mapping[str, WordClass], where: str, language: str) -> WordClass:
    if not text:
        raise DataError(f"{where}: there are no words in this line")
    read = read_words if language == "zh" else read_class
    words = read(text.split(), classes, where)
    refuse_empty(words, where)
    return words


def _read_language(text: str, where: str, *, is_first: bool) -> str:
    if not is_first:
        raise DataError(f"{where}: the language stands once, at the beginning of the file: move it there")
    if text not in BOOKS:
        raise DataError(f"{where}: there are no rules about {shorten(text)!r}: choose {', '.join(BOOKS)}")
    return text


def _read_share(text: str, where: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise DataError(f"{where}: sure is a number between 0 and 1, not {shorten(text)!r}")
    return share


class _Draft:
    """A rule while it is read."""

    def __init__(self, name: str, where: str, language: str) -> None:
        self.name, self.where, self.language = name, where, language
        self.about, self.sure = "", SURE
        self.patterns: list[Pattern] = []
        self.skips: list[Pattern] = []
        self.finds: list[str] = []
        self.written_skips: list[str] = []
        self.written_unless = ""
        self.given: dict[str, str] = {}  # the lines that its entries stand in
        self.wrong: list[str] = []
        self.right: list[str] = []
        self.kept: list[str] = []
        self.lines: dict[str, str] = {}
        self.unless: WordClass | None = None
        self.is_learnt = False
        self.found_passages: list[Passage] = []
        self.skipped_passages: list[Passage] = []

    def add(self, key: str, rest: str, classes: dict[str, WordClass], where: str) -> None:
        if not rest:
            raise DataError(f"{where}: there is nothing behind {key}")
        if key in ("about", "sure", "unless") and key in self.given:
            raise DataError(f"{where}: {self.name} has {key} in line {self.given[key]} already: make one line of them")
        self.given[key] = where.rpartition(":")[2]
        texts = {"wrong": self.wrong, "right": self.right, "keep": self.kept}
        if key in texts:
            texts[key].append(rest)
            self.lines[rest] = where
        elif key == "about":
            self.about = rest
        elif key == "sure":
            self.sure = _read_share(rest, where)
        elif key in ("find", "skip"):
            self._add_pattern(rest, classes, where, is_find=key == "find")
        elif key == "unless":
            self.unless = _read_words(rest, classes, where, self.language)
            self.written_unless = rest
        elif rest != "confusables":
            raise DataError(f"{where}: what is learnt is confusables, not {shorten(rest)!r}")
        else:
            self.is_learnt = True

    def _add_pattern(self, text: str, classes: dict[str, WordClass], where: str, *, is_find: bool) -> None:
        (self.finds if is_find else self.written_skips).append(text)
        if self.language == "zh":
            passage = read_passage(text, classes, where, replaces=is_find)
            (self.found_passages if is_find else self.skipped_passages).append(passage)
            return
        if _CHINESE.search(text):
            raise DataError(f"{where}: this is Chinese, in a file about English: let it begin with a line: language zh")
        patterns = read_pattern(text, classes, where, replaces=is_find)
        (self.patterns if is_find else self.skips).extend(patterns)
        if is_find and any(pattern.trigger is None for pattern in patterns):
            raise DataError(f"{where}: a pattern needs a word, or a class whose words are listed, to be found by")

    def _passages(self) -> Passages | None:
        if not self.found_passages:
            return None
        unless = self.unless.written() if self.unless else ()
        return Passages(tuple(self.found_passages), tuple(self.skipped_passages), frozenset(unless))

    def finish(self) -> Rule:
        if not self.about:
            raise DataError(f"{self.where}: {self.name} has no line about: say in it what is wrong")
        if not self.finds and not self.is_learnt:
            raise DataError(f"{self.where}: {self.name} has no line find: say in it where the slip stands")
        if not self.wrong or len(self.wrong) != len(self.right):
            counted = f"{len(self.wrong)} wrong and {len(self.right)} right sentences"
            raise DataError(f"{self.where}: {self.name} has {counted}: it needs one pair or more")
        examples = tuple(map(Example, self.wrong, self.right))
        return Rule(
            self.name, self.about, tuple(self.patterns), tuple(self.skips), self.sure, examples, tuple(self.kept),
            tuple(self.finds), tuple(self.written_skips), self.written_unless, self.where, self.unless,
            self.is_learnt, self.language, self._passages(), self.lines,
        )  # fmt: skip
