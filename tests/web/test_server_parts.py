"""What an app is made of: the parts it was asked for, and what they work with."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from own_loop import finish
from sqlalchemy import text
from table_corrector import load_table
from typer.testing import CliRunner

from errata.errors import UnknownName
from errata.web.app import DATABASE_THREADS, FILE_THREADS, create_app
from errata.web.database import reading
from errata.web.parts import PARTS, Tools, choose_parts
from errata.web.settings import Settings

# A path of each part.
SHOWN = {"v1": "/v1/info", "languagetool": "/v2/languages", "operations": "/healthz", "playground": "/"}


@pytest.mark.parametrize("left_out", SHOWN)
def test_an_app_has_the_parts_it_was_asked_for(left_out: str) -> None:
    app = create_app(Settings(models={"en": "en"}), load_table, choose_parts(without=[left_out]))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        found = {name: client.get(path).status_code for name, path in SHOWN.items()}
    assert found == {name: 404 if name == left_out else 200 for name in SHOWN}


def test_unknown_parts_are_told() -> None:
    with pytest.raises(UnknownName, match="unknown part 'playgroud'; did you mean 'playground'"):
        choose_parts(without=["playgroud"])
    with pytest.raises(UnknownName, match="unknown part 'v3'"):
        create_app(Settings(models={"en": "en"}), load_table, ["v3"])
    assert choose_parts() == list(PARTS)


def test_serve_tells_of_unknown_parts_before_it_loads_anything() -> None:
    from errata.cli.serve import serve

    with pytest.raises(UnknownName, match="unknown part 'pages'"):
        serve(model=["no such model"], without_part=["pages"])


def test_parts_get_the_database_the_time_and_chance(tmp_path: Path) -> None:
    rng = random.Random(1)
    settings = Settings(models={"en": "en"}, database=f"sqlite:///{tmp_path / 'server.db'}")
    app = create_app(settings, load_table, clock=lambda: 12.0, rng=rng)
    tools: Tools = app.state.tools
    assert tools.clock() == 12.0 and tools.rng is rng
    with TestClient(app, base_url="http://127.0.0.1") as client:
        client.post("/v2/words/add", data={"username": "ann", "word": "freind"})
        with reading(tools.engine) as connection:
            assert connection.execute(text("SELECT word FROM words")).scalar() == "freind"


def test_files_hold_up_neither_the_database_nor_corrections() -> None:
    app = create_app(Settings(models={"en": "en"}), load_table)
    tools: Tools = app.state.tools
    gate = threading.Event()

    async def scenario() -> None:
        import asyncio

        import httpx

        files = [asyncio.create_task(tools.files.run(gate.wait, 30)) for _ in range(FILE_THREADS + 3)]
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.post("/v2/words/add", data={"username": "ann", "word": "a"})
            assert answer.json() == {"added": True}
            calls = [asyncio.create_task(tools.database.run(gate.wait, 30)) for _ in range(DATABASE_THREADS)]
            assert (await client.post("/v1/correct", json={"text": "We go."})).status_code == 200
        assert not any(task.done() for task in files + calls)
        gate.set()
        assert all(await asyncio.gather(*files, *calls))

    finish(scenario())
    tools.close()


def test_the_help_names_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    import typer

    from errata.cli.serve import serve

    program: Any = typer.Typer()
    program.command()(serve)
    monkeypatch.setenv("COLUMNS", "200")
    assert "--without-part" in CliRunner().invoke(program, ["--help"]).output
