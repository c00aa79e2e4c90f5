"""Parallel text: a TSV of source and references, or several files with one sentence per line.

    This are a sentence .<TAB>This is a sentence .<TAB>These are sentences .

The corrected texts are kept as `Annotation.target`; finding the edits is `errata extract`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import ClassVar

from errata.edits.texts import source_text
from errata.errors import AlignmentError
from errata.formats.base import clean_lines
from errata.formats.columns import check_cell, format_references, has_ids, parse_references
from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.text.tokens import split_raw


class Parallel:
    """A TSV whose first column is the source; a row may have any number of references."""

    name: ClassVar[str] = "parallel"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".txt")
    keeps: ClassVar[frozenset[str]] = frozenset({"targets", "text"})

    def sniff(self, head: str) -> bool:
        return has_ids(head) is False

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        """One sentence per line, also for an empty one."""
        for line in clean_lines(lines, origin):
            source, *cells = line.split("\t")
            sentence = Sentence(split_raw(source), source)
            yield AnnotatedSentence(sentence, parse_references(cells, with_marks=False))

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        for annotated in sentences:
            source = check_cell(source_text(annotated.sentence))
            yield "\t".join([source, *format_references(annotated, with_marks=False)]) + "\n"


def pair_sentences(
    sources: str | os.PathLike[str], references: Sequence[str | os.PathLike[str]]
) -> Iterator[AnnotatedSentence]:
    """Sentences of line-parallel files: reference file n is annotator n, an empty line an empty correction."""
    for source, *targets in zip_lines([sources, *references]):
        annotations = tuple(Annotation(str(n), target=target) for n, target in enumerate(targets))
        yield AnnotatedSentence(Sentence(split_raw(source), source), annotations)


def zip_lines(paths: Sequence[str | os.PathLike[str]]) -> Iterator[tuple[str, ...]]:
    """The lines of several files side by side, without line ends; `AlignmentError` when one is shorter.

    Files are read to the end before the first lines are given, so that nobody works on files that do not fit. That
    cannot be had of streams.
    """
    from errata.formats.files import is_file

    if all(map(is_file, paths)):
        deque(_zip_lines(paths), maxlen=0)
    yield from _zip_lines(paths)


def _zip_lines(paths: Sequence[str | os.PathLike[str]]) -> Iterator[tuple[str, ...]]:
    from errata.formats.files import display_name, read_lines

    n_lines = [0] * len(paths)
    first_empty: list[int | None] = [None] * len(paths)
    for number, row in enumerate(
        zip_longest(*(clean_lines(read_lines(path), display_name(path)) for path in paths)), 1
    ):
        for column, line in enumerate(row):
            if line is not None:
                n_lines[column] = number
                if first_empty[column] is None and not line.strip():
                    first_empty[column] = number
        if None not in row:
            yield row
    if len(set(n_lines)) > 1:
        names = [display_name(path) for path in paths]
        raise AlignmentError(_explain_lengths(names, n_lines, first_empty))


def _explain_lengths(names: Sequence[str], n_lines: Sequence[int], first_empty: Sequence[int | None]) -> str:
    """`hyp.txt has 1311 lines, source.txt 1312: files must be parallel; first empty line in hyp.txt is 860`."""
    odd = next(column for column in range(1, len(names)) if n_lines[column] != n_lines[0])
    message = f"{names[odd]} has {n_lines[odd]} lines, {names[0]} {n_lines[0]}: files must be parallel"
    suspects = [(names[column], first_empty[column]) for column in (odd, 0) if first_empty[column] is not None]
    return message + "".join(f"; first empty line in {name} is {number}" for name, number in suspects)
