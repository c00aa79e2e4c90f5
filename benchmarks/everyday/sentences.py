"""The sentences of the set: dev.tsv and test.tsv, one sentence per line.

    id<TAB>kind<TAB>sentence<TAB>accepted correction ||| another one

A line that begins with `#` is a comment; the first other line names the columns. The id is `kind.point.number`, where
the point is the confusion or construction at issue (`lose-loose`). A correct sentence has itself as its only accepted
correction, and `correct` as its point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from errata.errors import FormatError
from errata.formats.base import clean_lines
from errata.formats.files import read_lines
from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.text.tokens import split_raw

FOLDER = Path(__file__).parent
HALVES = ("dev", "test")
COLUMNS = ("id", "kind", "sentence", "accepted")
SEPARATOR = " ||| "
CORRECT = "correct"
KINDS = (
    "homophone", "confusion", "contraction", "possessive", "of-for-have", "doubled", "dropped", "article",
    "participle", "agreement", "spelling", "run-on", "pronoun", "adverb", "capital", "punctuation",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EverydaySentence:
    """A sentence and the corrections that a careful editor would accept."""

    id: str
    kind: str
    source: str
    accepted: tuple[str, ...]

    @property
    def point(self) -> str:
        """The confusion or construction at issue: `lose-loose`."""
        return self.id.split(".")[1]

    @property
    def is_correct(self) -> bool:
        """Whether nothing may be changed."""
        return self.accepted == (self.source,)

    def annotated(self) -> AnnotatedSentence:
        """The sentence with each accepted correction as an annotator's, for errata's formats and metrics."""
        references = tuple(Annotation(str(number), target=text) for number, text in enumerate(self.accepted))
        return AnnotatedSentence(Sentence(split_raw(self.source), self.source, self.id), references)


def read_half(half: str) -> list[EverydaySentence]:
    """The sentences of the half, `dev` or `test`."""
    path = FOLDER / f"{half}.tsv"
    return list(parse_sentences(read_lines(path), origin=str(path)))


def parse_sentences(lines: Iterable[str], *, origin: str = "<everyday>") -> Iterator[EverydaySentence]:
    """The sentences of a file; `FormatError` where a line has other columns, an unknown kind or an empty cell."""
    rows = ((n, line) for n, line in enumerate(clean_lines(lines, origin), 1) if not line.startswith("#"))
    number, head = next(rows, (1, ""))
    if tuple(head.split("\t")) != COLUMNS:
        raise FormatError(origin, number, f"the first line after the comments names the columns: {', '.join(COLUMNS)}")
    for number, line in rows:
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise FormatError(origin, number, f"{len(cells)} columns, not {len(COLUMNS)}: {', '.join(COLUMNS)}")
        identity, kind, source, accepted = cells
        corrections = tuple(accepted.split(SEPARATOR))
        if kind not in KINDS:
            raise FormatError(origin, number, f"no kind {kind!r}: there are {', '.join(KINDS)}")
        if identity.count(".") != 2 or not identity.startswith(f"{kind}."):
            raise FormatError(origin, number, f"an id is kind.point.number, not {identity!r}")
        if not all(text and text == text.strip() for text in (source, *corrections)):
            raise FormatError(origin, number, "an empty text, or spaces around one")
        yield EverydaySentence(identity, kind, source, corrections)
