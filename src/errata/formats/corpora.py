"""`errata.read_corpus` and `errata.write_corpus`: whole corpora in any format, and what a format cannot say of them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from errata.errors import UsageError
from errata.formats.adapt import adapt
from errata.formats.base import Format, get_format
from errata.formats.detect import choose_format
from errata.formats.features import FEATURES, find_losses
from errata.formats.files import PathLike, display_name, open_sentences, plain_stem, write_sentences
from errata.model import AnnotatedSentence, Corpus
from errata.parameters import check_path, check_type

_log = logging.getLogger(__name__)


def read_corpus(path: PathLike, format: str | Format | None = None, **options: Any) -> Corpus:
    """A whole file as a corpus named after it; without `format` it is detected from content, then suffix.

    `options` are the format's own: `strict=False` keeps edits of an M2 file that reach beyond their sentence. `-` is
    standard input, `.gz` and `.xz` are unpacked.

    >>> import errata
    >>> corpus = errata.read_corpus("examples/scoring/gold.m2")
    >>> corpus.name, len(corpus), corpus.sentences[0].annotations[0].edits[0].type
    ('gold', 3, 'R:VERB:SVA')
    """
    check_path("path", path)
    _check_format(format, options)
    return Corpus(plain_stem(path), tuple(open_sentences(path, format, **options)[1]))


def write_corpus(
    corpus: Iterable[AnnotatedSentence], path: PathLike, format: str | Format | None = None, **options: Any
) -> int:
    """The number of sentences written; the file appears only once it is complete.

    `corpus` is a `Corpus` or any sentences. Without `format` the suffix decides. Edits are applied where the format has
    corrected texts. What the format cannot say is logged as a warning.

    >>> import errata, tempfile, pathlib
    >>> corpus = errata.read_corpus("examples/scoring/gold.m2")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "gold.jsonl")
    ...     errata.write_corpus(corpus, path)
    ...     errata.read_corpus(path) == corpus
    3
    True
    """
    if isinstance(corpus, str) or not isinstance(corpus, Iterable):
        raise TypeError(f"corpus is of type {type(corpus).__name__}: give a Corpus or a list of AnnotatedSentences")
    check_path("path", path)
    _check_format(format, options)
    name = choose_format(path) if format is None else format
    writer = get_format(name, **options) if isinstance(name, str) else name
    losses = Losses()
    count = write_sentences(losses.watch(corpus, writer), path, writer)
    for line in losses.lines(writer.name):
        _log.warning("%s: %s", display_name(path, "<stdout>"), line)
    return count


def _check_format(format: object, options: Mapping[str, object]) -> None:
    """Refuse what is neither the name of a format nor a format, and options for one that has its own already."""
    check_type("format", format, str | Format | None)
    if options and not isinstance(format, str | None):
        raise UsageError(f"{min(options)} is an option of formats given by name; this one has its options already")


class Losses:
    """Counts, while sentences pass by on their way to a file, what its format cannot say."""

    def __init__(self) -> None:
        self.features: Counter[str] = Counter()
        self.n_without_annotation = 0

    def watch(self, sentences: Iterable[AnnotatedSentence], writer: Format) -> Iterator[AnnotatedSentence]:
        """The sentences as the format says them."""
        for place, annotated in enumerate(sentences):
            check_type(f"corpus[{place}]", annotated, AnnotatedSentence)
            self.features.update(find_losses(annotated, writer))
            self.n_without_annotation += not annotated.annotations
            yield adapt(annotated, writer)

    def lines(self, format_name: str) -> Iterator[str]:
        """One line for each thing that was lost."""
        for feature, count in self.features.items():
            yield f"{format_name} cannot say: {FEATURES[feature]}, in {count_sentences(count)}"
        if self.n_without_annotation:
            yield f"without any annotation: {count_sentences(self.n_without_annotation)}"


def count_sentences(count: int) -> str:
    """`1 sentence`, `2 sentences`."""
    return f"{count} sentence" if count == 1 else f"{count} sentences"
