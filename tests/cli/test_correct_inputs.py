"""Which files are read, as what, and what is said about the others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_runs import Run

from errata.cli.folders import read_folder
from errata.cli.inputs import find_inputs, skip_others
from errata.errors import DataError, UsageError

TEXT = "text reads it as plain text anyway"
SAVE = "save it as text or Markdown first"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, *names: str, content: bytes = b"She go.\n") -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


@pytest.mark.parametrize(
    ("name", "kind", "advice"),
    [
        ("setup.py", "source code", TEXT),
        ("app.TSX", "source code", TEXT),
        ("Makefile", "source code", TEXT),
        ("CMakeLists.txt", "source code", TEXT),
        ("index.rst", "reStructuredText", TEXT),
        ("index.adoc", "AsciiDoc", TEXT),
        ("notes.org", "Org", TEXT),
        ("page.mdx", "MDX", TEXT),
        ("page.htm", "HTML", TEXT),
        ("logo.svg", "XML", TEXT),
        ("paper.tex", "TeX", TEXT),
        ("a.ipynb", "a notebook", TEXT),
        ("a.yaml", "data", TEXT),
        ("requirements.txt", "data", TEXT),
        ("dev.m2", "a file of annotated sentences", TEXT),
        ("de.po", "a translation catalogue", TEXT),
        ("film.srt", "a file of subtitles", TEXT),
        ("fix.patch", "a patch", TEXT),
        ("Cargo.lock", "a lock file", TEXT),
        ("letter.docx", "an office document", SAVE),
        ("paper.pdf", "an office document", SAVE),
        ("a.png", "an image, a sound or a video", SAVE),
        ("a.tar.gz", "an archive", SAVE),
        ("a.so", "a binary file", SAVE),
    ],
)
def test_what_is_not_prose_is_skipped(name: str, kind: str, advice: str, here: Path) -> None:
    write(here, name)
    with pytest.raises(UsageError, match=rf"^{name} is skipped: it is {kind}, which .*; .*{advice}$"):
        skip_others(find_inputs([name]))
    assert [one.markup for one in skip_others(find_inputs([name], "text"))] == ["text"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"#!/bin/sh\nif true; then\n", "source code"),
        (b"\xef\xbb\xbf<!DOCTYPE html>\n", "HTML"),
        (b"\n<html lang='en'>", "HTML"),
        (b'<?xml version="1.0"?>', "XML"),
        (b"# A title", ""),
        (b"", ""),
        (b"<b>Bold</b> words", ""),
    ],
)
def test_a_file_without_a_suffix_goes_by_how_it_begins(content: bytes, kind: str, here: Path) -> None:
    write(here, "README", "README.txt", content=content)
    assert [one.not_prose for one in find_inputs(["README", "README.txt"])] == [kind, ""]


@pytest.mark.parametrize(
    ("name", "markup"),
    [
        ("a.md", "markdown"),
        ("a.Rmd", "markdown"),
        ("a.md.gz", "markdown"),
        ("a.txt", "text"),
        ("LICENSE", "text"),
        ("notes.en", "text"),
        ("v1.2", "text"),
    ],
)
def test_what_is_prose_is_read(name: str, markup: str, here: Path) -> None:
    write(here, name)
    assert [one.markup for one in skip_others(find_inputs([name]))] == [markup]


def test_the_other_files_are_corrected(model: Path, run: Run, tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b.py", content=b"She go to school every day.\n")
    write(tmp_path, "c.py", "clean.txt", content=b"12\n")
    common = ("correct", "--model", model, "--check")
    code, out, err = run(*common, "a.txt", "b.py", "c.py")
    assert code == 1 and out.count("\n") == 1 and "b.py is skipped: it is source code" in err
    assert err.endswith("1 correction in 1 of 1 texts\n2 files skipped: not prose\n")
    code, _, err = run(*common, "clean.txt", "c.py")
    assert code == 0 and err.endswith("0 corrections in 0 of 1 texts\n1 file skipped: not prose\n")
    code, out, err = run(*common, "b.py", "c.py")
    assert (code, out) == (2, "") and err.endswith("errata: none of the 2 files is prose: all are skipped\n")
    code, _, err = run("correct", "--model", model, "-i", "a.txt", "b.py")
    assert code == 0 and "1 of 1 files corrected\n1 file skipped: not prose\n" in err
    assert (tmp_path / "b.py").read_text("utf-8") == "She go to school every day.\n"
    assert run("correct", "--model", model, "--markup", "text", "b.py")[1] == "She goes to school every day.\n"


def test_a_pattern_tells_of_a_few_files_of_each_kind(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "a.txt", *(f"{n}.py" for n in range(9)), "b.rst")
    assert [one.path for one in skip_others(find_inputs(["*"]))] == ["a.txt"]
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 5 and told[3] == "errata: 6 more files are skipped: they are source code"


def test_what_is_left_out_of_a_folder_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "d/a.md", "d/e/b.txt", "d/requirements.txt", "d/.git/c.md", "d/.d.md", "d/x.py", "d/i.rst", "d/e/j.rst")
    write(here, "d/node_modules/m/README.md", "d/env/pyvenv.cfg", "d/env/a.txt", "d/target/CACHEDIR.TAG")
    assert [one.path for one in find_inputs(["d"])] == ["d/a.md", "d/e/b.txt"]
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("errata: d: left out ")
    for part in (
        ".d.md, .git (hidden)",
        "env, node_modules (installed)",
        "target (a cache)",
        "requirements.txt (data)",
    ):
        assert part in line
    assert line.endswith("2 .rst (not read yet)")
    assert [one.path for one in find_inputs(["d/node_modules"])] == ["d/node_modules/m/README.md"]


def test_a_folder_without_texts_says_what_was_left_out(here: Path) -> None:
    write(here, "d/.a/b.md", "d/c.rst")
    with pytest.raises(DataError, match=r"d: no .txt or Markdown .*left out: .a \(hidden\); 1 .rst \(not read yet\)"):
        read_folder("d")


def test_what_git_ignores_is_left_out(here: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], check=True)
    write(here, "a.md", "build/b.md", "docs/c.gen.md", "docs/d.md")
    (here / ".gitignore").write_text("build/\n*.gen.md\n", "utf-8")
    folder = read_folder(".")
    assert folder.paths == ["a.md", "docs/d.md"]
    assert sorted(folder.left_out["ignored by git"]) == ["build", "docs/c.gen.md"]
    assert read_folder("docs").paths == ["docs/d.md"]
    assert read_folder("build").paths == ["build/b.md"]  # named, so it is wanted
