"""The native network against the same weights in torch: random shapes, random sentences of 1 to 128 subwords."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from errata.networks.bits import Bits
from errata.networks.encoder import save_encoder
from errata.networks.native import is_available
from errata.networks.native.encoders import distance_bucket, find_shape
from errata.networks.quantised import Quantised, dequantise, quantise
from errata.networks.stored import AnyShape
from errata.networks.subwords import N_CASES, EncoderInput, pad_batch
from errata.networks.transformer import Transformer, TransformerConfig
from errata.systems.tagger.decoding import GATE
from errata.systems.tagger.model import TaggerModel
from errata.systems.tagger.native import NativeRuntime, describe
from errata.systems.tagger.runtime import INPUTS, SlotAnswers, TorchRuntime
from errata.systems.tagger.saved import NetworkSettings
from errata.systems.tagger.tags import DELETE, KEEP, Op, Tag, TagVocabulary

pytestmark = pytest.mark.skipif(not is_available(), reason="no kernels: they need x86-64 with AVX2 and a C compiler")

N_SUBWORDS, POSITIONS = 50, 128
TABLE = "encoder.embeddings.word_embeddings.weight"
KINDS = ["bert", "mpnet", "errata"]


class TorchWeights:
    """A model's own weights, as `StoredWeights` would give them."""

    def __init__(self, model: nn.Module) -> None:
        self._tensors = model.state_dict()

    def floats(self, name: str, shape: AnyShape) -> np.ndarray:
        tensor = self._tensors[name].numpy()
        assert len(tensor.shape) == len(shape)
        assert all(n in (None, m) for n, m in zip(shape, tensor.shape, strict=True)), name
        return tensor

    def quantised(self, name: str, shape: AnyShape) -> None:
        return None


class FewBits(TorchWeights):
    """The same, with matrices in few bits."""

    def __init__(self, model: nn.Module, bits: Bits) -> None:
        super().__init__(model)
        self._bits = bits

    def quantised(self, name: str, shape: AnyShape) -> Quantised | None:
        tensor = self.floats(name, shape)
        return quantise(tensor, self._bits.of(name, {TABLE})) if tensor.ndim == 2 and name.endswith("weight") else None


