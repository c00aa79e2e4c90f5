"""Products in 16-bit whole numbers: close to exact ones, and never out of range."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.networks.native import is_available
from errata.networks.quantised import PLANES, Quantised, _pack, dequantise, quantise

pytestmark = pytest.mark.skipif(not is_available(), reason="no kernels: they need x86-64 with AVX2 and a C compiler")


def product(rows, weight, bias, **options):
    from errata.networks.native._network import product

    return product(rows.astype(np.float32), weight.astype(np.float32), bias.astype(np.float32), **options)


def gelu(x):
    import torch

    return torch.nn.functional.gelu(torch.from_numpy(x)).numpy()


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 20), st.integers(1, 50), st.integers(1, 40), st.integers(0, 2**32 - 1), st.booleans(), st.booleans()
)
def test_products_are_close(n_rows, n_columns, depth, seed, has_outliers, is_gelu):
    rng = np.random.default_rng(seed)
    rows, weight = rng.normal(size=(n_rows, 16 * depth)), rng.normal(size=(n_columns, 16 * depth))
    if has_outliers:  # as in trained encoders: single dimensions fifty times as large as the others
        rows[:, rng.integers(16 * depth)] *= 50
        weight[:, rng.integers(16 * depth)] *= 50
    bias = rng.normal(size=n_columns)
    expected = rows @ weight.T + bias
    found = product(rows, weight, bias, gelu=is_gelu)
    # Rounding errors grow with the norms of row and column.
    bound = 4e-4 * np.linalg.norm(rows, axis=1)[:, None] * np.linalg.norm(weight, axis=1) + 1e-4
    assert (np.abs(found - (gelu(expected) if is_gelu else expected)) < bound).all()


@pytest.mark.parametrize("depth", [16, 384, 1536, 4096])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_sums_fit(depth, sign):
    """A row parallel to a column has the largest product their norms allow."""
    rng = np.random.default_rng(depth)
    for column in (np.ones(depth), rng.normal(size=depth), np.eye(depth)[0], rng.normal(size=depth) ** 9):
        found = product(sign * 1e4 * column[None], column[None], np.zeros(1))[0, 0]
        assert found == pytest.approx(sign * 1e4 * (column @ column), rel=2e-3)


def octets(whole, steps, bits=5):
    """A quantised matrix with these whole numbers and the value of 1 in each block, which is a power of two."""
    low_bits = PLANES[bits][1]
    top = 2.0**6
    codes = 127 + 16 * np.round(np.log2(np.abs(steps) * 2 ** (bits - 1) / top)).astype(int) + 128 * (steps < 0)
    low = _pack(whole & 1, 1) if low_bits else None
    return Quantised(_pack(whole >> low_bits & 15, 4), low, codes.astype(np.uint8), bits, whole.shape[1], top)


def product_of_octets(rows, quantised, **options):
    from errata.networks.native._network import has_octets, product

    assert has_octets(quantised)
    return product(rows.astype(np.float32), quantised, np.zeros(quantised.shape[0], np.float32), **options)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 20),
    st.integers(1, 50),
    st.integers(1, 12),
    st.integers(0, 2**32 - 1),
    st.booleans(),
    st.integers(4, 5),
)
def test_products_in_octets_are_exact(n_rows, n_columns, n_blocks, seed, is_gelu, bits):
    """Rows that octets can say lose nothing: the largest number of every block is 127 steps."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-127, 128, (n_rows, n_blocks, 32)).astype(float)
    rows[:, :, rng.integers(32)] = 127 * rng.choice([-1, 1])
    rows *= 2.0 ** rng.integers(-4, 4, (n_rows, n_blocks, 1))
    rows = rows.reshape(n_rows, -1)
    whole = rng.integers(-(2 ** (bits - 1)), 2 ** (bits - 1), (n_columns, 32 * n_blocks))
    steps = 2.0 ** rng.integers(-4, 1, (n_columns, n_blocks)) * rng.choice([-1, 1], (n_columns, n_blocks))
    quantised = octets(whole, steps, bits)
    assert (dequantise(quantised) == whole * np.repeat(steps, 32, axis=1)).all()
    expected = rows @ dequantise(quantised).astype(float).T
    found = product_of_octets(rows, quantised, gelu=is_gelu)
    bound = 1e-6 * np.linalg.norm(rows, axis=1)[:, None] * np.linalg.norm(dequantise(quantised), axis=1) + 1e-4
    bound += 2e-6 * np.abs(expected)  # what GELU loses in single precision
    assert (np.abs(found - (gelu(expected) if is_gelu else expected)) < bound).all()


@pytest.mark.parametrize("number", [-16, 15])
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_largest_sums_of_octets_fit(number, sign):
    whole, rows = np.full((20, 64), number), np.full((7, 64), 127.0 * sign)
    rows[1::2, ::3] *= -1
    found = product_of_octets(rows, octets(whole, np.ones((20, 2))))
    assert (found == rows @ whole.T).all()


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 20), st.integers(1, 50), st.integers(1, 24), st.integers(0, 2**32 - 1))
def test_products_in_octets_are_close(n_rows, n_columns, n_blocks, seed):
    rng = np.random.default_rng(seed)
    rows, weight = rng.normal(size=(n_rows, 32 * n_blocks)), rng.normal(size=(n_columns, 32 * n_blocks))
    rows[:, rng.integers(32 * n_blocks)] *= 50  # one block of each row is coarser, the others are as fine as before
    quantised = quantise(weight, 5)
    found, expected = product_of_octets(rows, quantised), rows @ dequantise(quantised).T
    # A number is off by at most half a step of its block.
    largest = np.abs(rows.reshape(n_rows, n_blocks, 32)).max(2) / 127
    errors = np.linalg.norm(np.repeat(largest, 32, axis=1), axis=1) / 2
    assert (np.abs(found - expected) <= errors[:, None] * np.linalg.norm(dequantise(quantised), axis=1) + 1e-3).all()


def test_which_weights_are_multiplied_in_octets():
    from errata.networks.native._network import has_octets

    weight = np.ones((16, 64), np.float32)
    assert [bits for bits in PLANES if has_octets(quantise(weight, bits))] == [4, 5]
    assert not has_octets(weight) and not has_octets(quantise(weight[:, :48], 4))  # one block of 48


def test_zeros_stay_zeros():
    rows, weight = np.zeros((3, 32)), np.zeros((5, 32))
    assert (product(rows, np.ones((5, 32)), np.arange(5.0)) == np.arange(5.0)).all()
    assert (product(np.ones((3, 32)), weight, np.zeros(5)) == 0).all()


def test_a_row_is_the_same_in_any_company():
    rng = np.random.default_rng(1)
    rows, weight, bias = rng.normal(size=(13, 64)), rng.normal(size=(40, 64)), rng.normal(size=40)
    whole, few = product(rows, weight, bias, gelu=True), quantise(weight, 4)
    octets = product_of_octets(rows, few)
    for n in range(1, 13):
        assert (product(rows[:n], weight, bias, gelu=True) == whole[:n]).all()
        assert (product_of_octets(rows[:n], few) == octets[:n]).all()


def test_gelu_everywhere():
    x = np.linspace(-20, 20, 4001, dtype=np.float32)
    # A product with 1: the bias carries the number, exactly.
    found = product(np.zeros((1, 16)), np.zeros((len(x), 16)), x, gelu=True)[0]
    assert np.abs(found - gelu(x)).max() < 5e-5
    assert np.abs(found - gelu(x))[np.abs(x) < 4.6].max() < 5e-6
