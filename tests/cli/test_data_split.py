"""`errata data split`: the lines of a corpus in two files, as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from scoring_files import GOLD_M2, Shell


@pytest.fixture
def errata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capfd)


def test_blocks_of_m2_are_written_as_they_are(errata: Shell, tmp_path: Path) -> None:
    (tmp_path / "all.m2").write_text(GOLD_M2, "utf-8")
    code, out, err = errata("data", "split", "all.m2", "train.m2", "held-out.m2", "--held-out", "1", "--seed", "3")
    assert (code, out) == (0, "")
    assert err == "seed 3: 2 sentences to train on, 1 held out; 0 groups of near duplicates kept together\n"
    parts = [(tmp_path / name).read_text("utf-8") for name in ("train.m2", "held-out.m2")]
    blocks = [f"{block}\n" for part in parts for block in part.split("\n\n") if block.strip()]
    wanted = [f"{block}\n" for block in GOLD_M2.split("\n\n") if block.strip()]
    assert sorted(block.strip() for block in blocks) == sorted(block.strip() for block in wanted)
    assert [part.count("S ") for part in parts] == [2, 1]


def test_a_table_keeps_its_order(errata: Shell, tmp_path: Path) -> None:
    lines = [f"He go home at {number} .\tHe goes home at {number} ." for number in range(20)]
    (tmp_path / "all.tsv").write_text("\n".join(lines), "utf-8")  # the last line has no end
    assert errata("data", "split", "all.tsv", "a.tsv", "b.tsv", "--held-out", "5")[0] == 0
    train, held_out = ((tmp_path / name).read_text("utf-8").splitlines() for name in ("a.tsv", "b.tsv"))
    assert len(held_out) == 5 and sorted(train + held_out) == sorted(lines)
    assert train == [line for line in lines if line in train]
    assert held_out == [line for line in lines if line in held_out]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("all.tsv", "all.tsv", "b.tsv", "--held-out", "1"), 2, "all.tsv is read as well"),
        (("all.tsv", "a.tsv", "a.tsv", "--held-out", "1"), 2, "a.tsv is written twice"),
        (("all.tsv", "a.tsv", "b.tsv", "--held-out", "2"), 1, "there are 2 sentences, and 2 to hold out"),
        (("none.tsv", "a.tsv", "b.tsv", "--held-out", "2"), 1, "none.tsv: No such file"),
        (("all.para", "a.para", "b.para", "--held-out", "1"), 1, "convert it to JSON lines first"),
    ],
)
def test_faults_are_one_line(
    errata: Shell, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (tmp_path / "all.tsv").write_text("a b\ta c\nd e\td f\n", "utf-8")
    (tmp_path / "all.para").write_text("O-S He go .\nO-T He goes .\nA1-S She go .\nA1-T She goes .\n", "utf-8")
    status, out, err = errata("data", "split", *arguments)
    assert (status, out) == (code, "") and message in err and err.count("\n") == 1
    assert not (tmp_path / "b.tsv").exists()
