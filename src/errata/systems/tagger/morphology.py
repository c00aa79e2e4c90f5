"""Inflection of English words by table: forms of a lexeme under their Penn tags.

The table is made once, when a tagger's vocabulary is learnt, from lemminflect's lexicon (`Inflections.of_words`), and
travels in the model folder. Correcting then needs neither lemminflect nor its 1.3 s of start-up: a table of 40,000
lexemes is read in about 0.1 s, on the first word that must be inflected.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
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

Lexeme = tuple[str, ...]  # kind, then the forms in FORMS order


class Inflections:
    """A table of lexemes that inflects words it knows, keeping their capitals."""

    def __init__(self, lexemes: Iterable[Lexeme]) -> None:
        self._given = lexemes

    @cached_property
    def lexemes(self) -> tuple[Lexeme, ...]:
        return tuple(dict.fromkeys(self._given))

    @cached_property
    def _by_form(self) -> dict[tuple[str, str], Lexeme]:
        """(kind, form) → the lexeme it belongs to; of several, the one whose base form it is, else the first."""
        found: dict[tuple[str, str], Lexeme] = {}
        for lexeme in self.lexemes:
            for form in lexeme[1:]:
                if form:
                    found.setdefault((lexeme[0], form), lexeme)
        for lexeme in self.lexemes:
            found[lexeme[0], lexeme[1]] = lexeme
        return found

    def inflect(self, word: str, tag: str) -> str | None:
        """The form of `word` under a Penn tag: `inflect("Goes", "VBD")` is `"Went"`; None when unknown."""
        kind = _KIND[tag]
        lexeme = self._by_form.get((kind, word.lower()))
        form = lexeme[1 + FORMS[kind].index(tag)] if lexeme else ""
        return follow_case(word, form) if form else None

    def tags_between(self, word: str, target: str) -> Iterator[str]:
        """The Penn tags that inflect `word` to `target`, preferred ones first."""
        if not (word.isalpha() and target.isalpha()):
            return
        for kind, tags in FORMS.items():
            lexeme = self._by_form.get((kind, word.lower()))
            if lexeme and target.lower() in lexeme[1:]:
                for tag, form in zip(tags, lexeme[1:], strict=True):
                    if form and follow_case(word, form) == target:
                        yield tag

    def are_related(self, word: str, other: str) -> bool:
        """Whether two words are forms of one lexeme."""
        a, b = word.lower(), other.lower()
        for kind in FORMS:
            lexeme = self._by_form.get((kind, a))
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
        return cls(_read(path))

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Inflections:
        """The lexemes of `words`, from lemminflect."""
        return cls(_look_up(words))


def _read(path: Path) -> Iterator[Lexeme]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            lexeme = tuple(line.rstrip("\n").split("\t"))
            if len(lexeme) != 1 + len(FORMS.get(lexeme[0], ())):
                raise DataError(f"{path}:{number}: not a lexeme with its forms")
            yield lexeme


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
