"""The database as one file and back: what comes out is what went in, whichever database it was and is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from errata.errors import DataError, ErrataError, FormatError
from errata.web import database
from errata.web.backup import read_backup, write_backup
from errata.web.database import open_database, reading, writing

TABLES = "users projects members items tasks submissions answers golden events words".split()


def fill(engine: Engine, n_items: int = 3) -> None:
    """A small project with what is hard to carry: other scripts, quotes, missing values, floats."""
    with writing(engine) as connection:

        def insert(table: str, **row: Any) -> None:
            names = ", ".join(row)
            places = ", ".join(f":{name}" for name in row)
            connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), row)

        insert("users", id="u1", name="annotator-1", folded_name="annotator-1", password="x", is_owner=1, made_at=0.1)
        insert("sessions", digest="d", user_id="u1", csrf="c", made_at=1.0, seen_at=1.0, expires_at=2.0)
        insert("failed_logins", id="f1", subject="annotator-1", made_at=1.0)
        insert("words", username="a", dictionary="", word='Straße’s "😀"')
        project = {"kind": "rewrite", "language": "zh", "state": "running", "guidelines": "# 说明\n", "settings": "{}"}
        insert("projects", id="p1", name="学习", version=1, made_by="u1", made_at=1 / 3, **project)
        for number in range(n_items):
            item = {"purpose": "work", "source": f"我爱你门。\t{number}", "origin": "{}", "n_wanted": 3, "version": 0}
            insert("items", id=f"i{number:05}", project_id="p1", position=number, state="annotating", **item)
            insert("tasks", id=f"t{number:05}", project_id="p1", item_id=f"i{number:05}", kind="annotate",
                   state="open", version=0, made_at=1e9 + 0.123456789)  # fmt: skip


def dump(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    with reading(engine) as connection:
        return {
            name: sorted(tuple(map(str, row)) for row in connection.execute(text(f"SELECT * FROM {name}")))
            for name in TABLES
        }


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = open_database(database_url)
    fill(engine)
    yield engine
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database to restore into."""
    if request.param == "postgres":
        url = request.getfixturevalue("new_postgres")()
    else:
        url = f"sqlite:///{tmp_path / 'other.db'}"
    engine = open_database(url)
    yield engine
    engine.dispose()


