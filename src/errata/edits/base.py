"""What an extractor is: source and corrected texts in, annotated sentences out, streaming and in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from errata.model import AnnotatedSentence


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


EXTRACTORS: dict[str, str] = {
    "en": "errata.edits.en:EnglishExtractor",
    "zh": "errata.edits.zh:ChineseExtractor",
}


def get_extractor(language: str, **options: Any) -> Extractor:
    """The extractor for a language: `get_extractor("en", merge="rules")`."""
    from errata.registry import lookup

    extractor: Extractor = lookup("language", EXTRACTORS, language)(**options)
    return extractor
