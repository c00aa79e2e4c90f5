"""A new project from the history of another: the same lines come out of it again (`exports.history`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, MetaData, Table
from sqlalchemy.exc import SQLAlchemyError

from errata.errors import DataError, FormatError
from errata.formats import strict_json
from errata.web.ids import id_sequence
from errata.web.refusals import Refusal
from errata.web.workbench import sql, texts
from errata.web.workbench.exports.history import (
    JSON_COLUMNS,
    KIND,
    LEFT_OUT,
    NAMES,
    PARTS,
    PLACES,
    REFERENCES,
    ROW_KINDS,
    SPOKEN,
    VERSION,
)
from errata.web.workbench.projects import MAX_K, Settings
from errata.web.workbench.submissions import MAX_SECONDS
from errata.web.workbench.tasks import MAX_DRAFT
from errata.web.workbench.texts import find_fault

# What columns may say.
CHOICES: dict[tuple[str, str], frozenset[str]] = {
    ("projects", "kind"): frozenset({"rewrite", "minimal"}),
    ("projects", "language"): frozenset({"en", "zh"}),
    ("projects", "state"): frozenset({"draft", "running", "paused", "finished", "archived"}),
    ("members", "role"): frozenset({"owner", "reviewer", "annotator"}),
    ("members", "state"): frozenset({"active", "qualified", "failed", "removed"}),
    ("items", "purpose"): frozenset({"work", "qualify"}),
    ("items", "state"): frozenset({"annotating", "reviewing", "done", "withdrawn"}),
    ("tasks", "kind"): frozenset({"qualify", "annotate", "review", "study", "judge"}),
    ("tasks", "state"): frozenset({"open", "held", "done", "dropped"}),
}
LINES = {("items", "source"), ("answers", "target"), ("golden", "target"), ("verdicts", "target")}

# Characters that a text may have, as if somebody had typed it or imported it from a file.
LENGTHS = {
    ("projects", "guidelines"): texts.MAX_GUIDELINES,
    ("passages", "label"): texts.MAX_NAME + 100,  # the name of its file, and a number
    ("items", "source"): texts.MAX_SOURCE,
    ("items", "origin"): texts.MAX_ORIGIN,
    ("tasks", "draft"): MAX_DRAFT,
    ("submissions", "comment"): texts.MAX_COMMENT,
    ("answers", "target"): texts.MAX_ANSWER,
    ("verdicts", "target"): texts.MAX_ANSWER,
    ("verdicts", "comment"): texts.MAX_COMMENT,
    ("golden", "target"): texts.MAX_ANSWER,
    ("complaints", "target"): texts.MAX_ANSWER,
    ("complaints", "reason"): texts.MAX_COMMENT,
    ("complaints", "decision"): texts.MAX_COMMENT,
    ("events", "facts"): texts.MAX_ORIGIN,
}
# The least and the greatest number of a column.
RANGES = {("items", "n_wanted"): (0, MAX_K), ("submissions", "seconds"): (0, MAX_SECONDS)}

# Tables in the order in which rows are inserted, and how many rows of one wait for that at most.
ORDER = "users projects members passages items tasks submissions answers verdicts golden complaints events".split()
BATCH = 500

_SPOKEN = re.compile(r"@@|@\{([a-z]+(?: [0-9.]+)?)\}")


def is_history(head: str) -> bool:
    """Whether a file begins like a project's history."""
    return head.startswith('{"record": "project"') and f'"{KIND}"' in head.split("\n", 1)[0]


def read_history(
    connection: Connection,
    lines: Iterable[str],
    owner_id: str,
    now: float,
    *,
    origin: str = "<history>",
    name: str | None = None,
) -> str:
    """The id of a new project with the history in `lines`; `FormatError` for anything else.

    Who made the project is `owner_id` here. Everybody else becomes a closed account that nobody can log in to, so that
    work stays apart from that of people with accounts here.
    """
    reader = _Reader(connection, owner_id, now, name)
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            reader.read(strict_json.expect(strict_json.loads(line), "the line", dict))
        except (ValueError, DataError) as error:
            raise FormatError(origin, number, f"no line of a project's history: {error}") from None
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            message = f"this line, or one before it, does not fit the database: {reason}"
            raise FormatError(origin, number, message) from error
    if not reader.is_finished:
        raise FormatError(origin, number or None, "the history ends before its last line: the file is not complete")
    return reader.project_id


class _Columns:
    """The columns of a table: by what the file calls them, and those that every row needs."""

    def __init__(self, table: Table) -> None:
        self.columns = {column.name: column for column in table.columns}
        left_out = PLACES | LEFT_OUT.get(table.name, frozenset())
        self.known = {NAMES.get(name, name): column for name, column in self.columns.items() if name not in left_out}
        self.needed = {
            name for name, column in self.columns.items() if not column.nullable and column.server_default is None
        }


