"""Health, metrics, the log, limits, CORS, and what happens when a model is slow, broken or going away."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from own_loop import finish
from table_corrector import SlowCorrector, load_table, load_with_presets

from errata.errors import DataError, UsageError
from errata.web.app import create_app
from errata.web.settings import Settings
from plugin_packages import install


def test_broken_pages_of_other_packages_are_one_line_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    points = "halts = odd_pages:halts\ngone = odd_pages:gone\nv1 = odd_pages:fine\nfine = odd_pages:fine"
    module = (
        "def halts(app, tools): raise KeyError('colour')\n"
        "def fine(app, tools): app.add_api_route('/fine', lambda: 'yes')\n"
    )
    install(tmp_path, "odd_pages", "errata.pages", points, module)
    monkeypatch.syspath_prepend(tmp_path)
    with TestClient(create_app(Settings(models={"en": "en"}), load=load_table), base_url="http://127.0.0.1") as client:
        assert client.get("/fine").json() == "yes"
        assert client.get("/healthz").json() == {"status": "alive"}
    told = sorted(record.getMessage() for record in caplog.records if "page '" in record.getMessage())
    assert [message.split(";")[0] for message in told] == [
        "page 'gone' of the package odd_pages cannot be loaded (odd_pages:gone): "
        "AttributeError: module 'odd_pages' has no attribute 'gone'",
        "page 'halts' of another package cannot be added: KeyError: 'colour'",
        "page 'v1' of the package odd_pages is left out: the name is one of errata's own",
    ]


def test_health_and_metrics(client: Any) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json() == {"status": "ready"}
    client.post("/v1/correct", json={"text": "We go. We go. Fine."})
    client.post("/v2/check", data={"language": "en"})
    client.get("/nothing/here")
    client.request("FROBNICATE", "/healthz")
    shown = client.get("/metrics")
    assert shown.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in (
        'errata_requests_total{method="POST",path="/v1/correct",status="200"} 1.0',
        'errata_requests_total{method="POST",path="/v2/check",status="400"} 1.0',
        'errata_requests_total{method="GET",path="other",status="404"} 1.0',
        'errata_requests_total{method="other",path="/healthz",status="405"} 1.0',
        'errata_sentences_total{from="model",language="en"} 3.0',
        'errata_edits_total{language="en"} 2.0',
        'errata_batch_sentences_count{language="en"} 2.0',  # what was corrected is looked at again
        'errata_queued_requests{language="en"} 0.0',
        "errata_begun_requests 0.0",
        'errata_request_seconds_bucket{le="0.005",path="/v1/correct"}',
    ):
        assert line in shown.text


def test_a_long_sentence_counts_once(client: Any) -> None:
    client.post("/v1/correct", json={"text": "and we walked on " * 100})
    assert 'errata_sentences_total{from="model",language="en"} 1.0' in client.get("/metrics").text


def test_the_log_has_numbers_and_no_text(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "errata.access"):
        client.post("/v1/correct", json={"text": "A secret we go."})
        client.get("/v2/check", params={"language": "en", "text": "A secret."})
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "errata.access"]
    assert [line["path"] for line in lines] == ["/v1/correct", "/v2/check"]
    assert lines[0].keys() >= {"time", "client", "method", "status", "seconds", "language", "characters", "edits"}
    assert lines[0]["edits"] == 1 and "secret" not in caplog.text


def test_a_client_cannot_write_what_it_likes_into_the_log(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "errata.access"):
        refused = client.get("/%0a%0d%1b%5b31m%c2%9b%e2%80%ae" + "a" * 50_000)
    assert refused.status_code == 404 and len(refused.text) < 300
    [line] = [record.getMessage() for record in caplog.records if record.name == "errata.access"]
    assert len(line) < 500 and line.isascii() and line.isprintable()
    assert json.loads(line)["path"].startswith("/\n\r\x1b[31m\x9b\u202eaaa")


def test_the_page_keeps_to_itself(client: Any) -> None:
    page = client.get("/")
    assert page.status_code == 200 and "default-src 'self'" in page.headers["content-security-policy"]
    assert client.get("/static/playground.js").headers["x-content-type-options"] == "nosniff"
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/docs").status_code == 404 and client.get("/openapi.json").status_code == 200


def test_other_origins_may_ask_if_told_so(client: Any) -> None:
    origin = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    allowed = client.options("/v2/check", headers=origin)
    assert allowed.status_code == 200
    assert allowed.headers["access-control-allow-origin"] == "https://example.org"
    refused = client.post("/v2/check", data={"language": "en"}, headers=origin)
    assert refused.headers["access-control-allow-origin"] == "https://example.org"
    private = client.options("/v2/check", headers={**origin, "Access-Control-Request-Private-Network": "true"})
    assert private.status_code == 200 and private.headers["access-control-allow-private-network"] == "true"
    other = client.get("/v2/languages", headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in other.headers


def test_methods(client: Any) -> None:
    refused = client.put("/v2/check", data={"language": "en"})
    assert refused.status_code == 405 and set(refused.headers["allow"].split(", ")) == {"GET", "POST"}
    for path in ("/", "/healthz", "/readyz"):
        assert client.head(path).status_code == 200
    assert client.head("/").headers["content-length"] == client.get("/").headers["content-length"]


@pytest.mark.parametrize("path", ["/v1/correct", "/v2/check", "/v2/words/add"])
def test_a_body_that_is_too_long_is_refused_unread(client: Any, path: str) -> None:
    def endless() -> Iterator[bytes]:
        yield from (b"a" * 2**20 for _ in range(8))

    long = b"a" * (8 * 2**20)
    types = {"Content-Type": "application/json" if path.startswith("/v1") else "application/x-www-form-urlencoded"}
    for body in (long, endless()):
        response = client.post(path, content=body, headers=types)
        assert response.status_code == 413 and "exceeds the limit of" in response.text


def make_slow(**options: Any) -> tuple[SlowCorrector, Any]:
    corrector = SlowCorrector()
    corrector.gate.set()  # to warm up
    app = create_app(Settings(models={"en": "slow"}, **options), load=lambda _: corrector)
    corrector.gate.clear()
    corrector.asked.clear()
    return corrector, app


def asking(app: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url="http://localhost"
    )


async def until(condition: Any) -> None:
    while not condition():
        await asyncio.sleep(0.005)


def test_a_full_queue_and_a_shutdown_are_told(caplog: pytest.LogCaptureFixture) -> None:
    corrector, app = make_slow(queue=2)

    async def scenario() -> None:
        async with asking(app) as client:
            started = [asyncio.create_task(client.post("/v1/correct", json={"text": "We go."}))]
            await until(lambda: corrector.asked)
            started += [asyncio.create_task(client.post("/v1/correct", json={"text": f"We go {n}."})) for n in "ab"]
            await until(lambda: app.state.service.n_in_flight == 3)
            full = await client.post("/v1/correct", json={"text": "Too much."})
            assert full.status_code == 503 and int(full.headers["retry-after"]) >= 1
            assert "too many requests" in full.json()["detail"]
            check = await client.post("/v2/check", data={"language": "en", "text": "Too much."})
            assert (
                check.status_code == 503 and check.text.startswith("Error: too many") and check.headers["retry-after"]
            )
            app.state.service.drain()
            assert (await client.get("/readyz")).status_code == 503
            assert (await client.get("/healthz")).status_code == 200
            late = await client.post("/v1/correct", json={"text": "Late."})
            assert late.status_code == 503 and "shutting down" in late.json()["detail"]
            corrector.gate.set()
            done = [task.result() for task in (await asyncio.wait(started))[0]]
            assert [response.status_code for response in done] == [200, 200, 200]
            assert all("goes" in response.json()["results"][0]["target"] for response in done)

    finish(scenario())
    app.state.service.close()


def test_what_takes_too_long_is_given_up() -> None:
    corrector, app = make_slow(timeout=0.05)

    async def scenario() -> None:
        async with asking(app) as client:
            response = await client.post("/v2/check", data={"language": "en", "text": "We go."})
            assert response.status_code == 504 and "longer than 0.05 seconds" in response.text
            await until(lambda: app.state.service.n_in_flight == 0)

    finish(scenario())
    corrector.gate.set()
    app.state.service.close()


def test_a_model_that_fails_fails_one_request(caplog: pytest.LogCaptureFixture) -> None:
    corrector, app = make_slow()
    corrector.gate.set()

    async def scenario() -> None:
        async with asking(app) as client:
            answers = await asyncio.gather(
                *(client.post("/v1/correct", json={"text": text}) for text in ("We go.", "Poison.", "They go."))
            )
            assert [answer.status_code for answer in answers] == [200, 500, 200]
            assert answers[1].json() == {"detail": "the server failed on this request; its log says why"}

    finish(scenario())
    app.state.service.close()
    assert "slow cannot correct a sentence of 7 characters" in caplog.text


def test_a_server_needs_models_of_the_right_language() -> None:
    with pytest.raises(DataError, match="table-en corrects en, not zh"):
        create_app(Settings(models={"zh": "en"}), load=load_table)
    with pytest.raises(UsageError, match="no model to serve"):
        Settings(models={})
    with pytest.raises(UsageError, match="max-length must be positive"):
        Settings(models={"en": "en"}, max_length=0)


def test_presets_of_a_model() -> None:
    text = "I very like my freind."
    app = create_app(Settings(models={"en": "en"}), load=load_with_presets)

    async def scenario() -> None:
        async with asking(app) as client:
            assert (await client.get("/v1/info")).json()["models"][0]["presets"] == ["careful", "balanced", "eager"]
            targets = {"careful": text, "balanced": "I very like my friend.", "eager": "I like my friend."}
            for preset, target in targets.items():
                answer = (await client.post("/v1/correct", json={"text": text, "preset": preset})).json()
                assert (answer["preset"], answer["results"][0]["target"]) == (preset, target)
            for level, n_matches in (("default", 1), ("picky", 2)):
                given = {"language": "en", "text": text, "level": level}
                assert len((await client.post("/v2/check", data=given)).json()["matches"]) == n_matches

    finish(scenario())
    app.state.service.close()


def test_only_the_languages_served_are_taken() -> None:
    app = create_app(Settings(models={"en": "en"}), load=load_table)

    async def scenario() -> None:
        async with asking(app) as client:
            assert (await client.post("/v1/correct", json={"text": "a", "language": "zh"})).status_code == 400
            unknown = await client.post("/v2/check", data={"language": "zh-CN", "text": "做"})
            assert unknown.status_code == 400 and "'zh-CN' is not a language code" in unknown.text
            other = (await client.post("/v2/check", data={"language": "auto", "text": "他做家。"})).json()
            assert other["matches"] == [] and other["language"]["code"] == "zh-CN"
            assert other["warnings"] == {"incompleteResults": True}
            mixed = (await client.post("/v1/correct", json={"text": "😀他做。他来。\nWe go.\nПривет!"})).json()
            [result] = mixed["results"]
            assert result["target"] == "😀他做。他来。\nWe goes.\nПривет!"
            assert result["unchecked"] == [
                {"start": 0, "end": 7, "utf16_start": 0, "utf16_end": 8, "language": "zh"},
                {"start": 15, "end": 22, "utf16_start": 16, "utf16_end": 23, "language": "und"},
            ]
            chinese = (await client.post("/v1/correct", json={"text": "他做家。"})).json()
            assert (chinese["language"], chinese["model"]) == ("zh", None)

    finish(scenario())
    app.state.service.close()


@pytest.mark.parametrize("script", ["/static/playground.js", "/lib/editor.js"])
def test_the_code_of_a_page_is_not_served(client: Any, script: str) -> None:
    served = client.get(script)
    assert served.status_code == 200 and "default-src 'self'" in served.headers["content-security-policy"]
    folder = script.rpartition("/")[0]
    assert client.get(f"{folder}/__init__.py").status_code == 404
    assert client.get(f"{folder}/__pycache__").status_code == 404
