"""Files that are small and want to be large, or that hide something: refused in one line, in little time and memory."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tracemalloc
from typing import Any

import pytest
from attacked import OWNER, World
from visitors import API

from errata.web.workbench import imports, lines, texts
from errata.web.workbench.imports import parse_file

MIB = 2**20
A_LINE = b"A 0 1|||R:X|||z|||REQUIRED|||-NONE-|||%d\n"

# name → (name of the file, content, what is said of it). Unpacked or split into objects, each would take gigabytes.
BOMBS: dict[str, tuple[str, Any, str]] = {
    "xz": ("a.m2.xz", lambda: lzma.compress(bytes(8 * MIB)), "packed (xz): unpack it first"),
    "gzip": ("a.txt.gz", lambda: gzip.compress(bytes(8 * MIB)), "packed (gzip)"),
    "bzip2": ("a.txt", lambda: bz2.compress(bytes(MIB)), "packed (bzip2)"),
    "zip": ("a.docx", lambda: b"PK\x03\x04" + bytes(MIB), "packed (zip)"),
    "blank lines": ("a.txt", lambda: b"\n" * (8 * MIB), "no sentence ends within 10000 lines"),
    "short lines": ("a.txt", lambda: b"a\n" * (4 * MIB), "more than 1000 sentences: split the file"),
    "one line": ("a.txt", lambda: b"a" * (8 * MIB), "the line has 8388608 bytes"),
    "one line of Chinese": ("a.txt", lambda: "好。".encode() * (2 * MIB), "bytes; 1048576 is the most"),
    "tabs": ("a.tsv", lambda: b"1\ta" + b"\tb" * (4 * MIB) + b"\n", "bytes; 1048576 is the most"),
    "tokens": ("a.m2", lambda: b"S" + b" a" * (4 * MIB) + b"\n", "bytes; 1048576 is the most"),
    "edits": ("a.m2", lambda: b"S a b\n" + (A_LINE % 0) * 200_000, "no sentence ends within 10000 lines"),
    "annotators": (
        "a.m2",
        lambda: b"S a b\n" + b"".join((A_LINE % n).replace(b"z", b"z%d" % n) for n in range(200)),
        "more than 100 references",
    ),
    "reference": ("a.m2", lambda: (b"S a\n" + A_LINE % 0).replace(b"z", b"z" * 90_000), "a reference has 90000"),
    "fields": (
        "a.jsonl",
        lambda: b'{"tokens": ["a"], "meta": {"x": [' + b"[]," * (2 * MIB) + b"1]}}",
        "bytes; 1048576",
    ),
    "more fields": ("a.jsonl", lambda: b'{"tokens": ["a"], "meta": {"x": "' + b'\\"' * 511_000 + b'"}}', "take 1022"),
    "depth": ("a.jsonl", lambda: b'{"tokens": ["a"], "meta": ' + b'{"a":' * 900 + b"1" + b"}" * 901, "in each other"),
    "more depth": ("a.jsonl", lambda: b'{"tokens": ' + b"[" * 200_000, "nested too deeply"),
    "digits": ("a.jsonl", lambda: b'{"tokens": ["a"], "meta": {"x": ' + b"9" * 5000 + b"}}", "thousands of digits"),
    "infinity": ("a.jsonl", lambda: b'{"tokens": ["a"], "meta": {"x": 1e999}}', "a field has no JSON form"),
    "values": ("a.json", lambda: b'{"a": {"sentence": [' + b"[]," * (2 * MIB) + b"1]}}", "3000000 values"),
    "NUL": ("a.txt", lambda: b"a b\nc\0d\n", "NUL byte"),
    "UTF-16": ("a.txt", lambda: "a b".encode("utf-16"), "UTF-16"),
    "half a character": ("a.jsonl", lambda: b'{"tokens": ["a"], "meta": {"x": "\\ud800"}}', "surrogate"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_no_file_becomes_much_larger(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "MAX_ITEMS", 1000)
    file_name, make, message = BOMBS[name]
    content = make()
    tracemalloc.start()
    try:
        parsed = parse_file(content, name=file_name, language="en")
        n_most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    [problem] = parsed.problems
    assert message in problem.message and len(problem.message) <= imports.MAX_MESSAGE
    assert n_most < 4 * len(content) + 24 * MIB


def test_what_a_file_says_is_kept_small() -> None:
    """As objects, these fields would take forty times the file."""
    line = b'{"tokens": ["a"], "meta": {"x": [' + b"[]," * 3_000 + b"1]}}\n"
    content = line * 40
    tracemalloc.start()
    try:
        parsed = parse_file(content, name="a.jsonl", language="en")
        n_kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(parsed.entries) == 40 and n_kept < 4 * len(content)
    assert parsed.entries[0].origin["record"]["meta"]["x"][-1] == 1


def test_a_long_sentence_with_a_long_answer_can_be_aligned() -> None:
    """Else one answer would keep everybody from reviewing the sentence."""
    from errata.edits.zh.align import MAX_CELLS

    n_most = texts.longest_answer("字" * texts.MAX_SOURCE)
    assert (texts.MAX_SOURCE + 1) * (n_most + 1) <= MAX_CELLS
    assert texts.longest_answer("字") == texts.TIMES_SOURCE + texts.BESIDE_SOURCE
    assert 100 * n_most < lines.MAX_LINE


def test_a_review_has_room_for_a_verdict_on_every_answer() -> None:
    from errata.web.workbench.bodies import SubmissionBody
    from errata.web.workbench.projects import MAX_K

    verdicts = [{"target": str(n), "is_accepted": False} for n in range(MAX_K * texts.MAX_ANSWERS)]
    assert len(SubmissionBody(version=1, key="k", verdicts=verdicts).read().verdicts) == 400  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..\\..\\boot.ini", "a/b/c", "\u202e\r\nX: y", "x" * 50_000, "con", ".", "..", "/"]
)
def test_the_name_of_a_file_is_only_a_name(calm_world: World, name: str) -> None:
    owner, project = calm_world.visit(OWNER), f"/projects/{calm_world.ids['project_id']}"
    given = {
        "headers": owner.headers,
        "params": {"name": name, "format": "text", "again": "yes"},
        "content": "我走了。\n".encode(),
    }
    assert owner.client.post(f"{API}{project}/import", **given).status_code == 200
    shown = owner.get(f"{project}/events?limit=1")[0]["facts"]["file"]
    assert 0 < len(shown) <= 100 and shown.isprintable() and "/" not in shown and "\\" not in shown


@pytest.mark.parametrize("character", ["\\u0000", "\\u001b", "\\u2028", "\\u202e"])
def test_fields_of_a_file_reach_both_databases(stored_world: World, character: str) -> None:
    owner = stored_world.visit(OWNER)
    made = owner.post("/projects", {"name": f"x{character}", "kind": "minimal", "language": "zh"})
    record = (
        f'{{"id": "x{character}", "tokens": ["我"], "labels": ["{character}"], "meta": {{"passage": "{character}"}}}}'
    )
    told = owner.bring(made["id"], record, "name=a.jsonl")
    assert told["n_items"] == told["n_passages"] == 1
    response = owner.client.get(f"{API}/projects/{made['id']}/export?format=jsonl&state=all", headers=owner.headers)
    written = [json.loads(line) for line in response.text.split("\n") if line]
    [item] = [line for line in written if line["record"] == "item"]
    assert item["origin"]["record"]["id"] == "x" + json.loads(f'"{character}"')


@pytest.mark.parametrize("place", ["projects/{project_id}/members/import", "items/import", "tasks/import/draft"])
def test_no_other_path_takes_as_much_as_an_import(calm_world: World, place: str) -> None:
    owner = calm_world.visit(OWNER)
    body = b'{"role": "' + b"x" * (2 * MIB) + b'"}'
    headers = {**owner.headers, "Content-Type": "application/json"}
    method = "PUT" if place.endswith("draft") else "PATCH"
    response = owner.client.request(method, calm_world.address(f"{API}/{place}"), headers=headers, content=body)
    assert response.status_code == 413
