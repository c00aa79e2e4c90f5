"""The moves of an alignment table: what may lead into a cell, as bits both kernels set.

A cell's number is the sum of its moves; where TRANSPOSE is set, the number of tokens that change places is stored
above the bits: `TRANSPOSE + (length << LENGTH_SHIFT)`.
"""

from __future__ import annotations

MATCH = 1
TRANSPOSE = 2
SUBSTITUTE = 4
INSERT = 8
DELETE = 16
LENGTH_SHIFT = 5
