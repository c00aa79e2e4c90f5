"""Density: how sentences are mixed, that the corpus as it is scores as `errata score` has it, and what shares do."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.analysis.corpora import find_corpora
from errata.analysis.density import MEASURES, Pool, check_shares, draw_counts, measure, mix, score_whole, trace_points
from errata.analysis.systems import FileSystem, make_file_systems, read_named_files
from errata.analysis.tracing import DensityCorpus, load_corpus, trace_curve
from errata.errors import AlignmentError, DataError, UsageError
from errata.metrics.base import get_metric
from errata.metrics.inputs import Hypothesis, make_items
from errata.model import Counts

GOLD = """\
S This are a sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||1
A 2 3|||U:DET||||||REQUIRED|||-NONE-|||1

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S He sleeps .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
"""
ANSWERS = "This is a sentence .\nI like cat .\nAll was well .\nHe sleeps .\n"
COUNTS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))


def make(rows: list[tuple[int, int, int]]) -> np.ndarray:
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


@pytest.fixture
def corpus(tmp_path: Path) -> DensityCorpus:
    (tmp_path / "gold.m2").write_text(GOLD, encoding="utf-8")
    return load_corpus(find_corpora([str(tmp_path / "gold.m2")])[0], 0)


def system(tmp_path: Path, answers: str = ANSWERS, corrected: str | None = None) -> FileSystem:
    (tmp_path / "out.txt").write_text(answers, encoding="utf-8")
    if corrected is None:
        return FileSystem("mine", [str(tmp_path / "out.txt")])
    (tmp_path / "again.txt").write_text(corrected, encoding="utf-8")
    return FileSystem("mine", [str(tmp_path / "out.txt")], [str(tmp_path / "again.txt")])


def test_corrected_versions_are_made_once(corpus: DensityCorpus) -> None:
    assert corpus.corrected == ("This is a sentence .", "This is sentence .", "I like cats .")
    assert corpus.language == "en"


def test_the_corpus_as_it_is_scores_as_elsewhere(corpus: DensityCorpus, tmp_path: Path) -> None:
    curve = trace_curve(corpus, system(tmp_path), (0.5, 1.0), 5, 1)
    metric = get_metric("errant", per_annotator=True)
    items = make_items(corpus.gold, [Hypothesis(line) for line in ANSWERS.splitlines()])
    parts = metric.aggregate(metric.stats(items)).parts
    assert dict(curve.own) == pytest.approx({name: parts[name] for name in MEASURES})
    assert (curve.own_share, curve.n_annotators) == ((2 / 4 + 1 / 4) / 2, 2)


def test_without_correct_sentences_nothing_wrong_is_done_in_them(corpus: DensityCorpus, tmp_path: Path) -> None:
    curve = trace_curve(corpus, system(tmp_path), (1.0,), 3, 1)
    [point] = curve.points
    # Of both annotators: one right edit and none wrong in erroneous sentences.
    assert point.values["precision"] == 1.0 and curve.own["precision"] == 0.5
    assert point.mixture.n_correct == 0
    assert "no outputs for corrected sentences" in curve.notes[0]


def test_edits_in_corrected_sentences_are_wrong(tmp_path: Path) -> None:
    """One erroneous sentence, three correct ones and a corrected one are a share of a fifth."""
    own = "\n".join(line for line in GOLD.splitlines() if not line.endswith("|||0")) + "\n"
    (tmp_path / "own.m2").write_text(own, encoding="utf-8")
    corpus = load_corpus(find_corpora([str(tmp_path / "own.m2")])[0], 0)
    assert corpus.corrected == ("This is sentence .",)
    curve = trace_curve(corpus, system(tmp_path, corrected="This is a sentence .\n"), (0.2,), 3, 1)
    [point] = curve.points
    assert (point.mixture.n_erroneous, point.mixture.n_correct, point.mixture.n_corrected) == (1, 3, 1)
    # `is` is right; `All was well` and the article that is put back are wrong.
    assert point.values["precision"] == pytest.approx(1 / 3) and curve.notes == ()
    [known] = trace_curve(corpus, system(tmp_path, corrected="This is sentence .\n"), (0.2,), 3, 1).points
    assert known.values["precision"] == pytest.approx(1 / 2)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 60), st.floats(0.01, 1))
def test_mixtures_have_the_share_that_was_asked_for(erroneous: int, correct: int, corrected: int, share: float) -> None:
    pool = Pool(*(np.zeros((n, 3), dtype=np.int64) for n in (erroneous, correct, corrected)))
    found = mix(pool, share)
    if found is None:
        assert (correct + corrected) * share / (1 - share) <= 0.5
        return
    total = found.n_erroneous + found.n_correct + found.n_corrected
    assert 1 <= found.n_erroneous <= erroneous
    assert found.n_correct <= correct and found.n_corrected <= corrected
    assert found.n_corrected == 0 or found.n_correct == correct
    assert abs(found.n_erroneous - share * total) <= 0.5 + 1e-9


@given(st.lists(COUNTS, min_size=1, max_size=9), st.lists(st.integers(0, 3), max_size=9), st.integers(0, 5))
def test_all_sentences_together_are_the_whole_corpus(
    erroneous: list[tuple[int, int, int]], wrong: list[int], seed: int
) -> None:
    pool = Pool(make(erroneous), make([(0, n, 0) for n in wrong]), make([]))
    whole = mix(pool, len(erroneous) / (len(erroneous) + len(wrong)))
    assert whole is not None
    counts = draw_counts(pool, [whole], 2, np.random.default_rng(seed))
    expected = sum((Counts(*row) for row in [*erroneous, *((0, n, 0) for n in wrong)]), Counts())
    assert counts[:, 0].tolist() == [[expected.tp, expected.fp, expected.fn]] * 2
    values = (expected.precision, expected.recall, expected.f(0.5))
    assert measure(counts)[0, 0].tolist() == pytest.approx(values)
    assert score_whole([pool]) == pytest.approx(dict(zip(MEASURES, values, strict=True)))


@given(st.lists(COUNTS, min_size=1, max_size=9), st.lists(st.integers(1, 3), min_size=5, max_size=20))
def test_precision_does_not_fall_as_correct_sentences_go(
    erroneous: list[tuple[int, int, int]], wrong: list[int]
) -> None:
    """In each draw a denser corpus is part of the sparser one, with the same right edits."""
    pool = Pool(make(erroneous), make([(0, n, 0) for n in wrong]), make([]))
    own = pool.share
    shares = tuple(own + (1 - own) * step / 4 for step in range(5))
    precision = [point.values["precision"] for point in trace_points([pool], shares, 4, 1)]
    assert all(before <= after + 1e-12 for before, after in pairwise(precision))


def test_the_seed_decides_the_draws() -> None:
    pool = Pool(make([(1, 0, 0)] * 9), make([(0, n % 3, 0) for n in range(30)]), make([]))
    assert trace_points([pool], (0.5,), 3, 1) == trace_points([pool], (0.5,), 3, 1)
    assert trace_points([pool], (0.5,), 3, 1) != trace_points([pool], (0.5,), 3, 2)


@pytest.mark.parametrize("shares", [(0.0,), (1.2,), (-0.1, 0.5)])
def test_shares_that_make_no_sense(shares: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="above 0 and at most 100"):
        check_shares(shares)


def test_outputs_must_be_parallel(corpus: DensityCorpus, tmp_path: Path) -> None:
    with pytest.raises(AlignmentError, match="3 lines for 4 sentences"):
        trace_curve(corpus, system(tmp_path, "a\nb\nc\n"), (1.0,), 1, 1)
    with pytest.raises(AlignmentError, match="corrected sentences of gold: 1 lines for 3"):
        trace_curve(corpus, system(tmp_path, corrected="a\n"), (1.0,), 1, 1)


def test_a_corpus_without_errors_has_no_share(tmp_path: Path) -> None:
    (tmp_path / "right.m2").write_text("S It is fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n", "utf-8")
    corpus = load_corpus(find_corpora([str(tmp_path / "right.m2")])[0], 0)
    with pytest.raises(DataError, match="no sentence is erroneous"):
        trace_curve(corpus, system(tmp_path, "It is fine .\n"), (1.0,), 1, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x.txt"], "write SYSTEM=FILE"),
        (["a=x"], "1 files for 2 corpora"),
        (["a=x,y", "a=z,w"], "names the system 'a' twice"),
    ],
)
def test_files_of_systems(arguments: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_named_files(arguments, "--hyp", 2)


def test_corrected_outputs_belong_to_a_system() -> None:
    with pytest.raises(UsageError, match="'other', which has no --hyp"):
        make_file_systems({"mine": ["x"]}, {"other": ["y"]})


def test_references_that_only_erroneous_sentences_have_are_left_out(tmp_path: Path) -> None:
    rows = ["我爱你门。\t我爱你们。\t我爱你。", "他来了。\t他来了。", "她很的高。\t她很高。", "天气好。\t天气好。"]
    (tmp_path / "zh.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    corpus = load_corpus(find_corpora([str(tmp_path / "zh.tsv")])[0], 0)
    curve = trace_curve(corpus, system(tmp_path, "我爱你们。\n他来了。\n她很的高。\n天气真好。\n"), (0.5, 1.0), 2, 1)
    assert (curve.n_annotators, curve.own_share) == (1, 0.5) and "1 references that not every" in curve.notes[1]
    assert [point.values["precision"] for point in curve.points] == [0.5, 1.0]
