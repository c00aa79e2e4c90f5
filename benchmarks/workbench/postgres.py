"""A PostgreSQL of its own, which can be torn down under the server and started again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path


class Cluster:
    """A cluster in a new folder; what was committed survives `restart`, as it does a crash."""

    def __init__(self) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if not found:
            raise SystemExit("PostgreSQL is not here: apt-get install postgresql")
        self._tools, self.folder = found[-1].parent, Path(tempfile.mkdtemp(prefix="errata-pg-"))
        self._user: Sequence[str] = ()
        if os.geteuid() == 0:  # it refuses to run as root
            self._user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
            shutil.chown(self.folder, "postgres", "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", str(self.folder / "db"), "-A", "trust", "-U", "errata")
        self._control("start")
        self.url = f"postgresql://errata@127.0.0.1:{self.port}/postgres"

    def restart(self) -> None:
        """Stop without ceremony, as a crash does, and start again."""
        self._control("stop", "-m", "immediate")
        self._control("start")

    def remove(self) -> None:
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self.folder)

    def _control(self, what: str, *options: str) -> None:
        settings = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        log, data = str(self.folder / "log"), str(self.folder / "db")
        self._run("pg_ctl", "-D", data, "-w", "-l", log, *options, *(("-o", settings) if what == "start" else ()), what)

    def _run(self, tool: str, *arguments: str) -> None:
        command = [*self._user, str(self._tools / tool), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
