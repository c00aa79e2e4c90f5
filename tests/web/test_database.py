"""The database: its steps, its transactions, on SQLite and PostgreSQL."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import IntegrityError
from table_corrector import load_table

from errata.errors import DataError, UsageError
from errata.web import database
from errata.web.app import create_app
from errata.web.database import STEPS, migrate, open_database, reading, writing
from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.settings import Settings
from errata.web.words import WordStore


@pytest.mark.parametrize("n_servers", [1, 2])
def test_no_task_is_claimed_twice(empty_database_url: str, n_servers: int) -> None:
    """Each thread reads which tasks are free, takes one of them, and writes that it has it."""
    engines = [open_database(empty_database_url) for _ in range(n_servers)]
    with writing(engines[0]) as connection:
        connection.execute(text("CREATE TABLE free (number INTEGER PRIMARY KEY)"))
        connection.execute(text("INSERT INTO free VALUES (:number)"), [{"number": n} for n in range(200)])

    def claim(seed: int) -> list[int]:
        rng, claimed = random.Random(seed), []
        while True:
            with writing(engines[seed % n_servers]) as connection:
                free = list(connection.execute(text("SELECT number FROM free")).scalars())
                if not free:
                    return claimed
                claimed.append(rng.choice(free))
                time.sleep(0.001)  # between the reading and the writing another thread would come in
                connection.execute(text("DELETE FROM free WHERE number = :number"), {"number": claimed[-1]})

    with ThreadPoolExecutor(4) as pool:
        claimed = [number for numbers in pool.map(claim, range(4)) for number in numbers]
    assert sorted(claimed) == list(range(200))
    for engine in engines:
        engine.dispose()


def test_who_waits_too_long_to_write_is_told(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_database(empty_database_url)
    words = WordStore(engine, max_words=5)
    with ThreadPoolExecutor(1) as pool, writing(engine):
        monkeypatch.setitem(writing.__wrapped__.__kwdefaults__, "seconds", 0.05)  # type: ignore[attr-defined]
        with pytest.raises(Refusal, match="the database does not answer") as refused:
            pool.submit(words.add, "ann", ["a"]).result()
        assert refused.value.status == 503 and pool.submit(words.list, "ann").result() == []
    with pytest.raises(ZeroDivisionError), writing(engine):
        raise ZeroDivisionError
    assert words.add("ann", ["a"]) == 1  # whoever fails passes the turn on
    engine.dispose()


def test_what_is_read_stays_and_holds_nobody_up(empty_database_url: str) -> None:
    engine = open_database(empty_database_url)
    words = WordStore(engine, max_words=5)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM words")).scalar() == 0
        assert words.add("ann", ["a"]) == 1
        assert connection.execute(text("SELECT count(*) FROM words")).scalar() == 0
    assert words.list("ann") == ["a"]
    engine.dispose()


def test_rows_refer_to_rows_that_are_there(empty_database_url: str) -> None:
    engine = open_database(empty_database_url)
    session = "INSERT INTO sessions VALUES ('d', 'nobody', 'c', 1, 1, 1)"
    with pytest.raises(IntegrityError), writing(engine) as connection:
        connection.execute(text(session))
    with writing(engine) as connection:
        connection.execute(text("INSERT INTO users VALUES ('nobody', 'n', 'n', 'p', 0, '', 1, NULL)"))
        connection.execute(text(session))
        connection.execute(text("DELETE FROM users"))
        assert connection.execute(text("SELECT count(*) FROM sessions")).scalar() == 0
    engine.dispose()


def test_a_step_may_be_a_function(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of the last shape has rows, which the step carries over."""
    engine = open_database(empty_database_url)
    WordStore(engine, max_words=5).add("ann", ["b", "a"])

    def fold(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE folded (word VARCHAR(200))"))
        rows = connection.execute(text("SELECT word FROM words ORDER BY word")).scalars()
        connection.execute(text("INSERT INTO folded VALUES (:word)"), [{"word": word.upper()} for word in rows])

    monkeypatch.setattr(database, "STEPS", (*STEPS, fold))
    migrate(engine)
    migrate(engine)
    with reading(engine) as connection:
        assert list(connection.execute(text("SELECT word FROM folded")).scalars()) == ["A", "B"]
        assert connection.execute(text("SELECT max(version) FROM shape")).scalar() == len(STEPS) + 1
    engine.dispose()


def test_every_older_shape_is_brought_up(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1, len(STEPS) + 1):
        monkeypatch.setattr(database, "STEPS", STEPS[:number])
        engine = open_database(empty_database_url)
        if number == 1:
            WordStore(engine, max_words=5).add("ann", ["kept"])
        with reading(engine) as connection:
            assert connection.execute(text("SELECT max(version) FROM shape")).scalar() == number
        engine.dispose()
    engine = open_database(empty_database_url)
    assert WordStore(engine, max_words=5).list("ann") == ["kept"]
    engine.dispose()


def test_ids_sort_by_time_and_differ() -> None:
    ids = [new_id(second) for second in range(100) for _ in range(100)]
    assert len(set(ids)) == len(ids) and [one[:10] for one in ids] == sorted(one[:10] for one in ids)


def test_an_older_shape_is_brought_up_and_a_newer_one_refused(tmp_path: Path) -> None:
    from sqlalchemy import text

    url = f"sqlite:///{tmp_path / 'words.db'}"
    engine = open_database(url)
    migrate(engine)  # nothing to do
    with engine.begin() as connection:
        assert connection.execute(text("SELECT max(version) FROM shape")).scalar() == len(STEPS)
        connection.execute(text("INSERT INTO shape VALUES (99)"))
    engine.dispose()
    with pytest.raises(DataError, match="update errata"):
        open_database(url)


def open_together(url: str) -> None:
    """Have four servers open a database at once."""
    barrier = threading.Barrier(4)

    def open_one(_: int) -> None:
        barrier.wait(10)
        open_database(url).dispose()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(open_one, range(4)))


