"""`errata serve` as a process, with a trained model, asked by clients people use."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from own_loop import finish
from server_process import start

from doc_examples import check_snippets
from errata.pipeline.load import load_corrector
from errata.training.shipped import FOLDER as RECIPES

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
MODULES = Path(sys.prefix) / "node"
PAIRS = RECIPES / "data" / "tagger-pairs.en.tsv"
SENTENCES = [
    line.split("\t")[0].replace(" .", ".").replace(" n't", "n't") for line in PAIRS.read_text("utf-8").split("\n")
]
TEXT = "😀 She go to school every day. They is my best freinds!\nYesterday we walk to park."


@pytest.fixture(scope="module")
def expected(trained_model: str) -> str:
    """What the model makes of TEXT without any server."""
    return load_corrector(trained_model).correct([TEXT])[0].target


def test_language_tool_python(server: str, expected: str) -> None:
    language_tool_python = pytest.importorskip("language_tool_python", reason="pip install language-tool-python")
    with language_tool_python.LanguageTool("en-US", remote_server=server.rstrip("/")) as tool:
        matches = tool.check(TEXT)
        assert tool.correct(TEXT) == expected != TEXT
        assert all(match.rule_id.startswith("ERRATA_") and match.matched_text for match in matches)
        tool.disabled_rules = {match.rule_id for match in matches}
        assert tool.check(TEXT) == []
        tool.disabled_rules = set()
        tool.picky = True
        assert tool.check(TEXT)
    with language_tool_python.LanguageTool("auto", remote_server=server.rstrip("/")) as tool:
        tool.preferred_variants = {"en-GB"}
        assert tool.correct(TEXT) == expected


def test_gramma_from_npm(server: str, expected: str) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not here: apt-get install nodejs npm")
    if not (MODULES / "node_modules" / "gramma").is_dir():
        pytest.skip(f"gramma is not here: npm install --prefix {MODULES} gramma@1.6.0")
    command = ["node", HERE / "gramma_client.js", MODULES, server]
    told = json.loads(subprocess.run(command, input=TEXT.encode(), capture_output=True, check=True).stdout)
    assert told["corrected"] == expected and told["words"] and all(told["words"])
    assert told["marked"] == 0  # nothing in code is wrong


def test_many_clients_get_the_answers_one_gets(server: str, trained_model: str) -> None:
    documents = [" ".join(SENTENCES[n : n + 1 + n % 7]) for n in range(0, 48, 2)]
    corrector = load_corrector(trained_model)
    alone = [corrector.correct([document])[0] for document in documents]

    async def ask(client: httpx.AsyncClient, number: int) -> None:
        response = await client.post("/v1/correct", json={"text": documents[number], "language": "en"})
        assert response.status_code == 200, response.text
        [result] = response.json()["results"]
        assert result["target"] == alone[number].target
        found = [(edit["start"], edit["end"], edit["replacement"], edit["confidence"]) for edit in result["edits"]]
        assert found == [(e.start, e.end, e.replacement, round(e.confidence or 0, 4)) for e in alone[number].edits]

    async def scenario() -> None:
        async with httpx.AsyncClient(base_url=server, timeout=60) as client:
            await asyncio.gather(*(ask(client, number % len(documents)) for number in range(0, 7 * 40, 7)))

    finish(scenario())


@pytest.mark.parametrize(("host", "status"), [("errata.example", 200), ("127.0.0.1", 200), ("evil.example", 403)])
def test_the_names_it_goes_by(server: str, host: str, status: int) -> None:
    assert httpx.get(f"{server}healthz", headers={"Host": host}, timeout=60).status_code == status


def test_the_snippets_of_the_page_run(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    def run(program: str) -> str:
        exec(program.replace("http://127.0.0.1:8081", server.rstrip("/")), {})
        return capsys.readouterr().out

    check_snippets(DOCS / "server.md", run)


def test_the_request_on_the_page_is_answered(server: str) -> None:
    page = (DOCS / "commands" / "serve.md").read_text("utf-8")
    (sent, shown) = re.findall(r"-d '(.*?)' \| jq .*\n((?:\".*\n)*)", page)[0]
    [result] = httpx.post(f"{server}v1/correct", json=json.loads(sent), timeout=60).json()["results"]
    told = [result["target"], result["edits"][0]["type"], result["edits"][0]["message"]]
    assert told == [json.loads(line) for line in shown.splitlines()]


def test_a_signal_lets_requests_finish_and_who_left_is_forgotten(trained_model: str, tmp_path: Path) -> None:
    process, address = start(trained_model, tmp_path, "--recent", "0")
    text = "\n".join(f"{n} {sentence}" for n in range(8) for sentence in SENTENCES)  # a second or more of work

    async def until_told(client: httpx.AsyncClient, *lines: str) -> None:
        async with asyncio.timeout(120):
            while not set(lines) <= set((await client.get("/metrics")).text.splitlines()):
                await asyncio.sleep(0.01)

    async def scenario() -> None:
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        body = json.dumps({"text": text}).encode()
        head = f"POST /v1/correct HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        with socket.create_connection((host, int(port))) as gone:  # sends, and hangs up
            gone.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            waiting = [asyncio.create_task(client.post("/v1/correct", json={"text": text[n:]})) for n in range(3)]
            left = 'errata_requests_total{method="POST",path="/v1/correct",status="499"} 1.0'
            await until_told(client, left, "errata_begun_requests 3.0")
            process.send_signal(signal.SIGTERM)
            answers = await asyncio.gather(*waiting)
            assert [answer.status_code for answer in answers] == [200, 200, 200]
            assert all(answer.json()["results"][0]["edits"] for answer in answers)

    finish(scenario())
    _, log = process.communicate(timeout=120)
    assert process.returncode == 0
    lines = [json.loads(line) for line in log.splitlines()]
    assert sorted(line["status"] for line in lines if line["method"] == "POST") == [200, 200, 200, 499]
