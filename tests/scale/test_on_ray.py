"""Shards on a Ray cluster of two nodes: the same output, also when processes and nodes are killed."""

from __future__ import annotations

import importlib
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.clusters import start_cluster
from toy_work import EXPECTED, SHARDS, Toy, assert_goes_on, kill_run, run, start_run

from errata.cli import main
from errata.errors import DataError
from errata.scale.engines import RayEngine
from errata.systems.installed import bundled_folder

ray = pytest.importorskip("ray")
SENTENCES = ["She have a cat .", "He go home yesterday .", "They is here .", "I like it .", ""] * 5
RAY = RayEngine()
# How far a run is, which is told every thirty seconds.
PROGRESS = re.compile(r"ray: \d+ of 12 shards, [\d,]+ rows/s, about [\d,]+ s left")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with a core each; this process is connected to them."""
    with pytest.MonkeyPatch.context() as patch:
        paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))  # where the nodes find `toy_work`
        made = start_cluster()
        try:
            ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
            yield made
        finally:
            ray.shutdown()
            made.shutdown()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    folder = tmp_path / "log"
    folder.mkdir()
    return folder


def test_the_same_as_in_one_process(cluster: Any, log: Path, tmp_path: Path) -> None:
    assert run(Toy(log), tmp_path / "shards", RAY) == EXPECTED
    assert len(Toy(log).runs()) == SHARDS


def test_a_killed_process_costs_its_shard_alone(cluster: Any, log: Path, tmp_path: Path) -> None:
    assert run(Toy(log, kills_at=25), tmp_path / "shards", RAY) == EXPECTED
    assert (log / "killed").exists()
    assert Toy(log).runs().count(25) == 2


def test_errors_come_as_they_are(cluster: Any, log: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^row 31 is bad$"):
        run(Toy(log, fails_at=30), tmp_path / "shards", RAY)


def test_a_package_that_a_node_has_not(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("class Work:\n    def __call__(self, first, rows):\n        return b''\n")
    monkeypatch.syspath_prepend(tmp_path)
    work = importlib.import_module("only_here").Work()
    with pytest.raises(DataError, match=r"^a machine of the cluster has no package only_here: install errata there"):
        run(work, tmp_path / "shards", RAY)


def test_a_killed_command_goes_on(cluster: Any, log: Path, tmp_path: Path) -> None:
    kill_run("ray", cluster.address, log, tmp_path / "shards")
    assert_goes_on(log, tmp_path / "shards", RAY)


def call(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints."""
    monkeypatch.setattr(sys, "argv", ["errata", *arguments])
    with pytest.raises(SystemExit, match=r"^0$"):
        main()
    return capfd.readouterr().out


def test_commands_print_the_same(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("src.txt").write_text("\n".join(SENTENCES) + "\n", "utf-8")
    Path("mine").symlink_to(bundled_folder("en-small"))  # processes of the cluster stand in another folder
    shards = ("--engine", "ray", "--shards", "4")
    correct = ("correct", "src.txt", "--tokenised", "--format", "jsonl", "--model", "./mine", "-o")
    call(monkeypatch, capfd, *correct, "one.jsonl")
    call(monkeypatch, capfd, *correct, "ray.jsonl", *shards)
    assert Path("ray.jsonl").read_bytes() == Path("one.jsonl").read_bytes()
    assert Path("one.jsonl").read_text("utf-8").count('"original"') >= 10
    score = ("score", "-m", "exact-match", "--src", "src.txt", "--ref", "src.txt", "--hyp", "src.txt")
    score = (*score, "--bootstrap", "50", "--json")
    assert call(monkeypatch, capfd, *score, *shards) == call(monkeypatch, capfd, *score)
    assert not list(tmp_path.glob(".*"))


def test_a_lost_node_is_survived_and_told_in_one_line(cluster: Any, log: Path, tmp_path: Path) -> None:
    """The last test: the cluster has one node afterwards. Ray itself tells of it at length, on standard output."""
    work = Toy(log)
    process = start_run("ray", cluster.address, log, tmp_path / "shards")
    while len(work.runs()) < 4:
        assert process.poll() is None, "the run has ended"
        time.sleep(0.02)
    cluster.remove_node(cluster.second, allow_graceful=False)
    out, err = process.communicate()
    assert (process.returncode, out.decode()) == (0, EXPECTED)
    # Nothing is told where the run was over before Ray noticed the loss; how far a slow one is comes beside it.
    *told, done = (line for line in err.decode().splitlines() if not PROGRESS.fullmatch(line))
    assert done.startswith("ray: 12 shards done")
    assert told in ([], ["a machine of the cluster is lost; its shards run on the others (1 left)"])
