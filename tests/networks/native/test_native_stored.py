"""Weights in few bits and in several files: what goes in comes out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError
from errata.networks import stored
from errata.networks.quantised import dequantise, quantise
from errata.networks.stored import StoredWeights, WeightWriter

shapes = st.tuples(st.integers(1, 9), st.one_of(st.integers(1, 70), st.sampled_from([32, 64, 384])))


def random_matrix(shape, seed):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) * 10.0 ** rng.integers(-3, 3)).astype(np.float32)


@settings(deadline=None)
@given(shapes, st.sampled_from([8, 10]), st.integers(0, 2**32 - 1))
def test_quantising_rounds_to_the_nearest(shape, bits, seed):
    matrix = random_matrix(shape, seed)
    quantised = quantise(matrix, bits)
    assert quantised.bits == bits and quantised.high.dtype == np.int8
    steps = (
        np.repeat(quantised.scales.astype(np.float32), shape[1] // quantised.scales.shape[1], axis=1)
        / quantised.largest
    )
    assert (np.abs(dequantise(quantised) - matrix) <= steps * 0.501).all()


@settings(deadline=None)
@given(shapes, st.sampled_from([8, 10]), st.integers(0, 2**32 - 1))
def test_quantised_numbers_stay(shape, bits, seed):
    once = dequantise(quantise(random_matrix(shape, seed), bits))
    assert np.allclose(dequantise(quantise(once, bits)), once, rtol=1e-6)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(shapes, st.sampled_from([None, 8, 10])), min_size=1, max_size=8), st.integers(200, 5000))
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
