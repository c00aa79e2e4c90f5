"""Pairs of corrections that people rated, beside those of parallel data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_impara import TINY

from errata.errors import DataError, ErrataError, FormatError
from errata.judges.impara.preparation import prepare
from errata.judges.impara.rated_pairs import DEV_EVERY, rank_rated, repeat_pairs
from errata.judges.impara.supervision import RankedPair
from errata.judges.impara.task import ImparaTask
from errata.judges.ratings import RatedCorrection, read_ratings
from errata.training.devices import Place, pick_device
from errata.training.loop import train
from errata.training.recipe import read_recipe

HEADER = "source,output,ave_g,ave_f,ave_m\n"


def rated(source: str, output: str, *ratings: float) -> RatedCorrection:
    return RatedCorrection(tuple(source.split()), tuple(output.split()), (ratings[0], ratings[1], ratings[2]))


def test_the_better_rated_correction_comes_first() -> None:
    corrections = [rated("a b", "a c", 0.5, 0.5, 0.5), rated("a b", "a d", 1, 1, 0.25), rated("a b", "a e", 0.5, 1, 0)]
    train, dev = rank_rated(corrections, seed=1)
    assert not dev
    assert set(train) == {
        RankedPair(("a", "d"), ("a", "c")),
        RankedPair(("a", "d"), ("a", "e")),
    }  # the other two have the same mean


def test_corrections_of_different_sources_are_not_compared() -> None:
    assert rank_rated([rated("a", "x", 1, 1, 1), rated("b", "y", 0, 0, 0)], seed=1) == ([], [])


def test_a_correction_that_was_rated_twice_counts_with_the_mean() -> None:
    corrections = [rated("a", "x", 1, 1, 1), rated("a", "x", 0, 0, 0), rated("a", "y", 0.6, 0.6, 0.6)]
    assert rank_rated(corrections, seed=1)[0] == [RankedPair(("y",), ("x",))]


@given(n_sources=st.integers(1, 40), seed=st.integers(0, 30))
def test_a_tenth_of_the_sources_is_kept_apart(n_sources: int, seed: int) -> None:
    corrections = [rated(f"s{n}", f"o{n} {place}", place, 0, 0) for n in range(n_sources) for place in (0, 1)]
    train, dev = rank_rated(corrections, seed)
    assert len(train) + len(dev) == n_sources and abs(len(dev) - n_sources / DEV_EVERY) < 1
    assert {pair.better[0] for pair in train}.isdisjoint(pair.better[0] for pair in dev)


@given(n_rated=st.integers(1, 30), n_others=st.integers(0, 300), share=st.floats(0.01, 0.99))
def test_rated_pairs_make_their_share(n_rated: int, n_others: int, share: float) -> None:
    pairs = [RankedPair((str(number),), ("x",)) for number in range(n_rated)]
    repeated = repeat_pairs(pairs, n_others, share)
    counts = Counter(repeated)
    assert set(counts) == set(pairs) and max(counts.values()) - min(counts.values()) <= 1
    if len(repeated) > n_rated:
        assert len(repeated) == pytest.approx(share * (len(repeated) + n_others), abs=1)


def test_ratings_that_say_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no two rated corrections of a source differ"):
        repeat_pairs([], 100, 0.5)
    path = tmp_path / "ratings.csv"
    path.write_text(HEADER, "utf-8")
    recipe = read_recipe(TINY, [f"run.cache={tmp_path / 'cache'}", f"data.ratings=[{path}]"])
    with pytest.raises(ErrataError, match="no two rated corrections"):
        prepare(recipe, recipe.run.cache)


def test_more_rated_pairs_than_their_share_are_told(caplog: pytest.LogCaptureFixture) -> None:
    pairs = [RankedPair((str(number),), ("x",)) for number in range(30)]
    assert repeat_pairs(pairs, 10, 0.5) == pairs
    assert "30 rated pairs are more than the share of 0.5" in caplog.text


def test_a_table_saved_by_a_spreadsheet_is_read(table: Path) -> None:
    plain = list(read_ratings([table], "en"))
    table.write_text("\ufeff" + table.read_text("utf-8").replace("\n", "\r\n"), "utf-8", newline="")
    assert list(read_ratings([table], "en")) == plain


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "He go .,He goes .,4,4",
            "ratings.csv:2: not a row of ratings: it has 4 of 5 columns, or a quotation mark is not closed",
        ),
        ('He go .,"He goes .,4,4,4', "ratings.csv:2: not a row of ratings: it has 2 of 5 columns"),
        ("He go .,He goes .,4,four,4", "ratings.csv:2: not a row of ratings: ave_f is 'four', no number"),
        ("He go .,He goes .,4,4,nan", "ratings.csv:2: a rating is not between 0 and 4: ave_m is nan"),
        ("He go .,He goes .,4,5,4", "ratings.csv:2: a rating is not between 0 and 4: ave_f is 5"),
        (f"He go .,{'x' * 200_000},4,4,4", "ratings.csv:2: field larger than field limit"),
    ],
    ids=["too few", "quote", "word", "nan", "five", "long"],
)
def test_rows_that_are_no_ratings_say_what_is_wrong(row: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(HEADER + row + "\n", "utf-8")
    with pytest.raises(FormatError, match=message):
        list(read_ratings([path], "en"))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    rows = [f"He go home {n} .,He {verb} home {n} .,{rating},{rating},4" for n in range(40)
            for verb, rating in (("goes", 4), ("gone", 1))]  # fmt: skip
    path.write_text(HEADER + "\n".join(rows) + "\n", "utf-8")
    return path


def test_training_reads_rated_pairs(table: Path, tmp_path: Path) -> None:
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "data.pairs=100"]
    alone = prepare(read_recipe(TINY, places), tmp_path / "cache")
    recipe = read_recipe(TINY, [*places, f"data.ratings=[{table}]", "data.ratings_share=0.5"])
    task = ImparaTask.prepare(recipe, recipe.run.cache)
    assert len(task.prepared.train) == pytest.approx(2 * len(alone.train), abs=1)
    assert len(task.prepared.dev) == len(alone.dev) + 4
    assert train(recipe, task, place=Place(pick_device("cpu"))).scores["accuracy"] > 0.9


def test_a_bad_table_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(HEADER + "He go .,He goes .,4,x,4\n", "utf-8")
    recipe = read_recipe(TINY, [f"run.cache={tmp_path / 'cache'}", f"data.ratings=[{path}]"])
    with pytest.raises(ErrataError, match=r"ratings\.csv:2: not a row of ratings"):
        prepare(recipe, recipe.run.cache)


@pytest.mark.parametrize("share", [0, 1])
def test_a_share_of_all_or_nothing_is_refused(share: float) -> None:
    with pytest.raises(ErrataError, match="ratings_share is between 0 and 1"):
        read_recipe(TINY, [f"data.ratings_share={share}"])
