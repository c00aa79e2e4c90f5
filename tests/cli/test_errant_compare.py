"""`errata errant-compare` prints what ERRANT's own program prints, byte for byte."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
from scoring_files import GOLD_M2, Shell, write_files

FLAGS = [
    "",
    "-b 1 -ds -cat 1",
    "-dt -v -cat 2",
    "-cse -v -cat 3",
    "-single -cat 2",
    "-multi -cat 1",
    "-v -filt R:PREP M:DET Mec -cat 3",
]
UNK_AND_DUPLICATES = """\
S a b c d
A 0 1|||UNK|||a|||REQUIRED|||-NONE-|||2
A 1 2|||R:NOUN|||x y|||REQUIRED|||-NONE-|||2
A 1 2|||R:NOUN|||x y|||REQUIRED|||-NONE-|||2
A 3 3|||M:DET|||the|||REQUIRED|||-NONE-|||0

S e
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def errata(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capfd)


def _official(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> str:
    pytest.importorskip("errant")
    from errant.commands import compare_m2

    monkeypatch.setattr(sys, "argv", ["errant_compare", *arguments])
    # The official program leaves its files to the garbage collector.
    with pytest.warns(ResourceWarning):
        compare_m2.main()
        gc.collect(1)  # what it made just now; all of it would take longer than the program
    return capfd.readouterr().out


@pytest.mark.data
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("system", "flags"), [*(("AMU", flags) for flags in FLAGS), ("GPT-3.5", "-v -cat 3")])
def test_equals_the_official_program_on_real_files(
    errata: Shell,
    oracles: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    system: str,
    flags: str,
) -> None:
    folder = oracles / "errant"
    arguments = ["-hyp", str(folder / f"{system}.hyp.m2"), "-ref", str(folder / "conll14.gold.m2"), *flags.split()]
    wanted = _official(arguments, monkeypatch, capfd)
    assert errata("errant-compare", *arguments) == (0, wanted, "")


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("flags", [*FLAGS, "-v", "-ds -v"])
def test_equals_the_official_program_on_corner_cases(
    errata: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], flags: str
) -> None:
    for name, text in {"one.m2": UNK_AND_DUPLICATES, "two.m2": UNK_AND_DUPLICATES.replace("x y", "x")}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for hyp, ref in (("one.m2", "two.m2"), ("one.m2", "one.m2")):
        arguments = ["-hyp", str(tmp_path / hyp), "-ref", str(tmp_path / ref), *flags.split()]
        wanted = _official(arguments, monkeypatch, capfd)
        assert errata("errant-compare", *arguments) == (0, wanted, "")


def test_the_block(errata: Shell, tmp_path: Path) -> None:
    write_files(tmp_path)
    files = ("-hyp", str(tmp_path / "good.m2"), "-ref", str(tmp_path / "gold.m2"))
    code, out, err = errata("errant-compare", *files)
    assert (code, err) == (0, "")
    assert out == (
        "\n=========== Span-Based Correction ============\n"
        "TP\tFP\tFN\tPrec\tRec\tF0.5\n2\t0\t0\t1.0\t1.0\t1.0\n"
        "==============================================\n\n"
    )


def test_mistakes_are_one_line(errata: Shell, tmp_path: Path) -> None:
    write_files(tmp_path)
    gold = str(tmp_path / "gold.m2")
    code, _, err = errata("errant-compare", "-hyp", gold)
    assert (code, err.count("\n")) == (2, 1) and "required: -ref" in err
    short = tmp_path / "short.m2"
    short.write_text(GOLD_M2.split("\n\n")[0], encoding="utf-8")
    code, _, err = errata("errant-compare", "-hyp", str(short), "-ref", gold)
    assert (code, err) == (1, f"errata: {short} has 1 sentences, {gold} 3\n")


def test_help(errata: Shell) -> None:
    code, out, _ = errata("errant-compare", "-h")
    assert code == 0
    assert all(
        flag in out for flag in ("-hyp", "-ref", "-dt", "-ds", "-cs", "-cse", "-single", "-multi", "-filt", "-cat")
    )
