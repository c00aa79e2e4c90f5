"""Our own MPNet: the answers of transformers', from the same weights."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import MPNetConfig, MPNetModel
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from errata.networks.encoder import BackboneSettings, load_encoder, load_pretrained, save_encoder
from errata.networks.mpnet import MPNet, bucket
from errata.networks.weights import load_weights, save_weights

N_SUBWORDS = 50


@pytest.fixture
def theirs(tmp_path: Path) -> MPNetModel:
    torch.manual_seed(3)
    config = MPNetConfig(
        vocab_size=N_SUBWORDS, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=60,
    )  # fmt: skip
    model = MPNetModel(config)
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(4)  # as they are at first, places hardly matter
    model.save_pretrained(tmp_path / "mpnet")
    return model.eval()


def test_it_answers_as_transformers_does(theirs: MPNetModel, tmp_path: Path) -> None:
    ours, width = load_pretrained(str(tmp_path / "mpnet"), N_SUBWORDS, 58)
    assert isinstance(ours, MPNet) and width == 32
    ids = torch.randint(5, N_SUBWORDS, (3, 50))
    mask = torch.ones_like(ids)
    mask[1, 20:] = 0
    embedded = theirs.get_input_embeddings()(ids)
    with torch.no_grad():
        expected = theirs(inputs_embeds=embedded, attention_mask=mask, output_hidden_states=True)
        found = ours.eval()(inputs_embeds=embedded, attention_mask=mask, output_hidden_states=True)
        by_identifiers = ours(ids, mask)
    is_read = mask == 1
    torch.testing.assert_close(found.last_hidden_state[is_read], expected.last_hidden_state[is_read])
    for a, b in zip(found.hidden_states, expected.hidden_states, strict=True):
        torch.testing.assert_close(a[is_read], b[is_read])
    torch.testing.assert_close(by_identifiers.last_hidden_state, found.last_hidden_state)


def test_what_is_saved_is_loaded(theirs: MPNetModel, tmp_path: Path) -> None:
    ours, _ = load_pretrained(str(tmp_path / "mpnet"), N_SUBWORDS, 58)
    save_encoder(ours, tmp_path)
    save_weights(ours, tmp_path / "model.safetensors")
    again, _ = load_encoder(tmp_path)
    assert isinstance(again, MPNet)
    load_weights(again, tmp_path / "model.safetensors")
    ids = torch.randint(5, N_SUBWORDS, (2, 9))
    with torch.no_grad():
        torch.testing.assert_close(again.eval()(ids).last_hidden_state, ours.eval()(ids).last_hidden_state)


@given(st.integers(-600, 600), st.sampled_from([8, 32, 64]))
def test_distances_have_the_same_buckets(distance: int, n_buckets: int) -> None:
    expected = MPNetEncoder.relative_position_bucket(torch.tensor([distance]), num_buckets=n_buckets)
    assert bucket(torch.tensor([distance]), n_buckets).tolist() == expected.tolist()


@pytest.mark.parametrize("heads", [1, 8])
def test_a_new_one_looks_at_neighbours(heads: int) -> None:
    sizes = {"layers": 1, "hidden": 16, "heads": heads, "positions": 20}
    encoder, hidden = BackboneSettings(architecture="mpnet", **sizes).build(N_SUBWORDS)  # type: ignore[arg-type]
    assert isinstance(encoder, MPNet) and hidden == 16
    bias = encoder.encoder.bias(20)[0].detach()  # (heads, subwords, subwords)
    assert bias[0].argmax(-1)[1:].tolist() == list(range(19))  # the first head looks at the subword before
    if heads == 8:
        assert bias[1].argmax(-1)[:-1].tolist() == list(range(1, 20))
        assert not bias[7].any()


def test_a_new_one_takes_as_many_subwords_as_it_says() -> None:
    encoder, _ = BackboneSettings(architecture="mpnet", hidden=16, positions=12).build(N_SUBWORDS)
    assert encoder(torch.ones(2, 12, dtype=torch.long)).last_hidden_state.shape == (2, 12, 16)
    with pytest.raises(IndexError):
        encoder(torch.ones(2, 13, dtype=torch.long))
