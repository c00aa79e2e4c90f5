"""Digests of inputs are remembered beside the packed data: by several processes at a time, for other machines too."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from errata.errors import DataError
from errata.training.digests import MEMORY, file_digest, is_remembered, remembered_digest

N_PROCESSES, N_INPUTS = 4, 25

# Waits until all processes are ready, then remembers inputs of its own.
REMEMBER = """
import sys, time
from pathlib import Path
from errata.training.digests import remembered_digest
folder, own, n_inputs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
(folder / f"ready-{own}").touch()
while not (folder / "go").exists():
    time.sleep(0.001)
for number in range(n_inputs):
    name = f"{own}-{number}.txt"
    remembered_digest(folder / name, name, folder / "cache")
"""


def test_processes_keep_what_the_others_remember(tmp_path: Path) -> None:
    """Each would drop what the others wrote between its reading and its writing."""
    names = [f"{own}-{number}.txt" for own in range(N_PROCESSES) for number in range(N_INPUTS)]
    for name in names:
        (tmp_path / name).write_text(name)
    expected = {name: file_digest(tmp_path / name) for name in names}
    arguments = [sys.executable, "-c", REMEMBER, str(tmp_path)]
    running = [subprocess.Popen([*arguments, str(own), str(N_INPUTS)]) for own in range(N_PROCESSES)]
    while len(list(tmp_path.glob("ready-*"))) < N_PROCESSES:
        assert all(process.poll() is None for process in running)
    (tmp_path / "go").touch()
    assert [process.wait(60) for process in running] == [0] * N_PROCESSES
    shutil.copytree(tmp_path / "cache", tmp_path / "elsewhere" / "cache")
    travelled = tmp_path / "elsewhere" / "cache"
    absent = tmp_path / "elsewhere"
    assert {name: remembered_digest(absent / name, name, travelled) for name in names} == expected


def test_an_input_that_changed_is_read_again(tmp_path: Path) -> None:
    path, cache = tmp_path / "train.m2", tmp_path / "cache"
    path.write_text("S a .\n")
    before = remembered_digest(path, "train.m2", cache)
    assert remembered_digest(path, "train.m2", cache) == before == file_digest(path)
    path.write_text("S another .\n")
    assert remembered_digest(path, "train.m2", cache) == file_digest(path) != before


def test_what_is_remembered_of_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no such file .*absent, and no packed data made from it"):
        remembered_digest(tmp_path / "absent", "absent", tmp_path / "cache")
    assert not is_remembered("absent", tmp_path / "cache")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"stamp": 1, "sha256": 2}'])
def test_a_damaged_memory_is_named(tmp_path: Path, content: str) -> None:
    path, cache = tmp_path / "train.m2", tmp_path / "cache"
    path.write_text("S a .\n")
    remembered_digest(path, "train.m2", cache)
    (memory,) = (cache / MEMORY).iterdir()
    memory.write_text(content)
    with pytest.raises(DataError, match=memory.name):
        remembered_digest(path, "train.m2", cache)
