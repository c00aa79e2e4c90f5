"""Apps over table correctors, in process; a real server over a trained model, on a free port."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from table_corrector import load_table

from errata.errors import DataError

RECIPES = Path(__file__).resolve().parents[2] / "recipes"
PROGRAM = "from errata.cli import main; main()"


@pytest.fixture
def client() -> Iterator[Any]:
    """A client of an app with small limits and no models to load."""
    from fastapi.testclient import TestClient

    from errata.web.app import create_app
    from errata.web.settings import Settings

    settings = Settings(models={"en": "en", "zh": "zh"}, max_length=2000, cors=("https://example.org",))
    with TestClient(create_app(settings, load=load_table), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def trained_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bundled English model; where it is not there, a tiny one that is trained in some seconds."""
    from errata.systems.bundled import find_model

    try:
        return str(find_model("en-small"))
    except DataError:
        from errata.train.run import run_recipe

        folder = tmp_path_factory.mktemp("server-model")
        settings = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
        recipe = RECIPES / "tagger-tiny.yaml"
        assert run_recipe(recipe, settings, resume=False, restart=False, prepare_only=False, device="cpu") == 0
        return str(folder / "run" / "model")


@pytest.fixture(scope="session")
def server(trained_model: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `errata serve`, run as users run it."""
    folder = tmp_path_factory.mktemp("server-data")
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--model", trained_model]
    process = subprocess.Popen(
        [*command, "--data", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address.startswith("http://"), "the server did not start"
    yield address
    process.terminate()
    assert process.wait(30) == 0
    process.stdout.close()
