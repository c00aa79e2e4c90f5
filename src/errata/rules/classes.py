"""Classes of words: closed lists, beginnings and endings, without exceptions; and pairs of a word and its correction.

    MODAL: should could would 'd
    GERUND: *ing -thing -king
    PAST: went>gone ate>eaten
    SINGULAR: -CAPS -PLURAL a* b*

Words are compared in lower case; one in double quotes is compared as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from errata.edits.en.lexicon import word_list
from errata.errors import DataError
from errata.model import Tokens
from errata.rules.notation import check_word, no_class, shorten, unquote

# Tokens that end a clause.
CLAUSE_ENDS = frozenset(". , ; : ! ? ) ] ” … ... -- – — !! ?? !? ?!".split())


def _is_name(token: str) -> bool:
    return token[:1].isupper() and token not in ("I", "I'm")


# Classes that are known by what the token looks like.
SHAPES: Mapping[str, Callable[[str], bool]] = {
    "CAPS": lambda token: token[1:] != token[1:].lower(),  # NATO, iPhone
    "NAME": _is_name,
    "NUMBER": lambda token: any(map(str.isdigit, token)),
    "LETTER": lambda token: len(token) == 1,
    "VOWELLESS": lambda token: not any(letter in "aeiouy" for letter in token.lower()),
    "WORD": str.isalpha,
    "UNKNOWN": lambda token: token.lower() not in word_list(),
}


@dataclass(slots=True)
class WordClass:
    """Which tokens belong to a class; `pairs` has what stands for some of its words.

    Exceptions (`without`) do not count for words that are given as they are written (`exact`).
    """

    words: set[str] = field(default_factory=set)  # in lower case
    exact: set[str] = field(default_factory=set)  # as written
    beginnings: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    shapes: list[Callable[[str], bool]] = field(default_factory=list)
    without: WordClass | None = None
    parts: list[WordClass] = field(default_factory=list)  # other classes with exceptions of their own
    pairs: dict[str, Tokens] = field(default_factory=dict)

    def has(self, word: str, token: str) -> bool:
        """Whether a token, in lower case `word`, belongs to the class."""
        if token in self.exact:
            return True
        is_here = (
            word in self.words
            or word.endswith(self.endings)
            or word.startswith(self.beginnings)
            or any(shape(token) for shape in self.shapes)
            or any(part.has(word, token) for part in self.parts)
        )
        return is_here and (self.without is None or not self.without.has(word, token))

    @property
    def is_closed(self) -> bool:
        """Whether its words can be listed."""
        is_open = self.beginnings or self.endings or self.shapes
        return not is_open and all(part.is_closed for part in self.parts)

    def listed(self) -> frozenset[str]:
        """Its words in lower case, and perhaps exceptions; only of closed classes."""
        if not self.exact and not self.parts:
            return frozenset(self.words)
        return frozenset(self.words).union(
            (word.lower() for word in self.exact), *(part.listed() for part in self.parts)
        )

    def written(self) -> set[str]:
        """Its words as they are written, without exceptions; only of closed classes."""
        listed = self.words.union(self.exact, *(part.written() for part in self.parts))
        return {word for word in listed if self.has(word, word)}

    def add(self, other: WordClass) -> None:
        """Take in the words of another class; its exceptions count for its own words only."""
        self.pairs.update(other.pairs)
        if other.without is not None:
            self.parts.append(other)
            return
        self.parts += other.parts
        self.words |= other.words
        self.exact |= other.exact
        self.beginnings += other.beginnings
        self.endings += other.endings
        self.shapes += other.shapes


def read_class(entries: Iterable[str], known: Mapping[str, WordClass], where: str) -> WordClass:
    """The class that entries as in this module's header describe; capitals are other classes."""
    found = WordClass()
    add = found.words.add
    for entry in entries:
        if entry.isalpha() and entry.islower():
            add(entry)
        elif len(entry) > 1 and entry[0] == "-":
            found.without = found.without or WordClass()
            _add_entry(found.without, entry[1:], known, where)
        else:
            _add_entry(found, entry, known, where)
    return found


def refuse_empty(words: WordClass, where: str) -> None:
    """Refuse a class whose exceptions leave no word in it."""
    if (words.without is not None or not words.words) and words.is_closed and not words.written():
        raise DataError(f"{where}: there are only exceptions here, and no word is left: add the words themselves")


def _add_entry(found: WordClass, entry: str, known: Mapping[str, WordClass], where: str) -> None:
    if entry in SHAPES:
        found.shapes.append(SHAPES[entry])
    elif entry in known:
        found.add(known[entry])
    elif (exact := unquote(entry, where)) is not None:
        found.exact.add(exact)
    elif len(entry) > 1 and entry[0] == "*":
        found.endings += (_checked(entry[1:], known, where),)
    elif len(entry) > 1 and entry[-1] == "*":
        found.beginnings += (_checked(entry[:-1], known, where),)
    elif ">" in entry[1:]:
        wrong, _, right = entry.partition(">")
        found.pairs[_checked(wrong, known, where)] = _read_correction(right, entry, where)
        found.words.add(wrong)
    else:
        found.words.add(_checked(entry, known, where))


def _read_correction(text: str, entry: str, where: str) -> Tokens:
    """The tokens behind `>` of a pair."""
    tokens = tuple(text.split("_"))
    if "" in tokens:
        raise DataError(f"{where}: {shorten(entry)} is no pair: write went>gone, or dont>do_n't for two tokens")
    for token in tokens:
        check_word(token, where)
    return tokens


def _checked(word: str, known: Mapping[str, WordClass], where: str) -> str:
    """A word of a class, which has small letters and no signs of the notation."""
    if word != word.lower():
        name = word.strip("*!?")
        if name in SHAPES or name in known:
            raise DataError(f"{where}: the class {name} has a sign beside it that has no meaning there")
        raise no_class(name, (*SHAPES, *known), where)
    check_word(word, where)
    return word
