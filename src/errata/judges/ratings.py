"""Corrections that people rated: the table of TMU-GFM, or any CSV or TSV file with its columns."""

from __future__ import annotations

import csv
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from errata.errors import FormatError
from errata.formats.files import read_lines
from errata.model import Tokens
from errata.training.pairs import split_text

log = logging.getLogger(__name__)

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
        lines = (line.lstrip("\ufeff") if number == 0 else line for number, line in enumerate(read_lines(path)))
        rows = csv.DictReader(lines, delimiter="\t" if ".tsv" in path.suffixes else ",")
        try:
            missing = [name for name in (*TEXTS, *COLUMNS.values()) if name not in (rows.fieldnames or ())]
            if missing:
                raise FormatError(
                    str(path), 1, f"no column {missing[0]!r}: ratings have {', '.join((*TEXTS, *COLUMNS.values()))}"
                )
            for row in rows:
                yield _read_row(row, str(path), rows.line_num, language, tokenise)
        except csv.Error as error:
            raise FormatError(
                str(path), rows.reader.line_num, f"{error}: a quotation mark may not be closed"
            ) from error


def read_short_ratings(
    paths: Iterable[Path], language: str, limit: int, *, with_source: bool = True, tokenise: bool = True
) -> list[RatedCorrection]:
    """The rated corrections with at most `limit` tokens, which sources need not keep to if they are not encoded."""
    rated = list(read_ratings(paths, language, tokenise=tokenise))
    kept = [one for one in rated if len(one.output) <= limit and (not with_source or len(one.source) <= limit)]
    if len(kept) < len(rated):
        log.warning("%d rated corrections longer than %d tokens left out", len(rated) - len(kept), limit)
    return kept


def _read_row(row: dict[str, str | None], path: str, line: int, language: str, tokenise: bool) -> RatedCorrection:
    texts, numbers = [row[name] for name in TEXTS], [row[COLUMNS[aspect]] for aspect in ASPECTS]
    if None in row.values():
        cells = [cell for cell in row.values() if cell is not None]
        message = f"not a row of ratings: it has {len(cells)} of {len(row)} columns, or a quotation mark is not closed"
        raise FormatError(path, line, message)
    grammaticality, fluency, meaning = (
        _read_rating(number or "", COLUMNS[aspect], path, line) for aspect, number in zip(ASPECTS, numbers, strict=True)
    )
    source, output = (split_text(text or "", language, tokenise) for text in texts)
    if not source or not output:
        raise FormatError(path, line, "source or output is empty")
    return RatedCorrection(source, output, (grammaticality, fluency, meaning))


def _read_rating(written: str, column: str, path: str, line: int) -> float:
    try:
        rating = float(written) / BEST
    except ValueError as error:
        raise FormatError(path, line, f"not a row of ratings: {column} is {written[:40]!r}, no number") from error
    if not 0 <= rating <= 1:
        raise FormatError(path, line, f"a rating is not between 0 and {BEST:g}: {column} is {written}")
    return rating
