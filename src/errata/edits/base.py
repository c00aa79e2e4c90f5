"""What an extractor is: source and corrected texts in, annotated sentences out, streaming and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import signature
from typing import Any, Protocol

from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName
from errata.model import AnnotatedSentence
from errata.parameters import check_options
from errata.registry import lookup


class Extractor(Protocol):
    """Finds the edits that lead from a source to each of its corrections.

    Targets become annotations with annotators "0", "1", … in order. An extractor may give several `Annotation`s for
    one target (same annotator, `alignment` 0, 1, …) when several edit lists are equally cheap.
    """

    language: str

    @property
    def signature(self) -> str:
        """Everything the edits depend on: `spacy:3.8.18|model:…|merge:rules`."""
        ...

    def annotate(self, pairs: Iterable[tuple[str, Sequence[str]]]) -> Iterator[AnnotatedSentence]:
        """One annotated sentence per (source, targets), in order; reads ahead by a bounded batch only."""
        ...


EXTRACTORS: dict[str, str] = {code: language.extractor for code, language in LANGUAGES.items()}


def get_extractor(language: str, **options: Any) -> Extractor:
    """The extractor for a language: `get_extractor("en", merge="rules")`."""
    kind = extractor_class(language)
    known = option_names(language)
    for option in options:
        if option not in known:
            raise UnknownName(f"option of the extractor of {language}", option, known)
    check_options(kind, options)
    return kind(**options)


def option_names(language: str) -> list[str]:
    """The options that the extractor of a language takes."""
    return list(signature(extractor_class(language)).parameters)


def extractor_class(language: str) -> Callable[..., Extractor]:
    """What makes the extractor of a language."""
    found: Callable[..., Extractor] = lookup("language", EXTRACTORS, language)
    return found
