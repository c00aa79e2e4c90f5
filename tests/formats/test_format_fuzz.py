"""Whatever comes in, nothing but FormatError comes out; and what is read survives writing and reading."""

from __future__ import annotations

import io
import json
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from errata.errors import FormatError, UsageError
from errata.formats import FORMATS, detect_format, get_format
from errata.model import AnnotatedSentence

NONE = "|||REQUIRED|||-NONE-|||"
OPERATIONS = [
    {"Switch": [1, 0, 2, 3], "Delete": [3]},
    {
        "Insert": [{"pos": -1, "tag": "INS_1", "label": ["a", "b"]}],
        "Modify": [{"pos": 1, "tag": "MOD_2+DEL_1", "label": "x"}],
    },
]
RECORD = {"sentence": "他们学习", "error_flag": 1, "error_type": "CM;SC", "operation": json.dumps(OPERATIONS), "v": 1.5}
EDIT = {"start": 0, "end": 1, "chars": [0, 1], "replacement": ["c"], "type": "R", "alternatives": [[]]}
ANNOTATION = {
    "annotator": "0",
    "status": "annotated",
    "target": "c",
    "alignment": 1,
    "edits": [{**EDIT, "is_required": False, "comment": "k", "severity": "2"}],
    "operations": {
        "switch": [0],
        "delete": [1],
        "insert": [{"position": -1, "texts": ["x"]}],
        "modify": [{"position": 0, "length": 1, "texts": ["y"]}],
    },
}
LINE = {
    "id": "1",
    "text": "a  b",
    "tokens": ["a", "b"],
    "labels": ["x"],
    "annotations": [ANNOTATION],
    "meta": {"a": [1]},
}

SEEDS = {
    "m2": [
        f"S This are a sentence .\nA 1 2|||R:VERB:SVA|||is{NONE}0\nA 2 3|||U:DET|||{NONE}0\n"
        f"A -1 -1|||noop|||-NONE-{NONE}1\n\nS a   b\n\n",
    ],
    "m2scorer": [
        "S a b\nA 0 1|||X|||c||-NONE-||d e|||OPTIONAL|||why|||7\nA 2 2|||UNK|||-NONE-|||3|||-NONE-|||7\n\n",
        f"S a b\nA 0 1|||X|||c| || |d||e{NONE}0\n\n",
    ],
    "cherrant": [
        f"S 我 的 [缺失成分] 猫\nT0-A0 我 的 小 猫\nA 2 3|||S|||小{NONE}0\nT0-A1 我 的 小 猫\nA 2 2|||M|||小{NONE}0\n"
        f"T1 没有错误\nA -1 -1|||noop|||-NONE-{NONE}1\nT2 无法标注\nA -1 -1|||NA|||-NONE-{NONE}2\n\n",
        f"S 今天 好\nT0-A0 今天 很 好\nA 1 1|||M:ADV|||很{NONE}0\n\n"
        f"S 我 好\nT0-A0 我 非常 好\nA 1 1|||M|||非常{NONE}0\n\n",
        f"S 我    好\nT0-A0 我   好\nT0-A1 我    好\nA -1 -1|||noop|||-NONE-{NONE}0\n\n",
    ],
    "parallel": ["a b\ta c\t\n\n我们去\t我 们\n"],
    "mucgec": ["1\t我 是\t没有错误\t无法标注\t我\n2\t\t\n"],
    "fcgec": [
        json.dumps({"r": RECORD, "": {"sentence": "", "error_type": "*"}}),
        json.dumps({"r": {"sentence": "好", "error_flag": 0, "error_type": "*", "operation": []}}, ensure_ascii=False),
    ],
    "robustgec": ["O-S a b\nO-T a\nO-P \nA1-S c\nA1-T d\n\nO-S e\nO-T f\n"],
    "jsonl": [json.dumps(LINE) + "\n"],
}
# Pieces that matter to some parser, so that mutations hit more than noise.
PIECES = st.sampled_from(
    "||| || | S_ A_ T0-A0_ T1_ -1 0 9 noop NA -NONE- 没有错误 无法标注 O-S_ A1-P_ { } [ ] , null \\ud800 "
    '\\u0041 1e999 NaN MOD_ * ; " [MC] 我 é 😀 ___'.replace("_", " ").split(" ")
    + list("\t\n\r \ufeff\u2028\x85\x0b\x1c\u3000\xa0")
    + ["\r\n", "\n\n", "   "]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)


@st.composite
def mutated(draw: st.DrawFn, seeds: list[str]) -> str:
    """A valid file with some slices replaced."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + draw(st.sampled_from([0, 0, 1, 3, 12])))))
        text = text[:start] + draw(PIECES) + text[end:]
    return text


def read(name: str, text: str) -> list[AnnotatedSentence] | None:
    try:
        return list(get_format(name).parse(io.StringIO(text, newline="\n")))
    except FormatError as error:
        assert "\n" not in str(error)
        return None


def check(name: str, text: str) -> None:
    sentences = read(name, text)
    if sentences is not None:
        written = "".join(get_format(name).format(sentences))
        assert read(name, written) == sentences
        assert "".join(get_format(name).format(read(name, written) or [])) == written


@pytest.mark.parametrize("name", FORMATS)
def test_seeds_are_valid(name: str) -> None:
    assert all(read(name, seed) for seed in SEEDS[name])


@pytest.mark.parametrize("name", FORMATS)
@settings(deadline=None, max_examples=120)
@given(data=st.data())
def test_mutated_files(name: str, data: st.DataObject) -> None:
    check(name, data.draw(mutated(SEEDS[name])))


@pytest.mark.parametrize("name", FORMATS)
@settings(deadline=None, max_examples=60)
@given(text=st.lists(PIECES, max_size=20).map("".join) | st.text(st.characters(exclude_categories=["Cs"])))
@example(text="")
@example(text="\n")
@example(text="[" * 100_000)
@example(text='{"tokens": [' + "9" * 5000 + "]}")
def test_any_text(name: str, text: str) -> None:
    check(name, text)


@settings(deadline=None)
@given(text=st.sampled_from(sorted(SEEDS)).flatmap(lambda name: mutated(SEEDS[name])))
def test_detection_gives_a_format_or_a_usage_error(text: str) -> None:
    with suppress(UsageError):
        assert detect_format(text) in FORMATS
