"""`--metric llm` on the command line: the example of its page, permission, judged sets; all against a real server."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from command_runs import Run
from scoring_files import Shell
from tests.meta_eval.judged_files import RIGHT, write_gjg15

from unruly_server import said, unruly

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "metrics" / "llm.md"
OK = (200, {}, said("4"))
EXAMPLE = re.compile(r"```json\n(.*?)```.*?```console\n\$ errata (score [^\n]*)\n(.*?)```", re.DOTALL)


def rate(body: dict[str, Any]) -> str:
    """A judge that knows the references: 5 for one of them, 2 for anything else."""
    texts = re.findall(r"^\d\. (.*)$", body["messages"][-1]["content"], re.M)
    folder = ROOT / "examples" / "data"
    right = {line for n in (0, 1) for line in (folder / f"en.ref{n}.txt").read_text("utf-8").splitlines()} | set(RIGHT)
    return " ".join("5" if text in right else "2" for text in texts)


def test_the_example_of_the_page(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    (found,) = EXAMPLE.findall(PAGE.read_text("utf-8"))
    manifest, command, shown = found
    service = json.loads(manifest)["settings"]["endpoint"].removesuffix("/v1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judge").mkdir()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    with unruly(OK, reply=rate) as web:
        local = web.address.removesuffix("/v1")
        (tmp_path / "judge" / "errata.json").write_text(manifest.replace(service, local))
        code, out, _ = Shell(monkeypatch, capfd)(*shlex.split(command))
    assert code == 0 and "gpt-4o-mini: 5 answers, 0 more from the journal" in caplog.text
    printed = "\n".join(line.rstrip() for line in out.replace(local, service).rstrip("\n").split("\n"))
    if os.environ.get("ERRATA_REFRESH_DOCS"):
        text = PAGE.read_text("utf-8")
        PAGE.write_text(text.replace(f"{command}\n{shown}```", f"{command}\n{printed}\n```"), "utf-8")
    else:
        assert re.sub(r"v:[\d.]+", "v:", printed) == re.sub(r"v:[\d.]+", "v:", shown.rstrip("\n"))


def make(folder: Path, address: str) -> None:
    folder.mkdir()
    settings = {"model": "m", "endpoint": address}
    (folder / "errata.json").write_text(json.dumps({"system": "prompted", "language": "en", "settings": settings}))


def test_nothing_is_sent_without_permission(run: Run, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("He go home .\n")
    with unruly(OK) as web:
        make(tmp_path / "judge", web.address)
        arguments = ("score", "-m", "llm", "--set", "model=./judge", "--src", "text.txt", "--hyp", "text.txt")
        status, out, err = run(*arguments)
        assert (status, out, web.requests) == (2, "", [])
        assert "would send your text to" in err and "--allow-network" in err and err.count("\n") == 1
        assert run(*arguments, "--allow-network", "--json")[0] == 0
    assert len(web.requests) == 1


def test_judged_systems_are_rated_together(run: Run, tmp_path: Path) -> None:
    write_gjg15(tmp_path / "set")
    arguments = (
        "meta",
        "--data",
        "gjg15",
        "--root",
        "set",
        "--runs",
        "5",
        "--json",
        "-m",
        "llm:model=./judge,together=yes",
    )
    with unruly(OK, reply=rate) as web:
        make(tmp_path / "judge", web.address)
        assert run(*arguments)[0] == 2 and not web.requests
        status, out, _ = run(*arguments, "--allow-network")
    (metric,) = json.loads(out)["metrics"]
    assert status == 0 and "together:yes" in metric["signature"] and "systems:4|outputs:" in metric["signature"]
    scores = metric["scores"]["gjg15"]
    assert scores["GOOD"] == 1.0 > scores["HALF"] > scores["INPUT"] >= scores["WORSE"]
    # One prompt for each sentence has all its corrections, whichever system is scored.
    assert len(web.requests) == 4


def test_permission_is_for_metrics_that_send_something(run: Run, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("He go home .\n")
    files = ("--src", "text.txt", "--ref", "text.txt", "--hyp", "text.txt")
    status, _, err = run("score", "-m", "gleu", "--allow-network", *files)
    assert status == 2 and err.startswith("errata: --allow-network means nothing to gleu")
