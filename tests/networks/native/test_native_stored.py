"""Weights in few bits and in several files: what goes in comes out."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError
from errata.networks import stored
from errata.networks.bits import Bits
from errata.networks.native import is_available
from errata.networks.quantised import PLANES, Quantised, dequantise, quantise
from errata.networks.stored import StoredWeights, WeightWriter

shapes = st.tuples(st.integers(1, 9), st.one_of(st.integers(1, 70), st.sampled_from([32, 64, 384])))


def random_matrix(shape, seed):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) * 10.0 ** rng.integers(-3, 3)).astype(np.float32)


widths = st.sampled_from(list(PLANES))


def steps_of(quantised):
    return np.repeat(quantised.steps(), quantised.block, axis=1)


@settings(deadline=None)
@given(shapes, widths, st.integers(0, 2**32 - 1))
def test_quantising_rounds_to_the_nearest(shape, bits, seed):
    matrix = random_matrix(shape, seed)
    quantised = quantise(matrix, bits)
    assert quantised.bits == bits and quantised.shape == shape
    restored, steps = dequantise(quantised), steps_of(quantised)
    whole = np.round(restored / steps)
    assert np.abs(restored - whole * steps).max() <= 1e-4 * np.abs(steps).max()
    assert -(2 ** (bits - 1)) <= whole.min() and whole.max() < 2 ** (bits - 1)
    # Numbers at the ends of the range may stand for larger ones.
    is_end = (bits < 8) & ((whole == -(2 ** (bits - 1))) | (whole == 2 ** (bits - 1) - 1))
    assert ((np.abs(restored - matrix) <= np.abs(steps) * 0.501) | is_end).all()


@pytest.mark.parametrize("bits", [4, 5, 6])
def test_few_bits_are_used_well(bits):
    """The error is smaller than that of symmetric numbers whose scale is each block's largest number."""
    matrix = np.random.default_rng(bits).normal(size=(64, 768)).astype(np.float32)
    largest = 2 ** (bits - 1) - 1
    steps = np.repeat(np.abs(matrix.reshape(64, -1, 32)).max(2) / largest, 32, axis=1)
    plain = np.square(np.round(matrix / steps) * steps - matrix).mean()
    found = np.square(dequantise(quantise(matrix, bits)) - matrix).mean()
    assert found < {4: 0.73, 5: 0.85, 6: 0.93}[bits] * plain


def test_a_matrix_of_zeros():
    for bits in PLANES:
        assert (dequantise(quantise(np.zeros((2, 64), np.float32), bits)) == 0).all()


def test_numbers_side_by_side_in_bytes():
    """The layout that files have: signed fields, the first number in the lowest bits."""
    whole = np.array([[0, 1, -1, -32, 31, 7, -8, 5]])
    high = np.array([[0x00, 0x8F, 0x17, 0x1E]], np.uint8)  # 0 0, -1 -8, 7 1, -2 1
    low = np.array([[0b00_11_01_00, 0b01_00_11_11]], np.uint8)
    found = dequantise(Quantised(high, low, np.array([[127]], np.uint8), 6, 8, top=32.0))
    assert found.tolist() == whole.tolist()
    assert (
        dequantise(Quantised(high, low, np.array([[127 + 128]], np.uint8), 6, 8, top=32.0)).tolist()
        == (-whole).tolist()
    )
    assert (
        dequantise(Quantised(high, low, np.array([[127 - 16]], np.uint8), 6, 8, top=32.0)).tolist()
        == (whole / 2).tolist()
    )


@pytest.mark.skipif(not is_available(), reason="no kernels: they need x86-64 with AVX2 and a C compiler")
@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 12), widths, st.integers(0, 2**32 - 1))
def test_kernels_read_the_same_numbers(n_columns, depth, bits, seed):
    from errata.networks.native._network import product

    quantised = quantise(random_matrix((n_columns, 16 * depth), seed), bits)
    rows = np.random.default_rng(seed).normal(size=(3, 16 * depth)).astype(np.float32)
    bias = np.zeros(n_columns, np.float32)
    assert (product(rows, quantised, bias) == product(rows, dequantise(quantised), bias)).all()


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("encoder.embeddings.word_embeddings.weight", 6),
        ("encoder.embeddings.position_embeddings.weight", 8),
        ("encoder.encoder.layer.3.attention.attn.q.weight", 5),
        ("encoder.encoder.layer.3.attention.self.query.weight", 5),
        ("encoder.encoder.layer.3.attention.output.dense.weight", 5),
        ("encoder.encoder.layer.3.intermediate.dense.weight", 4),
        ("encoder.encoder.layer.3.output.dense.weight", 4),
        ("encoder.layers.3.query_key_value.weight", 5),
        ("encoder.layers.3.widen.weight", 4),
        ("encoders.tagger.layers.3.project.weight", 5),
        ("tags.weight", 8),
        ("tags.project.append.weight", 8),
    ],
)
def test_bits_by_name(name, bits):
    assert Bits(layers=4, attention=5, tables=6).of(name, {"encoder.embeddings.word_embeddings.weight"}) == bits


def test_no_other_bits():
    with pytest.raises(ValueError, match="4, 5, 6, 8, 10 bits, not 7"):
        Bits(tables=7)


@settings(deadline=None)
@given(shapes, st.sampled_from([8, 10]), st.integers(0, 2**32 - 1))
def test_quantised_numbers_stay(shape, bits, seed):
    once = dequantise(quantise(random_matrix(shape, seed), bits))
    assert np.allclose(dequantise(quantise(once, bits)), once, rtol=1e-6)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(shapes, st.sampled_from([None, *PLANES])), min_size=1, max_size=8), st.integers(200, 5000))
