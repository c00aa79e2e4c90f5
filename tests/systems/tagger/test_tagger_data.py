"""From files to batches: reading, subwords, packing, fresh noise, distillation, dev scores."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest
from tiny_taggers import RECIPES, pairs, run

from errata.edits.apply import apply_edits
from errata.errors import DataError, FormatError
from errata.model import Edit
from errata.networks.subwords import MAX_SUBWORDS, Subwords, case_class
from errata.networks.tokenizer import learn_wordpieces
from errata.synth import generic_model
from errata.synth.tables import EnglishTables
from errata.systems.base import ProposedEdit, load_system
from errata.systems.evaluation import dev_scores, propose_whole
from errata.systems.tagger.tags import IGNORED
from errata.training.pairs import DevSentence, load_dev, read_clean, read_dev, read_examples, write_dev

M2 = """\
S She go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 3 3|||M:ADV|||now|||REQUIRED|||-NONE-|||1

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


def test_examples_of_any_format(tmp_path):
    (tmp_path / "a.m2").write_text(M2, encoding="utf-8")
    (tmp_path / "b.tsv").write_text("I likes it.\tI like it.\n", encoding="utf-8")
    assert [(tokens, len(edits)) for tokens, edits in read_examples([tmp_path / "a.m2"], "en")] == [
        (("She", "go", "home", "."), 1),
        (("She", "go", "home", "."), 1),
        (("Fine", "."), 0),
    ]
    [(tokens, edits)] = read_examples([tmp_path / "b.tsv"], "en", tokenise=True)
    assert (tokens, edits) == (("I", "likes", "it", "."), (Edit(1, 2, ("like",)),))
    dev = read_dev([tmp_path / "a.m2"], "en")
    assert [len(one.references) for one in dev] == [2, 1]
    write_dev(dev, tmp_path / "dev.jsonl")
    assert [one.tokens for one in load_dev(tmp_path / "dev.jsonl")] == [one.tokens for one in dev]


def test_columns_of_a_table(tmp_path):
    (tmp_path / "a.tsv").write_text("corpus\tI likes it\tI like it\tx\n", encoding="utf-8")
    assert list(read_examples([tmp_path / "a.tsv"], "en", columns=(2, 3))) == [
        (("I", "likes", "it"), (Edit(1, 2, ("like",)),))
    ]
    with pytest.raises(FormatError, match=r"a.tsv:1: no column 5: the line has 4"):
        list(read_examples([tmp_path / "a.tsv"], "en", columns=(1, 5)))


def test_chinese_is_read_by_character(tmp_path):
    (tmp_path / "a.tsv").write_text("他 跑 地 快 。\t他 跑 得 快 。\n", encoding="utf-8")
    assert list(read_examples([tmp_path / "a.tsv"], "zh")) == [(tuple("他跑地快。"), (Edit(2, 3, ("得",)),))]
    (tmp_path / "clean.txt").write_text("春天来了。\n\n花开了。\r\n", encoding="utf-8")
    assert list(read_clean([tmp_path / "clean.txt"], "zh")) == [tuple("春天来了。"), tuple("花开了。")]


@pytest.mark.parametrize(
    ("word", "number"),
    [("the", 0), ("The", 1), ("NASA", 2), ("iPad", 3), ("I", 1), ("3rd", 0), ("中", 0), ("McDonald", 3), ("", 0)],
)
def test_case_class(word, number):
    assert case_class(word) == number


def test_every_word_has_a_first_subword():
    from collections import Counter

    subwords = Subwords(learn_wordpieces(Counter({"walk": 5, "walked": 3, "a": 2}), 60), max_positions=12)
    encoded = subwords.encode(["walked", "\u200b", "walk" * 20, "a"])
    assert len(encoded.ids) <= 12
    assert len(encoded.first) == 5
    assert encoded.first == sorted(set(encoded.first))
    assert 1 <= len(subwords.word("walk" * 20)[0]) <= MAX_SUBWORDS
    with pytest.raises(DataError, match="11 tokens does not fit"):
        subwords.encode(["a"] * 11)


