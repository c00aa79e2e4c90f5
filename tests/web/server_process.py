"""`errata serve` as a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = "from errata.cli import main; main()"


def start(model: str, folder: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    """A server on a free port that keeps its data in `folder`, and its address."""
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--model", model, "--data", str(folder)]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    if not address.startswith("http://"):
        raise RuntimeError(f"the server did not start: {process.communicate()[1]}")
    return process, address
