"""Folders are replaced whole or not at all, whenever the process is killed, and only where nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from errata import files
from errata.files import NEW, OLD, exchange, replacing, replacing_folder, write_text

KILLED_INSIDE = """
import os, signal, sys
from pathlib import Path
from errata.files import replacing_folder
with replacing_folder(Path(sys.argv[1])) as beside:
    (beside / "half").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
# Where two folders cannot change places at once, there is a moment between two renames.
KILLED_BETWEEN = """
import os, signal, sys
from pathlib import Path
from errata import files
files.exchange = lambda one, other: False
rename = Path.replace
def kill(self, target):
    if files.NEW in self.name:
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(self, target)
Path.replace = kill
with files.replacing_folder(Path(sys.argv[1])) as beside:
    (beside / "new").write_text("new")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is to be replaced."""
    path = tmp_path / "model [1]"
    path.mkdir()
    (path / "only copy").write_text("the thesis")
    return path


def kill(program: str, folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", program, str(folder)], timeout=60)
    assert done.returncode == -signal.SIGKILL


def replace(folder: Path) -> None:
    with replacing_folder(folder) as beside:
        (beside / "new").write_text("new")


def content(folder: Path) -> dict[str, list[str]]:
    return {one.name: sorted(file.name for file in one.iterdir()) for one in folder.parent.iterdir()}


def test_a_folder_is_replaced(folder: Path) -> None:
    folder.chmod(0o750)
    replace(folder)
    assert content(folder) == {folder.name: ["new"]}
    assert folder.stat().st_mode & 0o777 == 0o750


def test_two_that_make_the_same_folder(tmp_path: Path) -> None:
    """Neither sees the other's when it begins, and the second finds it at the end."""
    folder = tmp_path / "packed"
    with replacing_folder(folder) as one:
        (one / "one").write_text("1")
        with replacing_folder(folder) as other:
            (other / "other").write_text("2")
    assert content(folder) == {"packed": ["one"]}


def test_another_process_makes_the_folder_in_the_last_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, rename = tmp_path / "packed", Path.replace

    def rename_late(self: Path, target: Path) -> Path:
        monkeypatch.undo()
        replace(folder)
        return rename(self, target)

    with replacing_folder(folder) as one:
        (one / "one").write_text("1")
        monkeypatch.setattr(Path, "replace", rename_late)
    assert content(folder) == {"packed": ["one"]}


def test_threads_write_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: write_text(path, f"{number}\n" * 1000), range(40)))
    lines = path.read_text().splitlines()
    assert len(lines) == 1000 and len(set(lines)) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_changes_nothing(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError), replacing_folder(folder):
        raise ZeroDivisionError
    assert content(folder) == {folder.name: ["only copy"]}


def test_a_kill_while_it_is_filled(folder: Path) -> None:
    kill(KILLED_INSIDE, folder)
    assert content(folder)[folder.name] == ["only copy"] and len(content(folder)) == 2
    replace(folder)
    assert content(folder) == {folder.name: ["new"]}


def test_a_kill_between_two_renames(folder: Path) -> None:
    kill(KILLED_BETWEEN, folder)
    assert not folder.exists()
    with pytest.raises(ZeroDivisionError), replacing_folder(folder):
        raise ZeroDivisionError
    assert content(folder) == {folder.name: ["only copy"]}


def test_what_is_left_over_blocks_nothing(folder: Path) -> None:
    for name in (f".{folder.name}{NEW}{os.getpid()}", f".{folder.name}{OLD}1", f".{folder.name}{OLD}2"):
        (folder.parent / name).mkdir()
    replace(folder)
    assert content(folder) == {folder.name: ["new"]}


def test_two_at_once(folder: Path) -> None:
    with replacing_folder(folder) as one, replacing_folder(folder) as other:
        assert one.exists() and other.exists() and one != other
    assert content(folder) == {folder.name: []}


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_link_stays_a_link(folder: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool) -> None:
    if not can_exchange:
        monkeypatch.setattr(files, "exchange", lambda one, other: False)
    link = folder.parent / "link"
    link.symlink_to(folder)
    replace(link)
    assert link.is_symlink() and content(folder) == {folder.name: ["new"], "link": ["new"]}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has it")
def test_folders_change_places(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / f"was {name}").touch()
    if not exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("this file system cannot")
    assert (tmp_path / "a" / "was b").exists() and (tmp_path / "b" / "was a").exists()


def test_what_goes_wrong_is_named_by_the_path_of_the_user(tmp_path: Path) -> None:
    for name, broken in (("out", "out/model/weights"), ("deep/out", "deep/out/model/weights")):
        with pytest.raises(FileNotFoundError) as caught, replacing_folder(tmp_path / name) as beside:
            (beside / "model" / "weights").read_bytes()
        assert caught.value.filename == str(tmp_path / broken)
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "one.txt") as beside:
        beside.read_bytes()
    assert caught.value.filename == str(tmp_path / "one.txt")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder in which nobody can write")
def test_a_folder_that_cannot_be_made_is_named_by_the_path_of_the_user() -> None:
    with pytest.raises(OSError) as caught, replacing_folder(Path("/proc/out")):
        pass
    assert caught.value.filename == "/proc/out"
