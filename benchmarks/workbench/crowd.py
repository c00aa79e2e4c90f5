"""People at work: each claims a sentence, types, has drafts saved, submits, and goes on to the next."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

API = "/workbench/api"
CSRF = "X-Errata-CSRF"
# A request that found no server is sent again, with the same key.
RETRY_SECONDS = 0.2
# What a server that has too much to do, or is starting, answers.
COME_BACK = frozenset({429, 502, 503, 504})


@dataclass(slots=True)
class Tally:
    """What came of all requests; `acknowledged` has the key of every submission that the server said it has."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    acknowledged: dict[str, tuple[str, str]] = field(default_factory=dict)
    claimed: Counter[tuple[str, str]] = field(default_factory=Counter)

    def percentile(self, share: float, kind: str | None = None) -> float:
        chosen = self.seconds.get(kind, []) if kind else [one for many in self.seconds.values() for one in many]
        ordered = sorted(chosen)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Worker:
    """One person with a browser of their own."""

    def __init__(self, address: str, tally: Tally, seed: int, *, patience: float = 0.0) -> None:
        """`patience` is how many seconds a request is tried again while the server is away."""
        limits = httpx.Limits(max_connections=2)
        self._client = httpx.AsyncClient(base_url=address, timeout=30, verify=False, limits=limits)
        self._tally, self._rng, self._patience = tally, random.Random(seed), patience
        self._csrf = ""

    async def close(self) -> None:
        await self._client.aclose()

    async def log_in(self, name: str, password: str) -> None:
        self._csrf = (await self.ask("login", "POST", "/accounts/login", name=name, password=password))["csrf"]

    async def join(self, token: str, name: str, password: str) -> None:
        told = await self.ask("join", "POST", "/accounts/join", token=token, name=name, password=password)
        self._csrf = told["csrf"]

    async def send_file(self, path: str, content: str) -> None:
        response = await self._client.post(path, content=content.encode(), headers={CSRF: self._csrf})
        response.raise_for_status()

    async def get(self, path: str) -> dict[str, Any]:
        response = await self._client.get(path)
        response.raise_for_status()
        return dict(response.json())

    async def work(self, project: str, until: float, think: float) -> None:
        """Work on one sentence after the other until the time is up or there is nothing left."""
        while time.monotonic() < until:
            task = (await self.ask("next", "POST", f"{API}/projects/{project}/tasks/next"))["task"]
            if task is None:
                await asyncio.sleep(min(1.0, think or 0.1))
                continue
            self._tally.claimed[task["id"], task["item"]["id"]] += 1
            if task["kind"] == "review":
                await self._review(task, think)
            elif task["kind"] == "study":
                await self._submit(task, answers=[task["golden"][0]["target"]])
            else:
                await self._annotate(project, task, think)

    async def _annotate(self, project: str, task: dict[str, Any], think: float) -> None:
        source, item = task["item"]["source"], task["item"]["id"]
        words = source.split(" ")
        for place in self._rng.sample(range(len(words)), min(2, len(words))):
            words[place] = self._rng.choice(("the", "a", "of", words[place] + "s"))
            target = " ".join(words)
            await self._pause(think / 3)
            edits = {"project_id": project, "item_id": item, "source": source, "target": target}
            await self.ask("edits", "POST", f"{API}/edits", **edits)
            draft = {"version": task["version"], "draft": {"answers": [target]}}
            saved = await self.ask("draft", "PUT", f"{API}/tasks/{task['id']}/draft", **draft)
            task["version"] = saved.get("version", task["version"])
        await self._pause(think / 3)
        if self._rng.random() < 0.2:
            await self._submit(task, status="error_free", answers=[source], comment="", is_suggested=False)
        else:
            await self._submit(task, status="corrected", answers=[" ".join(words)], comment="", is_suggested=False)

    async def _review(self, task: dict[str, Any], think: float) -> None:
        await self._pause(think)
        judged = [one for one in task["answers"] if one["status"] != "not_annotatable"]
        verdicts = [{"target": one["target"], "is_accepted": n == 0, "comment": ""} for n, one in enumerate(judged)]
        await self._submit(task, status="corrected", verdicts=verdicts, added=[], comment="")

    async def _submit(self, task: dict[str, Any], **body: Any) -> None:
        key = secrets.token_hex(16)
        sent = {"version": task["version"], "key": key, "seconds": 3.0, **body}
        told = await self.ask("submit", "POST", f"{API}/tasks/{task['id']}/submit", **sent)
        if told.get("is_done"):
            self._tally.acknowledged[key] = (task["id"], task["item"]["id"])

    async def _pause(self, seconds: float) -> None:
        if seconds:
            await asyncio.sleep(self._rng.expovariate(1 / seconds))

    async def ask(self, what: str, method: str, path: str, /, **body: Any) -> dict[str, Any]:
        """The answer; an empty one where the server refused, which is counted."""
        until = time.monotonic() + self._patience
        while True:
            started = time.monotonic()
            try:
                response = await self._client.request(method, path, json=body, headers={CSRF: self._csrf})
            except httpx.HTTPError as error:
                if time.monotonic() > until:
                    self._tally.outcomes[f"{what}: lost ({type(error).__name__})"] += 1
                    return {"task": None}
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if response.status_code in COME_BACK:
                self._tally.outcomes[f"{what}: told to come back ({response.status_code})"] += 1
                await asyncio.sleep(float(response.headers.get("retry-after", RETRY_SECONDS)))
                continue
            self._tally.seconds.setdefault(what, []).append(time.monotonic() - started)
            self._tally.outcomes[f"{what}: {response.status_code}"] += 1
            return response.json() if response.status_code == 200 else {"task": None}


async def together(calls: list[Callable[[], Awaitable[None]]], at_once: int = 8) -> None:
    """All calls, a few at a time."""
    room = asyncio.Semaphore(at_once)

    async def one(call: Callable[[], Awaitable[None]]) -> None:
        async with room:
            await call()

    await asyncio.gather(*map(one, calls))
