"""Analyses of the shared corpora: `python -m benchmarks.analysis tables`, `… page PAGE.html`, `… density RESULT.json`.

`tables` prints the papers' figures beside ours. `page` runs `errata stats` on all corrected corpora in one go, writes
the page and says how long that took. `density` traces the curves of several systems (`--system`: models, `harper`,
`lingotweaker`), `edits RESULT.json` measures single edits (`--sample`); `errata report` makes a page of such results.
`shots PAGE.html NAME` takes pictures of a page.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.analysis.corpora import list_arguments
from benchmarks.analysis.curves import trace
from benchmarks.analysis.impact import measure
from benchmarks.analysis.papers import print_tables
from benchmarks.analysis.shots import VIEWS, take_shots
from benchmarks.speed.history import shared_folder

from errata.files import write_text

SYSTEMS = ("en-small", "en-base", "harper")


def write_page(data: Path, page: Path, workers: int) -> None:
    """All corpora on one page."""
    arguments = list_arguments(data)
    command = [sys.executable, "-m", "errata", "stats", *arguments, "--lenient", "--report", str(page)]
    start = time.perf_counter()
    subprocess.run([*command, "--workers", str(workers), "--json"], check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = f"{time.perf_counter() - start:.1f} s with {workers} processes ({used.ru_utime + used.ru_stime:.1f} CPU s)"
    print(f"{len(arguments)} corpora in {taken}: {page}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the corpora; else the shared one")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("tables")
    page = verbs.add_parser("page")
    page.add_argument("page", type=Path)
    page.add_argument("--workers", type=int, default=2)
    density = verbs.add_parser("density")
    density.add_argument("result", type=Path)
    density.add_argument("--system", action="append", help="en-small, en-base and harper unless given")
    density.add_argument("--limit", type=int, help="only the first sentences of each corpus")
    edits = verbs.add_parser("edits")
    edits.add_argument("result", type=Path)
    edits.add_argument("--sample", type=int, default=300, help="single edits of each corpus")
    shots = verbs.add_parser("shots")
    shots.add_argument("page", type=Path)
    shots.add_argument("name")
    shots.add_argument("--from", dest="selector", help="begin at the element that this CSS selector finds")
    shots.add_argument("--view", action="append", choices=VIEWS, help="all of them unless given")
    shots.add_argument("--out", type=Path, default=Path("docs/images"))
    asked = parser.parse_args()
    if asked.verb == "shots":
        for path in take_shots(asked.page, asked.out, asked.name, asked.view or list(VIEWS), asked.selector):
            print(f"{path}\t{path.stat().st_size} bytes")
        return
    data = asked.data or shared_folder() / "data"
    if asked.verb == "tables":
        print_tables(data, print)
    elif asked.verb == "page":
        write_page(data, asked.page, asked.workers)
    elif asked.verb == "edits":
        measure(data, asked.result, asked.sample)
    else:
        found = trace(data, asked.system or SYSTEMS, asked.limit, lambda line: print(line, file=sys.stderr))
        write_text(asked.result, json.dumps(found, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
