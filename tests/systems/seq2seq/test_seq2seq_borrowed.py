"""An encoder-decoder on the encoder of a tagger: a decoder is added, and every token can still be copied."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from seq2seq_pairs import read_pairs

from errata.errors import DataError, ErrataError
from errata.networks.tokenizer import read_tokenizer, whole_tokens
from errata.systems.seq2seq import Seq2Seq
from errata.systems.seq2seq.export import export_seq2seq
from errata.systems.seq2seq.saved import load_network
from errata.systems.seq2seq.subwords import TextSubwords
from errata.training.recipe import read_recipe
from errata.training.run import run_recipe
from errata.training.shipped import shipped_recipe

SIZES = ["encoder_layers", "hidden"]


def train_on(tagger: Path, folder: Path, *changes: str) -> Path:
    backbone = f"{{tagger: {tagger}, decoder_layers: 1, heads: 4, positions: 60, dropout: 0.0}}"
    places = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
    assert run_recipe("seq2seq-tiny", [f"model.backbone={backbone}", *places, *changes], device="cpu") == 0
    return folder / "run" / "model"


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagger on BERT's layers that ignores case and has hardly learnt anything."""
    folder = tmp_path_factory.mktemp("tagger")
    sizes = "{layers: 1, hidden: 64, heads: 4, pieces: 600, positions: 66, architecture: bert, lowercase: true}"
    places = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
    steps = ["run.steps=3", "evaluation.every=3"]
    assert run_recipe("tagger-tiny", [f"model.backbone={sizes}", *places, *steps], device="cpu") == 0
    return folder / "run" / "model"


@pytest.fixture(scope="module")
def trained(tagger: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_on(tagger, tmp_path_factory.mktemp("borrowed"), "optimiser.name=muon")


def test_it_learns_and_corrects(trained: Path) -> None:
    pairs = read_pairs("en")
    found = Seq2Seq.load(trained).propose([tuple(source.split()) for source, _ in pairs])
    assert sum(bool(edits) for edits in found) > len(pairs) / 2


def test_the_encoder_is_saved_and_loaded_with_it(trained: Path) -> None:
    network = load_network(trained)
    assert network.is_borrowed and network.encoder.config.model_type == "bert"
    with pytest.raises(DataError, match=r"lacks|missing|not"):
        (trained.parent / "cut").mkdir()
        for file in trained.iterdir():
            if file.name != "encoder.json":
                (trained.parent / "cut" / file.name).write_bytes(file.read_bytes())
        load_network(trained.parent / "cut")


def test_the_converted_network_gives_the_same_probabilities(trained: Path, tmp_path: Path) -> None:
    system = Seq2Seq.load(trained)
    export_seq2seq(trained, tmp_path / "fast", small=False)
    fast = Seq2Seq.load(tmp_path / "fast")
    bodies = [system.subwords.body(source.split()) for source, _ in read_pairs("en")[:8]]
    for ours, theirs in zip(system.runtime.score(bodies, bodies), fast.runtime.score(bodies, bodies), strict=True):
        assert theirs == pytest.approx(ours, abs=1e-3)


def test_an_encoder_keeps_its_own_heads_when_converted(tmp_path: Path) -> None:
    sizes = "{layers: 1, hidden: 64, heads: 2, pieces: 600, positions: 66, lowercase: true}"
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}"]
    steps = ["run.steps=3", "evaluation.every=3"]
    assert run_recipe("tagger-tiny", [f"model.backbone={sizes}", *places, *steps], device="cpu") == 0
    folder = train_on(tmp_path / "run" / "model", tmp_path / "seq2seq", "run.steps=30", "evaluation.every=30")
    export_seq2seq(folder, tmp_path / "fast", small=False)
    system, fast = Seq2Seq.load(folder), Seq2Seq.load(tmp_path / "fast")
    bodies = [system.subwords.body(source.split()) for source, _ in read_pairs("en")[:8]]
    for ours, theirs in zip(system.runtime.score(bodies, bodies), fast.runtime.score(bodies, bodies), strict=True):
        assert theirs == pytest.approx(ours, abs=1e-3)


