"""Corpora as the analyses name them: a file in any format, or a source with its references, line by line.

cweb.m2        CWEB-G=cweb/CWEB-G.test.m2        JFLEG=test.src,test.ref0,test.ref1
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from errata.datasets.catalogue import PARALLEL, NamedSet
from errata.edits.texts import source_text
from errata.errors import DataError, UsageError
from errata.formats.base import M2_DIALECTS
from errata.formats.files import STANDARD, content_digest, display_name, is_file, open_sentences, plain_stem
from errata.formats.parallel import pair_sentences
from errata.metrics.named_sets import read_set
from errata.model import AnnotatedSentence
from errata.text.language import LANGUAGE_SAMPLE, find_language

DIGEST_LENGTH = 8  # as in the signature of a score


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """Where a corpus lies: one path, or those of a source and its references; `test_set` says how to read a named set.

    `is_lenient` keeps edits of M2 that reach beyond their sentence.
    """

    name: str
    paths: tuple[str, ...]
    test_set: NamedSet | None = None
    is_lenient: bool = False

    @property
    def digest(self) -> str:
        """A few digits that tell the content of its files from another; none for a stream."""
        if not all(map(is_file, self.paths)):
            return ""
        digests = [content_digest(path) for path in self.paths]
        whole = digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
        return whole[:DIGEST_LENGTH]

    def open(self) -> tuple[str, Iterator[AnnotatedSentence]]:
        """The name of the format and the sentences, streaming."""
        if self.test_set is not None:
            gold = read_set(self.test_set, list(map(Path, self.paths)))
            return self.test_set.format, iter(gold.sentences)
        if len(self.paths) > 1:
            return PARALLEL, pair_sentences(self.paths[0], self.paths[1:])
        path = self.paths[0]
        format, sentences = open_sentences(path)
        if self.is_lenient and format.name in M2_DIALECTS and is_file(path):
            format, sentences = open_sentences(path, format.name, strict=False)
        return format.name, _nonempty(sentences, display_name(path))


def _nonempty(sentences: Iterator[AnnotatedSentence], origin: str) -> Iterator[AnnotatedSentence]:
    first = next(sentences, None)
    if first is None:
        raise DataError(f"{origin}: there are no sentences")
    yield first
    yield from sentences


def find_corpora(arguments: Iterable[str], *, lenient: bool = False) -> list[CorpusFiles]:
    """The corpora that arguments name, which must have different names."""
    corpora = [_parse_argument(argument, lenient) for argument in arguments]
    seen: dict[str, CorpusFiles] = {}
    for corpus in corpora:
        if corpus.name in seen:
            raise UsageError(
                f"two corpora are called {corpus.name!r}: {seen[corpus.name].paths[0]} and {corpus.paths[0]}; "
                f"write NAME=FILE for one of them"
            )
        seen[corpus.name] = corpus
    return corpora


def _parse_argument(argument: str, lenient: bool) -> CorpusFiles:
    """A path that exists is taken as it is, whatever is in its name."""
    name, equals, rest = argument.partition("=")
    if not equals or Path(argument).exists():
        name, rest = "", argument
    paths = (rest,) if rest == STANDARD or Path(rest).exists() else tuple(rest.split(","))
    if not all(paths):
        raise UsageError(f"{argument!r} lacks the name of a file: write FILE, NAME=FILE or NAME=SOURCE,REFERENCE")
    return CorpusFiles(name or plain_stem(paths[0]), paths, is_lenient=lenient)


def peek_language(sentences: Iterator[AnnotatedSentence]) -> tuple[str | None, Iterator[AnnotatedSentence]]:
    """The language of the first sentences, and all of them again."""
    head = list(islice(sentences, LANGUAGE_SAMPLE))
    return find_language(source_text(one.sentence) for one in head), chain(head, sentences)
