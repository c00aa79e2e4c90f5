"""Packed data: ragged arrays and back, made once, small to send to a worker."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError
from errata.training.packed import pack_once, padded, ragged

Rows = list[list[int]]


@given(st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=1, max_size=8), st.data())
def test_ragged_rows_come_back_padded(rows: Rows, data: st.DataObject) -> None:
    flat, offsets = ragged([np.array(row, dtype=np.int64) for row in rows], np.int16)
    indices = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1))
    out = padded(flat, offsets, np.array(indices), fill=-1)
    longest = max(len(rows[i]) for i in indices)
    assert out.tolist() == [rows[i] + [-1] * (longest - len(rows[i])) for i in indices]


def test_packed_once_and_sent_by_name(tmp_path: Path) -> None:
    calls = []

    def arrays() -> dict[str, np.ndarray]:
        calls.append(1)
        return {"a": np.arange(100_000)}

    packed = [pack_once(tmp_path / "key", arrays) for _ in range(2)][1]
    assert len(calls) == 1
    assert packed["a"][-1] == 99_999
    sent = pickle.dumps(packed)
    assert len(sent) < 1000
    assert pickle.loads(sent)["a"][5] == 5
    with pytest.raises(DataError, match="have no readable array 'b'"):
        packed["b"]


def test_interrupted_packing_leaves_nothing(tmp_path: Path) -> None:
    def arrays() -> dict[str, np.ndarray]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pack_once(tmp_path / "key", arrays)
    assert list(tmp_path.iterdir()) == []
