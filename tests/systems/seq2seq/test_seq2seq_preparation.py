"""What is packed for training, and what is left out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.synth.learn import Learner
from errata.systems.seq2seq.task import Seq2SeqTask
from errata.training.recipe import read_recipe
from errata.training.shipped import shipped_recipe

SECRET = "The committee will not publish the results before the end of next winter ."
NEAR = "The committee will not publish the results until the end of next winter ."
WRONG = "The committee will not publishes the results before the end of next winter ."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("train.tsv").write_text(f"{WRONG}\t{SECRET}\nI likes tea .\tI like tea .\n", "utf-8")
    Path("text.txt").write_text(f"{NEAR}\nCoffee is made from beans .\nShe sings well .\n", "utf-8")
    Path("test.txt").write_text(f"{SECRET}\n", "utf-8")
    learner = Learner("en")
    learner.add_pair("I likes tea .", "I like tea .")
    learner.model().save(Path("noise.json.xz"))
    return tmp_path


def prepare(exclude: str) -> Seq2SeqTask:
    settings = [
        *("data.train=[train.tsv]", "data.dev=[]", f"data.exclude={exclude}", "evaluation.select=null"),
        "data.synthetic={text: [text.txt], noise: noise.json.xz}",
    ]
    recipe = read_recipe(shipped_recipe("seq2seq-tiny"), settings)
    return Seq2SeqTask.prepare(recipe, Path("cache"))


@pytest.mark.parametrize(("exclude", "examples"), [("[]", 5), ("[test.txt]", 3)], ids=["all", "without-the-test-set"])
def test_evaluation_sentences_are_left_out(files: Path, exclude: str, examples: int) -> None:
    task = prepare(exclude)
    assert len(task.train_examples) == examples
    learnt = task.prepared.subwords.tokenizer.to_str()
    assert ("winter" in learnt) == (exclude == "[]")
    if exclude == "[]":
        assert task.prepared.excluded == {}
    else:
        assert task.prepared.excluded["pairs"]["from"] == {"train.tsv": {"read": 2, "exact": 0, "near": 1}}
        assert task.prepared.excluded["clean"]["from"] == {"text.txt": {"read": 3, "exact": 0, "near": 1}}


def test_the_model_says_what_was_left_out(files: Path) -> None:
    task = prepare("[test.txt]")
    task.save(task.build_model(), files, {"step": 0})
    again = prepare("[test.txt]")  # packed already
    assert again.prepared.excluded == task.prepared.excluded
    assert '"excluded"' in (files / "errata.json").read_text("utf-8")