class _Reader:
    """Inserts rows as their lines come."""

    def __init__(self, connection: Connection, owner_id: str, now: float, name: str | None) -> None:
        self._connection, self._owner_id, self._now, self._name = connection, owner_id, now, name
        self._ids = id_sequence(now)
        self._known: dict[str, str] = {}
        metadata = MetaData()
        metadata.reflect(connection, only=lambda table, _: table in ORDER)
        self._tables = {name: _Columns(table) for name, table in metadata.tables.items()}
        self._waiting: dict[str, list[dict[str, Any]]] = {name: [] for name in ORDER}
        self._counts = dict.fromkeys(("person", "passage", "item", "event"), 0)
        self.project_id, self.is_finished = "", False

    def read(self, line: dict[str, Any]) -> None:
        if self.is_finished:
            raise ValueError("something comes after the end")
        kind = line.pop("record", None)
        known: dict[str, Callable[[dict[str, Any]], None]] = {
            "project": self._project,
            "person": self._person,
            "passage": self._passage,
            "item": self._item,
            "event": self._event,
            "end": self._end,
        }
        if not isinstance(kind, str) or kind not in known:
            raise ValueError(f"there is no record {str(kind)[:50]!r}")
        if bool(self.project_id) == (kind == "project"):
            raise ValueError("the project comes first, and once")
        known[kind](line)

    def _project(self, line: dict[str, Any]) -> None:
        if line.get("format") != KIND or line.get("version") != VERSION:
            raise ValueError(f"this errata reads {KIND} of version {VERSION}")
        row = strict_json.get(line, "project", dict)
        if row.pop("made_by", 1) != 1:
            raise ValueError("the project was made by person 1")
        self._known["person 1"] = self._owner_id
        own = {"name": row.get("name") if self._name is None else self._name}
        try:
            Settings().updated(strict_json.get(row, "settings", dict))
        except Refusal as refusal:
            raise ValueError(refusal.message) from None
        self.project_id = self._known["project"] = self._insert("projects", {**row, **own, "made_by": 1})

    def _person(self, line: dict[str, Any]) -> None:
        number = self._count("person")
        if number > 1:
            self._known[f"person {number}"] = self._make_person(line.get("name"), number)
        if "member" in line:
            row = strict_json.get(line, "member", dict)
            self._insert("members", {**row, "person": number}, project_id=self.project_id)

    def _make_person(self, name: Any, number: int) -> str:
        """A closed account; its folded name is no name that anybody can have."""
        shown = f"person {number}" if name is None else strict_json.expect(name, "name", str)
        if not 0 < len(shown) <= 100 or find_fault(shown):
            raise ValueError("a name has 1 to 100 characters, and no line break")
        id_ = next(self._ids)
        row = {"id": id_, "name": shown, "folded_name": f"imported/{id_}", "password": "!", "is_owner": 0}
        self._waiting["users"].append({**row, "made_at": self._now, "closed_at": self._now})
        return id_

    def _passage(self, line: dict[str, Any]) -> None:
        number = self._count("passage")
        self._known[f"passage {number}"] = self._insert("passages", line, project_id=self.project_id)

    def _item(self, line: dict[str, Any]) -> None:
        number = self._count("item")
        parts = {name: strict_json.expect_all(line.pop(name, []), name, dict) for name in PARTS}
        _check_targets(line.get("source"), parts)
        item_id = self._known[f"item {number}"] = self._insert("items", line, project_id=self.project_id)
        # All get their ids first: a task may be about a complaint, which is about a task.
        for name, rows in parts.items():
            for place in range(1, len(rows) + 1):
                self._known[f"{ROW_KINDS[name]} {number}.{place}"] = next(self._ids)
        for name, rows in parts.items():
            for place, row in enumerate(rows, 1):
                self._part(name, row, self._known[f"{ROW_KINDS[name]} {number}.{place}"], item_id, number)

    def _part(self, name: str, row: dict[str, Any], id_: str, item_id: str, number: int) -> None:
        answers = strict_json.expect_all(row.pop("answers", []), "answers", str) if name == "submissions" else ()
        places = {"id": id_, "item_id": item_id}
        if name == "tasks":
            places["project_id"] = self.project_id
        if name == "submissions":
            places["request_key"] = id_
        self._insert(name, row, number=number, **places)
        for place, target in enumerate(answers):
            self._insert("answers", {"position": place, "target": target}, submission_id=id_, item_id=item_id)

    def _event(self, line: dict[str, Any]) -> None:
        self._count("event")
        item = line.pop("item", None)
        item_id = None if item is None else self._find("item", item)
        self._insert("events", line, project_id=self.project_id, item_id=item_id)

    def _end(self, line: dict[str, Any]) -> None:
        counts = {"n_people": "person", "n_items": "item", "n_events": "event"}
        for field, kind in counts.items():
            if line.get(field) != self._counts[kind]:
                raise ValueError(
                    f"{field} is {line.get(field)}, but there were {self._counts[kind]}: lines are missing"
                )
        self._flush()
        self.is_finished = True

    def _insert(self, table: str, row: dict[str, Any], number: int | None = None, **places: Any) -> str:
        """Put a row into a table, soon; its id. Everything in it must be something that the table has."""
        about = self._tables[table]
        if stray := row.keys() - about.known.keys():
            raise ValueError(f"{table} have no {min(stray)!r}")
        values: dict[str, Any] = {"id": next(self._ids)} if "id" in about.columns and "id" not in places else {}
        values |= places
        for name, value in row.items():
            column = about.known[name]
            values[column.name] = self._value(table, column, value, number)
        if missing := about.needed - values.keys():
            raise ValueError(f"{min(missing)!r} is missing")
        self._waiting[table].append(values)
        if len(self._waiting[table]) >= BATCH:
            self._flush()
        return str(values.get("id", ""))

    def _flush(self) -> None:
        """Insert what waits: each table after those its rows refer to."""
        for table, rows in self._waiting.items():
            groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
            for row in rows:
                groups.setdefault(tuple(row), []).append(row)
            for group in groups.values():
                sql.insert(self._connection, table, *group)
            rows.clear()

    def _value(self, table: str, column: Any, value: Any, number: int | None) -> Any:
        name = column.name
        if value is not None and name in REFERENCES:
            kind = REFERENCES[name]
            return self._find(kind, value, number if kind == "task" else None)
        if name in JSON_COLUMNS and isinstance(value, dict | list):
            value = strict_json.dumps(value)
        if (table, name) in SPOKEN and isinstance(value, str):
            value = _SPOKEN.sub(self._hear, value)
        return _check_value(table, column, value)

    def _hear(self, match: re.Match[str]) -> str:
        if match[1] is None:
            return "@"
        if match[1] not in self._known:
            raise ValueError(f"there is no {match[1]}")
        return self._known[match[1]]

    def _find(self, kind: str, number: Any, item: int | None = None) -> str:
        strict_json.expect(number, kind, int)
        reference = f"{kind} {number}" if item is None else f"{kind} {item}.{number}"
        if reference not in self._known:
            raise ValueError(f"there is no {reference}")
        return self._known[reference]

    def _count(self, kind: str) -> int:
        self._counts[kind] += 1
        return self._counts[kind]


