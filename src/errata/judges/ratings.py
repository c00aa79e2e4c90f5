"""Corrections that people rated: the table of TMU-GFM, or any CSV or TSV file with its columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from errata.errors import FormatError
from errata.formats.files import read_lines
from errata.model import Tokens
from errata.training.pairs import split_text

ASPECTS = ("grammaticality", "fluency", "meaning")
TEXTS = ("source", "output")
# The columns of each aspect's mean rating.
COLUMNS = {"grammaticality": "ave_g", "fluency": "ave_f", "meaning": "ave_m"}
BEST = 4.0  # the highest rating


@dataclass(frozen=True, slots=True)
class RatedCorrection:
    """A correction with its mean ratings in the order of `ASPECTS`, 0 to 1."""

    source: Tokens
    output: Tokens
    ratings: tuple[float, float, float]


def read_ratings(paths: Iterable[Path], language: str, *, tokenise: bool = True) -> Iterator[RatedCorrection]:
    """The rated corrections of tables; a missing column, an empty text or a rating beyond 0 to 4 is a `FormatError`."""
    for path in paths:
        rows = csv.DictReader(read_lines(path), delimiter="\t" if ".tsv" in path.suffixes else ",")
        missing = [name for name in (*TEXTS, *COLUMNS.values()) if name not in (rows.fieldnames or ())]
        if missing:
            raise FormatError(
                str(path), 1, f"no column {missing[0]!r}: ratings have {', '.join((*TEXTS, *COLUMNS.values()))}"
            )
        for row in rows:
            yield _read_row(row, str(path), rows.line_num, language, tokenise)


def _read_row(row: dict[str, str], path: str, line: int, language: str, tokenise: bool) -> RatedCorrection:
    try:
        grammaticality, fluency, meaning = (float(row[COLUMNS[aspect]]) / BEST for aspect in ASPECTS)
        source, output = (split_text(row[name], language, tokenise) for name in TEXTS)
    except (TypeError, ValueError, AttributeError) as error:
        raise FormatError(path, line, f"not a row of ratings: {error}") from error
    ratings = grammaticality, fluency, meaning
    if not all(0 <= rating <= 1 for rating in ratings):
        raise FormatError(path, line, f"a rating is not between 0 and {BEST:g}")
    if not source or not output:
        raise FormatError(path, line, "source or output is empty")
    return RatedCorrection(source, output, ratings)
