"""`errata perturb` from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_runs import Run

from doc_examples import check_commands, check_snippets
from errata.formats.robustgec import parse_cases

PAIRS = (
    "My friend like the big dog of my neighbour .\tMy friend likes the big dog of my neighbour .\n"
    "The film was very interesting .\tThe film was very interesting .\n"
    "Her brother have a beautiful house .\tHer brother has a beautiful house .\n"
)
CHINESE = "1\t我爸爸跑的很快，但是朋友喜欢苹果。\t我爸爸跑得很快，但是朋友喜欢苹果。\n"

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "dev.tsv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def test_blocks_page_and_summary(run: Run, corpus: Path, tmp_path: Path) -> None:
    code, out, told = run("perturb", corpus, "-o", "dev.para", "--variants", "2", "--sample", "judge.md")
    assert (code, out) == (0, "")
    cases = list(parse_cases((tmp_path / "dev.para").read_text("utf-8").splitlines(keepends=True)))
    assert len(cases) >= 2
    assert all(len(case.variants) <= 2 for case in cases)
    assert "faithfulness" in told and "grammar" in told and "score" in told
    assert "[like → likes]" in (tmp_path / "judge.md").read_text("utf-8")


def test_errata_robust_takes_what_is_complete(run: Run, corpus: Path, tmp_path: Path) -> None:
    assert run("perturb", corpus, "-o", "dev.para", "--variants", "2", "--complete")[0] == 0
    lines = (tmp_path / "dev.para").read_text("utf-8").splitlines()
    hypotheses = [line.partition(" ")[2] for line in lines if line[:5].split(" ")[0].endswith("-T")]
    (tmp_path / "hyp.txt").write_text("".join(f"{line}\n" for line in hypotheses), encoding="utf-8")
    code, out, told = run("robust", "dev.para", "--hyp", "hyp.txt", "--json", "--bootstrap", "0")
    assert (code, told) == (0, "")
    assert json.loads(out)["subsets"]


def test_json_lines_say_what_was_changed(run: Run, corpus: Path) -> None:
    code, out, told = run("perturb", corpus, "--to", "jsonl", "--json", "--limit", "1")
    assert code == 0
    first, second = (json.loads(line) for line in out.splitlines()[:2])
    assert (first["meta"]["sample"], second["meta"]["sample"]) == ("O", "A1")
    assert second["meta"]["perturbation"]["action"] in ("substitute", "insert", "delete")
    assert second["annotations"][0]["edits"][0]["replacement"] == ["likes"]
    facts = json.loads(told)
    assert facts["sentences"] == 1 and facts["proposer"] == "words"


def test_more_text_gives_more_words(run: Run, tmp_path: Path) -> None:
    """A verb that no group has gets the adverb that was seen before it three times."""
    (tmp_path / "one.tsv").write_text("They juggle apples .\tThey juggle apples .\n", encoding="utf-8")
    (tmp_path / "more.txt").write_text("We cheerfully juggle.\n" * 4, encoding="utf-8")
    insert = ("perturb", "one.tsv", "--lang", "en", "--actions", "insert", "--variants", "20")
    assert "cheerfully" not in run(*insert)[1]
    assert "They cheerfully juggle apples ." in run(*insert, "--words", "more.txt")[1]


def test_chinese(run: Run, tmp_path: Path) -> None:
    (tmp_path / "zh.txt").write_text(CHINESE, encoding="utf-8")
    code, out, _ = run("perturb", "zh.txt", "--from", "mucgec")
    assert code == 0
    [case] = parse_cases(out.splitlines(keepends=True))
    assert case.original.target == "我爸爸跑得很快，但是朋友喜欢苹果。"
    assert case.variants


def test_raw_text_is_tokenised(run: Run, tmp_path: Path) -> None:
    (tmp_path / "raw.tsv").write_text("My friend like dogs.\tMy friend likes dogs.\n" * 2, encoding="utf-8")
    code, out, _ = run("perturb", "raw.tsv", "--tokenise", "--lang", "en")
    assert code == 0
    assert out == "" or "likes dogs ." in out


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        pytest.param("", ["--from", "m2"], 1, "in.txt: there are no sentences to perturb", id="empty"),
        pytest.param("S He go .\n\n", ["--from", "m2"], 1, "nobody has corrected any of the sentences", id="no-edits"),
        pytest.param("S a\nX b\n", ["--from", "m2"], 1, "in.txt:2", id="bad-line"),
        pytest.param(PAIRS, ["--variants", "0"], 2, "--variants", id="no-variants"),
        pytest.param(PAIRS, ["--proposer", "wrods"], 2, "did you mean 'words'?", id="unknown-proposer"),
        pytest.param(PAIRS, ["--lang", "de"], 2, "unknown language 'de'", id="unknown-language"),
        pytest.param(PAIRS, ["--actions", "swap"], 2, "unknown action 'swap'", id="unknown-action"),
        pytest.param(PAIRS, ["--proposer", "encoder"], 2, "needs a masked language model", id="no-model"),
        pytest.param(PAIRS, ["--proposer", "encoder", "--model", "./none"], 1, "no such folder", id="no-folder"),
        pytest.param(PAIRS, ["--proposer", "lm", "--model", "./none.gguf"], 1, "no such file", id="no-file"),
        pytest.param(PAIRS, ["--model", "gpt2"], 2, "has no model", id="words-have-no-model"),
        pytest.param(PAIRS, ["--skip", "9"], 1, "--skip", id="all-skipped"),
        pytest.param(PAIRS, ["--to", "m2"], 2, "unknown format 'm2'", id="format"),
        pytest.param(CHINESE, ["--from", "mucgec", "--tokenise"], 2, "--tokenise is for English", id="tokenise-zh"),
    ],
)
def test_refused(run: Run, tmp_path: Path, content: str, arguments: list[str], code: int, message: str) -> None:
    (tmp_path / "in.txt").write_text(content, encoding="utf-8")
    found, out, told = run("perturb", "in.txt", "-o", "out.para", *arguments)
    assert (found, out) == (code, "")
    assert message in told
    assert told.count("\n") == 1
    assert not (tmp_path / "out.para").exists()


def test_a_model_that_is_no_language_model(run: Run, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    for name in ("lm", "encoder"):
        code, _, told = run("perturb", corpus, "--proposer", name, "--model", "./other")
        assert code == 1
        assert "./other" in told or "other" in told


def test_nothing_half_written_when_it_is_killed(tmp_path: Path) -> None:
    """A process that is told to stop leaves neither output nor a file beside it."""
    corpus = tmp_path / "dev.tsv"
    corpus.write_text(PAIRS * 300, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "errata", "perturb", str(corpus), "-o", str(tmp_path / "dev.para")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob(".dev.para.*")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 128 + signal.SIGTERM
    assert [path.name for path in tmp_path.iterdir()] == ["dev.tsv"]


def test_the_examples_of_the_pages(
    run: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    check_commands(ROOT / "docs" / "commands" / "perturb.md", lambda command, _: run(*command.split())[1], "perturb")

    def execute(program: str) -> str:
        exec(compile(program, "perturb.md", "exec"), {})
        return capfd.readouterr().out

    check_snippets(ROOT / "docs" / "perturb.md", execute)
