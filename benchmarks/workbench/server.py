"""A server that can be killed and started again on the same database and port."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from errata.web.accounts.register import Register
from errata.web.database import open_database

PROGRAM = "from errata.cli import main; main()"
OWNER, PASSWORD = "owner", "correct horse battery staple"
READY_SECONDS = 60.0


class Server:
    """`errata serve` on a port of its own, over a database that outlives it."""

    def __init__(self, folder: Path, database: str | None, *, model: str = "en-small") -> None:
        self.database = database or f"sqlite:///{folder / 'server.db'}"
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._model, self._log = model, folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.n_starts = 0

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = ["--port", str(self.port), "--db", self.database, "--model", self._model, "--no-access-log"]
        with self._log.open("ab") as log:
            command = [sys.executable, "-c", PROGRAM, "serve", *options]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self.n_starts += 1
        until = time.monotonic() + READY_SECONDS
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.address}/v1/info", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.05)
            if self._process.poll() is not None:
                raise SystemExit(f"the server ended: {self._log.read_text('utf-8')[-2000:]}")
        raise SystemExit("the server does not answer")

    def kill(self) -> None:
        """As a crash does: nothing is finished, nothing said."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(60)


def add_owner(database: str) -> None:
    """The first account, as `errata users add --owner` makes it."""
    engine = open_database(database)
    Register(engine, time.time).add(OWNER, PASSWORD, is_owner=True)
    engine.dispose()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