def test_an_encoder_that_cannot_be_converted_is_named(tagger: Path, tmp_path: Path) -> None:
    sizes = "{layers: 1, hidden: 64, heads: 4, pieces: 600, positions: 66, architecture: mpnet}"
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}"]
    steps = ["run.steps=1", "evaluation.every=1"]
    assert run_recipe("tagger-tiny", [f"model.backbone={sizes}", *places, *steps], device="cpu") == 0
    folder = train_on(tmp_path / "run" / "model", tmp_path / "seq2seq", *steps)
    assert len(Seq2Seq.load(folder).propose([("He", "go", ".")])) == 1
    with pytest.raises(DataError, match="does not convert the encoder of mpnet; use the system under torch"):
        export_seq2seq(folder, tmp_path / "out")


def test_signs_begin_with_the_vectors_they_have_alone(tagger: Path, tmp_path: Path) -> None:
    folder = train_on(tagger, tmp_path, "run.steps=1", "evaluation.every=1", "optimiser.learning_rate=1.0e-9")
    numbers = read_tokenizer(folder / "tokenizer.json").get_vocab()
    signs = [text for text in numbers if text.startswith("##") and not text[2:].isalnum() and text[2:] in numbers]
    table = load_network(folder).embedding.weight
    assert signs
    for text in signs:
        assert torch.allclose(table[numbers[text]], table[numbers[text[2:]]], atol=1e-4)


def test_tokens_are_not_cut_at_their_signs(tagger: Path) -> None:
    tokenizer = read_tokenizer(tagger / "tokenizer.json")
    subwords = TextSubwords(whole_tokens(tokenizer), "en", 60)
    tokens = ("He", "does", "n't", "like", "a-b", "3.5", ",", "'s")
    answer = subwords.body(("She", *tokens[1:]))
    spelt = subwords.spell(answer, tokens)
    assert spelt is not None and spelt.tokens == ("She", *tokens[1:])


@pytest.mark.parametrize("size", SIZES)
def test_sizes_of_the_encoder_are_its_own(size: str) -> None:
    with pytest.raises(ErrataError, match=f"{size} belongs to an encoder trained from scratch; en-small has its own"):
        read_recipe(shipped_recipe("seq2seq-tiny"), [f"model.backbone={{tagger: en-small, {size}: 128, heads: 4}}"])


@pytest.mark.parametrize(
    ("backbone", "message"),
    [
        ("{tagger: en-nothing, heads: 4}", "en-nothing"),
        ("{tagger: en-small, heads: 5, positions: 60}", "384 wide: 5 heads do not divide it"),
        ("{tagger: en-small, heads: 6, positions: 200}", "takes 128 subwords, backbone.positions asks for 200"),
        ("{tagger: en-small, name: ./bart}", "give name or tagger, not both"),
        ("{tagger: zh-small, heads: 8, positions: 60}", "zh-small corrects zh, the recipe's language is en"),
        ("{tagger: en-small, heads: 6, positions: 60, dropout: 2}", "dropout is in"),
        ("{tagger: en-small, heads: 6, positions: 60, pieces: -5}", "feed_forward and pieces are above 0"),
    ],
    ids=["no such model", "heads", "positions", "both", "language", "dropout", "pieces"],
)
def test_mistakes_are_one_line(backbone: str, message: str, tmp_path: Path) -> None:
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}"]
    with pytest.raises(ErrataError, match=message):
        run_recipe("seq2seq-tiny", [f"model.backbone={backbone}", *places], device="cpu")


@pytest.mark.parametrize(
    ("backbone", "message"),
    [
        ("{tagger: zh-small, heads: 8, positions: 60}", "zh-small corrects zh"),
        ("{tagger: en-small, heads: 6, positions: 500}", "takes 128 subwords"),
        ("{tagger: en-small, heads: 6, positions: 60}", "model.vocabulary has subwords that en-small does not have"),
    ],
    ids=["language", "positions", "other subwords"],
)
def test_a_vocabulary_does_not_hide_mistakes(backbone: str, message: str, english: Path, tmp_path: Path) -> None:
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}"]
    changes = [f"model.backbone={backbone}", f"model.vocabulary={english / 'model'}"]
    with pytest.raises(ErrataError, match=message):
        run_recipe("seq2seq-tiny", [*changes, *places], device="cpu")


def test_a_converted_network_refuses_another_tokenizer(trained: Path, english: Path, tmp_path: Path) -> None:
    export_seq2seq(trained, tmp_path / "out")
    (tmp_path / "out" / "tokenizer.json").write_bytes((english / "model" / "tokenizer.json").read_bytes())
    with pytest.raises(DataError, match="converted with another tokenizer"):
        Seq2Seq.load(tmp_path / "out")
