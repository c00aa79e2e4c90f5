"""The server under load: `python -m benchmarks.server --clients 200 --seconds 60 --model FOLDER`.

Asks one `errata serve` every question alone, then lets many clients ask another one at once and compares every answer.
Nothing may be lost and nothing wrong: otherwise the exit status is 1. `--recent 0` keeps the server from remembering
sentences, so that every one goes through the model. Clients and server share the machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from benchmarks.server.documents import make_documents
from benchmarks.server.load import Tally, ask_alone, make_questions, put_under_load

PROGRAM = "from errata.cli import main; main()"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--model", default="en-small", help="folder or bundled name (en-small)")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=0, help="mean pause of a client between questions (0)")
    parser.add_argument("--documents", type=int, default=300, help="different documents (300)")
    parser.add_argument("--recent", type=int, help="sentences the server remembers (its default)")
    parser.add_argument("--queue", type=int, help="requests that may wait (the server's default)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    options = [f"--{name}={getattr(args, name)}" for name in ("recent", "queue") if getattr(args, name) is not None]
    questions = make_questions(make_documents(args.documents))
    # The answers come from a server of their own: what it remembers must not answer the other's clients.
    with running(args.model, ["--recent=0"]) as address:
        answers = asyncio.run(ask_alone(address, questions))
    with running(args.model, options) as address:
        load = put_under_load(address, questions, answers, clients=args.clients, seconds=args.seconds, think=args.think)
        tally = asyncio.run(load)
        from_memory = memory_share(httpx.get(f"{address}/metrics").text)
    report(tally, args, from_memory)
    n_right = tally.outcomes["right"]
    told = tally.outcomes["told to come back (503)"]
    return 0 if n_right and n_right + told == sum(tally.outcomes.values()) else 1


@contextmanager
def running(model: str, options: list[str]) -> Iterator[str]:
    """The address of a server that lives as long as the block."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--model", model, "--data", data]
        process = subprocess.Popen([*command, "--no-access-log", *options], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        address = process.stdout.readline().strip().rstrip("/")
        if not address:
            raise SystemExit("the server did not start")
        try:
            yield address
        finally:
            process.terminate()
            process.communicate()


def memory_share(metrics: str) -> float:
    """The share of sentences the server did not have to correct."""
    found = {}
    for line in metrics.splitlines():
        for source in ("memory", "model"):
            if line.startswith(f'errata_sentences_total{{from="{source}",language="en"}}'):
                found[source] = float(line.split()[-1])
    return found.get("memory", 0.0) / max(1.0, sum(found.values()))


def report(tally: Tally, args: argparse.Namespace, from_memory: float) -> None:
    n_right = tally.outcomes["right"]
    numbers = {
        "clients": args.clients,
        "seconds": round(tally.elapsed, 1),
        "think": args.think,
        "outcomes": dict(tally.outcomes),
        "answers_per_second": round(n_right / tally.elapsed, 1),
        "characters_per_second": round(tally.n_characters / tally.elapsed),
        "from_memory": round(from_memory, 3),
        "p50": round(tally.percentile(0.5), 3),
        "p95": round(tally.percentile(0.95), 3),
        "p99": round(tally.percentile(0.99), 3),
        "machine": f"{os.cpu_count()} cores, Python {platform.python_version()}",
    }
    if args.json:
        print(json.dumps(numbers))
        return
    for name, value in numbers.items():
        print(f"{name.replace('_', ' '):22} {value}")


if __name__ == "__main__":
    sys.exit(main())
