"""Personal data in a sentence, replaced by words that stand for it: addresses, telephone numbers, names on request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from errata.errors import UnknownName, UsageError
from errata.text.words import Span

# Each is one word for the tokeniser, and no corrector changes it.
MASKS = {"email": "_EMAIL_", "phone": "_PHONE_", "names": "_NAME_"}
_EMAIL = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}(?:@|\s?[\[(]\s?at\s?[\])]\s?)[\w-]{1,64}(?:(?:\.|\s?[\[(]\s?dot\s?[\])]\s?)[\w-]{1,64}){1,8}",
    re.IGNORECASE,
)
_PHONE = re.compile(r"(?<![\w.,/-])(?:\+|00)?[(\d](?:[ .()/–-]{0,3}\d){6,16}(?![\w-]|[.,/]\d)")
_DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(?:\d\d|\d{4})|\d{4}([./-])\d{1,2}\2\d{1,2}")
_YEARS = re.compile(r"\d{4}\s?[/–-]\s?\d{2,4}")
_DECIMAL = re.compile(r"\d{1,3}\.\d+")
_THOUSANDS = re.compile(r"\d{1,3}(?:[ .]\d{3}){1,5}")
_BOOK = re.compile(r"97[89]")


def check_masks(names: Iterable[str], language: str) -> tuple[str, ...]:
    """What is to be masked, in a fixed order; an unknown name is an error."""
    wanted = set(names)
    for name in wanted - set(MASKS):
        raise UnknownName("mask", name, MASKS)
    if "names" in wanted and language != "en":
        raise UsageError("--mask names knows English names only: leave it out, or use --lang en")
    return tuple(name for name in MASKS if name in wanted)


def mask_text(text: str, masks: Iterable[str]) -> str:
    """A sentence with personal data masked.

    >>> mask_text("Write to pat@example.org or call +1 (555) 010-9999 by 12/05/2019.", ("email", "phone"))
    'Write to _EMAIL_ or call _PHONE_ by 12/05/2019.'
    """
    found: list[tuple[Span, str]] = []
    for mask in masks:  # all are looked for in the text itself: a mask looks like a name to spaCy
        spans = (span for span in FINDERS[mask](text) if not any(_overlap(span, other) for other, _ in found))
        found += [(span, MASKS[mask]) for span in spans]
    parts, last = [], 0
    for (start, end), word in sorted(found):
        parts += [text[last:start], word]
        last = end
    return "".join([*parts, text[last:]])


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def find_emails(text: str) -> list[Span]:
    return [match.span() for match in _EMAIL.finditer(text)] if "@" in text or "at" in text else []


def find_phones(text: str) -> list[Span]:
    """Telephone numbers: 7 to 15 digits that are no date, no amount and no book."""
    return [match.span() for match in _PHONE.finditer(text) if _is_phone(match.group())]


def _is_phone(number: str) -> bool:
    digits = "".join(filter(str.isdigit, number))
    if not 7 <= len(digits) <= 15 or any(known.fullmatch(number) for known in (_DATE, _YEARS, _DECIMAL, _THOUSANDS)):
        return False
    if len(digits) in (10, 13) and _BOOK.match(digits) and not number.startswith("+"):
        return False
    return number.startswith(("+", "(", "0")) or len(digits) >= 10 or not number.isdigit()


def find_names(text: str) -> list[Span]:
    """Names of people, as spaCy's English model finds them."""
    return [(entity.start_char, entity.end_char) for entity in _analyse(text).ents if entity.label_ == "PERSON"]


@cache
def _load_analyser() -> Any:
    import spacy

    from errata.edits.en.spacy_analyser import find_model

    return spacy.load(find_model(), enable=["tok2vec", "ner"])


def _analyse(text: str) -> Any:
    return _load_analyser()(text)


FINDERS: dict[str, Callable[[str], list[Span]]] = {"email": find_emails, "phone": find_phones, "names": find_names}
