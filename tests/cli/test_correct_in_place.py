from __future__ import annotations

import os
from pathlib import Path

import pytest
from command_runs import Run

from errata.cli.corrections import CorrectedLine
from errata.cli.in_place import rewrite
from errata.errors import DataError
from errata.model import Correction, TextEdit

TEXT, CORRECTED = b"She go to school every day.", b"She goes to school every day."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TEXT, CORRECTED),
        (TEXT + b"\n", CORRECTED + b"\n"),
        (TEXT + b"\r\n\r\n" + TEXT + b"\r\n", CORRECTED + b"\r\n\r\n" + CORRECTED + b"\r\n"),
        (b"\xef\xbb\xbf" + TEXT + b"\n", b"\xef\xbb\xbf" + CORRECTED + b"\n"),
        (b"\t" + TEXT + b" \r\n", b"\t" + CORRECTED + b" \r\n"),
        (b"12\n" + TEXT + b"\r" + TEXT + b"\n", b"12\n" + CORRECTED + b"\r" + CORRECTED + b"\n"),
    ],
)
@pytest.mark.parametrize("name", ["text.txt", "text.md"])
def test_bytes_around_the_corrections(
    before: bytes, after: bytes, name: str, model: Path, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(before)
    path.chmod(0o640)
    if name == "text.md" and before.startswith(b"\t"):
        after = before  # code
    code, out, err = run("correct", "-i", name, "--model", model)
    assert (code, out) == (0, "")
    assert path.read_bytes() == after
    assert path.stat().st_mode & 0o777 == 0o640
    copy = tmp_path / f"{name}.bak"
    assert copy.exists() == (before != after)
    if copy.exists():
        assert copy.read_bytes() == before and err.endswith("1 of 1 files corrected\n")
    assert {one.name for one in tmp_path.iterdir()} <= {name, copy.name}


def test_suffix_no_backup_and_links(model: Path, run: Run, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "real.txt"):
        (tmp_path / name).write_bytes(TEXT)
    (tmp_path / "link.txt").symlink_to("real.txt")
    assert run("correct", "-i", "a.txt", "--backup", "~", "--model", model)[0] == 0
    assert run("correct", "-i", "b.txt", "link.txt", "--no-backup", "--model", model)[0] == 0
    assert (tmp_path / "a.txt~").read_bytes() == TEXT
    assert (tmp_path / "link.txt").is_symlink()
    assert all((tmp_path / name).read_bytes() == CORRECTED for name in ("a.txt", "b.txt", "real.txt"))
    assert len(list(tmp_path.iterdir())) == 5


def test_a_file_that_cannot_be_read_is_untouched_and_the_others_are_done(model: Path, run: Run, tmp_path: Path) -> None:
    bad = TEXT + b"\n\xff"
    for name, content in (("a.txt", bad), ("b.txt", TEXT), ("c.txt", b"12")):
        (tmp_path / name).write_bytes(content)
    code, _, err = run("correct", "-i", "*.txt", "--model", model)
    assert code == 1
    assert "errata: a.txt:2: not UTF-8" in err and "b.txt: 1 correction\n" in err
    assert err.endswith("1 of 3 files corrected, 1 could not be corrected\n")
    assert [(tmp_path / name).read_bytes() for name in ("a.txt", "b.txt", "c.txt")] == [bad, CORRECTED, b"12"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.txt", "b.txt", "b.txt.bak", "c.txt"]


@pytest.fixture
def odd(tmp_path: Path) -> tuple[Path, list[CorrectedLine]]:
    """A file and the lines that would be written to it."""
    path = tmp_path / "text.txt"
    path.write_bytes(b"old content")
    return path, [CorrectedLine("text.txt", 1, Correction("old content", (TextEdit(0, 3, "odd"),)))]


def test_copies_are_kept(model: Path, run: Run, tmp_path: Path) -> None:
    versions = [TEXT, b"Again: " + TEXT, b"Again: " + TEXT, b"At last: " + TEXT]
    for content in versions:
        (tmp_path / "text.txt").write_bytes(content)
        assert run("correct", "-i", "text.txt", "--model", model)[0] == 0
    copies = {one.name: one.read_bytes() for one in tmp_path.glob("*.bak*")}
    assert copies == {"text.txt.bak": versions[0], "text.txt.bak1": versions[1], "text.txt.bak2": versions[3]}


@pytest.mark.parametrize("copy", ["p.bak", "p.bak1"])
def test_copies_of_other_inputs(copy: str, model: Path, run: Run, tmp_path: Path) -> None:
    for name, content in (("p", TEXT + b"\n"), (copy, TEXT), ("q.bak", TEXT)):
        (tmp_path / name).write_bytes(content)
    code, out, err = run("correct", "-i", "p", f"./{copy}", "--model", model)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert f"./{copy} is where the old content of p goes" in err
    assert run("correct", "-i", "*", f"./{copy}", "--model", model)[0] == 2
    assert (tmp_path / "p").read_bytes() == TEXT + b"\n" and (tmp_path / copy).read_bytes() == TEXT
    code, _, err = run("correct", "-i", "*", "--model", model)
    assert code == 0 and err.endswith("2 of 2 files corrected\n")
    assert (tmp_path / copy).read_bytes() == TEXT and (tmp_path / "q.bak").read_bytes() == CORRECTED
    assert run("correct", "-i", "p", copy, "--no-backup", "--model", model)[0] == 0
    assert (tmp_path / copy).read_bytes() == CORRECTED


def test_a_file_that_may_not_be_written(
    odd: tuple[Path, list[CorrectedLine]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # for root every file is writable
    with pytest.raises(DataError, match="the file is read-only; the file is as it was"):
        rewrite(*odd, ".bak")
    assert [one.name for one in tmp_path.iterdir()] == ["text.txt"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"new content")
    lines = [CorrectedLine("text.txt", 1, Correction("old content", (TextEdit(0, 3, "odd"),)))]
    with pytest.raises(DataError, match="changed while it was being corrected"):
        rewrite(path, lines, ".bak")
    assert [one.name for one in tmp_path.iterdir()] == ["text.txt"] and path.read_bytes() == b"new content"


def test_a_folder_that_takes_no_files(
    odd: tuple[Path, list[CorrectedLine]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DataError, match="No space left on device; the file is as it was"):
        rewrite(*odd, ".bak")
    assert [one.name for one in tmp_path.iterdir()] == ["text.txt"] and odd[0].read_bytes() == b"old content"
