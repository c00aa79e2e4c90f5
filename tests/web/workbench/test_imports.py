"""Files become items: every format, raw text, and one clear line for what is wrong."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from bench import Bench
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.formats.base import get_format
from errata.formats.jsonl import JsonLines
from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.web.refusals import Refusal
from errata.web.workbench import imports
from errata.web.workbench.imports import parse_file

M2 = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||1

"""
CHERRANT = "S 我 爱 你 门 。\nT0-A0 我 爱 你 们 。\nA 3 4|||S|||们|||REQUIRED|||-NONE-|||0\n\n"
FCGEC = json.dumps(
    {
        "id-1": {
            "sentence": "他很的高。",
            "error_flag": 1,
            "error_type": "CR",
            "operation": json.dumps([{"Delete": [2]}]),
        }
    },
    ensure_ascii=False,
)
ROBUST = "O-S He go home .\nO-T He goes home .\nO-P He went home .\nA1-S She go home .\nA1-T She goes home .\n\n"
JSONL = "".join(
    JsonLines().format(
        [
            AnnotatedSentence(Sentence(("He", "go"), "He  go", "s1"), (Annotation(target="He goes"),), meta={"x": 1}),
            AnnotatedSentence(Sentence(("It", "is")), ()),
        ]
    )
)


@pytest.mark.parametrize(
    ("name", "content", "language", "form", "expected"),
    [
        ("a.m2", M2, "en", "m2", [("He go home .", ("He goes home .", "He went home ."), True)]),
        ("a.tsv", "He go .\tHe goes .\tHe went .\n", "en", "parallel", [("He go .", ("He goes .", "He went ."), True)]),
        ("a.tsv", "He go.\tHe goes.\n", "en", "parallel", [("He go.", ("He goes.",), False)]),
        (
            "a.tsv",
            "1\t我爱你门。\t我爱你们。\t没有错误\n",
            "zh",
            "mucgec",
            [("我爱你门。", ("我爱你们。", "我爱你门。"), False)],
        ),
        ("a.json", FCGEC, "zh", "fcgec", [("他很的高。", ("他很高。",), False)]),
        (
            "a.para",
            ROBUST,
            "en",
            "robustgec",
            [("He go home .", ("He goes home .",), True), ("She go home .", ("She goes home .",), True)],
        ),
        ("a.jsonl", JSONL, "en", "jsonl", [("He  go", ("He goes",), False), ("It is", (), True)]),
        (
            "a.txt",
            "He go. She go!\r\n\r\nIt go.\n",
            "en",
            "text",
            [("He go.", (), False), ("She go!", (), False), ("It go.", (), False)],
        ),
        ("", "\ufeff他很高。我也是。", "zh", "text", [("他很高。", (), False), ("我也是。", (), False)]),
    ],
)
def test_formats(name: str, content: str, language: str, form: str, expected: list[Any]) -> None:
    parsed = parse_file(content.encode(), name=name, language=language)
    assert parsed.problems == [] and parsed.format == form
    assert [(e.source, e.references, e.origin["is_tokenised"]) for e in parsed.entries] == expected
    assert [entry.origin["number"] for entry in parsed.entries] == list(range(1, len(expected) + 1))


def test_cherrant_is_read() -> None:
    parsed = parse_file(CHERRANT.encode(), name="a.m2", language="zh")
    assert parsed.format == "cherrant"
    assert [(entry.source, entry.references) for entry in parsed.entries] == [("我爱你门。", ("我爱你们。",))]


def test_origin_keeps_all_that_the_file_says() -> None:
    """What was read can be written again."""
    for name, content in (("a.m2", M2), ("a.para", ROBUST), ("a.jsonl", JSONL), ("a.json", FCGEC)):
        parsed = parse_file(content.encode(), name=name, language="en")
        lines = [json.dumps(entry.origin["record"], ensure_ascii=False) + "\n" for entry in parsed.entries]
        again = list(JsonLines().parse(lines))
        assert again == list(get_format(parsed.format).parse(content.splitlines(keepends=True)))


@pytest.mark.parametrize(
    ("name", "content", "place", "message"),
    [
        ("a.m2", b"S a b\nA 5 9|||R|||x|||REQUIRED|||-NONE-|||0\n\n", 2, "span"),
        ("a.txt", b"good\n\xff\xfe bad\n", 2, "not UTF-8"),
        ("a.txt", b"\xff\xfea\0b\0", None, "UTF-16"),
        ("a.txt", b"a\0b", 1, "NUL"),
        ("a.txt", b"a\x07b.\n", 1, "control character U+0007"),
        ("a.txt", b"", None, "no sentence"),
        ("a.txt", b" \n\n", None, "no sentence"),
        ("a.txt.gz", b"\x1f\x8b\x08....", None, "packed"),
        ("a.jsonl", b'{"tokens": ["a"]}\n{"tokens": 3}\n', 2, "tokens"),
        ("a.jsonl", b"not json\n", 1, "JSON"),
        ("a.tsv", b"a .\tb .\n\tb .\n", 2, "empty"),
        ("a.tsv", b"a .\tb .\na .\t\n", 2, "reference is empty"),
        ("a.txt", b"x" * 6000 + b".\n", 1, "5000 is the most"),
        ("a.zip", b"PK\x03\x04abc", None, "zip"),
    ],
)
def test_bad_files(name: str, content: bytes, place: int | None, message: str) -> None:
    parsed = parse_file(content, name=name, language="en")
    assert [problem.line for problem in parsed.problems] == [place]
    with pytest.raises(Refusal, match="nothing was imported") as refused:
        parsed.refuse_problems()
    assert message in str(refused.value) and "\n" not in str(refused.value)
    assert str(refused.value).startswith(name if place is None else f"{name}:{place}: ")


