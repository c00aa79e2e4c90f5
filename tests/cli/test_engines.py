"""Commands on shards: the same output as without, and one clear line where they cannot be cut."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from random import Random

import pytest
from command_runs import Run, as_written
from hypothesis import given
from hypothesis import strategies as st

from doc_examples import check_commands
from errata.cli.corrections import correct_lines, split_lines
from errata.metrics.base import Item, get_metric
from errata.metrics.inputs import make_items, read_hypotheses, read_parallel
from errata.model import Correction

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ["He have two cat .", "I only have one .", "", "This are fine .", "She go home ."] * 5
TARGET = ["He has two cats .", "I have only one .", "", "This is fine .", "She goes home ."] * 5
OTHER = ["He has two cat .", "I only have one .", "", "These are fine .", "She went home ."] * 5
CHINESE = ["我爱你门。", "他去学校了。", "今天天气很好。"] * 4
SIMPLER = ["我爱你们。", "他去了学校。", "今天天气很好。"] * 4
SHARDS = ("--engine", "local", "--shards", "4")


@pytest.fixture
def files(tmp_path: Path, run: Run) -> Path:
    for name, lines in (("src", SOURCE), ("tgt", TARGET), ("hyp", OTHER), ("zh", CHINESE), ("zh-tgt", SIMPLER)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return tmp_path


def outputs(run: Run, files: Path, command: str) -> tuple[bytes, bytes]:
    """What a command writes to `-o` without and with shards."""
    written = []
    for name, more in (("one", ()), ("shards", SHARDS)):
        code, _, err = run(*shlex.split(command), "-o", name, *more)
        assert code == 0, err
        written.append((files / name).read_bytes())
    assert not list(files.glob(".*"))
    return written[0], written[1]


@pytest.mark.parametrize(
    "command",
    [
        *(f"extract src.txt tgt.txt hyp.txt --to {name}" for name in ("m2", "m2scorer", "jsonl", "parallel")),
        "extract zh.txt zh-tgt.txt --lang zh",
        "extract src.txt tgt.txt --merge all-split",
    ],
)
def test_extract(run: Run, files: Path, command: str) -> None:
    one, shards = outputs(run, files, command)
    assert shards == one != b""


@pytest.mark.parametrize("options", ["", "--format jsonl --explain", "--format diff", "--format m2 --lang en"])
def test_correct(run: Run, files: Path, options: str) -> None:
    one, shards = outputs(run, files, f"correct src.txt --tokenised --model en-small {options}")
    assert shards == one != (files / "src.txt").read_bytes()


@pytest.mark.parametrize("format", ["parallel", "m2", "jsonl"])
def test_synth(run: Run, files: Path, format: str) -> None:
    assert run("extract", "src.txt", "tgt.txt", "-o", "edits.m2")[0] == 0
    assert run("synth", "learn", "edits.m2", "-o", "noise.json")[0] == 0
    one, shards = outputs(run, files, f"synth corrupt tgt.txt --model noise.json --copies 2 --format {format}")
    assert shards == one != b""


@pytest.mark.parametrize(
    "options",
    [
        "-m errant -m gleu -m green -m exact-match -m detection --src src.txt --ref tgt.txt --ref hyp.txt "
        "--hyp hyp.txt --hyp src.txt --json --sentences",
        "-m errant --src src.txt --ref tgt.txt --hyp hyp.txt --by-type",
        "-m cherrant --src zh.txt --ref zh-tgt.txt --hyp zh.txt --csv",
    ],
)
def test_score(run: Run, files: Path, options: str) -> None:
    command = ("score", *shlex.split(options), "--bootstrap", "50")
    code, one, err = run(*command)
    assert code == 0, err
    assert run(*command, *SHARDS)[1] == one
    assert not list(files.glob(".*"))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("correct src.txt -o out --engine ray", "give --tokenised or --markup none"),
        ("correct src.txt --tokenised --engine ray", "give -o FILE"),
        ("correct - --tokenised -o out --engine ray", "standard input"),
        ("correct src.txt tgt.txt --tokenised -o out --engine ray", "one file at a time, not 2"),
        ("correct src.txt --tokenised -o out --format json --engine ray", "give --format jsonl"),
        ("correct src.txt --tokenised -o out --format m2 --engine ray", "give --lang en or --lang zh"),
        ("correct src.txt --tokenised --check --engine ray", "leave --check and --in-place out"),
        ("correct src.txt --tokenised -o out --engine rya", "did you mean 'ray'"),
        ("correct src.txt --tokenised -o out --shards 3", "--shards goes with --engine ray or local"),
        ("correct src.txt --tokenised -o out --engine local --ray-address here:1", "give --engine ray"),
        ("correct src.txt --tokenised -o out --engine ray --device cuda", "no GPU"),
        ("correct src.txt --tokenised -o src.txt/out --engine local", "no folder"),
        ("extract src.txt tgt.txt --engine ray", "give -o FILE"),
        ("extract src.txt tgt.txt -o out --to mucgec --engine ray", "give --to cherrant, jsonl, m2"),
        ("extract src.txt tgt.txt -o out --workers 2 --engine ray", "leave --workers or --engine out"),
        ("score -m maxmatch --m2 gold.m2 --hyp hyp.txt --engine ray", "maxmatch cannot be cut into shards"),
        (
            "score -m errant --max-refs 1 --src src.txt --ref tgt.txt --hyp hyp.txt --engine ray",
            "errant with --max-refs cannot be cut",
        ),
        ("score -m errant --src src.txt --ref tgt.txt --hyp - --engine ray", "standard input"),
    ],
)
def test_what_cannot_be_cut_is_refused_in_one_line(run: Run, files: Path, command: str, message: str) -> None:
    code, out, err = run(*shlex.split(command))
    assert (code in (1, 2), out, err.count("\n")) == (True, "", 1), err
    assert message in err
    assert not list(files.glob(".*"))


@pytest.mark.parametrize("name", ["errant", "gleu", "green", "exact-match", "detection"])
def test_statistics_depend_on_their_sentence_alone(name: str, files: Path) -> None:
    gold = read_parallel(str(files / "src.txt"), [str(files / "tgt.txt"), str(files / "hyp.txt")])
    items: list[Item] = make_items(gold, read_hypotheses(str(files / "hyp.txt"), gold, "text"))
    Random(0).shuffle(items)
    metric = get_metric(name)
    assert metric.is_cuttable
    assert metric.stats(items) == [one for item in items for one in get_metric(name).stats([item])]


class Unchanged:
    """A corrector that changes nothing, for the way of lines alone."""

    name, language = "none", "en"

    def correct(self, sentences: list[str], **options: object) -> list[Correction]:
        return [Correction(sentence) for sentence in sentences]


@given(st.text(alphabet="ab \r\n\ufeff\u2028"), st.integers(0, 6))
def test_lines_are_numbered_alike_wherever_they_are_cut(text: str, place: int) -> None:
    rows = list(split_lines([re.findall(r"[^\n]*\n|[^\n]+", text)]))
    assert "".join(rows) == text
    whole = list(correct_lines(Unchanged(), "x", [rows], lambda: None))
    head = list(correct_lines(Unchanged(), "x", [rows[:place]], lambda: None))
    rest = list(correct_lines(Unchanged(), "x", [rows[place:]], lambda: None, place + 1))
    assert (head + rest)[: len(whole)] == whole


def test_the_examples_of_the_page(run: Run, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    check_commands(ROOT / "docs" / "scale.md", as_written(run), "extract", "score", "correct")
