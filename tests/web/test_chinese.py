"""Refusals in Chinese: every one that pages can show has words, and what has none is still told."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata.web
from errata.web.chinese import OTHER, PATTERNS, WORDS, find_translation, translate, translate_facts
from errata.web.refusals import Refusal, refusal_response

WEB = Path(errata.web.__file__).parent
# Where refusals of pages are raised, by which names.
PLACES = [*sorted((WEB / "workbench").rglob("*.py")), *sorted((WEB / "accounts").rglob("*.py"))]
RAISED = {"Refusal": 1, "conflict": 1, "DataError": 0, "UsageError": 0, "FormatError": 2, "Problem": 1}
# Histories are read by commands alone.
COMMANDS = {"reading.py"}
GAP = "7"


def find_messages() -> Iterator[tuple[str, str]]:
    """(place, message) of everything that is raised with its words in place, or with those assigned to `message`."""
    for path in PLACES:
        if path.name in COMMANDS:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            words: ast.expr | None = None
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                at = RAISED.get(name)
                words = node.args[at] if at is not None and len(node.args) > at else None
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "message":
                words = node.value
            if words is not None and (message := fill(words)) is not None and " " in message:
                yield f"{path.name}:{words.lineno}", message


def find_faults() -> Iterator[tuple[str, str]]:
    """The faults of sentences in files, which are returned."""
    path = WEB / "workbench" / "imports.py"
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef) and function.name in ("_find_fault", "_find_foreign"):
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and (message := fill(node.value)):
                    yield f"{path.name}:{node.lineno}", message


def fill(words: ast.expr | None) -> str | None:
    if isinstance(words, ast.Constant):
        return words.value if isinstance(words.value, str) else None
    if isinstance(words, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else GAP for part in words.values)
    return None


MESSAGES = dict([*find_messages(), *find_faults()])


def test_the_messages_are_found() -> None:
    assert len(MESSAGES) > 90 and "this person has not qualified yet" in MESSAGES.values()


@pytest.mark.parametrize("place", MESSAGES)
def test_every_refusal_has_chinese_words(place: str) -> None:
    translated = find_translation(MESSAGES[place])
    assert translated is not None, MESSAGES[place]
    assert any("\u4e00" <= character <= "\u9fff" for character in translated)


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("the name is empty", "名称是空的"),
        ("the answer has a tab: remove it", "答案含有制表符，请删去"),
        ("only an owner of the project may do this, and you are an annotator", "只有项目负责人可以这样做，您是标注员"),
        ("name: annotator-1 is taken; choose another", "用户名 annotator-1 已被使用，请换一个"),
        (
            "a.txt:3: the sentence is empty (and 2 more); nothing was imported",
            "a.txt:3：句子是空的（另有 2 处）；没有导入任何内容",
        ),
        ("something new", "服务器的提示：something new"),
    ],
)
def test_translations(message: str, wanted: str) -> None:
    assert translate(message) == wanted


def test_every_pattern_matches_itself() -> None:
    for english in PATTERNS:
        assert find_translation(english) is not None and english not in WORDS, english


@given(st.text())
def test_nothing_is_hidden(message: str) -> None:
    """What has no words stands there as it is; no text breaks the translation."""
    translated = translate(message)
    assert translated == OTHER.format(message=message) or find_translation(message) == translated


def response(language: str, path: str = "/workbench/api/projects") -> str:
    headers = [(b"accept-language", language.encode())]
    scope = {"path": path, "method": "POST", "headers": headers}
    refusal = Refusal(422, "the name is empty", facts={"problems": [{"line": 1, "message": "a reference is empty"}]})
    return bytes(refusal_response(scope, refusal).body).decode()


@pytest.mark.parametrize(
    ("language", "path", "wanted"),
    [
        ("zh-Hans", "/workbench/api/projects", True),
        ("zh", "/accounts/join", True),
        ("en", "/workbench/api/projects", False),
        ("", "/workbench/api/projects", False),
        ("zh", "/v1/correct", False),
    ],
)
def test_pages_get_their_language_and_programs_get_english(language: str, path: str, wanted: bool) -> None:
    found = response(language, path)
    assert ("名称是空的" in found) == ("参考答案是空的" in found) == wanted
    assert ("the name is empty" in found) is not wanted


def test_other_facts_stay() -> None:
    assert translate_facts({"same_name": "x", "problems": 3}) == {"same_name": "x", "problems": 3}