def tags_of(n: int) -> TagVocabulary:
    words = [Tag(op, (f"w{k % 7}",)) for op in (Op.APPEND, Op.REPLACE) for k in range(n // 2 + 1)]
    return TagVocabulary([KEEP, DELETE, *dict.fromkeys(words[: n - 2])])


def make_encoder(kind: str, hidden: int, heads: int, wide: int, layers: int) -> nn.Module:
    if kind == "errata":
        return Transformer(TransformerConfig(N_SUBWORDS, hidden, layers, heads, wide, POSITIONS))
    sizes = {
        "vocab_size": N_SUBWORDS,
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "intermediate_size": wide,
        "num_hidden_layers": layers,
    }
    if kind == "mpnet":
        return MPNetModel(MPNetConfig(**sizes, max_position_embeddings=POSITIONS + 2), add_pooling_layer=False)
    return BertModel(BertConfig(**sizes, max_position_embeddings=POSITIONS), add_pooling_layer=False)


def shake(model: nn.Module, seed: int) -> None:
    """Random weights, norms and biases, so that no answer is like another."""
    generator = torch.Generator().manual_seed(seed)
    for name, weights in model.named_parameters():
        spread = 0.3 if weights.ndim == 1 else 1.5 / weights.shape[-1] ** 0.5
        weights.data = torch.randn(weights.shape, generator=generator) * spread
        if "norm" in name.lower() and name.endswith("weight"):
            weights.data += 1
        if "relative" in name:
            weights.data *= 3  # distances must matter


def network_settings(n_tags: int, **options) -> NetworkSettings:
    known = {"head": "linear", "has_detection": True, "has_cases": True, "early_exit": None}
    return NetworkSettings(n_tags=n_tags, **{**known, **options})


def make_pair(tmp_path, kind="bert", shape=(32, 2, 64, 2), n_tags=9, seed=0, **options):
    """A torch runtime and the native one with the same weights."""
    hidden, heads, wide, layers = shape
    tags = tags_of(n_tags)
    described = network_settings(n_tags, **options)
    model = TaggerModel(
        make_encoder(kind, hidden, heads, wide, layers),
        hidden,
        tags,
        has_detection=described.has_detection,
        has_cases=described.has_cases,
        is_factored=described.head == "factored",
        early_exit=described.early_exit,
    )
    shake(model, seed)
    save_encoder(model.encoder, tmp_path)
    found = find_shape(json.loads((tmp_path / "encoder.json").read_text(encoding="utf-8")))
    native = NativeRuntime(describe(TorchWeights(model.eval()), found, described, tags), threads=2)
    return TorchRuntime(model), native


def sentences(rng: np.random.Generator, lengths: Sequence[int]) -> list[EncoderInput]:
    made = []
    for n in lengths:
        n_slots = int(rng.integers(1, n + 1))
        first = [0, *sorted(rng.choice(np.arange(1, n), n_slots - 1, replace=False).tolist())] if n > 1 else [0]
        made.append(EncoderInput(rng.integers(0, N_SUBWORDS, n).tolist(), rng.integers(0, N_CASES, n).tolist(), first))
    return made


def one_answer(runtime, batch: Sequence[EncoderInput]) -> SlotAnswers:
    return next(iter(runtime.run([batch])))


def assert_close(found: SlotAnswers, expected: SlotAnswers, gap: float = 5e-3) -> None:
    # Where an error is as probable as the gate, one may look at the tags and the other not.
    is_clear = np.abs(expected.error - GATE) > gap
    for name in ("keep", "best", "error"):
        assert np.abs(getattr(found, name) - getattr(expected, name))[is_clear].max(initial=0) < gap, name
    # The best tag is the same, or as good.
    differ = is_clear & (found.tag != expected.tag)
    assert differ.sum() <= 0.05 * len(differ) + 1


@settings(deadline=None, max_examples=30)
@given(
    kind=st.sampled_from(KINDS),
    shape=st.tuples(st.sampled_from([8, 16, 24, 32]), st.integers(1, 4), st.integers(1, 8), st.integers(1, 3)),
    lengths=st.lists(st.one_of(st.integers(1, 12), st.integers(1, 128)), min_size=1, max_size=6),
    n_tags=st.integers(3, 40),
    head=st.sampled_from(["linear", "factored"]),
    has_detection=st.booleans(),
    has_cases=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_answers_are_those_of_torch(
    tmp_path_factory, kind, shape, lengths, n_tags, head, has_detection, has_cases, seed
):
    width, heads, wide, layers = shape
    heads += width * heads % 16 // 8  # hidden is a multiple of 16
    torch_runtime, native = make_pair(
        tmp_path_factory.mktemp("pair"),
        kind,
        (width * heads, heads, 16 * wide, layers),
        n_tags,
        seed,
        head=head,
        has_detection=has_detection,
        has_cases=has_cases,
    )
    batch = sentences(np.random.default_rng(seed), lengths)
    assert_close(one_answer(native, batch), one_answer(torch_runtime, batch))


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_network(tmp_path, kind):
    torch_runtime, native = make_pair(tmp_path, kind, (384, 12, 1536, 2), n_tags=500)
    batch = sentences(np.random.default_rng(1), [1, 2, 25, 26, 27, 60, 128])
    assert_close(one_answer(native, batch), one_answer(torch_runtime, batch))


@pytest.mark.parametrize("kind", KINDS)
def test_slots_and_sentences_without_errors_are_done_early(tmp_path, kind):
    torch_runtime, _ = make_pair(tmp_path, kind, (32, 2, 64, 3), early_exit=1)
    model, batch = torch_runtime.model, sentences(np.random.default_rng(2), [4, 9, 1, 30, 17, 3, 66, 5])
    with torch.inference_mode():
        scores = model(*(torch.from_numpy(pad_batch(batch, 0)[name]) for name in INPUTS)).early
    slots = [row[: len(one.first)].sigmoid().numpy() for row, one in zip(scores, batch, strict=True)]
    likely = scores.sigmoid().amax(1)  # of each sentence
    for threshold, n_done in ((0.0, 0), (float(likely.sort().values[3:5].mean()), 4), (1.1, 8)):
        model.exit_below.fill_(threshold)
        described = network_settings(9, early_exit=1)
        shape = find_shape(json.loads((tmp_path / "encoder.json").read_text(encoding="utf-8")))
        native = NativeRuntime(describe(TorchWeights(model), shape, described, tags_of(9)))
        found, expected = one_answer(native, batch), one_answer(torch_runtime, batch)
        assert_close(found, expected)
        by_sentence = np.split(found.error, np.cumsum([len(one.first) for one in batch])[:-1])
        assert [bool((one == 0).all()) for one in by_sentence] == (likely < threshold).tolist()
        assert sum((one == 0).all() for one in by_sentence) == n_done
        assert ((found.error == 0) == (np.concatenate(slots) < threshold)).all()
        assert (found.keep[found.error == 0] == 1).all()


@pytest.mark.parametrize("kind", KINDS)
def test_answers_do_not_depend_on_the_batch(tmp_path, kind):
    _, native = make_pair(tmp_path, kind, shape=(48, 3, 96, 2), early_exit=1)
    rng = np.random.default_rng(3)
    batch = sentences(rng, rng.integers(1, 129, 40).tolist())
    whole = one_answer(native, batch)
    alone = [one_answer(native, [one]) for one in batch]
    turned = [one_answer(native, batch[::-1])]
    for name in SlotAnswers._fields:
        assert (np.concatenate([getattr(one, name) for one in alone]) == getattr(whole, name)).all()
        subwords = np.split(getattr(turned[0], name), np.cumsum([len(one.first) for one in batch[::-1]])[:-1])
        assert (np.concatenate(subwords[::-1]) == getattr(whole, name)).all()


def test_distances_have_the_buckets_of_transformers():
    distances = torch.arange(-600, 601)
    expected = MPNetEncoder.relative_position_bucket(distances).tolist()
    assert [distance_bucket(n) for n in distances.tolist()] == expected


def test_several_threads_share_a_network(tmp_path):
    _, native = make_pair(tmp_path)
    rng = np.random.default_rng(4)
    batches = [sentences(rng, rng.integers(1, 60, rng.integers(1, 9)).tolist()) for _ in range(60)]
    expected = [one_answer(native, batch) for batch in batches]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            for found, known in zip(pool.map(lambda one: one_answer(native, one), batches), expected, strict=True):
                assert all((a == b).all() for a, b in zip(found, known, strict=True))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([1, 2, 3], [0, 0, 0], [2], [0], [1]), "less than there is"),
        (([1, 2], [0, 0], [3], [0], [1]), "more than there is"),
        (([1, 2], [0], [2], [0], [1]), "differ in length"),
        (([1, 99], [0, 0], [2], [0], [1]), "no subword 99"),
        (([1, -1], [0, 0], [2], [0], [1]), "no subword -1"),
        (([1, 2], [0, 9], [2], [0], [1]), "no case class 9"),
        (([1, 2], [0, 0], [2], [0, 2], [2]), "sentence 0: slots"),
        (([1, 2], [0, 0], [2], [1, 1], [2]), "sentence 0: slots"),
        (([1, 2], [0, 0], [2], [-1], [1]), "sentence 0: slots"),
        (([1, 2], [0, 0], [2, 0], [0], [1, 0]), "sentence 1: 0 subwords"),
        (([1] * 129, [0] * 129, [129], [0], [1]), "129 subwords, 1 slots, 128 positions"),
        (([1, 2], [0, 0], [2], [0, 1, 1], [3]), "2 subwords, 3 slots"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, arrays, message):
    _, native = make_pair(tmp_path)
    with pytest.raises(ValueError, match=message):
        native._network.answer(*(np.array(one, np.int32) for one in arrays))


@pytest.mark.parametrize(
    ("bits", "shape", "gap"),
    [
        (Bits(4, 5, 6, 8), (48, 3, 112, 2), 5e-3),  # these widths are no multiples of 32: no octets
        (Bits(5, 6, 4, 10), (48, 3, 112, 2), 5e-3),
        (Bits(10, 8, 5, 6), (64, 4, 96, 2), 5e-3),
        (Bits(6, 6, 10, 8), (64, 4, 96, 2), 5e-3),
        (Bits(4, 4, 4, 8), (64, 4, 96, 2), 3e-2),
        (Bits(5, 4, 4, 5), (64, 4, 96, 3), 3e-2),
    ],
)
def test_weights_in_few_bits(tmp_path, bits, shape, gap):
    """The kernels read them as torch has them after they were rounded; in octets, rows are rounded too."""
    torch_runtime, _ = make_pair(tmp_path, "mpnet", shape)
    model, batch = torch_runtime.model, sentences(np.random.default_rng(5), [1, 9, 30])
    described = find_shape(json.loads((tmp_path / "encoder.json").read_text(encoding="utf-8")))
    native = NativeRuntime(describe(FewBits(model, bits), described, network_settings(9), tags_of(9)))
    found = one_answer(native, batch)
    for name, weights in model.named_parameters():
        quantised = FewBits(model, bits).quantised(name, tuple(weights.shape))
        is_map = not name.startswith(("errors", "cases")) and "position" not in name and "relative" not in name
        if quantised is not None and is_map:
            weights.data = torch.from_numpy(dequantise(quantised))
    assert_close(found, one_answer(torch_runtime, batch), gap)


def test_an_empty_batch_has_no_answers(tmp_path):
    _, native = make_pair(tmp_path)
    assert all(len(one) == 0 for one in one_answer(native, []))


@pytest.mark.parametrize(
    "described",
    [
        {"kind": "transformers", "config": {"model_type": "roberta", "hidden_size": 64}},
        {"kind": "transformers", "config": {"model_type": "bert", "hidden_act": "relu"}},
        {
            "kind": "transformers",
            "config": {"model_type": "mpnet", "hidden_act": "gelu", "relative_attention_num_buckets": 64},
        },
        {"kind": "errata", "config": {"position_kind": "rotary"}},
        {"kind": "errata", "config": {"hidden": 20, "heads": 2, "feed_forward": 64, "layers": 1}},
        {"kind": "errata", "config": {"hidden": 48, "heads": 4, "feed_forward": 64, "layers": 1}},
        {"kind": "other"},
        {},
    ],
)
def test_other_encoders_are_left_to_others(described):
    assert find_shape(described) is None


@pytest.mark.parametrize("padding", [-1, 0.5, "1", True])
def test_padding_that_is_no_subword(padding):
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "intermediate_size": 64, "num_hidden_layers": 1}
    config = {"model_type": "mpnet", "hidden_act": "gelu", "layer_norm_eps": 1e-5, **sizes, "pad_token_id": padding}
    with pytest.raises(ValueError, match="pad_token_id is"):
        find_shape({"kind": "transformers", "config": config})
