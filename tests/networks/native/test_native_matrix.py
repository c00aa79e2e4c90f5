"""Products in 16-bit whole numbers: close to exact ones, and never out of range."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.networks.native import is_available

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


def test_zeros_stay_zeros():
    rows, weight = np.zeros((3, 32)), np.zeros((5, 32))
    assert (product(rows, np.ones((5, 32)), np.arange(5.0)) == np.arange(5.0)).all()
    assert (product(np.ones((3, 32)), weight, np.zeros(5)) == 0).all()


def test_a_row_is_the_same_in_any_company():
    rng = np.random.default_rng(1)
    rows, weight, bias = rng.normal(size=(13, 48)), rng.normal(size=(40, 48)), rng.normal(size=40)
    whole = product(rows, weight, bias, gelu=True)
    for n in range(1, 13):
        assert (product(rows[:n], weight, bias, gelu=True) == whole[:n]).all()


def test_gelu_everywhere():
    x = np.linspace(-20, 20, 4001, dtype=np.float32)
    # A product with 1: the bias carries the number, exactly.
    found = product(np.zeros((1, 16)), np.zeros((len(x), 16)), x, gelu=True)[0]
    assert np.abs(found - gelu(x)).max() < 5e-5
    assert np.abs(found - gelu(x))[np.abs(x) < 4.6].max() < 5e-6
