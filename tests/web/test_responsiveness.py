"""A server process that has much to read and write still answers others at once, measured from outside."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from statistics import median, quantiles

import httpx
import pytest
from table_server import TableServer, table_server

MAX_LENGTH = 50_000
BODY_BYTES = 1_500_000
PROBES = 15
# Seconds within which half of the probes are answered; a machine with other things to do may take as many times longer
# as it does for a server that has nothing to do.
MEDIAN = 0.1
# Seconds of computing from one turn of the event loop to the next, in nearly all turns: those do not depend on what
# else the machine does. Threads take turns of 5 ms, and there are some.
TURN = 0.1

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}
MULTIPART = {"Content-Type": "multipart/form-data; boundary=x"}


def fill(start: str, again: str, end: str, n_bytes: int = BODY_BYTES) -> bytes:
    return (start + again * (n_bytes // len(again)) + end).encode()


PHRASES = [f"w{n}é" for n in range(10_000)]
NODES = '{"text":"a "},{"markup":"b","interpretAs":"c "},' * (MAX_LENGTH // 6) + '{"text":"a"}'
PART = 'Content-Disposition: form-data; name="language"\r\n\r\nen\r\n--x\r\n'
HOSTILE = {
    "long text": ("/v1/correct", JSON, json.dumps({"text": "We go to school. My freind, go! " * 1560}).encode()),
    "one sentence": ("/v2/check", FORM, f"language=en&text={'go ' * 16_600}".encode()),
    "escapes": ("/v1/correct", JSON, ('{"text":"' + "\\ud83d\\ude00" * 50_000 + '"}').encode()),
    "phrases": ("/v1/correct", JSON, json.dumps({"text": "a", "dictionary": PHRASES, "protect": PHRASES}).encode()),
    "wrong phrases": ("/v1/correct", JSON, json.dumps({"text": "a", "dictionary": [1] * 10_000}).encode()),
    "many values": ("/v1/correct", JSON, fill('{"text":"a","x":[', "[],", "[]]}")),
    "many fields": ("/v1/correct", JSON, ("{" + ",".join(f'"k{n}":0' for n in range(40_000)) + "}").encode()),
    "percent signs": ("/v2/check", FORM, fill("language=en&level=", "%41", "")),
    "annotation": ("/v2/check", FORM, f'language=en&mode=textLevelOnly&data={{"annotation":[{NODES}]}}'.encode()),
    "multipart": ("/v2/check", MULTIPART, fill("--x\r\n" + PART, "-", "\r\n--x--\r\n")),
    "part headers": ("/v2/check", MULTIPART, fill("--x\r\n", "a: b\r\n", PART)),
    "words": ("/v2/words/add", FORM, fill("username=ann&mode=batch&words=", "a+", "")),
    "dictionaries": ("/v2/check", FORM, fill("language=en&text=a&username=ann&dicts=", "a%2C", "")),
    "rules": ("/v2/check", FORM, fill("language=en&text=a&disabledRules=", "a%2C", "")),
}


@pytest.fixture(scope="module")
def server() -> Iterator[TableServer]:
    with table_server(access_log=False, recent=0) as server:
        yield server


@pytest.fixture(scope="module")
def idle_server() -> Iterator[TableServer]:
    with table_server(access_log=False) as server:
        yield server


@contextmanager
def flooded(server: TableServer, name: str, n_clients: int) -> Iterator[list[int]]:
    """A server that clients ask the same again and again; the statuses they get."""
    path, headers, body = HOSTILE[name]
    done = threading.Event()
    statuses: list[int] = []

    def ask_on() -> None:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            while not done.is_set():
                statuses.append(client.post(path, content=body, headers=headers).status_code)

    with ThreadPoolExecutor(n_clients) as pool:
        clients = [pool.submit(ask_on) for _ in range(n_clients)]
        try:
            yield statuses
        finally:
            done.set()
        for client in clients:
            client.result()


@pytest.mark.parametrize("name", HOSTILE)
def test_others_are_answered_meanwhile(server: TableServer, idle_server: TableServer, name: str) -> None:
    with flooded(server, name, 4) as statuses:
        seconds, usual = zip(*probe(ask_for_health, server, idle_server), strict=True)
        turns = httpx.get(f"{server.address}/turns", timeout=60).json()
    assert statuses and 500 not in statuses
    assert median(seconds) < max(MEDIAN, 5 * median(usual))
    assert quantiles(turns, n=20)[-1] < TURN


def test_short_requests_do_not_wait_for_long_ones(server: TableServer, idle_server: TableServer) -> None:
    with flooded(server, "percent signs", 16):
        seconds, usual = zip(*probe(check_shortly, server, idle_server), strict=True)
    assert median(seconds) < max(5 * MEDIAN, 10 * median(usual))


def probe(ask: Callable[[httpx.Client], httpx.Response], *servers: TableServer) -> Iterator[list[float]]:
    """How long each server takes for a question that needs little work, again and again."""
    with ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(base_url=server.address, timeout=60)) for server in servers]
        for _ in range(PROBES):
            yield [clock(ask, client) for client in clients]


def clock(ask: Callable[[httpx.Client], httpx.Response], client: httpx.Client) -> float:
    started = time.perf_counter()
    assert ask(client).status_code == 200
    return time.perf_counter() - started


def ask_for_health(client: httpx.Client) -> httpx.Response:
    return client.get("/healthz")


def check_shortly(client: httpx.Client) -> httpx.Response:
    return client.post("/v2/check", data={"language": "en", "text": "We go."})
