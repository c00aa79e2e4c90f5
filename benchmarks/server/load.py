"""Clients that ask again and again, and compare every answer with the one they would get alone."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass(frozen=True, slots=True)
class Question:
    """A request: errata's own API, or LanguageTool's by form or by query."""

    kind: str
    text: str

    async def ask(self, client: httpx.AsyncClient) -> httpx.Response:
        if self.kind == "v1":
            return await client.post("/v1/correct", json={"text": self.text, "language": "en"})
        given = {"language": "en-US", "text": self.text}
        if self.kind == "form":
            return await client.post("/v2/check", data=given)
        return await client.get("/v2/check", params=given)


@dataclass(slots=True)
class Tally:
    """What came of the requests; seconds are of those answered, waiting for a retry included."""

    seconds: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    n_characters: int = 0
    elapsed: float = 0.0

    def percentile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def make_questions(documents: Sequence[str]) -> list[Question]:
    """One question per document; a query carries only short ones."""
    kinds = ("v1", "form", "v1", "query")
    return [
        Question("form" if kinds[n % 4] == "query" and len(text) > 1000 else kinds[n % 4], text)
        for n, text in enumerate(documents)
    ]


def content(response: httpx.Response) -> Any:
    """What an answer says, without how long it took."""
    told = response.json()
    return {key: value for key, value in told.items() if key != "seconds"}


def _connect(address: str) -> httpx.AsyncClient:
    """A client of a server on this machine: reading certificates for each of 200 clients would take ten seconds."""
    return httpx.AsyncClient(base_url=address, timeout=120, verify=False)


async def ask_alone(address: str, questions: Sequence[Question]) -> list[Any]:
    """The answer to each question, one after the other, with nobody else asking."""
    async with _connect(address) as client:
        return [content(await question.ask(client)) for question in questions]


async def put_under_load(
    address: str, questions: Sequence[Question], answers: Sequence[Any], *, clients: int, seconds: float, think: float
) -> Tally:
    """`clients` ask at random for `seconds`, each pausing about `think` seconds between two questions."""
    tally = Tally()
    started = time.monotonic()
    until = started + seconds
    await asyncio.gather(*(_client(address, questions, answers, tally, n, until, think) for n in range(clients)))
    tally.elapsed = time.monotonic() - started
    return tally


async def _client(
    address: str,
    questions: Sequence[Question],
    answers: Sequence[Any],
    tally: Tally,
    seed: int,
    until: float,
    think: float,
) -> None:
    rng = random.Random(seed)
    async with _connect(address) as client:
        while time.monotonic() < until:
            number = rng.randrange(len(questions))
            started = time.monotonic()
            try:
                response = await _ask_until_taken(client, questions[number], tally)
            except httpx.HTTPError as error:
                tally.outcomes[f"lost ({type(error).__name__})"] += 1
                continue
            if response.status_code != 200:
                tally.outcomes[f"lost ({response.status_code})"] += 1
                continue
            tally.seconds.append(time.monotonic() - started)
            tally.n_characters += len(questions[number].text)
            tally.outcomes["right" if content(response) == answers[number] else "wrong"] += 1
            if think:
                await asyncio.sleep(rng.expovariate(1 / think))


async def _ask_until_taken(client: httpx.AsyncClient, question: Question, tally: Tally) -> httpx.Response:
    while True:
        response = await question.ask(client)
        if response.status_code != 503:
            return response
        tally.outcomes["told to come back (503)"] += 1
        await asyncio.sleep(float(response.headers["retry-after"]))