def test_files_give_back_what_was_stored(tmp_path_factory, tensors, limit):
    folder = tmp_path_factory.mktemp("stored")
    given_tensors = {f"t.{n}": (random_matrix(shape, n), bits) for n, (shape, bits) in enumerate(tensors)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "FILE_LIMIT", limit)
        writer = WeightWriter(folder)
        for name, (matrix, bits) in given_tensors.items():
            writer.add(name, matrix if bits is None else quantise(matrix, bits))
        writer.close()
    largest = max(matrix.nbytes for matrix, _ in given_tensors.values())
    assert all(path.stat().st_size <= max(limit, largest) for path in folder.glob("weights*.bin"))
    weights = StoredWeights.load(folder)
    for name, (matrix, bits) in given_tensors.items():
        expected = matrix if bits is None else dequantise(quantise(matrix, bits))
        assert name in weights and (weights.floats(name, matrix.shape) == expected).all()
        quantised = weights.quantised(name, (None, None))
        assert (quantised and quantised.bits) == bits


@pytest.mark.parametrize("bits", [8, 10])
def test_entries_of_earlier_versions(tmp_path, bits):
    """They do not say how many bits there are, nor the largest scale."""
    matrix, writer = random_matrix((6, 48), 1), WeightWriter(tmp_path)
    writer.add("a", quantise(matrix, bits))
    writer.close()
    index = json.loads((tmp_path / "weights.json").read_text(encoding="utf-8"))
    del index["a"]["bits"], index["a"]["top"]
    (tmp_path / "weights.json").write_text(json.dumps(index), encoding="utf-8")
    weights = StoredWeights.load(tmp_path)
    assert (weights.floats("a", (6, 48)) == dequantise(quantise(matrix, bits))).all()
    assert weights.initializers("model.onnx") == {}


def test_initializers_by_network(tmp_path):
    matrix, writer = random_matrix((6, 48), 1), WeightWriter(tmp_path)
    writer.add("a", quantise(matrix, 5))
    for network, name in (("one.onnx", "m.a"), ("one.onnx", "m.a.T"), ("two.onnx", "m.a.T")):
        writer.hand_over("a", network, name)
    writer.close()
    weights, expected = StoredWeights.load(tmp_path), dequantise(quantise(matrix, 5))
    assert sorted(weights.initializers("one.onnx")) == ["m.a", "m.a.T"] and not weights.initializers("three.onnx")
    assert (weights.initializers("one.onnx")["m.a"] == expected).all()
    turned = weights.initializers("two.onnx")["m.a.T"]
    assert (turned == expected.T).all() and turned.flags.c_contiguous


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"initializers": 5}, "a has initializers that are no lists of names"),
        ({"initializers": {"one.onnx": "m.a"}}, "a has initializers that are no lists of names"),
        ({"initializers": {"one.onnx": [5]}}, "a has initializers that are no lists of names"),
        ({"bits": 7}, "a has numbers of 7 bits, not of 4, 5, 6, 8, 10"),
        ({"bits": 6}, "a has lower bits for"),
        ({"bits": 4}, "a has numbers of 4 bits, but needless lower bits"),
        ({"bits": 8}, "begins at byte|too short for a|has bytes for"),
        ({"bits": "5"}, "a has '5' bits"),
        ({"top": None}, "None as the largest scale"),
        ({"top": 0}, "a has a scale that is not a positive number"),
        ({"top": -0.5}, "a has a scale that is not a positive number"),
        ({"top": 1e300}, "a has a scale that is not a positive number"),
        ({"top": float("nan")}, "a has a scale that is not a positive number"),
        ({"shape": [6]}, "a lacks a shape of two"),
        ({"shape": [6, 0]}, "a lacks a shape of two"),
        ({"shape": [6, 64]}, "a has bytes for"),
        ({"shape": [6, 10**30]}, "a has bytes for"),
    ],
)
def test_damaged_entries(tmp_path, change, message):
    writer = WeightWriter(tmp_path)
    writer.add("a", quantise(random_matrix((6, 48), 1), 5))
    writer.hand_over("a", "one.onnx", "m.a")
    writer.close()
    index = json.loads((tmp_path / "weights.json").read_text(encoding="utf-8"))
    index["a"].update(change)
    (tmp_path / "weights.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        StoredWeights.load(tmp_path).initializers("one.onnx")
    assert "\n" not in str(caught.value)


def test_a_number_of_its_own(tmp_path):
    writer = WeightWriter(tmp_path)
    writer.add("exit_below", np.array(0.25))
    writer.close()
    assert float(StoredWeights.load(tmp_path).floats("exit_below", ())) == 0.25


def damage_missing(folder):
    (folder / "weights0.bin").unlink()


def damage_short(folder):
    (folder / "weights0.bin").write_bytes((folder / "weights0.bin").read_bytes()[:-8])


def damage_index(folder):
    (folder / "weights.json").write_text("{", encoding="utf-8")


def damage_place(folder):
    (folder / "weights.json").write_text('{"a": {"shape": [1]}}', encoding="utf-8")


def damage_name(folder):
    (folder / "weights.json").write_text("{}", encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damage_missing, "a lies in 'weights0.bin', which is no file"),
        (damage_short, "too short for a"),
        (damage_index, "weights.json is not JSON"),
        (damage_place, "a lacks a file, an offset or a shape"),
        (damage_name, "has no a: export"),
    ],
)
def test_damage_is_one_line(tmp_path, damage, message):
    writer = WeightWriter(tmp_path)
    writer.add("a", np.ones((4, 4)))
    writer.close()
    damage(tmp_path)
    with pytest.raises(DataError, match=message) as caught:
        StoredWeights.load(tmp_path).floats("a", (4, 4))
    assert "\n" not in str(caught.value)
