"""What the log and the metrics know of a request, and what they never learn."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from table_corrector import load_table

from errata.web.app import create_app
from errata.web.refusals import Refusal
from errata.web.settings import Settings

PARTS_HERE = ("v1", "languagetool", "operations", "playground")  # the paths of the others are this test's own
SECRETS = {
    "session": "s" * 43,
    "csrf": "c" * 43,
    "token": "t" * 43,
    "name": "annotator-1-of-the-class",
    "password": "correct horse battery",
    "sentence": "He go to the secret school.",
}


def make_app() -> FastAPI:
    app = create_app(Settings(models={"en": "en"}), load_table, PARTS_HERE)

    @app.api_route("/accounts/join", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    async def join(request: Request, fail: str = "") -> dict[str, str]:
        await request.body()
        if fail == "refuse":
            raise Refusal(403, "the invitation is not good any more")
        if fail == "break":
            raise KeyError("colour")
        return {}

    return app


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_every_method_is_counted_and_logged(method: str, caplog: pytest.LogCaptureFixture) -> None:
    with TestClient(make_app(), base_url="http://127.0.0.1") as client:
        with caplog.at_level(logging.INFO, "errata.access"):
            client.request(method, "/accounts/join")
        numbers = client.get("/metrics").text
    assert f'errata_requests_total{{method="{method}",path="/accounts/join",status="200"}} 1.0' in numbers
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "errata.access"]
    assert (lines[0]["method"], lines[0]["path"], lines[0]["status"]) == (method, "/accounts/join", 200)


@pytest.mark.parametrize("fail", ["", "refuse", "break"])
def test_no_secret_is_in_any_line(fail: str, caplog: pytest.LogCaptureFixture) -> None:
    headers = {
        "Cookie": f"errata_session={SECRETS['session']}",
        "X-Errata-CSRF": SECRETS["csrf"],
        "Referer": f"http://127.0.0.1/workbench/join#{SECRETS['token']}",
    }
    caplog.set_level(logging.DEBUG)
    with TestClient(make_app(), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        told: list[Any] = [
            client.post(f"/accounts/join?fail={fail}", json=SECRETS, headers=headers),
            client.get("/accounts/join", params={**SECRETS, "fail": fail}, headers=headers),
            client.get("/workbench/join", headers={**headers, "Accept": "text/html"}),
            client.put("/nothing", json=SECRETS, headers=headers),
            client.post("/accounts/join", content=b"x" * 100_000, headers=headers),
        ]
        numbers = client.get("/metrics").text
    assert told[0].status_code == {"": 200, "refuse": 403, "break": 500}[fail]
    ours = [record for record in caplog.records if record.name.partition(".")[0] in ("errata", "uvicorn", "sqlalchemy")]
    assert len(ours) >= len(told)
    shown = "\n".join([*map(logging.Formatter().format, ours), numbers, *(answer.text for answer in told)])
    assert not [name for name, secret in SECRETS.items() if secret in shown]
