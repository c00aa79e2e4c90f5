"""An OpenAI-compatible endpoint: `/chat/completions` or `/completions`, with many requests at once.

A request that fails for a passing reason (timeout, lost connection, 408, 409, 425, 429, 5xx, an answer that is no JSON)
is repeated. The wait doubles each time and is varied at random; if the server sends `Retry-After`, that counts instead.
Any other failure ends the run at once.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from time import time
from typing import TYPE_CHECKING, Any

from errata.errors import DataError, MissingExtra
from errata.systems.prompted.approval import find_key, is_loopback
from errata.systems.prompted.journal import Answer
from errata.systems.prompted.settings import PromptedSettings
from errata.systems.prompted.template import Template

if TYPE_CHECKING:
    import httpx

PASSING = frozenset((408, 409, 425, 429, *range(500, 600)))
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0

Done = Callable[[int, Answer], None]


class _Passing(Exception):
    """A failure that is worth another attempt; `wait` is how many seconds the server asks for."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class Endpoint:
    """A model behind an address."""

    def __init__(self, settings: PromptedSettings, template: Template, *, first_wait: float = FIRST_WAIT) -> None:
        self.settings, self.template, self.first_wait = settings, template, first_wait
        self.n_retries = 0
        self._key = find_key(str(settings.endpoint), settings.key_variable)
        self._jitter = random.Random()

    def ask(self, sentences: Sequence[str], done: Done) -> None:
        """Ask about every sentence and call `done(number, answer)` for each answer, in any order."""
        _run(self._ask_all(sentences, done))

    async def _ask_all(self, sentences: Sequence[str], done: Done) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingExtra("httpx", "prompted") from error
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        waiting = iter(enumerate(sentences))

        async def work(client: httpx.AsyncClient) -> None:
            for number, sentence in waiting:
                done(number, await self._ask(client, sentence))

        # Text goes to this endpoint alone: redirects are not followed, and no proxy gets text meant for this machine.
        is_here = is_loopback(str(self.settings.endpoint))
        async with httpx.AsyncClient(
            headers=headers, timeout=self.settings.timeout, follow_redirects=False, trust_env=not is_here
        ) as client:
            workers = [asyncio.ensure_future(work(client)) for _ in range(self.settings.concurrency)]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)

    async def _ask(self, client: httpx.AsyncClient, sentence: str) -> Answer:
        for attempt in range(1, self.settings.attempts + 1):
            try:
                return await self._attempt(client, sentence)
            except _Passing as failure:
                if attempt == self.settings.attempts:
                    raise DataError(
                        f"{self.settings.endpoint} failed {attempt} times, last: {failure}; "
                        "the answers so far are in the journal: run it again to continue"
                    ) from failure
                wait = min(LONGEST_WAIT, self.first_wait * 2 ** (attempt - 1)) * self._jitter.uniform(0.5, 1.0)
                self.n_retries += 1
                await asyncio.sleep(wait if failure.wait is None else failure.wait)
        raise AssertionError("attempts is at least 1")

    async def _attempt(self, client: httpx.AsyncClient, sentence: str) -> Answer:
        import httpx

        path, body = self._request(sentence)
        try:
            response = await client.post(f"{str(self.settings.endpoint).rstrip('/')}/{path}", json=body)
        except httpx.TransportError as error:
            raise _Passing(f"{type(error).__name__} {error}".strip()) from error
        if response.status_code in PASSING:
            raise _Passing(f"HTTP {response.status_code} {_said(response)}", retry_after(response.headers))
        if response.status_code == 400 and "content_filter" in response.text:
            return Answer("", is_refused=True)
        if response.is_redirect:
            raise DataError(
                f"{self.settings.endpoint} redirects to {response.headers.get('location', '')[:200]} "
                f"(HTTP {response.status_code}); nothing was sent there: correct the endpoint in errata.json"
            )
        if response.status_code != 200:
            raise DataError(f"{self.settings.endpoint}: HTTP {response.status_code} {_said(response)}")
        try:
            return self._answer(response.json())
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise _Passing(f"the answer does not follow the API: {response.text[:80]!r}") from error

    def _request(self, sentence: str) -> tuple[str, dict[str, Any]]:
        options = {"model": self.settings.model, "temperature": 0, "max_tokens": self.settings.max_answer_tokens}
        if self.settings.api == "chat":
            return "chat/completions", {**options, "messages": self.template.messages(sentence)}
        return "completions", {**options, "prompt": self.template.prompt(sentence), "stop": ["\n"]}

    def _answer(self, said: Any) -> Answer:
        choice, usage = said["choices"][0], said.get("usage") or {}
        text = choice["message"]["content"] if self.settings.api == "chat" else choice["text"]
        return Answer(
            str(text or ""),
            is_complete=choice.get("finish_reason") != "length",
            n_prompt=int(usage.get("prompt_tokens") or 0),
            n_answer=int(usage.get("completion_tokens") or 0),
            is_refused=choice.get("finish_reason") == "content_filter",
        )


def retry_after(headers: Any) -> float | None:
    """How many seconds `Retry-After` asks to wait; its value is a number or a date."""
    given = headers.get("retry-after")
    if given is None:
        return None
    try:
        wait = float(given)
    except ValueError:
        try:
            wait = parsedate_to_datetime(given).timestamp() - time()
        except ValueError:
            return None
    return min(max(wait, 0.0), 10 * LONGEST_WAIT)


def _said(response: httpx.Response) -> str:
    """The error message of the server, on one line."""
    return " ".join(response.text.split())[:200]


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end; the caller may be inside an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()
