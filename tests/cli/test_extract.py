"""errata extract and the drop-ins errant-parallel and errant-m2, from the outside."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from errata.cli import app, main

SOURCE = "He have a cat .\nFine .\n"
TARGET = "He has a cat .\nFine .\n"
M2 = """S He have a cat .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


@pytest.fixture(autouse=True)
def without_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERRATA_CACHE", "off")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("src.txt").write_text(SOURCE, encoding="utf-8")
    Path("tgt.txt").write_text(TARGET, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def fail(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[object, str]:
    """Exit code and the one line on standard error."""
    monkeypatch.setattr(sys, "argv", ["errata", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    return stopped.value.code, capsys.readouterr().err


def test_to_standard_output(files: Path) -> None:
    assert run("extract", "src.txt", "tgt.txt") == M2


def test_to_a_file_with_two_targets(files: Path) -> None:
    run("extract", "src.txt", "tgt.txt", "src.txt", "-o", "out.m2")
    lines = Path("out.m2").read_text("utf-8").splitlines()
    assert lines[1:3] == [M2.splitlines()[1], "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1"]


def test_options_reach_the_extractor(files: Path) -> None:
    Path("src.txt").write_text("Cat sat .\n", encoding="utf-8")
    Path("tgt.txt").write_text("The cat sat .\n", encoding="utf-8")
    assert "A 0 1|||M:DET|||The cat|||" in run("extract", "src.txt", "tgt.txt")
    assert "A 0 0|||M:DET|||The|||" in run("extract", "src.txt", "tgt.txt", "--merge", "all-split")


def test_raw_text(files: Path) -> None:
    Path("src.txt").write_text("He don't know.\n", encoding="utf-8")
    Path("tgt.txt").write_text("He doesn't know.\n", encoding="utf-8")
    assert run("extract", "src.txt", "tgt.txt", "--tokenise").startswith(
        "S He do n't know .\nA 1 2|||R:VERB:SVA|||does"
    )


def test_empty_lines_are_kept(files: Path) -> None:
    Path("src.txt").write_text("\nHi .\n\n", encoding="utf-8")
    Path("tgt.txt").write_text("\nHi !\n\n", encoding="utf-8")
    assert run("extract", "src.txt", "tgt.txt").count("\nA ") == 3


def test_chinese(files: Path) -> None:
    Path("src.txt").write_text("我有一只猫了。\n", encoding="utf-8")
    Path("tgt.txt").write_text("我有一只猫。\n", encoding="utf-8")
    assert "A 5 6|||R|||-NONE-|||" in run("extract", "src.txt", "tgt.txt", "--lang", "zh")


def test_json_lines(files: Path) -> None:
    assert '"R:VERB:SVA"' in run("extract", "src.txt", "tgt.txt", "--to", "jsonl")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("src.txt", "short.txt"), 1, "short.txt has 1 lines, src.txt 2"),
        (("src.txt", "missing.txt"), 1, "missing.txt"),
        (("src.txt", "latin.txt"), 1, "latin.txt:1: not UTF-8"),
        (("src.txt", "tgt.txt", "--lang", "fr"), 2, "unknown language 'fr'"),
        (("src.txt", "tgt.txt", "--merge", "some"), 2, "unknown merging strategy 'some'"),
        (("src.txt", "tgt.txt", "--lang", "zh", "--lev"), 2, "--lev is not for --lang zh"),
        (("src.txt", "tgt.txt", "--segmented"), 2, "--segmented is not for --lang en"),
    ],
)
def test_mistakes_are_one_line(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    Path("short.txt").write_text("He has a cat .\n", encoding="utf-8")
    Path("latin.txt").write_bytes(b"He has a caf\xe9 .\nFine .\n")
    found, error = fail(capsys, monkeypatch, "extract", *arguments, "-o", "out.m2")
    assert found == code
    assert message in error and error.count("\n") == 1
    assert not Path("out.m2").exists()


@pytest.mark.parametrize("name", ["short.txt", "latin.txt"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("extract", "src.txt"),
        ("convert", "src.txt", "-", "--to", "parallel", "--ref"),
        ("errant-parallel", "-orig", "src.txt", "-out", "-", "-cor"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_standard_output_gets_nothing_of_bad_files(
    files: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    name: str,
) -> None:
    Path("src.txt").write_text("Fine .\n" * 3000, encoding="utf-8")
    Path("short.txt").write_text("Fine .\n" * 2999, encoding="utf-8")
    Path("latin.txt").write_bytes(b"Fine .\n" * 2999 + b"caf\xe9 .\n")
    monkeypatch.setattr(sys, "argv", ["errata", *arguments, name])
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capfd.readouterr()
    assert (stopped.value.code, out) == (1, "")
    assert name in err and err.count("\n") == 1


def test_standard_output_gets_nothing_that_cannot_be_written_whole(
    files: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = "A 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n"
    Path("a.m2").write_text(f"S a b\n{edit}\n" * 2000 + f"S a b\n{edit}{edit.replace('x', 'y')}\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["errata", "convert", "a.m2", "-", "--to", "parallel"])
    with pytest.raises(SystemExit):
        main()
    out, err = capfd.readouterr()
    assert out == "" and err.startswith("errata: <stdout>: sentence 2001 cannot be written")


def test_of_a_stream_the_beginning_is_printed_and_called_incomplete(files: Path) -> None:
    Path("short.txt").write_text("Fine .\n" * 2999, encoding="utf-8")
    command = [sys.executable, "-m", "errata", "convert", "-", "-", "--to", "parallel", "--ref", "short.txt"]
    done = subprocess.run(command, input="Fine .\n" * 3000, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["Fine .\tFine ."] * 2999
    assert done.stderr == (
        "errata: short.txt has 2999 lines, <stdin> 3000: files must be parallel; what was printed is incomplete\n"
    )


def test_the_other_language_is_refused(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("zh.txt").write_text("我有一只猫了。\n", encoding="utf-8")
    code, error = fail(capsys, monkeypatch, "extract", "zh.txt", "zh.txt")
    assert (code, error) == (2, "errata: zh.txt is Chinese, --lang en is for English: use --lang zh\n")
    code, error = fail(capsys, monkeypatch, "extract", "src.txt", "tgt.txt", "--lang", "zh")
    assert (code, error) == (2, "errata: src.txt is English, --lang zh is for Chinese: use --lang en\n")


def test_a_detokenised_target_is_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("src.txt").write_text("He have a cat .\n" * 3, encoding="utf-8")
    Path("tgt.txt").write_text("He has a cat.\n" * 3, encoding="utf-8")
    result = CliRunner().invoke(app, ["extract", "src.txt", "tgt.txt"])
    assert result.stdout.count("S He have") == 3
    assert result.stderr.startswith("errata: warning: tgt.txt: in 100 % of its lines punctuation sticks")
    assert CliRunner().invoke(app, ["extract", "src.txt", "tgt.txt", "--tokenise"]).stderr == ""


def test_errant_parallel(files: Path) -> None:
    run("errant-parallel", "-orig", "src.txt", "-cor", "tgt.txt", "src.txt", "-out", "out.m2")
    blocks = Path("out.m2").read_text("utf-8")
    assert blocks.splitlines()[2] == "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1"


def test_errant_parallel_leaves_out_empty_sources(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("src.txt").write_text("\nHe have a cat .\nFine .\n", encoding="utf-8")
    Path("tgt.txt").write_text("Hi\nHe has a cat .\nFine .\n", encoding="utf-8")
    result = CliRunner().invoke(app, "errant-parallel -orig src.txt -cor tgt.txt -out out.m2".split())
    assert Path("out.m2").read_text("utf-8") == M2
    assert "left out 1 empty sources" in result.stderr


def test_errant_parallel_writes_nothing_for_white_space(files: Path) -> None:
    Path("tgt.txt").write_text("He  have a cat .\nFine .\n", encoding="utf-8")
    run("errant-parallel", "-orig", "src.txt", "-cor", "tgt.txt", "-out", "out.m2")
    assert Path("out.m2").read_text("utf-8").splitlines()[:2] == ["S He have a cat .", ""]


GOLD = """S He have a cats that I think .
A 1 4|||Vform|||has a cat|||REQUIRED|||-NONE-|||1
A 5 7|||Um|||something|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (
            "-gold",
            ["A -1 -1|||noop|||-NONE-", "A 1 4|||R:OTHER|||has a cat", "A 5 7|||UNK|||something"],
        ),
        (
            "-gold -old_cats",
            ["A -1 -1|||noop|||-NONE-", "A 1 4|||Vform|||has a cat", "A 5 7|||Um|||something"],
        ),
        (
            "-auto",
            [
                "A -1 -1|||noop|||-NONE-",
                "A 1 2|||R:VERB:SVA|||has",
                "A 3 4|||R:NOUN:NUM|||cat",
                "A 5 7|||UNK|||something",
            ],
        ),
    ],
)
def test_errant_m2(files: Path, flags: str, expected: list[str]) -> None:
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    run("errant-m2", "gold.m2", *flags.split(), "-out", "out.m2")
    lines = Path("out.m2").read_text("utf-8").splitlines()[1:-1]
    assert [line.rsplit("|||", 3)[0] for line in lines] == expected


def test_errant_m2_cuts_equal_ends(files: Path) -> None:
    Path("gold.m2").write_text("S a have b\nA 0 3|||X|||a has b|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    run("errant-m2", "gold.m2", "-gold", "-out", "out.m2")
    assert "A 1 2|||" in Path("out.m2").read_text("utf-8")
    run("errant-m2", "gold.m2", "-gold", "-no_min", "-out", "out.m2")
    assert "A 0 3|||" in Path("out.m2").read_text("utf-8")


def test_errant_m2_needs_auto_or_gold(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, error = fail(capsys, monkeypatch, "errant-m2", "gold.m2", "-out", "out.m2")
    assert code == 2
    assert "-auto" in error


ROOT = Path(__file__).resolve().parents[2]


def test_the_page_shows_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "commands" / "extract.md").read_text("utf-8")
    [(command, shown)] = re.findall(r"```console\n\$ errata ([^\n]*)\n(.*?)```", page, re.DOTALL)
    assert run(*command.split()) == shown


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "edits.md").read_text("utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(example, "edits.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == [line[2:] for line in example.splitlines() if line.startswith("# ")]