@pytest.fixture(scope="module")
def noise(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A noise model and a clean text for it."""
    folder = tmp_path_factory.mktemp("noise")
    targets = [tuple(target.split()) for _, target in pairs("en")]
    words = {word.lower(): 50 for tokens in targets for word in tokens}
    tables = EnglishTables(frequency=words, confusables={"to": ["too"], "the": ["a"], "on": ["in", "at"]})
    generic_model("en", tables, targets).save(folder / "noise.json")
    (folder / "clean.txt").write_text("\n".join(target for _, target in pairs("en")), encoding="utf-8")
    return folder / "noise.json", folder / "clean.txt"


def _task(folder: Path, *assignments: str):
    from errata.systems.tagger.task import TaggerTask
    from errata.training.recipe import read_recipe

    recipe = read_recipe(RECIPES / "tagger-tiny.yaml", [f"run.cache={folder}", *assignments])
    return TaggerTask.prepare(recipe, folder)


def test_fresh_noise_in_every_batch(tmp_path, noise):
    model, text = noise
    task = _task(tmp_path, f"data.synthetic={{text: [{text}], noise: {model}, rate: 0.2, clean: 0.1}}")
    examples = task.train_examples
    indices = list(range(len(examples) - 50, len(examples)))
    first, again, other = (examples.collate(indices, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all((first[name] == again[name]).all() for name in first)
    assert first["ids"].shape != other["ids"].shape or (first["ids"] != other["ids"]).any()
    assert 0 < (first["errors"] == 1).sum() < (first["errors"] == 0).sum()


def test_packed_and_made_again(tmp_path):
    task = _task(tmp_path)
    batch = task.train_examples.collate(range(10), np.random.default_rng(0))
    assert {name: array.shape[0] for name, array in batch.items()} == dict.fromkeys(batch, 10)
    assert batch["labels"].shape == batch["first"].shape
    assert (batch["labels"][batch["errors"] == IGNORED] == IGNORED).all()
    packed = sorted(path.name for path in tmp_path.iterdir())
    assert len(_task(tmp_path).train_examples) == len(task.train_examples)
    assert sorted(path.name for path in tmp_path.iterdir()) == packed


def test_what_the_tags_miss_is_said(tmp_path, caplog):
    with caplog.at_level(logging.INFO, "errata"):
        _task(tmp_path, "model.tags=6", "data.unchanged=0.0", "model.max_tokens=8")
    said = caplog.text
    assert "6 tags of" in said
    assert "% of" in said
    assert "longer than 8 tokens left out" in said
    assert "unchanged sentences left out" in said


def test_second_stage_takes_the_vocabulary_over(trained, tmp_path):
    task = _task(
        tmp_path,
        f"model.vocabulary={trained('en')}",
        f"data.train=[{RECIPES / 'data' / 'tagger-pairs.zh.tsv'}]",
        "data.dev=[]",
    )
    assert task.prepared.vocabulary.tags.tags == _tags(trained("en"))


def _tags(folder: Path):
    from errata.systems.tagger.tags import TagVocabulary

    return TagVocabulary.load(folder / "tags.json").tags


def test_distillation(trained, tmp_path):
    import torch

    teacher = trained("en")
    distil = f"model.distil={{teacher: {teacher}, weight: 0.9}}"
    task = _task(tmp_path, distil, f"model.vocabulary={teacher}")
    batch = task.train_examples.collate(range(20), np.random.default_rng(0))
    assert "teacher_ids" not in batch  # same tokenizer
    loss = task.loss(task.build_model(), {name: torch.from_numpy(array) for name, array in batch.items()})
    assert loss.parts["teacher"] > 0
    with pytest.raises(DataError, match="has other tags"):
        _task(tmp_path, distil, "model.tags=10")


def test_teacher_with_another_tokenizer(trained, tmp_path):
    import shutil

    import torch

    teacher = trained("en")
    student = tmp_path / "student"
    shutil.copytree(teacher, student)
    from collections import Counter

    words = Counter(word for pair in pairs("en") for text in pair for word in text.split())
    learn_wordpieces(words, 300, lowercase=True).save(str(student / "tokenizer.json"))
    task = _task(tmp_path / "cache", f"model.distil={{teacher: {teacher}}}", f"model.vocabulary={student}")
    batch = task.train_examples.collate(range(20), np.random.default_rng(0))
    assert batch["teacher_first"].shape == batch["first"].shape
    loss = task.loss(task.build_model(), {name: torch.from_numpy(array) for name, array in batch.items()})
    assert torch.isfinite(loss.total)


def test_dev_scores():
    source = ("She", "go", "home")
    right, wrong = (Edit(1, 2, ("goes",)),), (Edit(2, 3, ("house",)),)
    dev = [DevSentence(source, (right,)), DevSentence(source, (right, ()))]
    for language in ("en", "zh"):
        perfect = dev_scores(dev, [[ProposedEdit(right[0], 0.9)], []], language)
        assert (perfect["precision"], perfect["changed"]) == (1.0, 0.5)
        bad = dev_scores(dev[:1], [[ProposedEdit(wrong[0], 0.9)]], language)
        assert bad["f0.5"] == 0.0


def test_long_dev_sentences_are_not_cut():
    class Shouter:
        max_tokens = 4

        def propose(self, sentences):
            assert all(len(tokens) <= 4 for tokens in sentences)
            return [[ProposedEdit(Edit(0, 1, (tokens[0].upper(),)), 1.0)] for tokens in sentences]

    tokens = tuple("abcdefghij")
    [found] = propose_whole(Shouter(), [tokens])
    assert apply_edits(tokens, [one.edit for one in found]) == tuple("AbcdEfghIj")


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("model.tags=2", "tags is between 3 and 32,000"),
        ("model.inventory=gectr", "inventory"),
        ("model.labell_smoothing=0.1", "unknown key"),
        ("data.passes=0", "passes is 1 or more"),
        ("data.train=[]", "give train, synthetic or variants"),
        ("data.train=[nowhere.tsv]", "no such file"),
        ("model.decoding={keep_bias: 2}", "keep_bias is between"),
    ],
)
def test_wrong_recipes_are_one_line(tmp_path, assignment, message):
    from errata.errors import ErrataError

    with pytest.raises(ErrataError, match=message) as caught:
        _task(tmp_path, assignment)
    assert "\n" not in str(caught.value)


def test_class_weights_and_smoothing_train(tmp_path):
    folder = run(
        RECIPES / "tagger-tiny.yaml",
        tmp_path,
        "model.keep_weight=0.5",
        "model.label_smoothing=0.1",
        "model.detection_weight=0",
        "run.steps=2",
        "evaluation.every=2",
    )
    assert load_system(folder).runtime.model.errors is None
