"""Whatever a verb is given that makes no sense is one line that names it: a `TypeError`, or an `ErrataError`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import errata
from errata.edits.base import get_extractor
from errata.formats.base import get_format
from errata.formats.m2 import M2
from errata.parameters import check_type

SOURCES = ["This are a sentence .", "I like cat ."]
TARGETS = ["This is a sentence .", "I like cats ."]
CHINESE = {"sources": ["我爱你门。"], "hypotheses": ["我爱你们。"], "references": ["我爱你们。"]}
GOLD = "examples/scoring/gold.m2"
ANYTHING = object()


def correct(**given: Any) -> object:
    return errata.correct(**{"text": "She go home.", "model": "en-small", **given})


def load_corrector(**given: Any) -> object:
    return errata.load_corrector(**given)


def correct_many(**given: Any) -> object:
    return errata.load_corrector().correct(**{"sentences": ["She go home."], **given})


def extract(**given: Any) -> object:
    return errata.extract(**{"source": SOURCES, "target": TARGETS, **given})


def extract_chinese(**given: Any) -> object:
    return errata.extract(**{"source": "我爱你门。", "target": "我爱你们。", **given})


def score(**given: Any) -> object:
    return errata.score(**{"sources": SOURCES, "hypotheses": TARGETS, "references": TARGETS, **given})


def score_chinese(**given: Any) -> object:
    return errata.score(**{**CHINESE, "metric": "cherrant", **given})


def compare(**given: Any) -> object:
    systems = {"old": SOURCES, "new": TARGETS}
    return errata.compare(**{"sources": SOURCES, "hypotheses": systems, "references": TARGETS, **given})


def read_corpus(**given: Any) -> object:
    return errata.read_corpus(**{"path": GOLD, **given})


def write_corpus(**given: Any) -> object:
    return errata.write_corpus(**{"corpus": errata.read_corpus(GOLD), "path": os.devnull, "format": "m2", **given})


def train(**given: Any) -> object:
    return errata.train(**{"recipe": "tagger-tiny", **given})


Call = Callable[..., object]

# Each parameter of each verb, with values of types that it does not take.
TYPES: list[tuple[Call, str, tuple[object, ...]]] = [
    (correct, "text", (None, 5, b"x", ["x"], ANYTHING)),
    (correct, "markup", (None, 5, True, ["text"])),
    (load_corrector, "model", (5, True, b"en-small", ["en-small"], ANYTHING)),
    (load_corrector, "language", (None, 5, ["en"])),
    (load_corrector, "preset", (3, True, ["careful"])),
    (load_corrector, "min_confidence", (None, "x", "0.5", True, [0.5])),
    (load_corrector, "words", (None, 5, "errata", b"errata", True)),
    (load_corrector, "terms", (None, 5, "errata")),
    (load_corrector, "tokenised", (None, "no", 1)),
    (correct, "keep_bias", ("x", True, [1])),
    (correct, "passes", ("2", 1.5, True)),
    (correct, "threads", (None, "2", 1.5, True)),
    (correct, "device", (None, 0)),
    (correct, "backend", (5,)),
    (correct_many, "sentences", (None, 5, "She go home.")),
    (correct_many, "markup", (None, 5)),
    (correct_many, "progress", (5, "x")),
    (extract, "source", (None, 5, "I go .", {"x": 1})),
    (extract, "target", (None, 5, "I go .", b"x")),
    (extract, "language", (None, 5)),
    (extract, "level", (5, ["word"])),
    (extract, "merge", (None, 5)),
    (extract, "lev", (None, 1, "no")),
    (extract, "tokenise", ("no",)),
    (extract, "workers", (None, "2", 1.5, True)),
    (extract, "analyser", (5, "spacy")),
    (extract_chinese, "lexicon", (5, "folder")),
    (extract_chinese, "simplify", ("no",)),
    (score, "sources", (None, 5, "I go .", b"x", {"x": 1})),
    (score, "hypotheses", (None, 5, "I go .")),
    (score, "references", (5, "I go .", {"x": 1})),
    (score, "metric", (None, 5, ["errant"], get_format("m2"))),
    (score, "language", (5, ["en"])),
    (score, "bootstrap", (None, 1.5, "10", True)),
    (score, "seed", (None, 1.5, "10", True)),
    (score, "beta", (None, "2", True, [1])),
    (score, "mode", (None, 5)),
    (score, "by_type", (5,)),
    (score, "single", ("no", 1)),
    (score, "filter", ("PUNCT", 5, None, [5])),
    (score_chinese, "lexicon", ("folder", 5)),
    (compare, "hypotheses", (None, 5, [SOURCES, TARGETS], {1: SOURCES, 2: TARGETS})),
    (compare, "method", (None, 5)),
    (compare, "n_resamples", (1.5, "10", True)),
    (compare, "seed", ("1",)),
    (read_corpus, "path", (None, 5, b"x", ["x"], ANYTHING)),
    (read_corpus, "format", (5, ["m2"], M2, get_extractor("en"))),
    (read_corpus, "strict", ("no", 1)),
    (write_corpus, "corpus", (None, 5, "x", ["x"], [None], {"x": 1})),
    (write_corpus, "path", (None, 5, b"x")),
    (write_corpus, "format", (5, M2)),
    (train, "recipe", (None, 5, b"x", ["x"])),
    (train, "settings", (5, "run.steps=5", [("run.steps", 5)], {5: 5})),
    (train, "resume", (None, "no")),
    (train, "restart", (None, "no")),
    (train, "device", (None, 0)),
]

# Values of the right type that make no sense.
VALUES: list[tuple[Call, str, tuple[object, ...]]] = [
    (correct, "markup", ("", "html")),
    (load_corrector, "model", ("", "no-such-model", Path("nowhere"))),
    (load_corrector, "language", ("", "fr")),
    (load_corrector, "preset", ("", "bold")),
    (load_corrector, "min_confidence", (-0.1, 1.1, float("nan"), float("inf"))),
    (load_corrector, "words", ([" "], [""], ["half \ud800"])),
    (load_corrector, "terms", (["x", "\t"],)),
    (correct, "keep_bias", (float("nan"), float("inf"))),
    (correct, "passes", (0, -1)),
    (correct, "threads", (-1,)),
    (correct, "batch_tokens", (-1,)),
    (extract, "source", (["half \ud800", "b"],)),
    (extract_chinese, "target", ("half \ud800",)),
    (score, "hypotheses", (["half \ud800", "b"],)),
    (extract, "workers", (0, -1)),
    (extract, "merge", ("", "none")),
    (extract_chinese, "level", ("", "letter")),
    (score, "metric", ("", "bleu")),
    (score, "bootstrap", (-1,)),
    (score, "seed", (-1,)),
    (score, "beta", (0, -1, float("nan"), float("inf"), 1e308, 1e-200)),
    (score, "mode", ("", "x")),
    (score, "extract", ("x",)),
    (compare, "n_resamples", (0, -1)),
    (compare, "seed", (-1,)),
    (read_corpus, "path", ("", "a\0b", "half \ud800", "nowhere.m2", "examples")),
    (read_corpus, "format", ("", "csv")),
    (write_corpus, "path", ("", "a\0b", "half \ud800", "nowhere/gold.m2", "examples")),
    (train, "recipe", ("", "a\0b", "nowhere.yaml", "no-such-recipe")),
    (train, "device", ("", "tpu2")),
]


def rows(table: list[tuple[Call, str, tuple[object, ...]]]) -> list[Any]:
    return [
        pytest.param(call, name, value, id=f"{call.__name__}-{name}-{number}")
        for call, name, values in table
        for number, value in enumerate(values)
    ]


def called(call: Call, name: str, value: object) -> object:
    extra = {"metric": "maxmatch"} if name == "extract" else {}
    return call(**{name: value, **extra})


@pytest.mark.parametrize(("call", "name", "value"), rows(TYPES))
def test_a_wrong_type_is_named(call: Call, name: str, value: object) -> None:
    with pytest.raises(TypeError) as caught:
        called(call, name, value)
    message = str(caught.value)
    assert "\n" not in message and ": give " in message
    assert message.startswith((f"{name} is of type ", f"{name}[0] is of type ", "the name of a "))


@pytest.mark.parametrize(("call", "name", "value"), rows(VALUES))
def test_a_wrong_value_is_one_line(call: Call, name: str, value: object) -> None:
    with pytest.raises(errata.ErrataError) as caught:
        called(call, name, value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (np.float32(0.5), float),
        (np.int64(5), int),
        (1, float),
        (None, str | None),
        (["PUNCT"], tuple[str, ...]),
        (M2(), str | errata.formats.base.Format),
        (print, Callable | None),
    ],
)
def test_what_is_meant_is_taken(value: object, kind: Any) -> None:
    check_type("it", value, kind)


def test_words_may_come_one_by_one() -> None:
    corrector = errata.load_corrector(words=(word for word in ["freinds"]), terms={"informations"})
    assert corrector.correct(["They is my freinds."])[0].target == "They are my freinds."


def test_options_of_a_format_that_has_them_already() -> None:
    with pytest.raises(errata.UsageError, match="strict is an option of formats given by name"):
        errata.read_corpus(GOLD, M2(), strict=False)


def test_a_setting_can_be_taken_back(tmp_path: Path) -> None:
    """`None` is YAML's null, not a word."""
    with pytest.raises(errata.FormatError, match="give steps or epochs, one of them"):
        errata.train("tagger-tiny", {"run.steps": None, "run.epochs": None, "run.folder": str(tmp_path)})
