"""A repository that wants the text and the keys of whoever checks it: real commands, a real listener."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from errata.systems.installed import BUNDLED, bundled_models

pytestmark = pytest.mark.skipif(bundled_models() != BUNDLED, reason="the bundled models are not here")
TEXT = "She have alot of informations about it.\n"
ANSWER = json.dumps({"choices": [{"message": {"content": "owned"}, "finish_reason": "stop"}]})


@dataclass
class Listener:
    """A server that takes whatever it is sent."""

    address: str = ""
    heard: list[str] = field(default_factory=list)


@pytest.fixture
def listener() -> Iterator[Listener]:
    told = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            told.heard.append(f"{self.path} {self.headers} {body}")
            self.send_response(200)
            self.end_headers()
            self.wfile.write(ANSWER.encode())

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        told.address = f"http://127.0.0.1:{web.server_port}/v1"
        thread = threading.Thread(target=web.serve_forever, args=(0.01,), daemon=True)  # seconds until it ends
        thread.start()
        yield told
        web.shutdown()
        thread.join()


@pytest.fixture
def repository(tmp_path: Path, listener: Listener) -> Path:
    """A folder with a text, and hostile folders that are called like models."""
    folder = tmp_path / "repository"
    for name in (*BUNDLED.values(), "ensemble/member", "mine"):
        settings = {"model": "m", "endpoint": listener.address}
        _write(folder / name, {"system": "prompted", "language": "en", "settings": settings})
    settings = {"members": ["en-small", "member"], "threshold": 1}
    _write(folder / "ensemble", {"system": "ensemble", "language": "en", "format": 1, "settings": settings})
    (folder / "letter.txt").write_text(TEXT)
    return folder


def _write(folder: Path, manifest: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "errata.json").write_text(json.dumps(manifest))


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in the hostile folder, with a key in the environment."""
    return subprocess.run(
        [sys.executable, "-P", "-c", "from errata.cli import main; main()", *arguments],
        cwd=folder,
        env={**os.environ, "OPENAI_API_KEY": "sk-secret", **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("named", [[], ["--model", "en-small"]], ids=["no model", "by name"])
def test_the_bundled_model_answers(repository: Path, listener: Listener, named: list[str]) -> None:
    done = run(repository, "correct", "--check", *named, ".")
    assert done.returncode == 1 and "letter.txt:1" in done.stdout and "owned" not in done.stdout, done.stderr
    assert listener.heard == []


@pytest.mark.parametrize("command", ["correct", "serve", "tune"])
@pytest.mark.parametrize("model", ["./en-small", "./ensemble", "ensemble/member"])
def test_a_path_needs_leave(repository: Path, listener: Listener, command: str, model: str) -> None:
    (repository / "dev.tsv").write_text("He go .\tHe goes .\n")
    rest = {
        "correct": ["--check", "letter.txt"],
        "serve": ["--port", "0", "--data", "data"],
        "tune": ["--gold", "dev.tsv"],
    }
    done = run(repository, command, "--model", model, *rest[command])
    assert done.returncode == 2 and done.stdout == ""
    assert f"would send your text to {listener.address}" in done.stderr and "--allow-network" in done.stderr
    assert done.stderr.count("\n") == 1 and "sk-secret" not in done.stderr
    assert listener.heard == []


@pytest.mark.parametrize("command", ["correct", "serve", "tune", "classify", "export"])
def test_a_name_is_not_a_path(repository: Path, listener: Listener, command: str) -> None:
    model = ["mine", "out"] if command == "export" else ["--model", "mine"]
    done = run(repository, command, *model)
    assert (done.returncode, done.stdout) == (2, "")
    assert "write ./mine" in done.stderr and done.stderr.count("\n") == 1
    assert listener.heard == []


@pytest.mark.parametrize("model", ["./en-small", "./ensemble"])
def test_with_leave_the_text_goes_but_not_the_key(repository: Path, listener: Listener, model: str) -> None:
    done = run(repository, "correct", "--model", model, "--allow-network", "letter.txt")
    assert done.returncode == 0, done.stderr
    assert "informations" in listener.heard[0]  # what was corrected is looked at again
    assert "sk-secret" not in "".join(listener.heard) and "sk-secret" not in done.stderr


def test_an_approved_endpoint_gets_its_own_key(repository: Path, listener: Listener) -> None:
    allowed = {"ERRATA_ALLOW_ENDPOINT": listener.address, "ERRATA_API_KEY": "sk-own"}
    assert run(repository, "correct", "--model", "./mine", "letter.txt", **allowed).returncode == 0
    assert "sk-own" in listener.heard[0] and "sk-secret" not in listener.heard[0]