def test_servers_that_start_together_share_a_new_database(tmp_path: Path, empty_postgres: str) -> None:
    for number in range(20):
        open_together(f"sqlite:///{tmp_path / str(number)}.db")
    open_together(empty_postgres)


def test_a_step_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'words.db'}"
    table = "CREATE TABLE more (a INTEGER)"
    monkeypatch.setattr(database, "STEPS", (*STEPS, (table, "nonsense")))
    with pytest.raises(DataError, match="cannot open the database"):
        open_database(url)
    monkeypatch.setattr(database, "STEPS", (*STEPS, (table,)))
    assert WordStore(open_database(url), max_words=5).add("ann", ["a"]) == 1


@pytest.mark.parametrize(
    ("url", "error", "reason"),
    [
        ("nonsense", UsageError, "no database URL"),
        ("nosuch://x", UsageError, "no database URL"),
        ("sqlite:////nowhere/words.db", DataError, "cannot open the database sqlite:////nowhere/words.db"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told(url: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        open_database(url)


def test_a_database_that_hangs_up_is_told_and_found_again(empty_postgres: str) -> None:
    from fastapi.testclient import TestClient

    app = create_app(Settings(models={"en": "en"}, database=empty_postgres), load=load_table)
    engine = app.state.tools.engine
    hang_up = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> :own"
    )

    def hang_up_within() -> None:
        with writing(engine) as connection:
            with other.connect() as operator:
                own = operator.execute(text("SELECT pg_backend_pid()")).scalar()
                operator.execute(text(hang_up), {"own": own})
            connection.execute(text("SELECT 1"))

    @app.get("/workbench/api/hang-up")
    async def cut() -> None:
        await app.state.tools.database.run(hang_up_within)

    other = create_engine(engine.url)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        refused = client.get("/workbench/api/hang-up")
        assert refused.status_code == 503 and refused.headers["retry-after"] == "5"
        for _ in range(6):  # more than there are connections to find dead
            assert client.post("/v2/words/add", data={"username": "ann", "word": "a"}).status_code == 200
    other.dispose()