def test_restores_what_was_backed_up(engine: Engine, other: Engine, tmp_path: Path) -> None:
    path = tmp_path / "all.backup"
    made = write_backup(engine, path, clock=lambda: 5.0)
    assert (made.tables["items"], made.made_at) == (3, 5.0)
    assert read_backup(other, path) == made
    assert dump(other) == dump(engine)
    with reading(other) as connection:
        assert connection.execute(text("SELECT count(*) FROM sessions")).scalar() == 0
        assert connection.execute(text("SELECT max(version) FROM shape")).scalar() == len(database.STEPS)
    again = tmp_path / "again.backup"
    write_backup(other, again, clock=lambda: 5.0)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_packed(engine: Engine, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"all.backup{suffix}"
    made = write_backup(engine, path)
    assert not path.read_bytes().startswith(b"{")
    assert read_backup(engine, path, replace=True) == made


def test_refuses_a_database_that_is_not_empty(engine: Engine, tmp_path: Path) -> None:
    write_backup(engine, tmp_path / "b")
    with writing(engine) as connection:
        connection.execute(text("UPDATE projects SET name = 'newer'"))
    with pytest.raises(DataError, match=r"not empty .*--replace"):
        read_backup(engine, tmp_path / "b")
    assert any("newer" in row for row in dump(engine)["projects"])
    read_backup(engine, tmp_path / "b", replace=True)
    assert any("学习" in row for row in dump(engine)["projects"])


def change(lines: list[str], number: int, old: str, new: str) -> list[str]:
    assert old in lines[number]
    return [*lines[:number], lines[number].replace(old, new), *lines[number + 1 :]]


DAMAGES = {
    "cut": (lambda lines: lines[:-1], "not complete"),
    "cut inside a line": (lambda lines: [*lines[:-2], lines[-2][:5]], "no line of a backup"),
    "changed": (lambda lines: [line.replace("学习", "学会") for line in lines], "digest does not fit"),
    "a row gone": (lambda lines: [*lines[:-2], lines[-1]], "digest does not fit"),
    "goes on": (lambda lines: [*lines, "{}\n"], "goes on after its digest"),
    "other file": (lambda lines: ['{"tokens": []}\n'], "no backup of errata"),
    "empty": (lambda lines: [], "not complete"),
    "a later version": (lambda lines: change(lines, 0, '"version":1', '"version":2'), "of version 2"),
    "a later shape": (lambda lines: change(lines, 0, '"shape":', '"shape":9'), "update errata"),
    "a row cut": (lambda lines: [line if line[0] == "{" else "[1]\n" for line in lines], "does not fit the columns"),
    "another table": (lambda lines: [line.replace('"golden"', '"gold"') for line in lines], "'gold' is not as"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_backup_changes_nothing(damage: str, tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    fill(engine)
    path = tmp_path / "b"
    write_backup(engine, path)
    make, message = DAMAGES[damage]
    path.write_text("".join(make(path.read_text("utf-8").splitlines(keepends=True))), "utf-8")
    before = dump(engine)
    with pytest.raises(ErrataError, match=message):
        read_backup(engine, path, replace=True)
    assert dump(engine) == before
    engine.dispose()


def test_a_row_the_database_refuses_is_named(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    fill(engine)
    path = tmp_path / "b"
    write_backup(engine, path)
    path.write_text(path.read_text("utf-8").replace('"p1",0', '"p9",0').replace('"p1",null', '"p9",null'), "utf-8")
    with pytest.raises(ErrataError, match=r"b: line \d+ does not fit the database|digest"):
        read_backup(engine, path, replace=True)
    engine.dispose()


def test_an_older_shape_gets_the_steps_since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    fill(engine)
    write_backup(engine, tmp_path / "b")
    later = (*database.STEPS, ("ALTER TABLE projects ADD COLUMN colour VARCHAR(9) NOT NULL DEFAULT 'red'",))
    monkeypatch.setattr("errata.web.database.STEPS", later)
    monkeypatch.setattr("errata.web.backup.STEPS", later)
    newer = open_database(f"sqlite:///{tmp_path / 'newer.db'}")
    read_backup(newer, tmp_path / "b")
    with reading(newer) as connection:
        assert connection.execute(text("SELECT colour FROM projects")).scalar() == "red"
        assert connection.execute(text("SELECT max(version) FROM shape")).scalar() == len(later)
    engine.dispose()
    newer.dispose()


def test_tables_of_others_are_left_alone(engine: Engine, tmp_path: Path) -> None:
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE cats (name VARCHAR(9))"))
        connection.execute(text("INSERT INTO cats VALUES ('Tom')"))
    assert "cats" not in write_backup(engine, tmp_path / "b").tables
    read_backup(engine, tmp_path / "b", replace=True)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT name FROM cats")).scalar() == "Tom"


def test_is_of_one_moment_while_others_write(engine: Engine, tmp_path: Path) -> None:
    """A writer adds an item and its task in one transaction, again and again: no backup has one without the other."""
    stop = threading.Event()

    def work() -> None:
        number = 1000
        while not stop.is_set():
            number += 1
            with writing(engine) as connection:
                connection.execute(text(
                    "INSERT INTO items (id, project_id, position, purpose, source, origin, n_wanted, state, version)"
                    " VALUES (:id, 'p1', :n, 'work', 's', '{}', 1, 'annotating', 0)"
                ), {"id": f"i{number:05}", "n": number})  # fmt: skip
                connection.execute(text(
                    "INSERT INTO tasks (id, project_id, item_id, kind, state, version, made_at)"
                    " VALUES (:id, 'p1', :item, 'annotate', 'open', 0, 1)"
                ), {"id": f"t{number:05}", "item": f"i{number:05}"})  # fmt: skip

    writer = threading.Thread(target=work)
    writer.start()
    try:
        made = [write_backup(engine, tmp_path / f"b{n}").tables for n in range(10)]
    finally:
        stop.set()
        writer.join()
    assert all(tables["items"] == tables["tasks"] for tables in made)
    assert made[-1]["items"] > made[0]["items"]


def test_a_backup_that_fails_leaves_the_old_one(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "b"
    write_backup(engine, path)
    before = path.read_bytes()
    with writing(engine) as connection:
        connection.execute(text("DROP TABLE shape"))
    with pytest.raises(Exception, match="shape"):
        write_backup(engine, path)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir() if found.name.startswith(".b")] == []


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    engine = open_database("sqlite://")
    with pytest.raises((DataError, FormatError), match="none"):
        read_backup(engine, tmp_path / "none")
    engine.dispose()
