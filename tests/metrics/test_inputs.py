"""From files to items: kinds of hypotheses, traps of real files, options read from text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from errata.errors import AlignmentError, FormatError, UnknownName, UsageError
from errata.metrics.inputs import (
    Gold,
    check_sources,
    make_items,
    make_sentence,
    parse_labels,
    read_gold,
    read_hypotheses,
    read_parallel,
)
from errata.metrics.options import make_metrics, read_value
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence

ENGLISH = Gold("gold", (AnnotatedSentence(Sentence(("a", "b"))), AnnotatedSentence(Sentence(("c",)))))
EDITED = Annotation("0", (Edit(0, 1, ("x",), "R:X"),))
CHINESE = Gold("gold", (AnnotatedSentence(Sentence(tuple("天气好"))),))


def _write(folder: Path, content: str | bytes, name: str = "file.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "outputs"),
    [
        ("a b\nc\n", ["a b", "c"]),
        ("a b\nc", ["a b", "c"]),
        ("\ufeffa b\r\nc\r\n", ["a b", "c"]),
        ("a b\n\n", ["a b", ""]),
        ("S 1 x\nA plan\n", ["S 1 x", "A plan"]),
        ("S a b\nA 0 1|||R:X|||x|||REQUIRED|||-NONE-|||0\n\nS c\n", [EDITED, Annotation()]),
        ("S a b\n\nS c\n", [Annotation(), Annotation()]),
    ],
    ids=["plain", "no final newline", "BOM and CRLF", "empty hypothesis", "text like M2", "M2", "M2 without edits"],
)
def test_hypotheses(tmp_path: Path, content: str, outputs: list[Any]) -> None:
    found = read_hypotheses(_write(tmp_path, content), ENGLISH)
    assert [one.output for one in found] == outputs


@pytest.mark.parametrize(
    ("content", "output", "labels"),
    [
        ("天气真好\n", "天气真好", None),
        ("7\t天气好\t天气真好\n", "天气真好", None),
        ("CM;SC\n", None, ("CM", "SC")),
        ("*\n", None, ()),
        ('{"x": {"error_flag": 1, "correction": "天气真好"}}', "天气真好", ("erroneous",)),
        ('{"x": {"error_flag": 0}}', None, ()),
        ('{"x": {"error_type": ["CM", "SC"]}}', None, ("CM", "SC")),
    ],
    ids=["text", "columns", "labels", "correct", "prediction", "flag alone", "list of types"],
)
def test_chinese_hypotheses(tmp_path: Path, content: str, output: Any, labels: Any) -> None:
    (found,) = read_hypotheses(_write(tmp_path, content), CHINESE)
    assert (found.output, found.labels) == (output, labels)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ('{"x": ', FormatError, "file.txt:1: not JSON"),
        ('{"x": 1}', FormatError, "an object of objects"),
        ('{"x": {}, "y": {}}', AlignmentError, "has 2 predictions, gold 1 sentences"),
        ('{"x": {"correction": 3}}', FormatError, "prediction x: the correction is not a text"),
        ('{"x": {"error_type": "C M;"}}', FormatError, "not a list of error types"),
    ],
)
def test_wrong_predictions(tmp_path: Path, content: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_hypotheses(_write(tmp_path, content), CHINESE)


def test_predictions_are_matched_by_id(tmp_path: Path) -> None:
    gold = Gold("gold", (AnnotatedSentence(Sentence(("好",), id="x")), AnnotatedSentence(Sentence(("坏",), id="y"))))
    path = _write(tmp_path, '{"y": {"error_type": "CM"}, "x": {"error_type": "*"}}')
    assert [one.labels for one in read_hypotheses(path, gold)] == [(), ("CM",)]
    with pytest.raises(AlignmentError, match="1 sentences of gold have no prediction, the first is x; 1 are not in it"):
        read_hypotheses(_write(tmp_path, '{"y": {}, "z": {}}'), gold)


def test_the_kind_can_be_said(tmp_path: Path) -> None:
    path = _write(tmp_path, "CM\n")
    assert read_hypotheses(path, CHINESE, "text")[0].output == "CM"
    with pytest.raises(UnknownName, match="unknown kind of hypothesis 'lables'; did you mean 'labels'"):
        read_hypotheses(path, CHINESE, "lables")
    with pytest.raises(FormatError, match=r"file\.txt:1: not a list of error types"):
        read_hypotheses(_write(tmp_path, "a b c\n"), CHINESE, "labels")


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("天气好。", ("天", "气", "好", "。")),
        ("天气 好", ("天气", "好")),
        ("a b", ("a", "b")),
        ("", ()),
        ("缺[缺失成分]了", ("缺", "[缺失成分]", "了")),
    ],
)
def test_sources(line: str, tokens: tuple[str, ...]) -> None:
    assert make_sentence(line) == Sentence(tokens, line)


def test_parallel_texts(tmp_path: Path) -> None:
    source, reference = _write(tmp_path, "a b\n", "src"), _write(tmp_path, "a c\n", "ref")
    gold = read_parallel(source, [reference, reference])
    (item,) = make_items(gold, read_hypotheses(reference, gold))
    assert (item.hypothesis, item.references) == ("a c", ("a c", "a c"))


def test_sources_may_be_spaced_or_not(tmp_path: Path) -> None:
    for content in ("天气好\n", "天 气 好\n"):
        check_sources(CHINESE, _write(tmp_path, content))
    check_sources(ENGLISH, _write(tmp_path, "a  b\nc\n"))
    with pytest.raises(AlignmentError, match=r"file\.txt:1: differs from the source in gold"):
        check_sources(ENGLISH, _write(tmp_path, "ab\nc\n"))


def test_labels_are_kept_once() -> None:
    assert parse_labels("CM, SC;CM") == ("CM", "SC")


def test_gold_with_operations(tmp_path: Path) -> None:
    content = (
        '{"x": {"sentence": "很好很好", "error_flag": 1, "error_type": "CR", "operation": "[{\\"Delete\\": [0, 1]}]"}}'
    )
    gold = read_gold(_write(tmp_path, content, "gold.json"))
    (item,) = make_items(gold, read_hypotheses(_write(tmp_path, "很好\n"), gold))
    assert (item.references, item.labels) == (("很好",), ("CR",))


@pytest.mark.parametrize(
    ("value", "type_", "read"),
    [
        ("1", float, 1.0),
        ("3", int, 3),
        ("yes", bool, True),
        ("off", bool, False),
        ("a,b", tuple[str, ...], ("a", "b")),
        ("x", str | None, "x"),
        ("none", str | None, None),
        ("/tmp", Path | None, Path("/tmp")),
        (2.5, float, 2.5),
    ],
)
def test_values_of_options(value: Any, type_: Any, read: Any) -> None:
    assert read_value("option", value, type_) == read


def test_options_reach_the_metrics_that_know_them() -> None:
    errant, exact = make_metrics({"errant": {"beta": 2.0, "mode": "ds"}, "exact-match": {}}, {"beta": "1"})
    assert (errant.options.beta, errant.options.mode) == (1.0, "ds")  # type: ignore[attr-defined]
    assert exact.name == "exact-match"
    with pytest.raises(UsageError, match="--lexicon means nothing to errant; it takes beta, by_type"):
        make_metrics({"errant": {}}, {"lexicon": "x"})
    with pytest.raises(UsageError, match="yes or no, not 'maybe'"):
        make_metrics({"errant": {}}, {"single": "maybe"})
