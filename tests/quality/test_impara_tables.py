"""Tables of judges from their verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.impara import clean
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


def test_what_a_judge_did_not_learn_from_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two sources of GMEG one is in the training file; of TMU-GFM's ten sources one is kept apart."""
    data, folder, verdicts = tmp_path / "data", tmp_path / "data" / "gmeg" / "wiki", tmp_path / "A-1"
    (data / "tmu-gfm").mkdir(parents=True)
    rows = [f"He go to {place} .,He {verb} to {place} .,{rating},{rating},{rating},A"
            for place in "abcdefghij" for verb, rating in (("goes", 4), ("gone", 1))]  # fmt: skip
    table = "\n".join(["source,output,ave_g,ave_f,ave_m,system", *rows, ""])
    (data / "tmu-gfm" / "tmu-gfm-dataset.csv").write_text(table, "utf-8")
    folder.mkdir(parents=True)
    outputs = {"source": ["She like tea .", "I has a cat ."], "amu": ["She likes tea .", "I have a cat ."]}
    for name, lines in outputs.items():
        (folder / name).write_text("".join(line + "\n" for line in lines), "utf-8")
    (data / "gmeg" / "wiki-segment-scores.csv").write_text("source,amu\n10,90\n20,80\n", "utf-8")
    write_verdicts(
        verdicts, [(system, number, float(system == "0"), 1.0) for number in range(1, 11) for system in "01"]
    )
    on_wiki = [(name, number, float(name == "amu"), 1.0) for name in outputs for number in (1, 2)]
    (verdicts / "gmeg-wiki-verdicts.tsv").write_text("".join(map(format_row, on_wiki)), "utf-8")
    (tmp_path / "train.tsv").write_text("She like tea.\tShe likes tea.\n", "utf-8")
    arguments = [str(data), f"A={verdicts}", "--train", str(tmp_path / "train.tsv"), "--threshold", "0"]
    monkeypatch.setattr("sys.argv", ["clean", *arguments])
    assert clean.main() == 0
    shown = capsys.readouterr()
    assert "sentences: tmu-gfm 1, gmeg-wiki 1" in shown.err
    assert "| A | 1.000 | 1.000 of 1 |" in shown.out
    (verdicts / "gmeg-wiki-verdicts.tsv").unlink()
    assert clean.main() == 1
    assert "A-1 has no verdicts on gmeg-wiki" in capsys.readouterr().err
