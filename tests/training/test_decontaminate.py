"""Evaluation sentences stay out of training data, and nothing else does."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.training.decontaminate import Exclusions, Hit, Screen, read_exclusions

words = st.text(string.ascii_lowercase, min_size=1, max_size=8)
sentences = st.lists(words, min_size=1, max_size=25).map(" ".join)
other_words = st.text("αβγδεζηθ", min_size=1, max_size=8)
other_sentences = st.lists(other_words, min_size=1, max_size=25).map(" ".join)
hanzi = st.text("的一是不了人我在有他这为之大来以个中上们", min_size=1, max_size=60)

LONG = "The committee will decide about the new school on Monday morning ."


@given(st.lists(sentences, min_size=1, max_size=5), st.data())
def test_an_excluded_sentence_never_passes(excluded, data):
    found = Exclusions([excluded])
    sentence = data.draw(st.sampled_from(excluded))
    assert found.find(sentence) == Hit("exact", 0)
    disguised = sentence.upper().replace(" ", data.draw(st.sampled_from([" ", " , ", "  "]))) + " !"
    assert found.find(disguised) == Hit("exact", 0)


@given(st.lists(sentences, max_size=5), st.lists(other_sentences, max_size=5))
def test_nothing_else_is_left_out(excluded, wanted):
    screen = Screen(Exclusions([excluded]), ["eval"])
    assert all(screen.passes("train", sentence) for sentence in wanted)
    assert sum(counts["exact"] + counts["near"] for counts in screen.report()["from"].values()) == 0


@given(st.lists(hanzi, min_size=1, max_size=5))
def test_chinese_is_compared_by_character(excluded):
    found = Exclusions([excluded])
    assert all(found.find(f"“{' '.join(text)}”") == Hit("exact", 0) for text in excluded)
    assert found.find("这句话里没有考试题，写得很长也没有关系，因为谁都没见过。") is None


@pytest.mark.parametrize(
    ("text", "hit"),
    [
        pytest.param("the committee WILL decide about the new school on monday morning", "exact", id="case"),
        pytest.param("The committee will decide about the new school on Monday evening .", "near", id="one word"),
        pytest.param("Yesterday they said so : " + LONG, "near", id="contained"),
        pytest.param("Nobody knows when the committee will decide about the old bridge .", None, id="a phrase"),
        pytest.param("The committee will decide about the school", None, id="too short to be near"),
        pytest.param("Thank you .", "exact", id="formula"),
        pytest.param("Thank you very much .", None, id="longer formula"),
        pytest.param("?!", None, id="no letters"),
        pytest.param("I don't know it.", "exact", id="clitics"),
    ],
)
def test_exact_and_near(text, hit):
    found = Exclusions([[LONG, "Thank you !", "...", "I do n't know it ."]]).find(text)
    assert (found and found.kind) == hit


def test_near_means_near_one_sentence():
    halves = [LONG.split(" on ")[0], "about the new school on Monday morning ."]
    assert Exclusions([halves]).find("So " + LONG) == Hit("near", 0)
    third = "will decide about the new school"
    text = f"One two three four {third} five six seven eight"
    assert Exclusions([[third], ["three four will decide about"]]).find(text) is None


def test_any_file_can_be_excluded(tmp_path):
    (tmp_path / "a.m2").write_text("S She go home .\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n\n")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "ref0").write_text("Fine .\n")
    (tmp_path / "plain" / "ref1").write_text("All well .\n")
    (tmp_path / "overlap.m2").write_text(
        "S We was there .\n"
        "A 1 2|||R:VERB|||were|||REQUIRED|||-NONE-|||0\n"
        "A 0 2|||R|||They were|||REQUIRED|||-NONE-|||0\n\n"
    )
    found = read_exclusions([tmp_path / "a.m2", tmp_path / "plain", tmp_path / "overlap.m2"])
    assert found.find("She goes home") == found.find("she go home") == Hit("exact", 0)
    assert found.find("Fine.") == found.find("All well.") == Hit("exact", 1)
    assert found.find("We was there") == Hit("exact", 2)
    assert found.n_sentences == [1, 2, 1]


def test_operations_are_applied(tmp_path):
    (tmp_path / "fcgec.json").write_text(
        json.dumps(
            {
                "a": {
                    "sentence": "他非常十分高兴。",
                    "error_flag": 1,
                    "error_type": "CR",
                    "operation": json.dumps([{"Delete": [1, 2]}, {"Delete": [3, 4]}]),
                    "version": "FCGEC EMNLP 2022",
                }
            }
        )
    )
    found = read_exclusions([tmp_path / "fcgec.json"])
    assert all(found.find(text) == Hit("exact", 0) for text in ("他非常十分高兴", "他十分高兴", "他非常高兴"))


def test_a_recipe_excludes_and_says_so(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from errata.synth import generic_model
    from errata.synth.tables import EnglishTables
    from errata.systems.tagger.task import TaggerTask
    from errata.training.recipe import read_recipe

    (tmp_path / "train.tsv").write_text(
        "I likes it .\tI like it .\nShe go .\tShe goes .\nHe were ill .\tHe was ill .\n"
    )
    (tmp_path / "clean.txt").write_text("She sees a bird .\nShe goes .\nThe sun is up .\n")
    (tmp_path / "dev.txt").write_text("she goes\nHe were ill !\n")
    tables = EnglishTables(frequency={"the": 5, "sun": 5, "bird": 5}, confusables={"the": ["a"]})
    generic_model("en", tables, [("The", "sun", "is", "up", ".")]).save(tmp_path / "noise.json.xz")
    (tmp_path / "recipe.yaml").write_text(
        """
system: tagger
language: en
model: {backbone: {layers: 1, hidden: 16, heads: 2, pieces: 200, positions: 34}, tags: 100, max_tokens: 32}
data:
  train: [train.tsv]
  synthetic: {text: [clean.txt], noise: noise.json.xz}
  exclude: [dev.txt]
optimiser: {learning_rate: 0.001}
run: {steps: 1}
"""
    )
    monkeypatch.chdir(tmp_path)
    recipe = read_recipe(tmp_path / "recipe.yaml")
    task = TaggerTask.prepare(recipe, recipe.run.cache)
    assert len(task.train_examples) == 3
    expected = {
        "train": {
            "from": {"train.tsv": {"read": 3, "exact": 2, "near": 0}},
            "against": {"dev.txt": {"sentences": 2, "exact": 2, "near": 0}},
        },
        "synthetic": {
            "from": {"clean.txt": {"read": 3, "exact": 1, "near": 0}},
            "against": {"dev.txt": {"sentences": 2, "exact": 1, "near": 0}},
        },
    }
    assert task.prepared.excluded == expected

    # Elsewhere there are the recipe and the packed data only.
    for name in ("train.tsv", "clean.txt", "dev.txt"):
        (tmp_path / name).unlink()
    elsewhere = read_recipe(tmp_path / "recipe.yaml")
    task = TaggerTask.prepare(elsewhere, elsewhere.run.cache)
    model = task.build_model()
    (tmp_path / "model").mkdir()
    task.save(model, tmp_path / "model", {"step": 0})
    training = json.loads((tmp_path / "model" / "errata.json").read_text(encoding="utf-8"))["training"]
    assert training["excluded"] == expected
