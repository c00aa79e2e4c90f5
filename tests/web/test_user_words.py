"""Users' words: the API, and the store on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from own_loop import finish
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError
from table_corrector import load_table

from errata.web.app import DATABASE_QUEUE, DATABASE_THREADS, create_app
from errata.web.database import open_database
from errata.web.refusals import Refusal
from errata.web.settings import Settings
from errata.web.words import MAX_BATCH, WordStore

ANN = {"username": "ann@example.org", "apiKey": "key"}


def matches(client: Any, **parameters: str) -> list[str]:
    given = {"language": "en", "text": "My freind go.", **parameters}
    return [match["rule"]["id"] for match in client.post("/v2/check", data=given).json()["matches"]]


def test_a_word_that_was_added_is_not_flagged_any_more(client: Any) -> None:
    assert matches(client, **ANN) == ["ERRATA_SPELLING_RULE", "ERRATA_AGREEMENT"]
    assert client.post("/v2/words/add", data={"word": "freind", **ANN}).json() == {"added": True}
    assert client.post("/v2/words/add", data={"word": "freind", **ANN}).json() == {"added": False}
    assert matches(client, **ANN) == ["ERRATA_AGREEMENT"]
    assert len(matches(client)) == len(matches(client, username="bob")) == 2
    assert client.get("/v2/words", params=ANN).json() == {"words": ["freind"]}
    assert client.post("/v2/words/delete", data={"word": "freind", **ANN}).json() == {"deleted": True}
    assert client.post("/v2/words/delete", data={"word": "freind", **ANN}).json() == {"deleted": False}
    assert len(matches(client, **ANN)) == 2


def test_dictionaries_and_batches(client: Any) -> None:
    client.post("/v2/words/add", data={"mode": "batch", "words": "b a freind", "dict": "work", **ANN})
    client.post("/v2/words/add", data={"word": "c", **ANN})
    assert client.get("/v2/words", params=ANN).json() == {"words": ["c"]}
    assert client.get("/v2/words", params={**ANN, "dicts": "work"}).json() == {"words": ["a", "b", "freind"]}
    assert client.get("/v2/words", params={**ANN, "dicts": "work", "offset": "1", "limit": "1"}).json() == {
        "words": ["b"]
    }
    assert len(matches(client, **ANN)) == 2 and len(matches(client, **ANN, dicts="work,home")) == 1


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"word": "a"}, "needs a user id"),
        (ANN, "Missing 'word'"),
        ({**ANN, "word": "two words"}, "no white space"),
        ({**ANN, "word": ""}, "no white space"),
        ({**ANN, "word": "nul\x00"}, "printable"),
        ({**ANN, "word": "x" * 300}, "at most 200"),
        ({**ANN, "word": "a", "dict": "\n1\x00"}, "'dict' must be printable"),
    ],
)
def test_words_that_make_no_sense_are_refused(client: Any, given: dict[str, str], reason: str) -> None:
    response = client.post("/v2/words/add", data=given)
    assert response.status_code == 400 and response.text.startswith("Error: ") and reason in response.text


def test_offsets_must_be_numbers(client: Any) -> None:
    assert client.get("/v2/words", params={**ANN, "offset": "-1"}).status_code == 400
    assert client.get("/v2/words", params={**ANN, "limit": "²"}).status_code == 400


def test_keys_keep_others_out() -> None:
    from fastapi.testclient import TestClient

    settings = Settings(models={"en": "en"}, api_keys={"ann": "secret"})
    with TestClient(create_app(settings, load=load_table), base_url="http://127.0.0.1") as client:
        good = {"username": "ann", "apiKey": "secret"}
        assert client.post("/v2/words/add", data={"word": "freind", **good}).status_code == 200
        assert matches(client, **good) == ["ERRATA_AGREEMENT"] and len(matches(client)) == 2
        for bad in (
            {"username": "ann", "apiKey": "wrong"},
            {"username": "bob", "apiKey": "secret"},
            {"username": "ann"},
        ):
            assert client.get("/v2/words", params=bad).status_code == 403
            assert client.post("/v2/check", data={"language": "en", "text": "a", **bad}).status_code == 403


def test_more_dictionaries_than_anybody_has_are_refused(client: Any) -> None:
    many = ",".join(f"d{n}" for n in range(100_000))
    checked = client.post("/v2/check", data={"language": "en", "text": "a", **ANN, "dicts": many})
    assert checked.status_code == 400 and "at most 100 'dicts'" in checked.text
    assert client.get("/v2/words", params={**ANN, "dicts": "a," * 101}).status_code == 400


@pytest.fixture(params=["memory", "file", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WordStore]:
    url = {"memory": "sqlite://", "file": f"sqlite:///{tmp_path / 'words.db'}"}.get(request.param)
    engine = open_database(url or request.getfixturevalue("postgres"))
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM words")
    yield WordStore(engine, max_words=5, max_users=2)
    engine.dispose()


def test_the_store_keeps_words_apart(store: WordStore) -> None:
    assert store.add("ann", ["b", "a", "词", "b"]) == 3
    assert store.add("ann", ["z"], "work") == 1 and store.add("bob", ["q"]) == 1
    assert store.list("ann") == ["a", "b", "词"] and store.list("ann", ["", "work"]) == ["a", "b", "z", "词"]
    assert store.list("ann", offset=1, limit=1) == ["b"] and store.list("nobody") == []
    assert store.delete("ann", ["a", "nothing"]) == 1 and store.list("ann") == ["b", "词"]
    assert store.delete("ann", ["词", "b", "b"]) == 2 and store.list("ann") == []


def test_a_user_may_have_so_many_words(store: WordStore) -> None:
    assert store.add("ann", ["a", "b", "c"]) == 3 and store.add("ann", ["d"], "work") == 1
    with pytest.raises(Refusal, match="a user may have 5 words here"):
        store.add("ann", ["e", "f"])
    assert store.list("ann", ["", "work"]) == ["a", "b", "c", "d"]  # all of a request or nothing
    assert store.add("ann", ["e"]) == 1 and store.add("ann", ["e"]) == 0
    assert store.delete("ann", ["a"]) == 1 and store.add("ann", ["f"]) == 1


def test_there_is_room_for_so_many_users(store: WordStore) -> None:
    assert store.add("ann", ["a"]) == 1 and store.add("bob", ["a", "b"]) == 2
    with pytest.raises(Refusal, match="words of 2 users are kept here"):
        store.add("cid", ["a"])
    assert store.list("cid") == [] and store.add("ann", ["c"]) == 1
    store.delete("ann", ["a", "c"])
    assert store.add("cid", ["a"]) == 1


def test_words_survive_a_restart_and_many_threads(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'words.db'}"
    engine = open_database(url)
    store = WordStore(engine, max_words=100)
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda n: store.add("ann", [f"w{n % 20}"]), range(60))) == 20
    engine.dispose()
    assert len(WordStore(open_database(url), max_words=100).list("ann")) == 20
    assert len(WordStore(open_database(url), max_words=5).list("ann")) == 5


def test_many_words_are_one_transaction(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'words.db'}")
    commits = []
    event.listen(engine, "commit", commits.append)
    store = WordStore(engine, max_words=2000)
    words = [f"w{n}" for n in range(1000)]
    assert store.add("ann", words) == store.delete("ann", words) == 1000 and len(commits) == 2
    engine.dispose()


def test_neither_names_nor_words_are_in_what_the_log_is_told(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'words.db'}")
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE words")
    with pytest.raises(SQLAlchemyError) as failed:
        WordStore(engine, max_words=5).list("ann@example.org", ["secret"])
    assert "ann@" not in str(failed.value) and "secret" not in str(failed.value)


def test_a_request_has_so_many_words(client: Any) -> None:
    words = " ".join(f"w{n}" for n in range(MAX_BATCH))
    assert client.post("/v2/words/add", data={"mode": "batch", "words": f"{words} more", **ANN}).status_code == 413
    assert client.post("/v2/words/add", data={"mode": "batch", "words": f" {words} ", **ANN}).json() == {"added": True}
    refused = client.post("/v2/words/delete", data={"mode": "batch", "words": f"{words} more", **ANN})
    assert refused.status_code == 413 and "at most 1000 words" in refused.text
    assert len(client.get("/v2/words", params={**ANN, "limit": "999999"}).json()["words"]) == MAX_BATCH


@contextmanager
def stuck_app(path: Path, **options: Any) -> Iterator[Any]:
    """An app whose database somebody else writes to without end."""
    app = create_app(Settings(models={"en": "en"}, database=f"sqlite:///{path}", **options), load=load_table)
    with closing(sqlite3.connect(path, check_same_thread=False)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        yield app
    app.state.service.close()


def asking(app: Any) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")


def has_room(threads: Any) -> bool:
    """Whether one more call would be taken."""
    is_free = threads._room.acquire(blocking=False)
    if is_free:
        threads._room.release()
    return bool(is_free)


def test_a_database_that_is_stuck_stops_nobody_else(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with asking(app) as client:

            async def add(number: int) -> httpx.Response:
                return await client.post("/v2/words/add", data={"username": "ann", "word": f"w{number}"})

            stuck = [asyncio.create_task(add(n)) for n in range(DATABASE_THREADS + DATABASE_QUEUE)]
            while has_room(app.state.tools.database):
                await asyncio.sleep(0.01)
            full = await add(-1)
            assert full.status_code == 503 and full.headers["retry-after"]
            check = await client.post("/v2/check", data={"language": "en", "text": "My freind."})
            assert len(check.json()["matches"]) == 1
            named = await client.post("/v2/check", data={"language": "en", "text": "My freind.", "username": "ann"})
            assert named.status_code == 503
            assert not any(task.done() for task in stuck)
            for task in stuck:
                task.cancel()
            await asyncio.wait(stuck)

    with stuck_app(tmp_path / "words.db", timeout=60.0) as app:
        finish(scenario())


def test_a_database_that_is_stuck_is_not_waited_for(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with asking(app) as client:
            added = await client.post("/v2/words/add", data={"username": "ann", "word": "w"})
            assert added.status_code == 504

    with stuck_app(tmp_path / "words.db", timeout=0.2) as app:
        finish(scenario())
