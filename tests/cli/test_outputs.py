"""What is written never takes the place of what is read, and is refused before any work where it cannot be written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command_runs import Run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = {
    "c.m2": EXAMPLES / "perturb" / "learners.m2",
    "l.para": EXAMPLES / "robust" / "learners.para",
    "gold.m2": EXAMPLES / "scoring" / "gold.m2",
    "hyp.m2": EXAMPLES / "scoring" / "new.m2",
}
META = ("meta", "--data", "gjg15", "--root", "meta", "--gold", "meta/gold.m2", "-m", "gleu")


@pytest.fixture
def files(run: Run, tmp_path: Path) -> Run:
    """The command, in a folder with some files to give to it."""
    for name, source in FILES.items():
        shutil.copy(source, tmp_path / name)
    shutil.copytree(EXAMPLES / "meta", tmp_path / "meta")
    for name in ("src.txt", "a.txt", "b.txt"):
        (tmp_path / name).write_text("He go .\n", "utf-8")
    return run


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (("perturb", "c.m2", "-o", "c.m2"), "c.m2"),
        (("perturb", "c.m2", "-o", "./c.m2"), "c.m2"),
        (("perturb", "c.m2", "-o", "v.para", "--sample", "c.m2"), "c.m2"),
        (("perturb", "c.m2", "--words", "src.txt", "-o", "src.txt"), "src.txt"),
        (("perturb", "c.m2", "-o", "new", "--sample", "new"), None),
        (("perturb", "c.m2", "--sample", "-"), None),
        (("robust", "l.para", "--html", "l.para"), "l.para"),
        ((*META, "--html", "meta/gold.m2"), "meta/gold.m2"),
        (("attribute", "-m", "errant", "--m2", "gold.m2", "--hyp", "hyp.m2", "--html", "gold.m2"), "gold.m2"),
        (("ensemble", "--src", "src.txt", "--hyp", "a.txt", "--hyp", "b.txt", "-o", "src.txt"), "src.txt"),
        (("ensemble", "--src", "src.txt", "--hyp", "a.txt", "--hyp", "b.txt", "-o", "b.txt"), "b.txt"),
        (("robust", "l.para", "--html", "nowhere/page.html"), None),
        ((*META, "--html", "nowhere/page.html"), None),
    ],
)
def test_inputs_are_never_overwritten(files: Run, tmp_path: Path, arguments: tuple[str, ...], file: str | None) -> None:
    before = None if file is None else (tmp_path / file).read_bytes()
    code, out, err = files(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1) and err.startswith("errata: ")
    assert file is None or (tmp_path / file).read_bytes() == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "option", [("--preset", "careful"), ("--keep-bias", "0.1"), ("--no-rules",), ("--device", "cpu"), ("--vote", "2")]
)
def test_options_of_a_model_need_one(files: Run, option: tuple[str, ...]) -> None:
    code, out, err = files("robust", "l.para", *option)
    assert (code, out) == (2, "") and "--model" in err and err.count("\n") == 1


def test_an_unknown_option_is_one_line(files: Run) -> None:
    code, out, err = files("perturb", "c.m2", "--nope")
    assert (code, out, err.count("\n")) == (2, "", 1) and err.startswith("errata: no such option: --nope")
