from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Run


def test_add_list_remove(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own" / "words.txt"
    assert run("words", "list") == (0, "", "")
    assert run("words", "add", "Foobar", "data lake") == (0, "", f"{own}: 2 added\n")
    assert run("words", "list") == (0, "Foobar\ndata lake\n", "")
    code, out, err = run("words", "remove", "Foobar", "none")
    assert (code, out) == (1, "") and err == f"{own}: 1 removed\nerrata: {own} does not have 'none'\n"
    assert run("words", "list")[1] == "data lake\n"


def test_another_file(run: Run, tmp_path: Path) -> None:
    assert run("words", "add", "x", "--file", "mine.txt")[0] == 0
    assert run("words", "list", "--file", "mine.txt") == (0, "x\n", "")
    assert not (tmp_path / "own").exists()
    code, _, err = run("words", "list", "--file", "absent.txt")
    assert code == 1 and "absent.txt: No such file" in err
    code, _, err = run("words", "add", "# no")
    assert code == 2 and "cannot be in a dictionary" in err


def test_a_dictionary_in_a_folder_that_may_not_be_looked_into(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_file", refuse)  # root may look into every folder
    assert run("words", "list") == (0, "", "")
    code, out, err = run("words", "add", "x", "--file", "mine.txt")
    assert (code, out, err) == (1, "", "errata: mine.txt: Permission denied\n")
