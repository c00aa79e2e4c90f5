"""Imports: the sentences of a file, in any format errata reads or as raw text, all of them or none.

Parsing needs no database, so it runs where long texts are read; `store` then writes everything in one transaction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePath
from random import Random
from typing import Any

from sqlalchemy import Connection

from errata.edits.operations import apply_operations
from errata.edits.texts import source_text, target_text
from errata.errors import DataError, ErrataError, FormatError
from errata.formats.base import FORMATS, clean_lines, get_format
from errata.formats.detect import HEAD_SIZE, detect_format
from errata.formats.jsonl import JsonLines
from errata.formats.robustgec import PREDICTION
from errata.model import AnnotatedSentence, Annotation, Status
from errata.text.sentences import sentence_spans
from errata.web.ids import new_id
from errata.web.json_body import is_deeper
from errata.web.refusals import Refusal
from errata.web.workbench import events, items, permissions, sql, texts
from errata.web.workbench.exports.reading import is_history
from errata.web.workbench.lines import DOCUMENTS, Lines
from errata.web.workbench.projects import Project

AUTO, TEXT = "auto", "text"
# What `references` may say: references of work items are left in `origin`, or judged in the review like answers.
LEAVE, GOLDEN = "leave", "golden"
# Sentences of one file: more are better split into several projects.
MAX_ITEMS = 100_000
# References of one sentence, and how deep other fields of it may be.
MAX_REFERENCES, MAX_LEVELS = 100, 100
# Problems that are told at a time, and characters of each.
MAX_PROBLEMS, MAX_MESSAGE = 20, 300
# Lines of a table by which it is known how it was made.
N_SAMPLED = 10_000
# Fewer sentences in another language than a project's are odd ones, and no slip.
MIN_FOREIGN = 10
# The key of `meta` in JSON lines by which sentences that follow each other make one passage.
PASSAGE = "passage"

_PLAIN_SUFFIXES = ("", ".txt", ".text", ".md")
_HAN, _LATIN = re.compile("[\u3400-\u9fff]"), re.compile("[A-Za-z]")
_ENDS_APART = re.compile(r"\s[.!?][\"'”’]*$")
_ENDS_TOGETHER = re.compile(r"[^\s.!?][.!?][\"'”’]*$")


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence to import; `passage` numbers the paragraph of the file it stands in.

    What the file says of it is kept as JSON text: as objects it would take forty times the memory.
    """

    source: str
    references: tuple[str, ...]
    origin_json: str
    line: int | None
    passage: int | None = None
    label: str = ""

    @property
    def origin(self) -> dict[str, Any]:
        origin: dict[str, Any] = json.loads(self.origin_json)
        return origin


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a line of a file."""

    line: int | None
    message: str


@dataclass(slots=True)
class Parsed:
    """The entries of a file, and what is wrong with it."""

    name: str
    format: str
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def refuse_problems(self) -> None:
        """Refuse the file if anything is wrong with it: one line for the first problem, and the list."""
        if not self.problems:
            return
        first, n_more = self.problems[0], len(self.problems) - 1
        place = self.name if first.line is None else f"{self.name}:{first.line}"
        more = f" (and {n_more} more)" if n_more else ""
        listed = [{"line": problem.line, "message": problem.message} for problem in self.problems]
        message = f"{place}: {first.message}{more}; nothing was imported"
        raise Refusal(422, message, facts={"problems": listed, "n_items": 0, "n_passages": 0})


def parse_file(content: bytes, *, name: str, language: str, format: str = AUTO, purpose: str = items.WORK) -> Parsed:
    """The sentences of a file; what is wrong is in `problems`, never an exception."""
    parsed = Parsed(_shown_name(name), format)
    try:
        lines = Lines(content, parsed.name)
        parsed.format = _find_format(lines.head(HEAD_SIZE), name) if format == AUTO else format
        entries = _parse_lines(lines, parsed, language)
        for entry in entries:
            lines.end_sentence()
            if len(parsed.entries) >= MAX_ITEMS:
                raise FormatError(parsed.name, entry.line, f"more than {MAX_ITEMS} sentences: split the file")
            fault = _find_fault(entry, purpose)
            if fault is None:
                parsed.entries.append(entry)
            else:
                parsed.problems.append(Problem(entry.line, fault))
            if len(parsed.problems) >= MAX_PROBLEMS:
                break
    except FormatError as error:
        parsed.problems.append(Problem(error.line, error.message[:MAX_MESSAGE]))
    except ErrataError as error:
        parsed.problems.append(Problem(None, str(error)[:MAX_MESSAGE]))
    if not parsed.entries and not parsed.problems:
        parsed.problems.append(Problem(None, "there is no sentence in the file"))
    elif not parsed.problems and (fault := _find_foreign(parsed.entries, language)):
        parsed.problems.append(Problem(None, fault))
    return parsed


def store(
    connection: Connection,
    project: Project,
    user_id: str,
    parsed: Parsed,
    now: float,
    rng: Random,
    *,
    purpose: str = items.WORK,
    references: str = LEAVE,
    again: bool = False,
) -> dict[str, Any]:
    """Write the entries as items of a project; a file whose sentences are all there already, only if told `again`."""
    permissions.refuse_archived(connection, project.id)
    parsed.refuse_problems()
    n_known = _count_known(connection, project, parsed.entries, purpose)
    if n_known == len(parsed.entries) and not again:
        message = f"{parsed.name}: the project has all its sentences already; nothing was imported"
        raise Refusal(409, message, facts={"n_known": n_known, "n_items": 0})
    n_before = sql.count(
        connection,
        "SELECT coalesce(max(position) + 1, 0) FROM items WHERE project_id = :id AND purpose = :purpose",
        id=project.id,
        purpose=purpose,
    )
    passages = _store_passages(connection, project, parsed.entries, now)
    golden: list[dict[str, Any]] = []
    records: list[dict[str, Any]] = []
    for position, entry in enumerate(parsed.entries, n_before):
        record = _item_record(project, entry, position, purpose, passages, now, rng)
        records.append(record)
        if purpose == items.QUALIFY or references == GOLDEN:
            golden += _golden_records(record["id"], entry.references, now)
    sql.insert(connection, "items", *records)
    sql.insert(connection, "golden", *golden)
    if connection.dialect.name == "postgresql":  # without, it guesses for a minute, and claims are ten times as slow
        sql.change(connection, "ANALYZE items")
    facts: dict[str, Any] = {"file": parsed.name, "format": parsed.format, "purpose": purpose, "n_items": len(records)}
    events.add(connection, project.id, "items.imported", now, user_id=user_id, **facts)
    told = {"n_items": len(records), "n_known": n_known, "n_passages": len(passages), "format": parsed.format}
    return {**told, "problems": []}


def _count_known(connection: Connection, project: Project, entries: Sequence[Entry], purpose: str) -> int:
    """How many of the sentences the project has already; those that were withdrawn do not count."""
    found = sql.find_all(
        connection,
        "SELECT source FROM items WHERE project_id = :id AND purpose = :purpose AND state <> 'withdrawn'",
        id=project.id,
        purpose=purpose,
    )
    known = {texts.same(row.source) for row in found}
    return sum(texts.same(entry.source) in known for entry in entries)


def _find_format(head: str, name: str) -> str:
    """The format of a file; what looks like none of them, and has no telling suffix, is raw text."""
    plain = head.lstrip("\ufeff").replace("\r\n", "\n")
    if is_history(plain.partition("\n")[0]):
        raise DataError(
            f"this is the history of a whole project: errata annotate new NAME --import {name} makes the project again"
        )
    is_known = any(get_format(format).sniff(plain) for format in FORMATS) if plain.strip() else False
    if not is_known and PurePath(name).suffix.lower() in _PLAIN_SUFFIXES:
        return TEXT
    return detect_format(head, name)


def _parse_lines(lines: Lines, parsed: Parsed, language: str) -> Iterator[Entry]:
    if parsed.format == TEXT:
        return _parse_text(lines, parsed, language)
    if parsed.format not in FORMATS:
        raise DataError(f"there is no format {parsed.format[:40]!r} (there are {', '.join([TEXT, *FORMATS])})")
    return _parse_sentences(lines, parsed, language)


def _parse_text(lines: Iterable[str], parsed: Parsed, language: str) -> Iterator[Entry]:
    """The sentences of raw text; a blank line ends a passage."""
    passage, number, is_blank = 0, 0, True
    for line_number, line in enumerate(clean_lines(lines, parsed.name), 1):
        if not line.strip():
            is_blank = True
            continue
        passage, is_blank = passage + is_blank, False
        for start, end in sentence_spans(line, language):
            number += 1
            origin = _origin(parsed, number, is_tokenised=False)
            yield Entry(line[start:end], (), origin, line_number, passage, f"{parsed.name} {passage}")


def _parse_sentences(lines: Lines, parsed: Parsed, language: str) -> Iterator[Entry]:
    """The sentences of a corpus; the line of each is the last one its parser had read."""
    read = lines.document() if parsed.format in DOCUMENTS else lines
    sentences = get_format(parsed.format).parse(read, origin=parsed.name)
    tokenised = _seems_tokenised(islice(lines.sample(), N_SAMPLED)) if parsed.format in ("parallel", "mucgec") else None
    passage, last = 0, object()
    for number, annotated in enumerate(sentences, 1):
        is_tokenised = language == "en" and (
            _is_tokenised(annotated, parsed.format) if tokenised is None else tokenised
        )
        label = annotated.meta.get(PASSAGE)
        passage, last = passage + (label != last), label
        line = lines.n_read or None
        if is_deeper(annotated.meta, MAX_LEVELS):
            raise FormatError(parsed.name, line, f"more than {MAX_LEVELS} lists and objects stand in each other")
        try:
            [record] = JsonLines().format([annotated])
            references = tuple(islice(_references(annotated), MAX_REFERENCES + 1))
        except DataError as error:
            raise FormatError(parsed.name, line, str(error)) from error
        yield Entry(
            source_text(annotated.sentence).strip(),
            references,
            _origin(parsed, number, is_tokenised=is_tokenised, record=record.strip()),
            line,
            None if label is None else passage,
            "" if label is None else _printable(str(label))[: texts.MAX_NAME],
        )


def _origin(parsed: Parsed, number: int, *, is_tokenised: bool, record: str = "null") -> str:
    known = {"format": parsed.format, "file": parsed.name, "number": number, "is_tokenised": is_tokenised}
    return f'{json.dumps(known, ensure_ascii=False)[:-1]}, "record": {record}}}'


def _references(annotated: AnnotatedSentence) -> Iterator[str]:
    """The distinct corrected texts; what a system predicted is none."""
    seen: set[str] = set()
    for annotation in annotated.annotations:
        if annotation.status is not Status.ANNOTATED or annotation.annotator == PREDICTION:
            continue
        target = _target(annotated, annotation).strip()
        if texts.same(target) not in seen:
            seen.add(texts.same(target))
            yield target


def _target(annotated: AnnotatedSentence, annotation: Annotation) -> str:
    if annotation.operations is not None and annotation.target is None:
        return apply_operations(source_text(annotated.sentence), annotation.operations)
    return target_text(annotated.sentence, annotation)


def _is_tokenised(annotated: AnnotatedSentence, format: str) -> bool:
    return annotated.sentence.text is None or format == "robustgec"


def _seems_tokenised(lines: Iterable[str]) -> bool:
    """Whether marks at the ends of cells stand apart more often than not: tables do not say how they were made."""
    cells = [cell.strip() for line in lines for cell in line.split("\t")]
    n_apart = sum(_ENDS_APART.search(cell) is not None for cell in cells)
    return n_apart > sum(_ENDS_TOGETHER.search(cell) is not None for cell in cells)


def _find_fault(entry: Entry, purpose: str) -> str | None:
    """What is wrong with an entry."""
    if not entry.source.strip():
        return "the sentence is empty"
    if len(entry.source) > texts.MAX_SOURCE:
        return f"the sentence has {len(entry.source)} characters; {texts.MAX_SOURCE} is the most"
    if len(entry.references) > MAX_REFERENCES:
        return f"the sentence has more than {MAX_REFERENCES} references"
    n_characters, n_most = max(map(len, entry.references), default=0), texts.longest_answer(entry.source)
    if n_characters > n_most:
        return f"a reference has {n_characters} characters; {n_most} is the most for this sentence"
    if len(entry.origin_json) > texts.MAX_ORIGIN:
        return f"edits and other fields take {len(entry.origin_json)} characters; {texts.MAX_ORIGIN} is the most"
    for text in (entry.source, *entry.references):
        if fault := texts.find_fault(text):
            return f"the sentence has {fault}"
    if purpose == items.QUALIFY and not entry.references:
        return "a sentence of the qualification round needs a reference, and this one has none"
    if any(not reference.strip() for reference in entry.references):
        return "a reference is empty"
    return None


def _find_foreign(entries: Sequence[Entry], language: str) -> str | None:
    """What is wrong with a file that is in the other language from beginning to end."""
    if len(entries) < MIN_FOREIGN:
        return None
    own, other = (_HAN, _LATIN) if language == "zh" else (_LATIN, _HAN)
    if any(own.search(entry.source) for entry in entries) or not any(other.search(entry.source) for entry in entries):
        return None
    name, others = ("Chinese", "English") if language == "zh" else ("English", "Chinese")
    return f"the project is in {name}, and no sentence of the file is: is this a file for a project in {others}?"


def _shown_name(name: str) -> str:
    """The name of a file without its folders and without what cannot be shown."""
    return _printable(PurePath(name.replace("\\", "/")).name)[:100] or "file"


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())


def _store_passages(connection: Connection, project: Project, entries: Sequence[Entry], now: float) -> dict[int, str]:
    """The ids of the passages, by their numbers; only projects with context have any."""
    if project.kind != "minimal":
        return {}
    labels = {entry.passage: entry.label for entry in entries if entry.passage is not None}
    n_before = sql.count(
        connection, "SELECT coalesce(max(position) + 1, 0) FROM passages WHERE project_id = :id", id=project.id
    )
    ids = {number: new_id(now) for number in labels}
    records = (
        {"id": ids[number], "project_id": project.id, "position": position, "label": labels[number]}
        for position, number in enumerate(labels, n_before)
    )
    sql.insert(connection, "passages", *records)
    return ids


def _item_record(
    project: Project, entry: Entry, position: int, purpose: str, passages: dict[int, str], now: float, rng: Random
) -> dict[str, Any]:
    is_work = purpose == items.WORK
    return {
        "id": new_id(now),
        "project_id": project.id,
        "passage_id": None if entry.passage is None else passages.get(entry.passage),
        "position": position,
        "purpose": purpose,
        "source": entry.source,
        "origin": entry.origin_json,
        "n_wanted": project.settings.k if is_work else 0,
        "n_free": project.settings.k if is_work else 0,
        "lot": rng.random(),
        "state": "annotating",
        "version": 1,
    }


def _golden_records(item_id: str, references: Sequence[str], now: float) -> list[dict[str, Any]]:
    return [
        {"id": new_id(now), "item_id": item_id, "position": position, "target": target, "origin": "imported"}
        for position, target in enumerate(references)
    ]
