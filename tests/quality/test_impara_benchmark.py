"""The benchmark of judges: scores keep all their digits, and a judge's options are read like a metric's."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.impara import __main__ as benchmark
from benchmarks.impara.judging import format_row

from errata.metrics import Metric

NEAR_ONE = (1 - 2**-30, 1 - 2**-31, 1.0, 1e-12, 0.0)


def test_scores_near_one_are_written_apart() -> None:
    lines = [format_row(("AMU", number, score)) for number, score in enumerate(NEAR_ONE, 1)]
    assert [float(line.split("\t")[2]) for line in lines] == list(NEAR_ONE)
    assert lines[2] == "AMU\t3\t1.0\n"


def test_best_of_n_takes_a_judge_with_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Metric[object]] = []
    monkeypatch.setattr(benchmark, "compare_choices", lambda *given, **_: asked.append(given[4]) or [])
    monkeypatch.setattr(benchmark, "beats_all", lambda *_: True)
    monkeypatch.setattr(benchmark, "shared_folder", lambda: tmp_path)
    monkeypatch.setattr("sys.argv", ["impara", "bestof", "--judge", "impara:model=./mine,threshold=0"])
    assert benchmark.main() == 0
    assert (asked[0].name, asked[0].options.threshold, asked[0].options.model) == ("impara", 0.0, "./mine")
