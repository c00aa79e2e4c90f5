"""A judge that learns what other judges say, beside the order of pairs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tiny_impara import TINY, run_tiny

from errata.errors import DataError, ErrataError
from errata.formats import read_corpus
from errata.judges.impara.judge import ImparaJudge
from errata.judges.impara.preparation import prepare
from errata.judges.impara.supervision import RankedPair
from errata.judges.impara.taught import TAUGHT, TaughtTwins, ask_teachers
from errata.training.loop import Outcome
from errata.training.recipe import read_recipe
from errata.training.shipped import FOLDER as RECIPES

PAIRS = read_corpus(RECIPES / "data" / "tagger-pairs.en.tsv")
TEXTS = [one.sentence.tokens for one in PAIRS] + [
    tuple((one.annotations[0].target or "").split()) for one in PAIRS if one.annotations[0].target
]


def distil(*teachers: Path, more: str = "") -> str:
    return f"model.distil={{teachers: [{', '.join(f'{str(folder)!r}' for folder in teachers)}]{more}}}"


def test_a_student_says_what_its_teacher_says(trained: tuple[Path, Outcome], tmp_path: Path) -> None:
    taught, _ = run_tiny(tmp_path, distil(trained[0], more=", weight: 1.0"), "run.steps=120", "seed=2")
    alone, _ = run_tiny(tmp_path / "alone", "seed=2")
    teacher, student, other = (ImparaJudge.load(folder).logits(TEXTS) for folder in (trained[0], taught, alone))
    assert np.corrcoef(teacher, student)[0, 1] > 0.97 > np.corrcoef(teacher, other)[0, 1]
    # On the teacher's scale, though it learnt R divided by a temperature.
    assert student.std() == pytest.approx(teacher.std(), rel=0.15)
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text("utf-8").splitlines()]
    assert [line["parts"]["teachers"] for line in log if "parts" in line][-1] < 0.5


def test_teachers_are_averaged_and_each_sentence_has_its_own(trained: tuple[Path, Outcome], tmp_path: Path) -> None:
    pairs = [RankedPair(TEXTS[3], TEXTS[1]), RankedPair(TEXTS[1], TEXTS[2])]
    one = ask_teachers(pairs, [trained[0]])
    score = json.loads((trained[0] / "score.json").read_text("utf-8"))
    twice = shutil.copytree(trained[0], tmp_path / "twice")
    (twice / "score.json").write_text(
        json.dumps({"weight": [3 * x for x in score["weight"]], "bias": 3 * score["bias"]}), "utf-8"
    )
    assert one == pytest.approx(ImparaJudge.load(trained[0]).logits([TEXTS[3], TEXTS[1], TEXTS[1], TEXTS[2]]), abs=1e-4)
    assert ask_teachers(pairs, [trained[0], twice]) == pytest.approx(2 * one, abs=1e-3)


def test_batches_have_what_is_taught_beside_their_sentences(trained: tuple[Path, Outcome], tmp_path: Path) -> None:
    recipe = read_recipe(TINY, [distil(trained[0])])
    twins = prepare(recipe, tmp_path / "cache").train
    assert isinstance(twins, TaughtTwins)
    batch = twins.collate([2, 0], np.random.default_rng(0))
    taught = twins.packed[TAUGHT]
    assert batch[TAUGHT].tolist() == [taught[4], taught[0], taught[5], taught[1]]


def test_other_teachers_are_other_data(trained: tuple[Path, Outcome], frozen: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    folders = [
        prepare(read_recipe(TINY, [*assignments]), cache).train.packed.folder
        for assignments in (
            [],
            [distil(trained[0])],
            [distil(trained[0], more=", weight: 0.9, temperature: 1.0")],
            [distil(frozen)],
        )
    ]
    assert folders[1] == folders[2] and len(set(folders)) == 3


def test_teachers_are_looked_at_before_anything_is_packed(trained: tuple[Path, Outcome], tmp_path: Path) -> None:
    teacher = shutil.copytree(trained[0], tmp_path / "teacher")
    manifest = json.loads((teacher / "errata.json").read_text("utf-8"))
    for changed, message in (
        ({"language": "zh"}, "judges zh, not en"),
        ({"system": "tagger"}, "is no judge but tagger"),
    ):
        (teacher / "errata.json").write_text(json.dumps({**manifest, **changed}), "utf-8")
        with pytest.raises(DataError, match=f"the teacher .*teacher {message}"):
            prepare(read_recipe(TINY, [distil(trained[0], teacher)]), tmp_path / "cache")
    assert not (tmp_path / "cache").exists() or not list((tmp_path / "cache").glob("impara-*"))


def test_packed_data_travel_without_the_teachers(trained: tuple[Path, Outcome], tmp_path: Path) -> None:
    teacher = shutil.copytree(trained[0], tmp_path / "teacher")
    recipe = read_recipe(TINY, [f"run.cache={tmp_path / 'cache'}", distil(teacher)])
    folder = prepare(recipe, recipe.run.cache).train.packed.folder
    shutil.rmtree(teacher)
    again = read_recipe(TINY, [f"run.cache={tmp_path / 'cache'}", distil(teacher)])
    assert prepare(again, again.run.cache).train.packed.folder == folder


def test_a_run_does_not_write_over_its_teacher(trained: tuple[Path, Outcome], tmp_path: Path) -> None:
    recipe = read_recipe(TINY, [distil(trained[0]), f"run.folder={trained[0].parent}"])
    with pytest.raises(DataError, match="lies in the folder of the run"):
        prepare(recipe, tmp_path / "cache")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model.distil={teachers: []}", "teachers names at least one folder"),
        ("model.distil={teachers: ['{folder}'], weight: 0}", "weight is above 0 up to 1"),
        ("model.distil={teachers: ['{folder}'], temperature: 0}", "temperature a number above 0"),
        ("model.distil={teachers: ['{folder}'], temperature: inf}", "temperature a number above 0"),
        ("model.distil={teachers: [./nowhere]}", "nowhere"),
    ],
)
def test_settings_are_checked(trained: tuple[Path, Outcome], setting: str, message: str) -> None:
    with pytest.raises(ErrataError, match=message):
        read_recipe(TINY, [setting.replace("{folder}", str(trained[0]))])


def test_teachers_go_with_neither_a_frozen_encoder_nor_a_fitted_scale(trained: tuple[Path, Outcome]) -> None:
    backbone = f"model.backbone={{name: '{trained[0]}', positions: 62}}"
    for other, message in (("frozen", "leave distil out"), ("scaled", "leave scaled out")):
        with pytest.raises(ErrataError, match=message):
            read_recipe(TINY, [backbone, distil(trained[0]), f"model.{other}=true"])
