from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Run

from errata.cli.corrections import CorrectedLine
from errata.cli.in_place import rewrite
from errata.edits.apply import make_correction
from errata.errors import DataError
from errata.model import TextEdit

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


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"new content")
    lines = [CorrectedLine("text.txt", 1, make_correction("old content", [TextEdit(0, 3, "odd")]))]
    with pytest.raises(DataError, match="changed while it was being corrected"):
        rewrite(path, lines, ".bak")
    assert [one.name for one in tmp_path.iterdir()] == ["text.txt"] and path.read_bytes() == b"new content"


def test_a_folder_that_takes_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"old content")
    lines = [CorrectedLine("text.txt", 1, make_correction("old content", [TextEdit(0, 3, "odd")]))]

    def full(self: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DataError, match="No space left on device; the file is as it was"):
        rewrite(path, lines, None)
    assert [one.name for one in tmp_path.iterdir()] == ["text.txt"] and path.read_bytes() == b"old content"
