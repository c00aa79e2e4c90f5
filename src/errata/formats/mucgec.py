"""MuCGEC's TSV: `id<TAB>source<TAB>reference…`, rows of uneven length.

    1<TAB>因为冰箱里没什么东西。<TAB>因为冰箱里没有什么东西。
    2<TAB>今天天气很好。<TAB>没有错误

`没有错误` in place of a reference means that the source is right, `无法标注` that it could not be annotated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from errata.edits.texts import source_text
from errata.errors import FormatError
from errata.formats.base import clean_lines
from errata.formats.columns import check_cell, format_references, has_ids, parse_references
from errata.model import AnnotatedSentence, Sentence
from errata.text.tokens import split_characters


class MuCGEC:
    """Tokens are characters without the spaces between them; the text keeps its spaces."""

    name: ClassVar[str] = "mucgec"
    suffixes: ClassVar[tuple[str, ...]] = (".para", ".tsv", ".txt")
    keeps: ClassVar[frozenset[str]] = frozenset({"ids", "targets", "text", "statuses"})

    def sniff(self, head: str) -> bool:
        return has_ids(head) is True

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        for number, line in enumerate(clean_lines(lines, origin), 1):
            id_, *rest = line.split("\t")
            if not rest:
                raise FormatError(
                    origin, number, f"a row has an id, a source and references, separated by tabs ({line[:60]!r})"
                )
            source, *cells = rest
            sentence = Sentence(split_characters(source), source, id_)
            yield AnnotatedSentence(sentence, parse_references(cells, with_marks=True))

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        """Rows; a sentence without an id gets its running number."""
        for number, annotated in enumerate(sentences, 1):
            id_ = annotated.sentence.id
            cells = [str(number) if id_ is None else id_, source_text(annotated.sentence)]
            yield "\t".join([*map(check_cell, cells), *format_references(annotated, with_marks=True)]) + "\n"
