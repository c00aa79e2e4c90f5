"""A server over table correctors as a process: `python table_server.py '{"timeout": 5}'` prints its address."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from table_corrector import load_table

N_TURNS, TURN_SECONDS = 60, 0.01


class TableServer:
    """The process, and where it listens."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port
        self.address = f"http://127.0.0.1:{port}"

    @property
    def peak_mb(self) -> float:
        """The most memory it has had, in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1000

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.settimeout(20)
        return connection


@contextmanager
def table_server(**settings: Any) -> Iterator[TableServer]:
    """A server with these settings, on a free port, until the end of the block."""
    command = [sys.executable, __file__, json.dumps(settings)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield TableServer(process, int(process.stdout.readline()))
    finally:
        process.terminate()
        process.communicate(timeout=30)


def main() -> None:
    from errata.web import run
    from errata.web.app import create_app
    from errata.web.settings import Settings

    app = create_app(Settings(models={"en": "en", "zh": "zh"}, **json.loads(sys.argv[1])), load=load_table)

    @app.get("/turns")
    async def measure() -> list[float]:
        """Seconds that the process computed from one turn of the loop to the next, for a while."""
        turns = []
        for _ in range(N_TURNS):
            before = time.process_time()
            await asyncio.sleep(TURN_SECONDS)
            turns.append(time.process_time() - before)
        return turns

    with run.bind("127.0.0.1", 0) as listener:
        run.serve(app, listener, on_start=lambda: print(listener.getsockname()[1], flush=True))


if __name__ == "__main__":
    main()
