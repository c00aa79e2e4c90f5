"""Python, the command line and the server make the same edits; `python -m benchmarks.faces` tries more documents."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from benchmarks.faces.__main__ import compare
from benchmarks.faces.cases import Choices, Group, make_groups
from benchmarks.faces.ways import Web, run_python
from benchmarks.server.__main__ import running

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
