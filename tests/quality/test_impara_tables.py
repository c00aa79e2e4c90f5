"""Tables of judges from their verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.impara.judging import format_row, list_corrections
from benchmarks.impara.ratings import read_outputs
from benchmarks.impara.tables import (
    Judge,
    Rule,
    choose_row,
    judge_ratings,
    measure_scale,
    parse_judge,
    plan_rows,
    read_numbers,
)

from errata.errors import DataError, FormatError, UsageError
from errata.meta_eval.base import Rated, Track
from errata.metrics.inputs import Gold
from errata.model import AnnotatedSentence, Sentence

RATINGS = """source,output,ave_g,system
He go home .,He goes home .,4.0,"A,B"
He go home .,He go home .,1.0,C
She like tea .,She likes tea .,3.5,A
She like tea .,She like the tea .,2.0,"B,C"
"""


def write_verdicts(folder: Path, rows: list[tuple[str, int, float, float]]) -> Path:
    folder.mkdir()
    (folder / "tmu-gfm-verdicts.tsv").write_text("".join(map(format_row, rows)), encoding="utf-8")
    return folder


def test_chinese_candidates_are_read_by_characters() -> None:
    tokens = tuple("他去学校")
    rated = [Rated(0, ("他去了学校", "他去学校"), (1.0, 0.0), ("0", "1"))]
    track = Track("cltc", Gold("dev", (AnnotatedSentence(Sentence(tokens), ()),)), rated=rated)
    assert list_corrections(track) == [("0", 0, tokens, tuple("他去了学校")), ("1", 0, tokens, tokens)]


def test_a_correction_that_is_not_about_its_source_scores_nothing() -> None:
    scores = Rule(0.9).score([(0.0, 0.95), (3.0, 0.9), (-1000.0, 1.0)])
    assert scores == pytest.approx([0.5, 0.0, 0.0])


def test_the_means_of_several_judges_behind_the_gate_of_the_first(tmp_path: Path) -> None:
    one = write_verdicts(tmp_path / "one", [("A", 1, 1.0, 0.9)])
    two = write_verdicts(tmp_path / "two", [("A", 1, 3.0, 0.2)])
    assert Judge((one, two)).read("tmu-gfm") == {("A", 0): (2.0, 0.9)}
    assert Judge((one,)).read("gjg15") is None


def test_judges_of_other_corrections_have_no_mean(tmp_path: Path) -> None:
    one = write_verdicts(tmp_path / "one", [("A", 1, 1.0, 0.9)])
    two = write_verdicts(tmp_path / "two", [("B", 1, 3.0, 0.2)])
    with pytest.raises(DataError, match="not about the same corrections"):
        Judge((one, two)).read("tmu-gfm")


@pytest.mark.parametrize("line", ["A\tone\t1.0\t0.9", "A\t1\t1.0", "A\t1\tx\t0.9"])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_text(f"A\t1\t1.0\t0.9\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"verdicts\.tsv:2"):
        read_numbers(path, 2)


def test_a_standard_scale_has_mean_0_and_deviation_1() -> None:
    centre, scale = measure_scale({("A", place): (float(r), 1.0) for place, r in enumerate((1, 3, 5, 7))})
    worth = scale * (np.array([1, 3, 5, 7]) - centre)
    assert (worth.mean(), worth.std()) == pytest.approx((0.0, 1.0))
    with pytest.raises(DataError, match="needs the verdicts"):
        measure_scale(None)


def test_ratings_are_read_and_agreed_with(tmp_path: Path) -> None:
    path = tmp_path / "tmu-gfm-dataset.csv"
    path.write_text(RATINGS, encoding="utf-8")
    outputs = read_outputs(path)
    assert outputs.made == {"A": [(0, 0), (1, 0)], "B": [(0, 0), (1, 1)], "C": [(0, 1), (1, 1)]}
    good = {("0", 0): (3.0, 1.0), ("1", 0): (-3.0, 1.0), ("0", 1): (2.0, 1.0), ("1", 1): (-1.0, 1.0)}
    bad = {key: (-r, alike) for key, (r, alike) in good.items()}
    agreeing, contrary = (judge_ratings(outputs, verdicts, Rule(0.0)) for verdicts in (good, bad))
    assert (agreeing["pairs"], contrary["pairs"]) == (1.0, 0.0)
    assert agreeing["sentence r"] == pytest.approx(-contrary["sentence r"])
    assert choose_row({"bad": contrary, "good": agreeing}) == "good"


def test_rows_are_planned_for_each_judge_and_threshold(tmp_path: Path) -> None:
    labels = [row.label for row in plan_rows({"A": [tmp_path]}, ["own"], ["own"], [0.0, 0.9])]
    assert labels == ["A, own scale, own gate, θ 0", "A, own scale, own gate, θ 0.9"]


def test_nobody_is_chosen_without_ratings() -> None:
    with pytest.raises(DataError, match="no judge has verdicts"):
        choose_row({})


def test_a_judge_is_a_name_and_folders() -> None:
    assert parse_judge("A=x/1+x/2") == ("A", [Path("x/1"), Path("x/2")])
    with pytest.raises(UsageError, match="NAME=FOLDER"):
        parse_judge("x/1")
