"""SOME from ratings to scores."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import errata
from errata.errors import DataError, ErrataError, FormatError
from errata.judges.ratings import read_ratings
from errata.judges.some.export import export_some
from errata.judges.some.judge import SomeJudge
from errata.metrics.base import Item, Metric, get_metric
from errata.model import Sentence
from errata.networks.native import is_available
from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.shipped import FOLDER as RECIPES

RATED = list(read_ratings([RECIPES / "data" / "ratings.csv"], "en", tokenise=False))
SOURCES, OUTPUTS = [one.source for one in RATED], [one.output for one in RATED]
BACKENDS = ["onnx", *(["native"] if is_available() else [])]
Trained = tuple[Path, Outcome]


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    folder = tmp_path_factory.mktemp("some")
    places = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
    recipe = read_recipe(RECIPES / "some-tiny.yaml", places)
    task = find_task(recipe.system).prepare(recipe, recipe.run.cache)
    return folder / "run" / "model", train(recipe, task, place=Place(pick_device("cpu")))


@pytest.fixture(scope="module")
def small(some: Trained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("small") / "judge"
    export_some(some[0], out)
    return out


def test_ratings_are_learnt(some: Trained) -> None:
    folder, outcome = some
    rated = SomeJudge.load(folder).judge(SOURCES, OUTPUTS)
    people = np.array([one.ratings for one in RATED])
    assert all(np.corrcoef(rated[:, place], people[:, place])[0, 1] > 0.9 for place in range(3))
    assert outcome.scores["correlation"] > 0.9


@pytest.mark.parametrize("backend", BACKENDS)
def test_ratings_are_the_same_without_torch(some: Trained, small: Path, backend: str) -> None:
    judge = SomeJudge.load(small, backend=backend)
    together = judge.judge(SOURCES, OUTPUTS)
    assert np.abs(together - SomeJudge.load(some[0]).judge(SOURCES, OUTPUTS)).max() < 0.03
    alone = [judge.judge([source], [output])[0] for source, output in zip(SOURCES[:9], OUTPUTS[:9], strict=True)]
    assert together[:9] == pytest.approx(np.array(alone), abs=5e-7)  # six digits


def test_the_metric_weighs_the_ratings(small: Path) -> None:
    sources, outputs = ([" ".join(tokens) for tokens in side] for side in (SOURCES, OUTPUTS))
    options = {"metric": "some", "model": str(small)}
    found = errata.score(sources, outputs, **options)
    parts = found.parts
    assert found.value == pytest.approx(
        0.55 * parts["grammaticality"] + 0.43 * parts["fluency"] + 0.02 * parts["meaning"]
    )
    only = errata.score(sources, outputs, grammaticality=0.0, fluency=0.0, meaning=1.0, **options)
    assert only.value == pytest.approx(parts["meaning"])
    assert "|ratings:0.55,0.43,0.02|" in found.signature and "|gold:none|" in found.signature
    assert errata.score(["a b"], [""], **options).value == 0
    with pytest.raises(ErrataError, match="0 or more"):
        errata.score(sources, outputs, fluency=-1.0, **options)


def test_the_fast_way_to_resample_agrees_with_the_plain_one(small: Path) -> None:
    metric = get_metric("some", model=str(small))
    stats = metric.stats([Item(Sentence(a), " ".join(b)) for a, b in zip(SOURCES[:9], OUTPUTS[:9], strict=True)])
    rows = np.random.default_rng(0).integers(0, 9, (5, 9))
    assert metric.resample(stats, rows) == pytest.approx(Metric.resample(metric, stats, rows))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "no column 'source'"),
        ("source,output,ave_g,ave_f\na,b,1,1\n", 1, "no column 'ave_m'"),
        ("source,output,ave_g,ave_f,ave_m\na,b,1,1\n", 2, "not a row of ratings"),
        ("source,output,ave_g,ave_f,ave_m\na,b,x,1,1\n", 2, "not a row of ratings"),
        ("source,output,ave_g,ave_f,ave_m\na,b,1,1,5\n", 2, "not between 0 and 4"),
        ("source,output,ave_g,ave_f,ave_m\na,b,1,1,nan\n", 2, "not between 0 and 4"),
        ("source,output,ave_g,ave_f,ave_m\na,b,1,1,1\n,b,1,1,1\n", 3, "is empty"),
    ],
)
def test_bad_tables_are_told_by_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        list(read_ratings([path], "en"))
    assert f"ratings.csv:{line}:" in str(caught.value)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"alone": {"weight": [[1]], "bias": [0]}}'])
def test_damaged_folders_are_refused(small: Path, tmp_path: Path, content: str) -> None:
    folder = shutil.copytree(small, tmp_path / "copy")
    (folder / "ratings.json").write_text(content, "utf-8")
    with pytest.raises(DataError):
        SomeJudge.load(folder)
