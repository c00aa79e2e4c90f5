"""Apps over table correctors, in process; a real server over a trained model, on a free port; a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from chromium import launch
from server_process import start
from table_corrector import load_table
from thread_server import serve

from errata.errors import DataError


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
