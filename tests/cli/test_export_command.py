"""`errata export`: what it writes over, and above all what it does not."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_runs import Run

from errata.systems.averaging import average_systems

THESIS = "Chapter 1"


def content(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_new_an_empty_and_an_earlier_one(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for _ in range(2):
        code, out, err = run("export", model, "out")
        assert (code, out) == (0, "") and err.startswith("out: tagger, ")
    files = json.loads((tmp_path / "out" / "errata.json").read_text())["export"]["files"]
    assert sorted(files) == sorted(content(tmp_path / "out"))
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_bits_of_weights(run: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.networks.shrink.MIN_SIZE", 64)  # the least a test network has
    widths = ("--layer-bits", "6", "--attention-bits", "8", "--table-bits", "5", "--head-bits", "4")
    assert run("export", model, "few", *widths)[0] == 0
    assert run("export", model, "more")[0] == 0
    index = json.loads((tmp_path / "few" / "weights.json").read_text())
    assert {entry["bits"] for entry in index.values() if "bits" in entry} == {4, 5, 6, 8}
    few, more = (sum(map(len, content(tmp_path / name).values())) for name in ("few", "more"))
    assert few < more
    for options, message in (
        (("--layer-bits", "7"), "weights have 4, 5, 6, 8, 10 bits, not 7"),
        (("--table-bits", "4", "--float32"), "bits of weights are for --small"),
    ):
        code, out, err = run("export", model, "none", *options)
        assert (code, out) == (2, "") and message in err and err.count("\n") == 1


@pytest.mark.parametrize("target", ["thesis", "thesis.tex", "export"])
def test_other_things_are_kept(run: Run, model: Path, exported: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.tex").write_text(THESIS)
    (tmp_path / "thesis.tex").write_text(THESIS)
    earlier = tmp_path / "export"
    subprocess.run(["cp", "-r", str(exported), str(earlier)], check=True)
    (earlier / "errata.json.bak").write_text("{}")  # this alone would do no harm
    (earlier / "notes").mkdir()
    (earlier / "notes" / "thesis.tex").write_text(THESIS)
    before = content(tmp_path)
    code, out, err = run("export", model, target)
    assert (code, out) == (2, "") and "choose" in err and err.count("\n") == 1
    assert content(tmp_path) == before


def test_what_is_read_is_kept(run: Run, model: Path, tmp_path: Path) -> None:
    before = content(model.parent)
    link = tmp_path / "link"
    link.symlink_to(model)
    for out in (model, model.parent, model / "inner", model / ".." / model.name, link):
        for source, *rest in ((model,), (tmp_path / "other", "--average", model)):
            if rest:
                subprocess.run(["cp", "-rn", str(model), str(source)], check=False)
            code, _, err = run("export", source, out, *rest)
            assert code == 2 and "not apart" in err and err.count("\n") == 1
    assert content(model.parent) == before


def test_an_average_is_not_written_over_a_run(model: Path) -> None:
    before = content(model)
    with pytest.raises(Exception, match="not apart"):
        average_systems([model], model)
    assert content(model) == before


def test_an_export_is_not_exported(run: Run) -> None:
    code, _, err = run("export", "en-small", "out")
    assert code == 2 and "is an export already" in err


def test_a_killed_export_leaves_the_old_one(run: Run, model: Path, exported: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    subprocess.run(["cp", "-r", str(exported), str(out)], check=True)
    before = content(out)
    program = "from errata.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", program, "export", str(model), str(out)])
    try:
        while not any(one.name.startswith(".out.") for one in tmp_path.iterdir()):
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.wait(timeout=60)
    assert content(out) == before and len(list(tmp_path.iterdir())) == 2
    assert run("export", model, out)[0] == 0
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_a_mean_is_called_by_what_it_is_made_of(run: Run, model: Path, tmp_path: Path) -> None:
    """And never by the folder in which it is made."""
    code, out, err = run("export", model, "out", "--average", model, "--exit-below", 0.5)
    assert (code, out) == (1, "")
    assert err == f"errata: the mean of {model} and {model} has no early exit; train it with model.early_exit\n"
    shutil.copytree(model, tmp_path / "bad")
    (tmp_path / "bad" / "encoder.json").write_text("{}")
    code, _, err = run("export", "./bad", "out", "--average", "./bad")
    assert code == 1 and err.startswith(
        "errata: the mean of ./bad and ./bad: encoder.json does not describe an encoder"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder in which nobody can write")
def test_a_folder_that_cannot_be_made_is_named_as_it_was_given(run: Run, model: Path) -> None:
    code, _, err = run("export", model, "/proc/out")
    assert code == 1 and err.startswith("errata: /proc/out: ")


def test_weights_that_are_no_numbers(run: Run, model: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    shutil.copytree(model, tmp_path / "bad")
    weights = load_file(model / "model.safetensors")
    largest = max(weights, key=lambda name: weights[name].size)
    weights[largest][:] = float("nan")
    save_file(weights, tmp_path / "bad" / "model.safetensors", metadata={"format": "pt"})
    code, _, err = run("export", "./bad", "out")
    assert code == 1 and err.count("\n") == 1
    assert "answers otherwise than the model" in err and "/tmp" not in err.replace(str(tmp_path), "")
