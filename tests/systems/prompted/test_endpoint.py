"""Endpoints: a real server, and one that fails in every way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from errata.errors import DataError
from errata.pipeline.load import load_model
from errata.systems.base import load_system
from errata.systems.prompted.endpoint import retry_after
from errata.systems.prompted.prompted import Prompted
from errata.text.spacing import join_words
from unruly_server import PAIRS, said, unruly

OK = (200, {}, said("She goes home ."))
SENTENCE = ("She", "go", "home", ".")


def make(folder: Path, endpoint: str, **settings: Any) -> Path:
    folder.mkdir(exist_ok=True)
    manifest = {"system": "prompted", "language": "en", "settings": {"model": "m", "endpoint": endpoint, **settings}}
    (folder / "errata.json").write_text(json.dumps(manifest))
    return folder


def quick(folder: Path) -> Prompted:
    """The system of a folder, impatient."""
    system = load_system(folder, allow_network=True)
    system.backend.first_wait = 0.01
    return system  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("api", ["chat", "completions"])
def test_a_real_server_corrects(server: tuple[str, str], tmp_path: Path, api: str) -> None:
    endpoint, name = server
    folder = make(tmp_path / "m", endpoint, model=name, api=api, template="en-instruction", concurrency=2)
    pairs = [[join_words(side.split()) for side in line.split("\t")] for line in PAIRS.read_text().splitlines()[:6]]
    corrector = load_model(folder, allow_network=True)
    corrections = corrector.correct([source for source, _ in pairs])
    assert [one.target for one in corrections] == [target for _, target in pairs]
    tally = corrector.model.tally  # type: ignore[attr-defined]
    assert tally.n_answers == len(pairs) and tally.n_prompt > 0 and tally.n_answer > 0
    again = load_model(folder, allow_network=True)
    assert [one.target for one in again.correct([source for source, _ in pairs])] == [target for _, target in pairs]
    assert again.model.tally.n_answers == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "failure",
    [
        (429, {"Retry-After": "0"}, "slow down"),
        (500, {}, "oops"),
        (503, {}, ""),
        (200, {}, "<html>not JSON"),
        (200, {}, '{"choices": []}'),
    ],
    ids=["429", "500", "503", "html", "empty"],
)
def test_passing_failures_are_tried_again(tmp_path: Path, failure: tuple[int, Mapping[str, str], str]) -> None:
    status, headers, body = failure
    with unruly((status, dict(headers), body), (status, dict(headers), body), OK) as web:
        system = quick(make(tmp_path, web.address))
        ((edit,),) = system.propose([SENTENCE])
    assert edit.edit.replacement == ("goes",)
    assert system.tally.n_retries == 2 and len(web.requests) == 3


def test_a_silent_server_is_a_timeout(tmp_path: Path) -> None:
    with unruly(OK, delay=1.0) as web, pytest.raises(DataError, match="failed 2 times, last: ReadTimeout"):
        quick(make(tmp_path, web.address, timeout=0.1, attempts=2)).propose([SENTENCE])


def test_nobody_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="failed 2 times, last: ConnectError") as caught:
        quick(make(tmp_path, "http://127.0.0.1:9/v1", attempts=2)).propose([SENTENCE])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("status", [401, 404, 400])
def test_lasting_failures_end_at_once(tmp_path: Path, status: int) -> None:
    with unruly((status, {}, '{"error": "no"}')) as web, pytest.raises(DataError, match=f"HTTP {status}"):
        quick(make(tmp_path, web.address, concurrency=1)).propose([SENTENCE])
    assert len(web.requests) == 1


def test_a_killed_run_goes_on_from_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERRATA_API_KEY", "sk-secret")
    sentences = [("She", "go", *("on",) * n, ".") for n in range(1, 5)]
    folder = tmp_path / "m"
    with unruly(OK, OK, (500, {}, "down")) as web:
        monkeypatch.setenv("ERRATA_ALLOW_ENDPOINT", web.address)
        make(folder, web.address, concurrency=1, attempts=1)
        with pytest.raises(DataError, match="run it again to continue"):
            quick(folder).propose(sentences)
        web.script = [OK]
        n_before = len(web.requests)
        system = quick(folder)
        system.propose(sentences)
    assert len(web.requests) - n_before == 2
    assert (system.tally.n_journal, system.tally.n_answers) == (2, 2)
    assert {request["key"] for request in web.requests} == {"Bearer sk-secret"}
    assert all("secret" not in path.read_text() for path in folder.iterdir())


def test_requests_are_greedy_bounded_and_asked_once(tmp_path: Path) -> None:
    sentences = [("She", "go", str(n), ".") for n in range(12)] * 2
    with unruly(OK, delay=0.03) as web:
        system = quick(make(tmp_path, web.address, concurrency=3))
        assert len(system.propose(sentences)) == 24
    assert len(web.requests) == 12 and 1 < web.most_at_once <= 3
    assert all(request["body"]["temperature"] == 0 for request in web.requests)
    assert {request["path"] for request in web.requests} == {"/v1/chat/completions"}


def test_tokens_cost_and_reasons_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    answers = [said("She goes home ."), said("I'm sorry, I can't."), said("She goes", finish="length")]
    sentences = [(*SENTENCE[:3], mark) for mark in ".!?"]
    with unruly(*((200, {}, answer) for answer in answers)) as web:
        folder = make(tmp_path, web.address, concurrency=1, prices={"input": 1000.0, "output": 2000.0})
        proposals = quick(folder).propose(sentences)
    assert [len(edits) for edits in proposals] == [1, 0, 0]
    assert "30 + 15 tokens, cost 0.0600; left unchanged: 1 cut off, 1 refusal" in caplog.text


def test_a_content_filter_is_a_refusal(tmp_path: Path) -> None:
    with unruly((400, {}, '{"error": {"code": "content_filter"}}')) as web:
        system = quick(make(tmp_path, web.address))
        assert system.propose([SENTENCE]) == [[]]
    assert system.tally.rejected == {"refusal": 1}


def test_text_outside_edits_stays(tmp_path: Path) -> None:
    with unruly((200, {}, said("She doesn't go home, however."))) as web:
        (corrected,) = load_model(make(tmp_path, web.address), allow_network=True).correct(
            ["  She don't  go home, however.  "]
        )
    assert corrected.target == "  She doesn't  go home, however.  "


def test_works_inside_an_event_loop(tmp_path: Path) -> None:
    import asyncio

    async def inside(system: Prompted) -> int:
        return len(system.propose([SENTENCE])[0])

    with unruly(OK) as web:
        assert asyncio.run(inside(quick(make(tmp_path, web.address)))) == 1


@pytest.mark.parametrize(
    ("given", "wait"),
    [(None, None), ("3", 3.0), ("-1", 0.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("soon", None)],
)
def test_retry_after(given: str | None, wait: float | None) -> None:
    assert retry_after({} if given is None else {"retry-after": given}) == wait


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"modle": "x"}, "unknown setting 'modle'"),
        ({"api": "chats"}, "api is chat or completions"),
        ({"endpoint": "localhost"}, "must begin with http"),
        ({"concurrency": 0}, "at least 1"),
        ({"prices": {"in": 1}}, "unexpected keyword argument 'in'"),
    ],
)
def test_bad_settings_are_one_line(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_system(make(tmp_path, settings.pop("endpoint", "http://localhost/v1"), **settings))
