"""A server on this machine: how long it takes for a text, and how long it is deaf to others meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

import httpx
from benchmarks.server.__main__ import running

# Somebody asks whether the server is alive this often, in seconds.
POLL = 0.05


@dataclass(slots=True)
class Pulse:
    """What `/healthz` took at worst since the last look."""

    worst: float = 0.0
    _stop: Event = field(default_factory=Event)

    def watch(self, address: str) -> None:
        with httpx.Client(timeout=600) as client:
            while not self._stop.wait(POLL):
                started = time.monotonic()
                client.get(f"{address}/healthz").raise_for_status()
                self.worst = max(self.worst, time.monotonic() - started)

    def stop(self) -> None:
        self._stop.set()

    def take(self) -> float:
        worst, self.worst = self.worst, 0.0
        return worst


@dataclass(frozen=True, slots=True)
class Server:
    """A running server under watch."""

    address: str
    pulse: Pulse

    def ask(self, send: Callable[[httpx.Client, str], httpx.Response], text: str, patience: float) -> float:
        """The seconds of one request; infinite where it is refused or takes longer than `patience`."""
        with httpx.Client(base_url=self.address, timeout=patience) as client:
            started = time.monotonic()
            try:
                send(client, text).raise_for_status()
            except httpx.HTTPError:
                return float("inf")
            return time.monotonic() - started


@contextmanager
def watched_server(max_length: int, patience: float) -> Iterator[Server]:
    """A server of both bundled models that takes long texts, and somebody who asks after its health all the time."""
    options = ["--model", "zh-small", f"--max-length={max_length}", f"--timeout={patience:g}", "--recent=0"]
    with running("en-small", options) as address:
        pulse = Pulse()
        watcher = Thread(target=pulse.watch, args=(address,), daemon=True)
        watcher.start()
        try:
            yield Server(address, pulse)
        finally:
            pulse.stop()
            watcher.join()


def send_correct(client: httpx.Client, text: str) -> httpx.Response:
    return client.post("/v1/correct", json={"text": text})


def send_correct_markdown(client: httpx.Client, text: str) -> httpx.Response:
    return client.post("/v1/correct", json={"text": text, "markup": "markdown"})


def send_check(client: httpx.Client, text: str) -> httpx.Response:
    return client.post("/v2/check", data={"text": text, "language": "auto"})
