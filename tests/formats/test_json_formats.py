"""FCGEC's JSON and errata's JSON lines."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from errata.errors import DataError, FormatError
from errata.formats import get_format
from errata.formats.jsonl import locate_tokens
from errata.model import (
    AnnotatedSentence,
    Annotation,
    Edit,
    Insertion,
    Modification,
    Operations,
    Sentence,
    Status,
)


def parse(text: str, name: str) -> list[AnnotatedSentence]:
    return list(get_format(name).parse(io.StringIO(text, newline="\n"), origin="x.json"))


def render(sentences: list[AnnotatedSentence], name: str) -> str:
    return "".join(get_format(name).format(sentences))


def record(**fields: Any) -> str:
    return json.dumps({"r1": {"sentence": "他们学习很努力", **fields}}, ensure_ascii=False)


OPERATIONS = [
    {"Switch": [1, 0, 2, 3, 4, 5, 6], "Delete": [3]},
    {"Insert": [{"pos": -1, "tag": "INS_2", "label": "因为"}, {"pos": 3, "tag": "INS_1", "label": ["得", "地"]}]},
    {
        "Modify": [
            {"pos": 0, "tag": "MOD_1", "label": "我"},
            {"pos": 2, "tag": "MOD_2+INS_1", "label": ["做作业", "写作业"]},
            {"pos": 5, "tag": "MOD_2+DEL_1", "label": "好"},
        ]
    },
]
MODEL = (
    Operations(switch=(1, 0, 2, 3, 4, 5, 6), delete=(3,)),
    Operations(insert=(Insertion(-1, ("因为",)), Insertion(3, ("得", "地")))),
    Operations(
        modify=(
            Modification(0, 1, ("我",)),
            Modification(2, 2, ("做作业", "写作业")),
            Modification(5, 2, ("好",)),
        )
    ),
)


@pytest.mark.parametrize("spell", [lambda ops: ops, json.dumps], ids=["as JSON", "as a string"])
def test_fcgec_operations(spell: Any) -> None:
    text = record(error_flag=1, error_type="CM;SC", operation=spell(OPERATIONS), version="v")
    (sentence,) = parse(text, "fcgec")
    assert sentence.sentence.id == "r1"
    assert sentence.labels == ("CM", "SC")
    assert sentence.meta == {"version": "v"}
    assert tuple(a.operations for a in sentence.annotations) == MODEL
    again = json.loads(render([sentence], "fcgec"))["r1"]
    assert json.loads(again.pop("operation")) == OPERATIONS
    assert again == {"sentence": "他们学习很努力", "error_flag": 1, "error_type": "CM;SC", "version": "v"}


def test_fcgec_correct_and_unlabelled_records() -> None:
    (correct,) = parse(record(error_flag=0, error_type="*", operation="[]"), "fcgec")
    assert (correct.labels, correct.annotations) == ((), (Annotation("0"),))
    (unlabelled,) = parse(record(version="v"), "fcgec")
    assert (unlabelled.labels, unlabelled.annotations) == (None, ())
    assert json.loads(render([unlabelled], "fcgec")) == json.loads(record(version="v"))
    assert parse("{}", "fcgec") == [] and json.loads(render([], "fcgec")) == {}


def test_fcgec_forgives_what_the_official_files_contain() -> None:
    """Tags that count in words, and an insertion filed under Modify."""
    item = {"pos": 1, "tag": "INS_人员", "label": ["人员"]}
    (sentence,) = parse(record(operation=[{"Insert": [item]}, {"Modify": [item | {"tag": "INS_2"}]}]), "fcgec")
    assert [a.operations for a in sentence.annotations] == 2 * [Operations(insert=(Insertion(1, ("人员",)),))]


def test_fcgec_keeps_a_flag_at_odds_with_the_type() -> None:
    text = record(error_flag=1, error_type="*", operation="[]")
    assert json.loads(render(parse(text, "fcgec"), "fcgec")) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{\n"r1": oops}', 2, "not JSON"),
        ("[]", 1, "'the file' is not an object"),
        ('{"a": {"sentence": "x"}, "a": {"sentence": "y"}}', 1, "the key 'a' comes twice"),
        ('{\n"r0": {"sentence": "好"},\n"r1": {}}', 3, "record r1: 'sentence' is missing"),
        ('{"r1": 3}', 1, "'record' is not an object"),
        ('{"r1": {"sentence": "\\ud800"}}', 1, "half of a surrogate pair"),
        (record(error_type=3), 1, "'error_type' is not a string"),
        (record(operation="[{]"), 1, "record r1: "),
        (record(operation=[{"Replace": []}]), 1, "unknown field 'Replace'"),
        (record(operation=[{"Delete": [7]}]), 1, "Delete goes beyond the 7 characters"),
        (record(operation=[{"Delete": [True]}]), 1, "'Delete' is not a number"),
        (record(operation=[{"Switch": [0, 0]}]), 1, "Switch uses a character twice"),
        (record(operation=[{"Insert": [{"pos": 9, "tag": "INS_1", "label": "x"}]}]), 1, "Insert at 9 goes beyond"),
        (record(operation=[{"Insert": [{"pos": 1, "tag": "MOD_1", "label": "x"}]}]), 1, "is not INS_n"),
        (record(operation=[{"Modify": [{"pos": 1, "tag": "DEL_1", "label": "x"}]}]), 1, "is not MOD_n, MOD_n+INS_m"),
        (record(operation=[{"Modify": [{"pos": 6, "tag": "MOD_2", "label": "x"}]}]), 1, "Modify at 6 goes beyond"),
        (record(operation=[{"Modify": [{"pos": 1, "tag": "MOD_1", "label": []}]}]), 1, "a label is empty"),
    ],
)
def test_bad_fcgec_is_named(text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text, "fcgec")
    assert (caught.value.origin, caught.value.line) == ("x.json", line)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([AnnotatedSentence(Sentence(("x",)), (Annotation("0", target="y"),))], "corrections as operations"),
        (2 * [AnnotatedSentence(Sentence(("x",), id="a"))], "two sentences have the id 'a'"),
        ([AnnotatedSentence(Sentence(("x",)), labels=("a;b",))], "cannot say the error types"),
        ([AnnotatedSentence(Sentence(("x",)), meta={"sentence": 1})], "a name of FCGEC's own"),
        ([AnnotatedSentence(Sentence(("x",)), meta={"when": object()})], "has no JSON form"),
    ],
)
def test_what_fcgec_cannot_say_is_refused(sentences: list[AnnotatedSentence], message: str) -> None:
    with pytest.raises(DataError, match=message):
        render(sentences, "fcgec")


def test_fcgec_says_nothing_about_what_could_not_be_annotated() -> None:
    sentence = AnnotatedSentence(Sentence(("x",), "x", "a"), (Annotation("0", status=Status.NOT_ANNOTATABLE),))
    assert json.loads(render([sentence], "fcgec")) == {"a": {"sentence": "x"}}


EVERYTHING = AnnotatedSentence(
    Sentence(("I", "goes", "home"), "I goes  home", "s1"),
    (
        Annotation("amy", (Edit(1, 2, ("go",), "R:VERB", (("went",), ()), False, "really", "2"),), target="I go home"),
        Annotation("bob", (Edit(3, 3, (".",), "M:PUNCT"),), alignment=1),
        Annotation("carl", status=Status.NOT_ANNOTATABLE),
        *(Annotation(str(n), operations=operations) for n, operations in enumerate(MODEL)),
    ),
    ("CM", "SC"),
    {"essay": 7, "tags": ["a", None]},
)


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param(EVERYTHING, id="everything"),
        pytest.param(AnnotatedSentence(Sentence(())), id="nothing"),
        pytest.param(AnnotatedSentence(Sentence(("a",), "")), id="text without its tokens"),
        pytest.param(AnnotatedSentence(Sentence(("a", "b"))), id="joined"),
        pytest.param(AnnotatedSentence(Sentence(("a", "b"), "a b"), labels=()), id="same text given"),
        pytest.param(AnnotatedSentence(Sentence(("😀", "\u2028"), "😀\u2028", "")), id="odd characters"),
    ],
)
def test_jsonl_says_everything(sentence: AnnotatedSentence) -> None:
    assert parse(render([sentence], "jsonl"), "jsonl") == [sentence]


def test_jsonl_gives_character_offsets() -> None:
    edits = json.loads(render([EVERYTHING], "jsonl"))["annotations"]
    assert edits[0]["edits"][0]["chars"] == [2, 6]
    assert edits[1]["edits"][0]["chars"] == [12, 12]
    chinese = AnnotatedSentence(Sentence(("我", "很", "好")), (Annotation("0", (Edit(1, 2, ()),)),))
    line = json.loads(render([chinese], "jsonl"))
    assert (line["text"], line["annotations"][0]["edits"][0]["chars"]) == ("我很好", [1, 2])


@pytest.mark.parametrize(
    ("text", "tokens", "spans"),
    [
        ("a bc", ("a", "bc"), [(0, 1), (2, 4)]),
        ("aa", ("a", "a"), [(0, 1), (1, 2)]),
        ("“a”", ('"', "a", '"'), None),
        ("", (), []),
    ],
)
def test_locate_tokens(text: str, tokens: tuple[str, ...], spans: list[tuple[int, int]] | None) -> None:
    assert locate_tokens(text, tokens) == spans


EDIT = {"start": 0, "end": 1, "replacement": ["b"]}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{", "not JSON: "),
        ("", "not JSON: "),
        ("3", "'the line' is not an object"),
        ("NaN", "NaN is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ({}, "'tokens' is missing"),
        ({"tokens": ["a", 1]}, "'tokens' is not a string"),
        ({"tokens": [], "token": []}, "unknown field 'token'"),
        ({"tokens": ["a"], "text": "b", "is_joined": True}, "'text' is not the tokens joined"),
        ({"tokens": ["a"], "annotations": [{"status": "lost"}]}, "'lost' is not a valid Status"),
        ({"tokens": ["a"], "annotations": [{"edits": [EDIT | {"end": -1}]}]}, "edit span 0:-1 runs backwards"),
        ({"tokens": ["a"], "annotations": [{"edits": [EDIT | {"end": 2}]}]}, "edit span 0:2 goes beyond the 1 tokens"),
        ({"tokens": ["a"], "annotations": [{"edits": [EDIT | {"chars": [0, 9]}]}]}, "are not the characters of tokens"),
        ({"tokens": [], "annotations": [{"alignment": True}]}, "'alignment' is not a number"),
        ({"tokens": [], "annotations": [{"operations": {"move": 1}}]}, "unknown field 'move'"),
        ({"tokens": [], "meta": []}, "'meta' is not an object"),
    ],
)
def test_bad_jsonl_is_named(value: Any, message: str) -> None:
    line = value if isinstance(value, str) else json.dumps(value)
    with pytest.raises(FormatError) as caught:
        parse('{"tokens": []}\n' + line + "\n", "jsonl")
    assert (caught.value.origin, caught.value.line) == ("x.json", 2)
    assert message in str(caught.value)


def test_jsonl_refuses_an_edit_beyond_the_end() -> None:
    with pytest.raises(DataError, match="ends after token 1"):
        render([AnnotatedSentence(Sentence(("a",)), (Annotation("0", (Edit(0, 2, ()),)),))], "jsonl")