def _check_targets(source: Any, parts: Mapping[str, Sequence[dict[str, Any]]]) -> None:
    """Refuse answers and references that are too long for their sentence, or too many: nobody could review them."""
    n_most = texts.longest_answer(source) if isinstance(source, str) else texts.MAX_ANSWER
    given = [row.get("answers") for row in parts["submissions"]]
    if any(isinstance(answers, list) and len(answers) > texts.MAX_ANSWERS for answers in given):
        raise ValueError(f"a submission has more than {texts.MAX_ANSWERS} answers")
    written = [row.get("target") for name in ("verdicts", "golden", "complaints") for row in parts[name]]
    written += [target for answers in given if isinstance(answers, list) for target in answers]
    for target in written:
        if isinstance(target, str) and len(target) > n_most:
            raise ValueError(f"an answer has {len(target)} characters; {n_most} is the most for this sentence")


def _check_value(table: str, column: Any, value: Any) -> Any:
    """A value that the column can hold, on either database."""
    name, kind = column.name, column.type.python_type
    if value is None:
        if not column.nullable:
            raise ValueError(f"{name!r} is missing")
        return None
    if kind is str:
        strict_json.expect(value, name, str)
        length = getattr(column.type, "length", None)
        if (length and len(value) > length) or "\0" in value:
            raise ValueError(f"{name!r} is too long, or has a NUL")
        if len(value) > (most := LENGTHS.get((table, name), len(value))):
            raise ValueError(f"{name!r} has {len(value)} characters; {most} is the most")
        if (table, name) in CHOICES and value not in CHOICES[table, name]:
            raise ValueError(f"{name!r} is one of {', '.join(sorted(CHOICES[table, name]))}")
        if (table, name) in LINES and (fault := find_fault(value)):
            raise ValueError(f"{name!r} has {fault}")
        return value
    if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)):
        raise ValueError(f"{name!r} is not a number")
    if kind is int and not -(2**31) <= value < 2**31:
        raise ValueError(f"{name!r} is too large")
    least, greatest = RANGES.get((table, name), (value, value))
    if not least <= value <= greatest:
        raise ValueError(f"{name!r} is a number from {least:g} to {greatest:g}")
    return value if kind is int else float(value)
