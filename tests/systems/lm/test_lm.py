"""The language-model corrector: confusion sets, scores, thresholds, folders."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError, ErrataError
from errata.pipeline.load import load_model
from errata.systems.base import load_system
from errata.systems.lm.causal import load_causal
from errata.systems.lm.confusions import CONFUSIONS, confusion_edits
from errata.systems.lm.corrector import LanguageModelCorrector
from errata.systems.lm.settings import LmSettings, fresh_settings, read_settings, write_settings
from errata.systems.lm.tuning import tune
from errata.training.pairs import DevSentence


def alternatives(text: str, language: str, *names: str) -> set[str]:
    tokens = text.split()
    edits = confusion_edits(tokens, language, names or tuple(CONFUSIONS[language]))
    return {f"{tokens[edit.start]}>{''.join(edit.replacement)}" for edit in edits}


@pytest.mark.parametrize(
    ("text", "names", "some", "none"),
    [
        ("She go home", ["inflections"], {"go>goes", "go>went", "go>going"}, {"She>"}),
        ("two dog", ["inflections"], {"dog>dogs"}, set()),
        ("The dog", ["determiners"], {"The>A", "The>An", "The>"}, {"dog>"}),
        ("look at it", ["prepositions"], {"at>for", "at>"}, {"look>"}),
        ("we recieve it", ["spelling"], {"recieve>receive"}, set()),
    ],
)
def test_english_confusions(text: str, names: list[str], some: set[str], none: set[str]) -> None:
    found = alternatives(text, "en", *names)
    assert some <= found
    assert not none & found


@pytest.mark.parametrize("text", ["we receive it", "the color", "by Zzyzx road"])
def test_known_words_and_names_are_spelt_right(text: str) -> None:
    assert not alternatives(text, "en", "spelling")


def test_chinese_confusions() -> None:
    found = alternatives("他 在 跑 的 快", "zh")
    assert {"在>再", "的>得", "的>地"} <= found


@given(st.lists(st.sampled_from("a the The go dog in at recieve ! 3 I".split()), max_size=6))
@settings(max_examples=40, deadline=None)
def test_confusions_are_real_edits(tokens: list[str]) -> None:
    edits = list(confusion_edits(tokens, "en", tuple(CONFUSIONS["en"])))
    assert len(set(edits)) == len(edits)
    assert all(edit.replacement != tuple(tokens[edit.start : edit.end]) for edit in edits)


@pytest.fixture
def system(lm_folder: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "system"
    write_settings(folder, "en", fresh_settings("en", str(lm_folder)).with_threshold("bold", 1.0), {})
    return folder


def test_corrects_text_and_keeps_the_rest(system: Path) -> None:
    text = "  She go to school by bus.\tHe goes to work by train. "
    (corrected,) = load_model(system).correct([text])
    assert corrected.target == text.replace("go ", "goes ", 1)
    assert [(e.start, e.end, e.replacement) for e in corrected.edits] == [(6, 8, "goes")]
    assert 0.5 < (corrected.edits[0].confidence or 0) <= 1


def test_nothing_passes_an_impossible_threshold(system: Path) -> None:
    assert load_system(system, threshold=1e-6).propose([("She", "go", "to", "school")]) == [[]]
    assert load_system(system).propose([()]) == [[]]


def test_sentences_are_corrected_alike_together_and_alone(system: Path) -> None:
    texts = [
        "She go to school by bus .",
        "He goes to work .",
        "",
        "They goes to the park .",
        "She go to work .",
    ]
    sentences = [tuple(text.split()) for text in texts]
    model = load_system(system)
    together = model.propose(sentences)
    assert [one.edit for one in together[0]] and not together[2]
    for tokens, edits in zip(sentences, together, strict=True):
        (alone,) = model.propose([tokens])
        assert [one.edit for one in alone] == [one.edit for one in edits]
        assert [one.confidence for one in alone] == pytest.approx([one.confidence for one in edits], abs=1e-5)


def test_corrects_with_shorter_numbers(system: Path) -> None:
    language, shorter = read_settings(system)
    write_settings(system, language, replace(shorter, precision="bfloat16"), {})
    [edit] = load_system(system).propose([("She", "go", "to", "school", "by", "bus", ".")])[0]
    assert edit.edit.replacement == ("goes",)


def test_domains(system: Path) -> None:
    assert load_system(system, domain="bold").threshold == 1.0
    assert load_system(system).threshold == 0.96
    with pytest.raises(ErrataError, match="unknown domain 'bald'; did you mean 'bold'"):
        load_system(system, domain="bald")


def test_tuning_finds_the_best_threshold(system: Path) -> None:
    model = load_system(system)
    assert isinstance(model, LanguageModelCorrector)
    from errata.model import Edit

    dev = [
        DevSentence(("She", "go", "to", "school", "by", "bus", "."), ((Edit(1, 2, ("goes",)),),)),
        DevSentence(("He", "goes", "to", "work", "by", "train", "."), ((),)),
    ]
    best, trials = tune(model, dev)
    assert best.scores["f0.5"] == max(trial.scores["f0.5"] for trial in trials) == 1.0
    assert [trial.threshold for trial in trials] == [round(0.9 + 0.01 * i, 2) for i in range(11)]


def test_settings_come_back(tmp_path: Path) -> None:
    written = LmSettings(model="gpt2", thresholds={"default": 0.9, "web": 0.93}, margin=2.5, precision="bfloat16")
    write_settings(tmp_path, "en", written, {})
    assert read_settings(tmp_path) == ("en", written)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"treshold": 1}, "unknown setting 'treshold'"),
        ({"confusions": ["speling"]}, "did you mean 'spelling'"),
        ({"thresholds": {"web": 0.9}}, "thresholds lacks the domain 'default'"),
        ({"thresholds": {"default": 2}}, "a threshold is above 0"),
        ({"precision": "float16"}, "precision is one of float32, bfloat16"),
        ({"lag": float("nan")}, "lag one of 0 or more"),
        ({"lag": "x"}, "lag one of 0 or more"),
        ({"lag": -1}, "lag one of 0 or more"),
        ({"margin": float("nan")}, "margin is a number above 0"),
        ({"passes": 1.5}, "passes is a whole number from 1"),
    ],
)
def test_bad_settings_are_one_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    (tmp_path / "errata.json").write_text(json.dumps({"system": "lm", "language": "en", "settings": change}))
    with pytest.raises(ErrataError, match=message):
        read_settings(tmp_path)


@pytest.mark.parametrize("name", ["package:no_such_package", "/no/such/folder", "missing.gguf"])
def test_a_model_that_is_not_there_is_one_line(name: str) -> None:
    with pytest.raises(DataError) as caught:
        load_causal(name)
    assert name in str(caught.value) and "\n" not in str(caught.value)
