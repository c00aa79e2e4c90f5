"""Hugging Face encoder-decoders: tiny random BART and T5 in folders, as pretrained ones come."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch
from seq2seq_pairs import read_pairs
from transformers import BartConfig, BartForConditionalGeneration, T5Config, T5ForConditionalGeneration

from errata.errors import DataError, ErrataError
from errata.systems.seq2seq import Seq2Seq
from errata.systems.seq2seq.export import export_seq2seq
from errata.systems.seq2seq.subwords import learn_bytes
from errata.training.run import run_recipe
from errata.training.shipped import FOLDER

RECIPE = """\
system: seq2seq
language: en
model:
  backbone: {{name: {backbone}, positions: 60}}
  max_tokens: 40
  decoding: {{beam: 2, keep_bias: -1000.0, max_extra: 5}}
data: {{train: [{here}/data/seq2seq-pairs.en.tsv], dev: [{here}/data/seq2seq-pairs.en.tsv], dev_limit: 5}}
optimiser: {{learning_rate: 1.0e-2}}
batches: {{tokens: 256}}
evaluation: {{every: 12}}
run: {{steps: 12, folder: {folder}/run, cache: {folder}/cache}}
"""


def bart(marks: dict[str, int], n_subwords: int) -> Any:
    config = BartConfig(
        vocab_size=n_subwords, d_model=32, encoder_layers=1, decoder_layers=1, max_position_embeddings=64,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64,
        pad_token_id=marks["[PAD]"], bos_token_id=marks["[CLS]"], eos_token_id=marks["[SEP]"],
        decoder_start_token_id=marks["[SEP]"], forced_eos_token_id=marks["[SEP]"],
    )  # fmt: skip
    return BartForConditionalGeneration(config)


def t5(marks: dict[str, int], n_subwords: int) -> Any:
    config = T5Config(
        vocab_size=n_subwords, d_model=32, d_kv=16, d_ff=64, num_layers=1, num_decoder_layers=1, num_heads=2,
        pad_token_id=marks["[PAD]"], eos_token_id=marks["[SEP]"], decoder_start_token_id=marks["[PAD]"],
    )  # fmt: skip
    return T5ForConditionalGeneration(config)


def make_backbone(kind: Any, folder: Path) -> Path:
    torch.manual_seed(1)
    tokenizer = learn_bytes(Counter(" ".join(map(" ".join, read_pairs("en"))).split()), 500)
    kind(tokenizer.get_vocab(), tokenizer.get_vocab_size()).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def write_recipe(folder: Path, backbone: str) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(RECIPE.format(backbone=backbone, here=FOLDER, folder=folder), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", [bart, t5])
def test_trains_saves_loads_and_converts(kind: Any, tmp_path: Path) -> None:
    backbone = make_backbone(kind, tmp_path / "backbone")
    assert run_recipe(write_recipe(tmp_path, str(backbone)), device="cpu") == 0
    system = Seq2Seq.load(tmp_path / "run" / "model")
    sentences = [tuple(source.split()) for source, _ in read_pairs("en")[:8]]
    proposals = system.propose(sentences)
    export_seq2seq(tmp_path / "run" / "model", tmp_path / "fast", small=False)
    fast = Seq2Seq.load(tmp_path / "fast")
    bodies = [system.subwords.body(tokens) for tokens in sentences]
    for ours, theirs in zip(system.runtime.score(bodies, bodies), fast.runtime.score(bodies, bodies), strict=True):
        assert theirs == pytest.approx(ours, abs=1e-3)
    assert len(fast.propose(sentences)) == len(proposals)


def test_the_cache_of_transformers_agrees_with_the_whole(tmp_path: Path) -> None:
    from errata.systems.seq2seq.huggingface import load_pretrained

    backbone = make_backbone(bart, tmp_path / "backbone")
    network = load_pretrained(str(backbone), 500, 60).eval()
    ids, written = torch.tensor([[2, 30, 31, 3], [2, 40, 41, 3]]), torch.tensor([[3, 2, 50, 51], [3, 2, 60, 61]])
    with torch.inference_mode():
        whole = network(ids, torch.ones_like(ids), written)
        session = network.begin(ids, torch.ones_like(ids), 1)
        for place in range(2):
            assert torch.allclose(session.step(written[:, place]), whole[:, place], atol=1e-4)
        session.select(torch.tensor([1]))  # the first sentence is done
        assert torch.allclose(session.step(written[1:, 2]), whole[1:, 2], atol=1e-4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["model.backbone.name=./nowhere"], "is not there"),
        (["model.backbone.hidden=32"], "hidden belongs to a network trained from scratch"),
        (["model.backbone.positions=100"], "takes 64 subwords, backbone.positions asks for 100"),
        (["model.beem=3"], "unknown key"),
        (["data.train=[missing.tsv]"], "no such file"),
        (["model.label_smoothing=1.5"], "label_smoothing is in"),
    ],
    ids=["backbone", "sizes", "positions", "misspelt", "data", "smoothing"],
)
def test_mistakes_are_one_line(changes: list[str], message: str, tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, str(make_backbone(bart, tmp_path / "backbone")))
    with pytest.raises(ErrataError, match=message) as caught:
        run_recipe(recipe, changes, device="cpu")
    assert "\n" not in str(caught.value)


def test_a_tokenizer_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    backbone = make_backbone(bart, tmp_path / "backbone")
    learn_bytes(Counter({"a" * n: 1 for n in range(2, 9)}), 4000).save(str(backbone / "tokenizer.json"))
    from errata.systems.seq2seq.huggingface import load_pretrained

    with pytest.raises(DataError, match="does not fit its tokenizer"):
        load_pretrained(str(backbone), 600, 60)
