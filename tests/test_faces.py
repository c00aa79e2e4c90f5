"""Python, the command line and the server make the same edits; `python -m benchmarks.faces` tries more documents."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from benchmarks.faces.__main__ import compare
from benchmarks.faces.cases import Choices, Group, make_groups
from benchmarks.faces.ways import PROGRAM, Web, apply_matches, run_python
from benchmarks.server.__main__ import running

import errata

FIXED = (
    Choices("markdown", "balanced", "auto", 0.0, (), ("Big Foo", "goed")),
    Choices("text", "eager", "auto", 0.0, (), ()),
    Choices("none", "careful", "auto", 0.2, ("informations",), ()),
)
TEXTS = (
    "**Big** Foo go home. See https://exmaple.com/they_has, he go there.\n",
    "\ufeffShe have many informations and he goed home.\r\n\r\n他跑的很快。He go.",
    "This line was wrapped by an editor, so that the sentence have\nits end in the next line.\n",
    "",
)


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with running("en-small", ["--model", "zh-small"]) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield Web(client)


@pytest.mark.parametrize("choices", FIXED, ids=lambda choices: f"{choices.markup}-{choices.preset}")
def test_what_once_differed_agrees(choices: Choices, web: Web) -> None:
    group = Group(choices, TEXTS)
    expected = run_python(group)
    assert sum(map(len, expected)) > 0
    assert compare(group, expected, web) == []


@pytest.mark.parametrize("group", list(make_groups(60, 20, 7)), ids=lambda g: f"{g.choices.markup}-{g.choices.preset}")
def test_random_documents_agree(group: Group, web: Web) -> None:
    assert compare(group, run_python(group), web) == []


ODD = ("She go\0 home. He go there.", "\0He go home.", "half \ud83d he go home.", "He go home.\udc00", "\ud800")


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_any_character_may_stand_in_a_text(text: str, web: Web) -> None:
    """NUL, and half a character that a client has cut: none refuses them, and all make the same edits."""
    choices = Choices("text", "balanced", "en", 0.0, (), ())
    [expected] = run_python(Group(choices, (text,)))
    assert web.run_v1(Group(choices, (text,))) == [expected]
    answer = web.client.post("/v2/check", data={"data": json.dumps({"text": text}), "language": "en"})
    readable = text.replace("\ud83d", "\ufffd").replace("\udc00", "\ufffd").replace("\ud800", "\ufffd")
    corrected = errata.correct(readable, language="en").target
    assert apply_matches(readable, answer.raise_for_status().json()["matches"]) == corrected


@pytest.mark.parametrize(("content", "reason"), [(b"He go.\0\n", "NUL byte"), (b"He go.\xed\xa0\x80\n", "not UTF-8")])
def test_a_file_is_text_or_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    """A NUL byte is a sign of another encoding or of no text at all, and UTF-8 has no half characters."""
    path = tmp_path / "odd.txt"
    path.write_bytes(content)
    done = subprocess.run([sys.executable, "-c", PROGRAM, "correct", str(path)], capture_output=True, text=True)
    assert done.returncode == 1 and f"{path}:1: " in done.stderr and reason in done.stderr
