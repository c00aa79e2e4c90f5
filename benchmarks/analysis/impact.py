"""The impact of single edits in three corpora, as `errata analyze edits` measures it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.analysis.corpora import list_arguments

CORPORA = ("CWEB-S test", "CWEB-G test", "FCE test")


def measure(data: Path, result: Path, sample: int) -> None:
    """Run the command, and keep its JSON."""
    command = [sys.executable, "-m", "errata", "analyze", "edits", *list_arguments(data, CORPORA)]
    with result.open("w", encoding="utf-8") as stream:
        subprocess.run([*command, "--sample", str(sample), "--json"], check=True, stdout=stream)
