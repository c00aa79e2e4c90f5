"""A project with everything that happened in it, as JSON lines; `exports.reading` makes a project of them again.

One line for the project, each person, passage and item (with its tasks, submissions, verdicts, golden references and
complaints) and event, and a last line that says how many there were. Rows are numbered from 1 in the order of the file,
and refer to each other by these numbers: read back, the same file comes out again. People are numbers as well, unless
names are asked for. The keys of requests, which only matter while a page waits for its answer, are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, text

from errata.web.ids import ALPHABET
from errata.web.workbench import sql

KIND, VERSION = "errata-project", 1
BATCH = 200

# Tables whose rows stand in the line of their item, and the order of the rows.
PARTS = {"tasks": "id", "submissions": "id", "verdicts": "id", "golden": "position, id", "complaints": "id"}
# Columns that say whose row it is, which the place in the file says, and columns that nobody needs later.
PLACES = frozenset({"id", "project_id", "item_id", "submission_id"})
LEFT_OUT = {"submissions": frozenset({"request_key", "reply"})}
# Columns that refer to other rows: what kind of row.
REFERENCES = {
    **dict.fromkeys(("user_id", "made_by", "decided_by"), "person"),
    "task_id": "task",
    "passage_id": "passage",
}
# What they are called in the file.
NAMES = {"user_id": "person", "task_id": "task", "passage_id": "passage"}
# Columns with JSON. Ids in the first three, and in `about`, are written as references too.
JSON_COLUMNS = frozenset({"facts", "draft", "origin", "settings"})
SPOKEN = {("events", "facts"), ("tasks", "draft"), ("golden", "origin"), ("tasks", "about")}
_ID = re.compile(rf"(?<![0-9a-z])[{ALPHABET}]{{26}}(?![0-9a-z])")


def write_history(connection: Connection, project_id: str, *, names: bool = False) -> Iterator[str]:
    """The lines of a project's history; `names` puts people's names into it."""
    writer = _Writer(connection, project_id)
    yield from map(_dump, writer.lines(names=names))


class _Writer:
    """Numbers rows as they are written."""

    def __init__(self, connection: Connection, project_id: str) -> None:
        self._connection, self._project_id = connection, project_id
        self._numbers: dict[str, str] = {project_id: "project"}
        # Ids that events speak of: only those of rows in items must be remembered.
        self._wanted = {
            found
            for row in self._select("events", "number")
            for found in _ID.findall(f"{row['facts']} {row['item_id']}")
        }

    def lines(self, *, names: bool) -> Iterator[dict[str, Any]]:
        [project] = self._rows("SELECT * FROM projects WHERE id = :project_id")
        people = list(self._people(project["made_by"], names=names))
        yield {"record": "project", "format": KIND, "version": VERSION, "project": self._write("projects", project)}
        yield from people
        for number, row in enumerate(self._select("passages", "position, id"), 1):
            self._numbers[row["id"]] = f"passage {number}"
            yield {"record": "passage", **self._write("passages", row)}
        n_items = 0
        for n_items, line in enumerate(self._items(), 1):  # noqa: B007 (counted for the last line)
            yield line
        n_events = 0
        for n_events, row in enumerate(self._select("events", "number"), 1):  # noqa: B007
            item = {"item": self._number(row["item_id"])} if row["item_id"] else {}
            yield {"record": "event", **item, **self._write("events", row)}
        yield {"record": "end", "n_people": len(people), "n_items": n_items, "n_events": n_events}

    def _people(self, made_by: str, *, names: bool) -> Iterator[dict[str, Any]]:
        """The owner who made the project first, then members as they joined, then others."""
        rows = self._rows(_PEOPLE)
        ordered = sorted(rows, key=lambda row: (row["id"] != made_by, *_when(row["joined_at"]), row["id"]))
        for number, row in enumerate(ordered, 1):
            self._numbers[row.pop("id")] = f"person {number}"
            name = row.pop("name")
            is_member = row["joined_at"] is not None
            member = {column: value for column, value in row.items() if is_member}
            yield {"record": "person", **({"name": name} if names else {}), **({"member": member} if is_member else {})}

    def _items(self) -> Iterator[dict[str, Any]]:
        ids = [row["id"] for row in self._select("items", "purpose DESC, position, id", "id")]
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            rows = {row["id"]: row for row in self._among("items", batch, "id")}
            parts = {name: _group(self._among(name, batch, order), "item_id") for name, order in PARTS.items()}
            answers = _group(self._among("answers", batch, "submission_id, position"), "submission_id")
            for number, id_ in enumerate(batch, start + 1):
                own = {name: found.get(id_, []) for name, found in parts.items()}
                yield self._item(number, rows[id_], own, answers)

    def _item(
        self,
        number: int,
        item: Mapping[str, Any],
        parts: Mapping[str, Sequence[Mapping[str, Any]]],
        answers: Mapping[str, Sequence[Mapping[str, Any]]],
    ) -> dict[str, Any]:
        own = {item["id"]: f"item {number}"}
        for name, rows in parts.items():
            kind = ROW_KINDS[name]
            own |= {row["id"]: f"{kind} {number}.{place}" for place, row in enumerate(rows, 1)}
        self._numbers |= own
        line = {"record": "item", **self._write("items", item)}
        for name, rows in parts.items():
            line[name] = [self._write(name, row) for row in rows]
        for row, written in zip(parts["submissions"], line["submissions"], strict=True):
            written["answers"] = [one["target"] for one in answers.get(row["id"], ())]
        for id_ in own.keys() - self._wanted:
            del self._numbers[id_]
        return line

    def _write(self, table: str, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row without ids: references by number, JSON as JSON."""
        written: dict[str, Any] = {}
        for column, value in row.items():
            if column in PLACES or column in LEFT_OUT.get(table, ()):
                continue
            if column in REFERENCES:
                value = None if value is None else self._number(value)
            elif (table, column) in SPOKEN:
                value = _ID.sub(self._speak, value.replace("@", "@@"))
            if column in JSON_COLUMNS:
                value = _read_json(value)
            written[NAMES.get(column, column)] = value
        return written

    def _number(self, id_: str) -> int | None:
        """The number of a row within its kind, or within its item; None for one that is gone."""
        reference = self._numbers.get(id_)
        return None if reference is None else int(reference.replace(".", " ").rpartition(" ")[2])

    def _speak(self, match: re.Match[str]) -> str:
        reference = self._numbers.get(match[0])
        return match[0] if reference is None else f"@{{{reference}}}"

    def _select(self, table: str, order: str, columns: str = "*") -> Iterator[dict[str, Any]]:
        yield from self._rows(f"SELECT {columns} FROM {table} WHERE project_id = :project_id ORDER BY {order}")

    def _among(self, table: str, ids: Sequence[str], order: str) -> list[dict[str, Any]]:
        column = "id" if table == "items" else "item_id"
        clause = text(f"SELECT * FROM {table} WHERE {column} IN :ids ORDER BY {order}")
        found = self._connection.execute(clause.bindparams(bindparam("ids", expanding=True)), {"ids": list(ids)})
        return [dict(row._mapping) for row in found]

    def _rows(self, statement: str) -> list[dict[str, Any]]:
        return [dict(row._mapping) for row in sql.find_all(self._connection, statement, project_id=self._project_id)]


