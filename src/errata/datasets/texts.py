"""What files say, as records: the texts that belong together, which are a sentence and its corrections.

Any format that errata reads is read as such. Everything else is text: a line is a record, its cells (between tabs) are
the texts. In a `.csv` file a row is a record, and its cells that have letters are the texts.
"""

from __future__ import annotations

import csv
import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from errata.datasets.catalogue import PARALLEL, STRINGS, TABLE, NamedSet
from errata.edits.operations import apply_all_operations
from errata.edits.texts import source_text, target_text
from errata.errors import AlignmentError, DataError, FormatError, UsageError
from errata.formats.base import M2_DIALECTS, get_format
from errata.formats.detect import detect_format
from errata.formats.files import PathLike, display_name, peek, read_lines
from errata.formats.parallel import zip_lines
from errata.model import AnnotatedSentence, Status

log = logging.getLogger(__name__)

Texts = tuple[str, ...]
# A record each line, whose cells are the texts: no need to parse them.
_TABLES = frozenset({"parallel", "mucgec", TABLE})
_LINES = frozenset({"jsonl"})
NO_ERROR = "没有错误"
# Strings of a JSON file that are shorter are names and labels.
SHORTEST_STRING = 6


class Record(NamedTuple):
    """A record, and how it is written in each of its files; empty where a file cannot be cut into records."""

    texts: Texts
    raw: Texts


def read_records(path: PathLike, format: str | None = None, *, lenient: bool = False) -> Iterator[Record]:
    """The records of a file; without `format` it is detected."""
    lines = read_lines(path)
    if format is None:
        head, lines = peek(lines)
        format = _detect(head, path)
    if format == TABLE and ".csv" in Path(path).suffixes:
        return _read_csv(lines, display_name(path))
    if format in _TABLES:
        has_ids = format == "mucgec"
        return (Record(_cells(line, has_ids), (line,)) for line in lines)
    if format == STRINGS:
        return (Record(texts, ()) for texts in _read_strings("".join(lines), display_name(path)))
    parser = get_format(format, **({"strict": False} if lenient and format in M2_DIALECTS else {}))
    parsed, written = tee(lines)
    texts = _sentence_texts(parser.parse(parsed, origin=display_name(path)), display_name(path))
    if format in M2_DIALECTS:
        return (Record(one, (block,)) for one, block in zip(texts, _cut_m2(written), strict=True))
    if format in _LINES:
        return (Record(one, (line,)) for one, line in zip(texts, written, strict=True))
    return (Record(one, ()) for one in texts)


def read_parallel_records(paths: Sequence[PathLike]) -> Iterator[Record]:
    """The records of files that belong together, line by line."""
    names = [display_name(path) for path in paths]
    for number, lines in enumerate(zip_longest(*map(read_lines, paths)), 1):
        if None in lines:
            short, long = names[lines.index(None)], next(n for n, line in zip(names, lines, strict=True) if line)
            raise AlignmentError(f"{short} has {number - 1} lines, {long} has more: files must be parallel")
        yield Record(tuple(line.strip("\ufeff\r\n") for line in lines), lines)


def read_file_texts(path: Path) -> Iterator[Texts]:
    """The texts of all records of a file, or of the files in a folder."""
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    for file in files:
        yield from (record.texts for record in read_records(file))


def read_set_texts(named: NamedSet, paths: Sequence[Path]) -> Iterator[Texts]:
    """The texts of all sentences of a corpus; `paths` are in the order of its files."""
    if named.format == PARALLEL and len(paths) > 1:
        yield from zip_lines(paths)
        return
    for path in paths:
        yield from (one.texts for one in read_records(path, named.format or None, lenient=named.is_lenient))


def _detect(head: str, path: PathLike) -> str:
    try:
        return detect_format(head, path)
    except UsageError:  # no known format: text
        return TABLE


def _read_csv(lines: Iterable[str], origin: str) -> Iterator[Record]:
    rows = csv.reader(lines)
    try:
        for row in rows:
            yield Record(tuple(cell for cell in row if any(map(str.isalpha, cell))), ())
    except csv.Error as error:
        raise FormatError(origin, rows.line_num, str(error)) from error


def _cells(line: str, has_ids: bool) -> Texts:
    cells = line.strip("\ufeff\r\n").split("\t")
    if len(cells) == 1:
        return (cells[0],)
    return tuple(cell for cell in cells[has_ids:] if cell != NO_ERROR and not cell.isdigit())


def _cut_m2(lines: Iterable[str]) -> Iterator[str]:
    """The blocks of an M2 file: from one S line to the next."""
    block: list[str] = []
    for line in lines:
        if line.lstrip("\ufeff").startswith(("S ", "S\n", "S\r")) and any(not one.isspace() for one in block):
            yield "".join(block)
            block.clear()
        block.append(line)
    if any(not one.isspace() for one in block):
        yield "".join(block)


def _sentence_texts(sentences: Iterable[AnnotatedSentence], name: str) -> Iterator[Texts]:
    n_unread = 0
    for sentence in sentences:
        source = source_text(sentence.sentence)
        texts = [source]
        for annotation in sentence.annotations:
            try:
                if annotation.operations is not None:
                    texts.extend(apply_all_operations(source, annotation.operations))
                elif annotation.status is Status.ANNOTATED:
                    texts.append(target_text(sentence.sentence, annotation))
            except DataError:  # overlapping edits: the source is compared all the same
                n_unread += 1
        yield tuple(dict.fromkeys(texts))
    if n_unread:
        log.warning("%s: %d references cannot be made from their edits; their sources are compared", name, n_unread)


def _read_strings(text: str, name: str) -> Iterator[Texts]:
    """The strings of each item of a JSON file, or of each line of a file of JSON lines."""
    try:
        items: Iterable[Any] = _items(json.loads(text))
    except json.JSONDecodeError:
        items = _read_json_lines(text, name)
    return (tuple(dict.fromkeys(_strings(item))) for item in items)


def _items(whole: Any) -> Iterable[Any]:
    """The items of a list, of the only list in a mapping (beside its version and the like), or of a mapping."""
    if not isinstance(whole, dict):
        return whole if isinstance(whole, list) else [whole]
    lists = [value for value in whole.values() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 and len(lists[0]) >= len(whole) else whole.values()


def _read_json_lines(text: str, name: str) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            raise FormatError(name, number, f"not JSON: {error.msg}") from None


def _strings(item: Any) -> Iterator[str]:
    if isinstance(item, str) and len(item) >= SHORTEST_STRING:
        yield item
    elif isinstance(item, dict):
        for value in item.values():
            yield from _strings(value)
    elif isinstance(item, list):
        for value in item:
            yield from _strings(value)
