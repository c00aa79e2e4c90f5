"""Users' words: the API, and the store on SQLite and PostgreSQL."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from table_corrector import load_table

from errata.errors import DataError, UsageError
from errata.web import database
from errata.web.database import STEPS, migrate, open_database
from errata.web.words import WordStore

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

    from errata.web.app import create_app
    from errata.web.settings import Settings

    settings = Settings(models={"en": "en"}, api_keys={"ann": "secret"})
    with TestClient(create_app(settings, load=load_table)) as client:
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
    many = ",".join(f"d{n}" for n in range(300_000))
    checked = client.post("/v2/check", data={"language": "en", "text": "a", **ANN, "dicts": many})
    assert checked.status_code == 400 and "at most 100 'dicts'" in checked.text
    assert client.get("/v2/words", params={**ANN, "dicts": "a," * 101}).status_code == 400


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL that lives as long as the tests."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    tools = Path(found[-1]).parent if found else None
    if tools is None:
        pytest.skip("PostgreSQL is not here: apt-get install postgresql")
    folder = tmp_path_factory.mktemp("pg")
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    if user and shutil.which("setpriv") is None:
        pytest.skip("PostgreSQL does not run as root, and setpriv is not here")
    if user:
        # pytest's folders are root's own; another user must get through them (one level more under xdist).
        for parent in (folder, *folder.parents):
            if "pytest-" in str(parent):
                parent.chmod(0o755)
        shutil.chown(folder, "postgres", "postgres")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    subprocess.run([*user, tools / "initdb", "-D", folder / "db", "-A", "trust", "-U", "errata"], check=True)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
    control = [*user, tools / "pg_ctl", "-D", folder / "db", "-w", "-l", folder / "log"]
    subprocess.run([*control, "-o", options, "start"], check=True)
    yield f"postgresql://errata@127.0.0.1:{port}/postgres"
    subprocess.run([*control, "-m", "immediate", "stop"], check=True)


@pytest.fixture
def empty_postgres(postgres: str) -> str:
    """The URL of a database on it that nobody has used."""
    from sqlalchemy import create_engine, text

    server = create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text("CREATE DATABASE fresh"))
    server.dispose()
    return postgres.removesuffix("postgres") + "fresh"


@pytest.fixture(params=["memory", "file", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WordStore]:
    url = {"memory": "sqlite://", "file": f"sqlite:///{tmp_path / 'words.db'}"}.get(request.param)
    store = WordStore(open_database(url or request.getfixturevalue("postgres")))
    yield store
    store.close()


def test_the_store_keeps_words_apart(store: WordStore) -> None:
    assert store.add("ann", ["b", "a", "词", "b"]) == 3
    assert store.add("ann", ["z"], "work") == 1 and store.add("bob", ["q"]) == 1
    assert store.list("ann") == ["a", "b", "词"] and store.list("ann", ["", "work"]) == ["a", "b", "z", "词"]
    assert store.list("ann", offset=1, limit=1) == ["b"] and store.list("nobody") == []
    assert store.delete("ann", ["a", "nothing"]) == 1 and store.list("ann") == ["b", "词"]


def test_words_survive_a_restart_and_many_threads(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'words.db'}"
    store = WordStore(open_database(url))
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda n: store.add("ann", [f"w{n % 20}"]), range(60))) == 20
    store.close()
    assert len(WordStore(open_database(url)).list("ann")) == 20


def test_an_older_shape_is_brought_up_and_a_newer_one_refused(tmp_path: Path) -> None:
    from sqlalchemy import text

    url = f"sqlite:///{tmp_path / 'words.db'}"
    engine = open_database(url)
    migrate(engine)  # nothing to do
    with engine.begin() as connection:
        assert connection.execute(text("SELECT version FROM shape")).scalar() == len(STEPS)
        connection.execute(text("INSERT INTO shape VALUES (99)"))
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
    assert WordStore(open_database(url)).add("ann", ["a"]) == 1


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