ROW_KINDS = {
    "tasks": "task",
    "submissions": "submission",
    "verdicts": "verdict",
    "golden": "golden",
    "complaints": "complaint",
}
# Everybody who did something in a project, members or not.
_PEOPLE = """SELECT u.id, u.name, m.role, m.state, m.attempt, m.joined_at FROM users u
    LEFT JOIN members m ON m.user_id = u.id AND m.project_id = :project_id
    WHERE m.user_id IS NOT NULL OR u.id IN (
        SELECT made_by FROM projects WHERE id = :project_id
        UNION SELECT user_id FROM tasks WHERE project_id = :project_id
        UNION SELECT user_id FROM events WHERE project_id = :project_id
        UNION SELECT s.user_id FROM submissions s JOIN items i ON i.id = s.item_id WHERE i.project_id = :project_id
        UNION SELECT v.user_id FROM verdicts v JOIN items i ON i.id = v.item_id WHERE i.project_id = :project_id
        UNION SELECT c.user_id FROM complaints c JOIN items i ON i.id = c.item_id WHERE i.project_id = :project_id
        UNION SELECT c.decided_by FROM complaints c JOIN items i ON i.id = c.item_id WHERE i.project_id = :project_id
    )"""


def _when(joined_at: float | None) -> tuple[bool, float]:
    """Sorts members as they joined, and others after them."""
    return joined_at is None, joined_at or 0.0


def _group(rows: Iterable[dict[str, Any]], column: str) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row[column], []).append(row)
    return groups


def _read_json(value: Any) -> Any:
    """JSON that is an object or a list as such; everything else stays the text it is."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
