"""Apps over table correctors, in process; databases; a real server over a trained model; a real Chromium."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chromium import launch
from server_process import start
from table_corrector import load_table
from thread_server import serve

from errata.errors import DataError

# Nobody's data: a crash may lose it.
UNSAFE = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off"


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hash passwords in no time: each app does it, and each person who logs in."""
    from errata.web.accounts.passwords import Passwords

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Passwords.__init__.__kwdefaults__, "memory_kib", 8)
        yield


@contextmanager
def hash_with(share: float) -> Iterator[None]:
    """Hash passwords with this share of what servers take, in the apps that are made from here on."""
    from people import hashed_password

    from errata.web.accounts.passwords import MEMORY_KIB, Passwords

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Passwords.__init__.__kwdefaults__, "memory_kib", int(MEMORY_KIB * share))
        hashed_password.cache_clear()
        yield
    hashed_password.cache_clear()


@pytest.fixture
def dear_passwords() -> Iterator[None]:
    """Hash passwords as servers do."""
    with hash_with(1.0):
        yield


@pytest.fixture
def slow_passwords() -> Iterator[None]:
    """Hash passwords slowly enough that those of many people wait for each other."""
    with hash_with(0.125):
        yield


@pytest.fixture
def client() -> Iterator[Any]:
    """A client of an app with small limits and no models to load."""
    from fastapi.testclient import TestClient

    from errata.web.app import create_app
    from errata.web.settings import Settings

    settings = Settings(models={"en": "en", "zh": "zh"}, max_length=2000, cors=("https://example.org",))
    with TestClient(
        create_app(settings, load=load_table), base_url="http://127.0.0.1", raise_server_exceptions=False
    ) as client:
        yield client


@pytest.fixture(scope="session")
def table_server() -> Iterator[str]:
    """The address of a server in a thread, over table correctors."""
    from errata.web.app import create_app
    from errata.web.settings import Settings

    with serve(create_app(Settings(models={"en": "en", "zh": "zh"}, access_log=False), load=load_table)) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests."""
    with launch() as browser:
        yield browser


@pytest.fixture(scope="session")
def trained_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bundled English model; where it is not there, a tiny one that is trained in some seconds."""
    from errata.systems.installed import find_model

    try:
        return str(find_model("en-small"))
    except DataError:
        from errata.training.run import run_recipe

        folder = tmp_path_factory.mktemp("server-model")
        settings = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
        recipe = "tagger-tiny"
        assert run_recipe(recipe, settings, resume=False, restart=False, prepare_only=False, device="cpu") == 0
        return str(folder / "run" / "model")


@pytest.fixture(scope="session")
def server(trained_model: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `errata serve`, run as users run it; every sentence goes through the model."""
    options = ("--no-access-log", "--recent", "0", "--allow-host", "errata.example")
    process, address = start(trained_model, tmp_path_factory.mktemp("server-data"), *options)
    yield address
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL that lives as long as the tests."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    tools = Path(found[-1]).parent if found else None
    if tools is None:
        pytest.skip("PostgreSQL is not here: apt-get install postgresql")
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    if user and shutil.which("setpriv") is None:
        pytest.skip("PostgreSQL does not run as root, and setpriv is not here")
    folder = Path(tempfile.mkdtemp(prefix="errata-pg-"))  # pytest's own folders are closed to other users
    if user:
        shutil.chown(folder, "postgres", "postgres")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    subprocess.run([*user, tools / "initdb", "-N", "-D", folder / "db", "-A", "trust", "-U", "errata"], check=True)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= {UNSAFE}"
    control = [*user, tools / "pg_ctl", "-D", folder / "db", "-w", "-l", folder / "log"]
    subprocess.run([*control, "-o", options, "start"], check=True)
    yield f"postgresql://errata@127.0.0.1:{port}/postgres"
    subprocess.run([*control, "-m", "immediate", "stop"], check=True)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def new_postgres(postgres: str) -> Callable[[], str]:
    """Makes databases on it that nobody has used, and gives their URLs."""
    from sqlalchemy import create_engine, text

    def make() -> str:
        name = f"fresh_{secrets.token_hex(8)}"
        server = create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        server.dispose()
        return postgres.removesuffix("postgres") + name

    return make


@pytest.fixture
def empty_postgres(new_postgres: Callable[[], str]) -> str:
    """The URL of a database on it that nobody has used."""
    return new_postgres()


@pytest.fixture(params=["sqlite", "postgres"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database: a file, then PostgreSQL."""
    if request.param == "postgres":
        return str(request.getfixturevalue("empty_postgres"))
    return f"sqlite:///{tmp_path / 'server.db'}"


class _ReusedDatabase:
    """A PostgreSQL database that is emptied instead of made anew: to make one takes a thousand times as long."""

    def __init__(self, make: Callable[[], str]) -> None:
        from sqlalchemy import create_engine

        from errata.web.database import open_database

        self.url = make()
        open_database(self.url).dispose()
        self._engine = create_engine(
            self.url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
        )
        self._connection = self._engine.connect()
        self._shape = self._read_shape()

    def empty(self) -> bool:
        """Whether it is as new again; not if a test changed its tables or what they say of their shape."""
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        self._connection.exec_driver_sql(f"{others} AND pid <> pg_backend_pid()")  # whoever an earlier test left there
        if self._read_shape() != self._shape:
            return False
        tables = [name for (name,) in self._shape[0] if name != "shape"]
        deletions = "; ".join(f"DELETE FROM {table}" for table in tables)
        self._connection.exec_driver_sql(f"SET session_replication_role = replica; {deletions}")  # in any order
        return True

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()

    def _read_shape(self) -> tuple[list[Any], list[Any]]:
        found = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
        tables = [tuple(row) for row in self._connection.exec_driver_sql(found)]
        if ("shape",) not in tables:
            return tables, []
        return tables, sorted(tuple(row) for row in self._connection.exec_driver_sql("SELECT * FROM shape"))


@pytest.fixture(scope="session")
def reused_postgres(new_postgres: Callable[[], str]) -> Iterator[Callable[[], str]]:
    """Gives the URL of a database in the current shape, with nothing in it: the same one while nobody spoils it."""
    databases = [_ReusedDatabase(new_postgres)]

    def fresh() -> str:
        if not databases[-1].empty():
            databases[-1].close()
            databases.append(_ReusedDatabase(new_postgres))
        return databases[-1].url

    yield fresh
    databases[-1].close()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file in the current shape."""
    from errata.web.database import open_database

    path = tmp_path_factory.mktemp("template") / "server.db"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database in the current shape with nothing in it: a file, then PostgreSQL."""
    if request.param == "postgres":
        return str(request.getfixturevalue("reused_postgres")())
    path = tmp_path / "server.db"
    shutil.copy(request.getfixturevalue("sqlite_template"), path)
    return f"sqlite:///{path}"
