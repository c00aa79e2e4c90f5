"""`errata attribute`: one metric and one file of hypotheses at a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Run
from scoring_files import write_files

GOLD = ("attribute", "--m2", "gold.m2")


@pytest.fixture
def files(run: Run, tmp_path: Path) -> Run:
    """The command, in a folder with gold and the outputs of two systems."""
    write_files(tmp_path)
    return run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "errant", "-m", "gleu", "--hyp", "good.m2"), "attribute takes one --metric, not errant and gleu"),
        (("-m", "errant", "--hyp", "good.m2", "--hyp", "bad.m2"), "attribute takes one --hyp, not good.m2 and bad.m2"),
    ],
)
def test_one_at_a_time(arguments: tuple[str, ...], message: str, files: Run) -> None:
    status, out, err = files(*GOLD, *arguments)
    assert (status, out) == (2, "")
    assert err == f"errata: {message}: run it once for each\n"


def test_the_same_metric_twice_is_one(files: Run) -> None:
    once = files(*GOLD, "-m", "errant", "--hyp", "bad.m2")
    assert once[0] == 0 and "I like [cat → cats] ." in once[1]
    assert files(*GOLD, "-m", "errant", "-m", "errant", "--hyp", "bad.m2", "--hyp", "bad.m2") == once


def test_a_set_nobody_knows_says_which_command_lists_them(files: Run) -> None:
    status, _, err = files("attribute", "-m", "errant", "--set", "conll99", "--hyp", "good.m2")
    assert status == 2 and "errata score --set list shows them" in err
