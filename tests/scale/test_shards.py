"""Shards without a cluster: cutting, digests, what is kept, and what is refused."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_work import EXPECTED, ROWS, SHARDS, Toy, assert_goes_on, kept, kill_run, run, start_run

import errata
from errata.errors import DataError, MissingExtra, UsageError
from errata.scale.engines import LocalEngine, RayEngine
from errata.scale.shards import Shard, choose_size, cut

LOCAL = LocalEngine()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    folder = tmp_path / "log"
    folder.mkdir()
    return folder


@given(st.lists(st.text()), st.integers(1, 10))
def test_shards_are_the_rows_in_order(rows: list[str], n_shards: int) -> None:
    size = choose_size(len(rows), n_shards)
    shards = list(cut(rows, size))
    assert [row for shard in shards for row in shard.rows] == rows
    assert [shard.first for shard in shards] == [place * size for place in range(len(shards))]
    assert len(shards) <= n_shards


def test_a_name_stands_for_all_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    shard = Shard(1, 10, ["a", "b"])
    others = [Shard(1, 10, ["a", "c"]), Shard(1, 10, ["ab"]), Shard(1, 11, ["a", "b"])]
    names = {shard.name("key"), shard.name("other key"), *(other.name("key") for other in others)}
    assert len(names) == 5
    assert shard.name("key") == Shard(1, 10, ["a", "b"]).name("key")
    monkeypatch.setattr(errata, "__version__", "another")
    assert shard.name("key") not in names


def test_the_folder_goes_when_all_is_done(log: Path, tmp_path: Path) -> None:
    assert run(Toy(log), tmp_path / "shards", LOCAL) == EXPECTED
    assert not (tmp_path / "shards").exists()


def test_no_rows_no_shards(log: Path, tmp_path: Path) -> None:
    assert run(Toy(log), tmp_path / "shards", LOCAL, rows=[]) == ""
    assert run(Toy(log), tmp_path / "shards", RayEngine(), rows=[]) == ""


def test_a_run_that_failed_goes_on(log: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="row 31 is bad"):
        run(Toy(log, fails_at=30), tmp_path / "shards", LOCAL)
    before = Toy(log).runs()
    assert before == [0, 5, 10, 15, 20, 25, 30]
    assert run(Toy(log), tmp_path / "shards", LOCAL) == EXPECTED
    assert Toy(log).runs() == sorted([*before, 30, 35, 40, 45, 50, 55])


def test_a_run_that_failed_at_once_leaves_nothing(log: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError):
        run(Toy(log, fails_at=0), tmp_path / "shards", LOCAL)
    assert not (tmp_path / "shards").exists()


@pytest.mark.parametrize(
    ("key", "changed", "n_kept"),
    [("toy", {}, 6), ("other options", {}, 0), ("toy", {7: "another row"}, 5)],
    ids=["same", "options", "input"],
)
def test_only_what_is_the_same_is_kept(
    log: Path, tmp_path: Path, key: str, changed: dict[int, str], n_kept: int
) -> None:
    with pytest.raises(DataError):
        run(Toy(log, fails_at=30), tmp_path / "shards", LOCAL)
    n_before = len(Toy(log).runs())
    rows = [changed.get(place, row) for place, row in enumerate(ROWS)]
    expected = "".join(f"{place} {row.upper()}\n" for place, row in enumerate(rows))
    assert run(Toy(log), tmp_path / "shards", LOCAL, key=key, rows=rows) == expected
    assert len(Toy(log).runs()) - n_before == SHARDS - n_kept


def test_a_killed_run_goes_on(log: Path, tmp_path: Path) -> None:
    kill_run("local", "-", log, tmp_path / "shards")
    assert_goes_on(log, tmp_path / "shards", LOCAL)


def test_two_runs_do_not_share_a_folder(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    process = start_run("local", "-", log, folder)
    try:
        while not kept(folder):
            assert process.poll() is None
            time.sleep(0.02)
        with pytest.raises(UsageError, match="another run is at work here"):
            run(Toy(log), folder, LOCAL)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions are otherwise here")
def test_results_of_others_are_refused(log: Path, tmp_path: Path) -> None:
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards").chmod(0o777)
    with pytest.raises(DataError, match="not a folder that only you can write to"):
        run(Toy(log), tmp_path / "shards", LOCAL)


def test_without_ray_one_line_says_what_to_install(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"ray is not installed; run: pip install 'errata\[ray\]'"):
        run(Toy(log), tmp_path / "shards", RayEngine())


def test_a_cluster_that_does_not_answer(log: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with pytest.raises(DataError, match=r"no Ray cluster answers at 127\.0\.0\.1:1: "):
        run(Toy(log), tmp_path / "shards", RayEngine("127.0.0.1:1"))
