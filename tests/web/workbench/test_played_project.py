"""Scripts play a small project from import to export, over both doors; `benchmarks.workbench.played` a large one."""

from __future__ import annotations

import pytest
from benchmarks.workbench.played import run


@pytest.mark.parametrize("over_http", [False, True], ids=["domain", "http"])
def test_a_small_project(over_http: bool) -> None:
    """The scores of exported files, as `errata score` finds them, are those of the figures: `run` asserts it."""
    told = run(8, 3, 2, over_http=over_http)
    assert (told["n_annotated"], told["n_reviewed"]) == (16, 8)
