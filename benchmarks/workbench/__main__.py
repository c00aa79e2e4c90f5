"""The workbench under load and under fire: `python -m benchmarks.workbench load`, `… faults`.

`load` has many people work at once on one server (200 for five minutes) and prints how long requests take. `faults`
kills the server at random moments while people work and starts it again (50 times); whoever gets no answer sends the
same submission again. With `--postgres` the database is torn down under it every other time. Afterwards the database
must have every submission that was acknowledged, once, no sentence given to more people than wanted, and nothing
reviewed by who annotated it: otherwise the exit status is 1. `--postgres` is a PostgreSQL of its own (Debian's), else
it is SQLite in a folder of its own. People and server share the machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.server.documents import make_documents
from benchmarks.speed.history import describe_machine
from benchmarks.workbench.checks import find_faults
from benchmarks.workbench.crowd import API, Tally, Worker, together
from benchmarks.workbench.postgres import Cluster
from benchmarks.workbench.server import OWNER, PASSWORD, Server, add_owner

MAX_P95 = 0.3
REVIEWERS_PER = 5
# Seconds that a server lives at most before it is killed: the first edits take some, while the extractor is loaded.
LONGEST_LIFE = 8.0


async def set_up(
    server: Server, people: int, sentences: int, tally: Tally, patience: float
) -> tuple[str, list[Worker]]:
    """A running project and everybody who works on it, logged in."""
    owner = Worker(server.address, tally, 0, patience=patience)
    await owner.log_in(OWNER, PASSWORD)
    settings = {"k": 3, "lease_minutes": 30}
    made = await owner.ask(
        "make", "POST", f"{API}/projects", name="load", kind="rewrite", language="en", settings=settings
    )
    project = str(made["id"])
    lines = [line for one in make_documents(sentences) for line in one.splitlines() if line.strip()][:sentences]
    await owner.send_file(f"{API}/projects/{project}/import?name=text.txt&purpose=work", "\n".join(lines))
    current = await owner.get(f"{API}/projects/{project}")
    await owner.ask("start", "PATCH", f"{API}/projects/{project}", version=current["version"], state="running")
    tokens = {}
    for role in ("annotator", "reviewer"):
        told = await owner.ask(
            "invite", "POST", f"{API}/projects/{project}/invitations", role=role, n_uses=people, days=1
        )
        tokens[role] = told["link"].partition("#")[2]
    workers = [Worker(server.address, tally, seed, patience=patience) for seed in range(1, people + 1)]
    joins: list[Callable[[], Awaitable[None]]] = []
    for number, worker in enumerate(workers):
        role = "reviewer" if number % REVIEWERS_PER == REVIEWERS_PER - 1 else "annotator"
        joins.append(partial(worker.join, tokens[role], f"{role}-{number}", PASSWORD))
    await together(joins)
    await owner.close()
    return project, workers


async def run_load(server: Server, given: argparse.Namespace, tally: Tally, _: Cluster | None) -> None:
    project, workers = await set_up(server, given.people, given.sentences, tally, 0.0)
    tally.seconds.clear()
    until = time.monotonic() + given.seconds
    await asyncio.gather(*(worker.work(project, until, given.think) for worker in workers))
    for worker in workers:
        await worker.close()


async def run_faults(server: Server, given: argparse.Namespace, tally: Tally, cluster: Cluster | None) -> None:
    project, workers = await set_up(server, given.people, given.sentences, tally, 120.0)
    rng = random.Random(given.seed)
    until = time.monotonic() + 24 * 3600
    crowd = [asyncio.create_task(worker.work(project, until, given.think)) for worker in workers]
    for number in range(given.kills):
        await asyncio.sleep(rng.uniform(0.1, LONGEST_LIFE))
        if cluster is not None and number % 2:
            await asyncio.to_thread(cluster.restart)
        else:
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        print(f"killed {number + 1} times, {len(tally.acknowledged)} submissions", file=sys.stderr)
    await asyncio.sleep(2)
    for task in crowd:
        task.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    for worker in workers:
        await worker.close()


def report(given: argparse.Namespace, tally: Tally, server: Server, faults: list[str]) -> dict[str, Any]:
    kinds = sorted(tally.seconds)
    return {
        "people": given.people,
        "database": server.database.partition(":")[0],
        "starts": server.n_starts,
        "submissions": len(tally.acknowledged),
        "requests": sum(map(len, tally.seconds.values())),
        "p50": round(tally.percentile(0.5), 4),
        "p95": round(tally.percentile(0.95), 4),
        "p99": round(tally.percentile(0.99), 4),
        "p95 by kind": {kind: round(tally.percentile(0.95, kind), 4) for kind in kinds},
        "outcomes": dict(sorted(tally.outcomes.items())),
        "faults": faults,
        "machine": describe_machine(),
    }


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workbench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    for name, people, think in (("load", 200, 12.0), ("faults", 20, 0.3)):
        command = commands.add_parser(name)
        command.add_argument("--people", type=int, default=people)
        command.add_argument("--sentences", type=int, default=5000)
        command.add_argument("--think", type=float, default=think, help="mean seconds for a sentence")
        command.add_argument("--postgres", action="store_true", help="on PostgreSQL (SQLite)")
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--json", action="store_true")
        if name == "load":
            command.add_argument("--seconds", type=float, default=300)
        else:
            command.add_argument("--kills", type=int, default=50)
    return parser.parse_args()


def main() -> int:
    given, tally = read_arguments(), Tally()
    cluster = Cluster() if given.postgres else None
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), cluster and cluster.url)
        add_owner(server.database)
        server.start()
        try:
            asyncio.run((run_load if given.command == "load" else run_faults)(server, given, tally, cluster))
            server.stop()
            faults = find_faults(server.database, tally)
        finally:
            server.stop()
            if cluster is not None:
                cluster.remove()
    if given.command == "load" and tally.percentile(0.95) > MAX_P95:
        faults.append(f"p95 is above {MAX_P95:g} s")
    if not tally.acknowledged:
        faults.append("nobody got anything done")
    told = report(given, tally, server, faults)
    if given.json:
        print(json.dumps(told))
    else:
        for name, value in told.items():
            print(f"{name:14} {value}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
