"""The best of several outputs, and the best of their edits, by a judge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import UsageError
from errata.judges.choosing import choose_best, combine_best
from errata.metrics.base import Item, Metric, get_metric
from errata.model import Score

SOURCE, TARGET = "He go to a school yesterday .", "He went to school yesterday ."


class Overlap(Metric[float]):
    """How many words of the target are in the hypothesis, minus those that are not."""

    name = "overlap"
    needs_references = False

    def stats(self, items: Sequence[Item]) -> list[float]:
        words = [set(str(item.hypothesis).split()) for item in items]
        return [len(one & set(TARGET.split())) - len(one - set(TARGET.split())) for one in words]

    def aggregate(self, stats: Sequence[float]) -> Score:
        return Score(self.name, float(np.mean(stats)), {}, self.name)


def test_the_best_output_is_taken_whole() -> None:
    outputs = [["He went to a school yesterday ."], ["He go to school yesterday ."], [SOURCE]]
    chosen = choose_best([SOURCE], outputs, Overlap())
    assert (chosen[0].text, chosen[0].system) == ("He went to a school yesterday .", 0)  # the first of equals


def test_edits_are_combined_while_the_score_rises() -> None:
    outputs = [["He went to a school yesterday ."], ["He go to school yesterday night ."]]
    chosen = combine_best([SOURCE, TARGET], [[*one, TARGET] for one in outputs], Overlap(), "en")
    assert (chosen[0].text, chosen[0].system) == (TARGET, None)
    assert (chosen[1].text, chosen[1].system) == (TARGET, 0)


@given(picks=st.lists(st.lists(st.sampled_from(TARGET.split() + SOURCE.split()), min_size=1), min_size=2, max_size=4))
def test_no_output_is_better_than_the_one_that_is_chosen(picks: list[list[str]]) -> None:
    outputs = [[" ".join(words)] for words in picks]
    best = choose_best([SOURCE], outputs, Overlap())[0]
    scores = [Overlap().stats([Item(None, texts[0])])[0] for texts in outputs]  # type: ignore[arg-type]
    assert best.score == max(scores) and outputs[best.system or 0] == [best.text]


class Share(Overlap):
    """The share of the hypothesis's words that are in the target."""

    name, has_odds = "share", True

    def stats(self, items: Sequence[Item]) -> list[float]:
        words = [str(item.hypothesis).split() for item in items]
        return [sum(word in TARGET.split() for word in one) / len(one) for one in words]


@pytest.mark.parametrize(("margin", "system"), [(0, 2), (1.0, 2), (1.09, 2), (1.11, 0), (50, 0)])
def test_the_first_output_is_left_for_a_clear_lead_only(margin: float, system: int) -> None:
    outputs = [
        ["He goes"],
        ["goes He"],
        ["He to went goes"],
    ]  # shares of a half, a half, three quarters: log-odds 0, 0, 1.0986
    assert choose_best([SOURCE], outputs, Share(), margin=margin)[0].system == system


@pytest.mark.parametrize(("first", "second", "system"), [("goes", "He", 1), ("goes", "gone", 0), ("He", "to", 0)])
def test_scores_of_0_and_1_have_a_place_too(first: str, second: str, system: int) -> None:
    assert choose_best([SOURCE], [[first], [second]], Share(), margin=4)[0].system == system


@given(
    picks=st.lists(st.lists(st.sampled_from(TARGET.split() + SOURCE.split()), min_size=1), min_size=2, max_size=4),
    margin=st.floats(0, 6),
)
def test_a_margin_never_leaves_the_first_for_a_worse_one(picks: list[list[str]], margin: float) -> None:
    outputs = [[" ".join(words)] for words in picks]
    best = choose_best([SOURCE], outputs, Share(), margin=margin)[0]
    free = choose_best([SOURCE], outputs, Share())[0]
    first = Share().stats([Item(None, outputs[0][0])])[0]  # type: ignore[arg-type]
    assert best == free or (best.system == 0 and first <= free.score)


def test_edits_are_combined_for_a_clear_lead_only() -> None:
    outputs = [["He went to a school yesterday ."], ["He go to school yesterday ."]]
    for margin, text in ((0.0, TARGET), (4.0, TARGET), (1e9, TARGET)):
        assert combine_best([SOURCE], outputs, Share(), "en", margin=margin)[0].text == text
    outputs = [["He go to a school yesterday ."], ["He went to a school yesterday ."]]
    assert combine_best([SOURCE], outputs, Share(), "en", margin=2.0)[0].text == outputs[0][0]


@pytest.mark.parametrize("metric", [Overlap(), get_metric("some"), get_metric("scribendi")])
def test_a_margin_is_for_scores_that_have_odds(metric: Metric[object]) -> None:
    with pytest.raises(UsageError, match=f"scores of {metric.name} have no log-odds"):
        choose_best([SOURCE], [[TARGET], [SOURCE]], metric, margin=1)


def test_metrics_with_references_cannot_choose() -> None:
    with pytest.raises(UsageError, match="errant compares with references"):
        choose_best([SOURCE], [[TARGET]], get_metric("errant"))


def test_the_command_writes_the_best_lines(exported: Path, tmp_path: Path) -> None:
    for name, line in (("src", SOURCE), ("a", SOURCE), ("b", TARGET)):
        (tmp_path / f"{name}.txt").write_text(line + "\n", "utf-8")
    files = [part for name in "ab" for part in ("--hyp", str(tmp_path / f"{name}.txt"))]
    arguments = ["ensemble", "--src", str(tmp_path / "src.txt"), *files]
    judge = ["--judge", "impara", "--set", f"model={exported}"]
    for more in ([], ["--margin", "1"], ["--edits"]):
        answer = CliRunner().invoke(app, [*arguments, *judge, *more])
        assert answer.exit_code == 0, answer.output
        assert answer.stdout.strip() in (SOURCE, TARGET) or more
        assert answer.stderr.startswith("1 lines: ")
    (tmp_path / "none.txt").touch()
    empty = ["ensemble", "--src", str(tmp_path / "none.txt"), *(["--hyp", str(tmp_path / "none.txt")] * 2), *judge]
    assert CliRunner().invoke(app, empty).stderr.startswith("0 lines: 0 ")
    for wrong in (["--edits"], ["--margin", "1"], [*judge, "--threshold", "2"], ["--judge", "errant"]):
        assert isinstance(CliRunner().invoke(app, [*arguments, *wrong]).exception, UsageError), wrong