@pytest.mark.parametrize(
    ("language", "content", "message"),
    [
        ("zh", "He go home.\nIt rain.\n", "in Chinese, and no sentence of the file is"),
        ("en", "我门回家。\n下雨了。\n", "in English, and no sentence of the file is"),
        ("zh", "He go home.\n他回家。\n", ""),
        ("en", "我门回家。\nOK.\n", ""),
        ("zh", "123。\n", ""),
        ("en", "123.\n", ""),
    ],
)
def test_a_file_wholly_in_the_other_language_is_a_slip(language: str, content: str, message: str) -> None:
    assert parse_file(content.encode(), name="a.txt", language=language).problems == []
    problems = parse_file(content.encode() * 10, name="a.txt", language=language).problems
    assert [message in problem.message for problem in problems] == [True] * bool(message)


def test_unknown_formats_name_the_known() -> None:
    [problem] = parse_file(b"x", name="a", language="en", format="docx").problems
    assert "docx" in problem.message and "m2" in problem.message and "text" in problem.message


def test_qualification_needs_references() -> None:
    parsed = parse_file(b"a .\tb .\nc .\td .\ne .\n", name="a.tsv", language="en", format="parallel", purpose="qualify")
    assert [(problem.line, "needs a reference" in problem.message) for problem in parsed.problems] == [(3, True)]


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=200)
    | st.text(alphabet='SA 01|\t\n{}"[]:,.O-T他。\u2028', max_size=80).map(str.encode)
    | st.sampled_from([M2, ROBUST, JSONL, FCGEC]).flatmap(
        lambda text: st.integers(0, len(text)).map(lambda place: (text[:place] + "\x00|" + text[place:]).encode())
    ),
    st.sampled_from(["a.m2", "a.txt", "a.tsv", "a.json", "a.jsonl", "a.para", ""]),
    st.sampled_from(["en", "zh"]),
)
def test_any_bytes_are_items_or_problems(content: bytes, name: str, language: str) -> None:
    parsed = parse_file(content, name=name, language=language)
    assert parsed.entries or parsed.problems
    assert all(entry.source.strip() and entry.line >= 1 for entry in parsed.entries)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["He goes home.", "It is 3 p.m. now!", "", "  ", "Dr. Who? Yes."]), max_size=12))
def test_raw_text_loses_nothing(lines: list[str]) -> None:
    parsed = parse_file("\n".join(lines).encode(), name="a.txt", language="en")
    assert "".join(" ".join(e.source for e in parsed.entries).split()) == "".join("".join(lines).split())
    passages = " ".join(line.strip() or "|" for line in lines).replace("| |", "|")
    n_passages = len([part for part in passages.split("|") if part.strip()])
    assert len({entry.passage for entry in parsed.entries}) == n_passages


def test_passages_of_raw_text_and_json_lines(bench: Bench) -> None:
    bench.kind = "minimal"
    bench.begin([])
    assert bench.bring("One. Two is.\nThree.\n\nFour.\n")["n_passages"] == 2
    records = [
        AnnotatedSentence(Sentence((word,)), meta={imports.PASSAGE: passage})
        for word, passage in (("a", 1), ("b", 1), ("c", 2), ("d", 1))
    ]
    assert bench.bring("".join(JsonLines().format(records)), name="a.jsonl")["n_passages"] == 3
    positions = [row.position for row in bench.rows("SELECT position FROM items ORDER BY position")]
    assert positions == list(range(len(positions)))


def test_all_or_nothing(bench: Bench) -> None:
    bench.begin(["One."])
    with pytest.raises(Refusal, match=r"a\.m2:5"):
        bench.bring(M2 + "A x\n", name="a.m2")
    assert [item["source"] for item in bench.items()] == ["One."]


def test_a_thousand_sentences_take_little_time(bench: Bench) -> None:
    rng = random.Random(0)
    text = "".join(f"He go home {rng.random()} times .\tHe goes home .\n" for _ in range(1000))
    bench.begin([])
    assert bench.bring(text, name="a.tsv")["n_items"] == 1000
