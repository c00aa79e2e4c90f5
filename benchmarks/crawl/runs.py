"""Runs over archives: in this process, or in one of their own that can be killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from errata.crawl.engines import IN_PROCESS, Engine
from errata.crawl.inputs import find_inputs
from errata.crawl.job import Settings
from errata.crawl.run import Finished, crawl

_PROGRAM = """
import sys
from pathlib import Path
from benchmarks.crawl.runs import crawl_archives
from errata.crawl import job
from errata.crawl.engines import Engine
if __name__ == "__main__":
    archives, folder, workers, records_per_part = sys.argv[1:]
    job.Job.__init__.__defaults__ = (int(records_per_part),)
    crawl_archives(Path(archives), Path(folder), engine=Engine(workers=int(workers)))
"""


def crawl_archives(
    archives: Path,
    folder: Path,
    settings: Settings | None = None,
    *,
    engine: Engine = IN_PROCESS,
    restart: bool = False,
    only: str = "",
) -> Finished:
    """Crawl the archives of a folder."""
    inputs = find_inputs([str(archives / f"{only}*.warc.gz")])
    return crawl(inputs, folder, settings or Settings(), engine=engine, restart=restart)


def start_run(archives: Path, folder: Path, *, workers: int, records_per_part: int) -> subprocess.Popen[bytes]:
    """The same in a process of its own; it saves a part every so many records."""
    arguments = [str(archives), str(folder), str(workers), str(records_per_part)]
    return subprocess.Popen([sys.executable, "-c", _PROGRAM, *arguments])


def read_output(folder: Path) -> dict[str, bytes]:
    """Everything a complete run has written, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
