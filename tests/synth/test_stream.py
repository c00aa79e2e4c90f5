"""Streaming: the same text whatever the number of processes, every line accounted for, and the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.edits.texts import target_text
from errata.formats import iter_sentences
from errata.synth import NoiseModel, stream
from errata.synth.stream import Job, corrupt_text

LINES = ["The children play in the garden.", "", "He didn't receive your letter, however.", "I agree with you."] * 60


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHUNK", 16)


def text_of(job: Job, workers: int) -> str:
    return "".join(text for text, _ in corrupt_text(LINES, job, workers=workers))


def test_workers_do_not_change_the_result(english: NoiseModel, small_chunks: None) -> None:
    job = Job(english, seed=5, copies=2)
    assert text_of(job, 1) == text_of(job, 2)
    assert text_of(job, 1) != text_of(Job(english, seed=6, copies=2), 1)


def test_text_is_read_no_further_than_needed(english: NoiseModel, small_chunks: None) -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield LINES[read % len(LINES)]

    list(islice(corrupt_text(endless(), Job(english)), 3))
    assert read == 3 * 16


def test_tally(english: NoiseModel) -> None:
    total = stream.Tally()
    for _, tally in corrupt_text(LINES, Job(english, copies=2)):
        total.add(tally)
    assert total.n_sentences == 2 * len(LINES)
    assert 0 < total.n_changed <= total.n_errors < total.n_tokens


@pytest.mark.parametrize("format", ["parallel", "m2", "jsonl"])
def test_files_can_be_read_back(english: NoiseModel, tmp_path: Path, format: str) -> None:
    path = tmp_path / "out"
    path.write_text("".join(text for text, _ in corrupt_text(LINES, Job(english, format=format))), "utf-8")
    sentences = list(iter_sentences(path, format))
    assert len(sentences) == len(LINES)
    assert (
        target_text(sentences[2].sentence, sentences[2].annotations[0]) == "He did n't receive your letter , however ."
    )


@pytest.fixture
def files(english: NoiseModel, tmp_path: Path) -> Path:
    (tmp_path / "pairs.tsv").write_text("set\tHe go home .\tHe goes home .\nset\tI am agree .\tI agree .\n", "utf-8")
    (tmp_path / "train.m2").write_text("S He is on home .\nA 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||0\n\n", "utf-8")
    (tmp_path / "text.txt").write_text("He is at home.\nYou are at work.\n", "utf-8")
    english.save(tmp_path / "errors.json")
    return tmp_path


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["synth", *map(str, arguments)])
    return result.exit_code, result.output if result.exception is None else f"{result.output}{result.exception}"


def test_learn_corrupt_show(files: Path) -> None:
    model = files / "m.json.xz"
    code, output = run("learn", files / "train.m2", "--min-count", 1, "--text", files / "text.txt", "-o", model)
    assert code == 0 and "1 phrases by heart" in output
    code, output = run("show", model, "--json")
    facts = json.loads(output)
    assert code == 0 and facts["provenance"]["corpora"][0]["name"] == "train.m2"
    out = files / "out.m2"
    code, output = run("corrupt", files / "text.txt", "-m", model, "--format", "m2", "--clean", 0, "-o", out)
    assert code == 0 and "2 sentences, 2 changed" in output
    assert "R:PREP|||at" in out.read_text("utf-8")


def test_learn_from_a_table(files: Path) -> None:
    code, output = run("learn", files / "pairs.tsv", "--columns", "2,3", "--min-count", 1, "-o", files / "m.json")
    assert code == 0 and "'sentences': 2" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learn", "pairs.tsv", "--columns", "2;3", "-o", "m.json"], "give two numbers such as 2,3"),
        (["learn", "pairs.tsv", "--columns", "2,9", "-o", "m.json"], "pairs.tsv:1: has 3 columns, 9 needed"),
        (["learn", "train.m2", "--lang", "fr", "-o", "m.json"], "unknown language 'fr' (choose from en, zh)"),
        (["learn", "missing.m2", "-o", "m.json"], "missing.m2: No such file"),
        (["corrupt", "text.txt", "-m", "train.m2"], "is not a noise model"),
        (["corrupt", "text.txt", "-m", "errors.json", "--mix", "typing"], "such as typing=0.1"),
        (["corrupt", "text.txt", "-m", "errors.json", "--mix", "tping=1"], "did you mean 'typing'?"),
        (["corrupt", "text.txt", "-m", "errors.json", "--format", "csv"], "unknown format 'csv'"),
        (["corrupt", "text.txt", "-m", "errors.json", "--rate", "5"], "rate 5.0 is not between 0 and 1"),
    ],
)
def test_mistakes_are_one_line(
    files: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    code, output = run(*arguments)
    assert code != 0 and message in output
    assert not (files / "m.json").exists()
