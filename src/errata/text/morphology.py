"""Inflection of English words by table: forms of a lexeme under their Penn tags.

The table is made once, when a tagger's vocabulary is learnt, from lemminflect's lexicon (`Inflections.of_words`), and
travels in the model folder. Correcting then needs neither lemminflect nor its 1.3 s of start-up: a table of 40,000
lexemes is read in a few milliseconds, on the first word that must be inflected.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from errata.errors import DataError

# The forms of a lexeme, by kind of word; a form that is lacking is an empty string. The order within a kind is also
# the order of preference when two tags give the same form (`walked` is VBD before it is VBN).
FORMS: dict[str, tuple[str, ...]] = {
    "V": ("VB", "VBZ", "VBG", "VBD", "VBN"),
    "N": ("NN", "NNS"),
    "A": ("JJ", "JJR", "JJS"),
}
PENN_TAGS: tuple[str, ...] = tuple(tag for tags in FORMS.values() for tag in tags)
_KIND = {tag: kind for kind, tags in FORMS.items() for tag in tags}

# A word is found in the text in a millisecond; a dictionary of the table takes fifty to make.
SEARCHES = 30

Lexeme = tuple[str, ...]  # kind, then the forms in FORMS order


class Inflections:
    """A table of lexemes that inflects words it knows, keeping their capitals.

    It may be given as text (one lexeme a line, forms separated by tabs): the first few words are then searched for in
    it, which is sooner done than making a dictionary.
    """

    def __init__(self, lexemes: Iterable[Lexeme] = (), *, read: Callable[[], str] | None = None) -> None:
        self._given, self._read = tuple(dict.fromkeys(lexemes)), read
        self._searches_left = SEARCHES if read else 0

    @cached_property
    def _text(self) -> str:
        return "\n" + self._read() if self._read else ""

    @cached_property
    def lexemes(self) -> tuple[Lexeme, ...]:
        lines = self._text.splitlines()[1:]
        return self._given or tuple(dict.fromkeys(tuple(line.split("\t")) for line in lines))

    @cached_property
    def _by_form(self) -> dict[tuple[str, str], Lexeme]:
        """(kind, form) → the lexeme it belongs to; of several, the last whose base form it is, else the first."""
        found: dict[tuple[str, str], Lexeme] = {}
        for lexeme in self.lexemes:
            for form in lexeme[1:]:
                if form:
                    found.setdefault((lexeme[0], form), lexeme)
        for lexeme in self.lexemes:
            found[lexeme[0], lexeme[1]] = lexeme
        return found

    def _find(self, kind: str, form: str) -> Lexeme | None:
        if self._searches_left <= 0:
            return self._by_form.get((kind, form))
        self._searches_left -= 1
        return _search(self._text, kind, form)

    def inflect(self, word: str, tag: str) -> str | None:
        """The form of `word` under a Penn tag: `inflect("Goes", "VBD")` is `"Went"`; None when unknown."""
        kind = _KIND[tag]
        lexeme = self._find(kind, word.lower())
        form = lexeme[1 + FORMS[kind].index(tag)] if lexeme else ""
        return follow_case(word, form) if form else None

    def tags_between(self, word: str, target: str) -> Iterator[str]:
        """The Penn tags that inflect `word` to `target`, preferred ones first."""
        if not (word.isalpha() and target.isalpha()):
            return
        for kind, tags in FORMS.items():
            lexeme = self._find(kind, word.lower())
            if lexeme and target.lower() in lexeme[1:]:
                for tag, form in zip(tags, lexeme[1:], strict=True):
                    if form and follow_case(word, form) == target:
                        yield tag

    def are_related(self, word: str, other: str) -> bool:
        """Whether two words are forms of one lexeme."""
        a, b = word.lower(), other.lower()
        for kind in FORMS:
            lexeme = self._find(kind, a)
            if lexeme and b in lexeme[1:]:
                return True
        return False

    def save(self, path: Path) -> None:
        text = "".join("\t".join(lexeme) + "\n" for lexeme in self.lexemes)
        path.write_bytes(gzip.compress(text.encode(), mtime=0))

    @classmethod
    def load(cls, path: Path) -> Inflections:
        """The table in a file, read when first needed."""
        if not path.is_file():
            raise DataError(f"{path} is missing: the model's tags inflect words")
        return cls(read=lambda: _read(path))

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Inflections:
        """The lexemes of `words`, from lemminflect."""
        return cls(_look_up(words))


def _read(path: Path) -> str:
    try:
        text = gzip.decompress(path.read_bytes()).decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        # Kinds differ in how many forms they have: V 5, N 2, A 3.
        if line.count("\t") != len(FORMS.get(line[:1], ())) or line[1:2] != "\t":
            raise DataError(f"{path}:{number}: not a lexeme with its forms")
    return text


def _search(text: str, kind: str, form: str) -> Lexeme | None:
    """What `_by_form` says, from lines each of which begins with a line break."""
    start = text.rfind(f"\n{kind}\t{form}\t") if form else -1
    at = -1
    while start < 0:
        at = text.find(f"\t{form}", at + 1)
        if at < 0 or not form:
            return None
        line = text.rfind("\n", 0, at)
        if text[at + 1 + len(form)] in "\t\n" and text.startswith(f"{kind}\t", line + 1):
            start = line
    return tuple(text[start + 1 : text.index("\n", start + 1)].split("\t"))


def _look_up(words: Iterable[str]) -> Iterator[Lexeme]:
    from lemminflect import getAllInflections, getAllLemmas

    kinds = {"V": "VERB", "N": "NOUN", "A": "ADJ"}
    for word in sorted({word.lower() for word in words if word.isascii() and word.isalpha()}):
        for kind, part in kinds.items():
            for lemma in getAllLemmas(word, upos=part).get(part, ()):
                forms = getAllInflections(lemma, upos=part)
                lexeme = (kind, *(_form(forms, lemma, tag) for tag in FORMS[kind]))
                if any(form and form != lemma for form in lexeme[2:]):
                    yield lexeme


def _form(forms: dict[str, tuple[str, ...]], lemma: str, tag: str) -> str:
    """The commonest form under a tag; lemminflect leaves out a participle that equals the past."""
    if tag in ("VB", "NN", "JJ"):
        return lemma
    # A plural like the singular (`watch` beside `watches`) would make the tag say nothing.
    found = forms.get(tag) or (forms.get("VBD", ()) if tag == "VBN" else ())
    return next((form for form in found if form != lemma or tag in ("VBD", "VBN")), "")


def follow_case(pattern: str, word: str) -> str:
    """`word` with the capitals of `pattern`: `follow_case("The", "a")` is `"A"`; “I” is not taken for a capital."""
    if pattern == "I" or not pattern[:1].isupper():
        return word
    if len(pattern) > 1 and pattern.isupper():
        return word.upper()
    return word[:1].upper() + word[1:]
