"""Weights in 4 to 10 bits: 32 neighbours in a row of a matrix share a scale.

Embeddings and heads lose nothing that matters in 8 bits. The matrices of the layers do: a MiniLM tagger makes the same
edits in 97.5 % of CoNLL-14 sentences with 8 bits everywhere, and in 99.5 % with 10 bits in the layers.
docs/commands/export.md has figures for fewer bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BLOCK = 32
# Matrices with fewer numbers (case classes, say) stay floats.
MIN_SIZE = 2**14
# Bits that a number can have, and how many of them are in `high` and in `low`.
PLANES = {4: (4, 0), 5: (4, 1), 6: (4, 2), 8: (8, 0), 10: (8, 2)}
MIN_SCALE = 1e-4  # smaller half-precision floats have fewer digits
# The bits of infinity in half precision: those of all positive numbers are less, those of NaN more or negative.
HALF_INFINITY = 0x7C00
MAX_SCALE = 65504.0  # the largest half-precision float
# Scales in 7 bits: 16 of them to every doubling, so neighbours are 4.4 % apart. The eighth bit is the sign.
LAST_CODE, CODES_TO_DOUBLE, NEGATIVE = 127, 16, 128
# Scales tried for a block, by code: from the fourth above its largest number down to 0.7 of it. The third is that of
# numbers which were rounded to a symmetric range while they were trained (8 / 7 of the largest, with 4 bits).
FIRST_TRIED, TRIED = 4, 13


@dataclass(frozen=True, slots=True)
class Quantised:
    """A matrix as whole numbers of `bits` bits times scales; each row is cut into blocks with one scale each.

    `high` (rows, bytes) has the upper 4 or 8 bits of each number, `low` the lower 1 or 2, or is None (`PLANES`).
    Numbers that share a byte lie in it from the lowest bits up. From 8 bits on, `scales` (rows, blocks) are
    half-precision floats: the value of the largest whole number (127 or 511) in a block. Below 8 bits they are codes
    for the value of the least whole number (-8 for 4 bits). Code 127 stands for -`top`, each code below it for a value
    that is smaller by the 16th root of 2; 128 more makes the value positive. So the largest number of a block, whatever
    its sign, can use one whole number more than in a symmetric range, and scales take half the space. With 4 bits the
    error of MPNet's weights is 11 % smaller than with symmetric numbers and half-precision scales.
    """

    high: np.ndarray
    low: np.ndarray | None
    scales: np.ndarray
    bits: int
    columns: int
    top: float = 1.0

    @property
    def shape(self) -> tuple[int, int]:
        return self.high.shape[0], self.columns

    @property
    def block(self) -> int:
        """How many numbers share a scale."""
        return self.columns // int(self.scales.shape[1])

    def steps(self) -> np.ndarray:
        """The value of 1 in each block, as floats (rows, blocks)."""
        if self.scales.dtype == np.uint8:
            values: np.ndarray = _values_of_codes(self.top) / np.float32(2 ** (self.bits - 1))
            steps: np.ndarray = np.concatenate([values, -values])[self.scales]
            return steps
        return self.scales.astype(np.float32) / np.float32(2 ** (self.bits - 1) - 1)


def _values_of_codes(top: float) -> np.ndarray:
    """How large the least whole number is with each code below `NEGATIVE`."""
    values: np.ndarray = top * np.exp2(np.arange(-LAST_CODE, 1) / CODES_TO_DOUBLE)
    return values.astype(np.float32)


def quantise(matrix: np.ndarray, bits: int) -> Quantised:
    """The matrix, rounded to numbers of so many `bits` (a key of `PLANES`)."""
    rows, columns = matrix.shape
    block = BLOCK if columns % BLOCK == 0 else columns
    blocks = matrix.reshape(rows, columns // block, block).astype(np.float32)
    if bits >= 8:
        top, scales, numbers = 1.0, *_round_all(blocks, 2 ** (bits - 1) - 1)
    else:
        top, scales, numbers = _round_most(blocks, 2 ** (bits - 1))
    high_bits, low_bits = PLANES[bits]
    flat = numbers.reshape(rows, columns)
    low = _pack(flat & (2**low_bits - 1), low_bits) if low_bits else None
    return Quantised(_pack(flat >> low_bits & (2**high_bits - 1), high_bits), low, scales, bits, columns, top)


def _round_all(blocks: np.ndarray, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Scales and whole numbers from -largest to largest, to which every number of a block is rounded."""
    exact = np.maximum(np.abs(blocks).max(2), MIN_SCALE)
    nearest = exact.astype(np.float16)
    # Scales are rounded up, so that the largest number fits. Quantising twice changes nothing.
    scales = np.where(nearest * np.float32(1 + 1e-6) < exact, np.nextafter(nearest, np.float16(np.inf)), nearest)
    numbers = np.round(blocks / scales.astype(np.float32)[..., None] * largest).astype(np.int16)
    return scales, numbers


def _round_most(blocks: np.ndarray, least: int) -> tuple[float, np.ndarray, np.ndarray]:
    """`top`, codes of scales and whole numbers from -least to least - 1, with the smallest squared error in each block.

    With few bits it is better to cut the largest numbers of a block short than to round all others coarsely.
    """
    exact = np.abs(blocks).max(2)
    # Room for the scale of numbers that were rounded to a symmetric range before.
    top = float(np.float32(max(exact.max() * least / (least - 1), MIN_SCALE)))
    values = _values_of_codes(top)
    above = np.searchsorted(values * np.float32(1 + 1e-5), exact)  # the first that is large enough
    signs = np.where(blocks.max(2) == exact, -1, 1).astype(np.float32)  # the largest number becomes -least
    errors = np.full(exact.shape, np.inf, np.float32)
    codes, numbers = np.zeros(exact.shape, np.int16), np.zeros(blocks.shape, np.int16)
    for step in range(TRIED):
        tried = np.clip(above + FIRST_TRIED - step, 0, LAST_CODE)
        unit = (signs * values[tried] / np.float32(least))[..., None]
        rounded = np.clip(np.round(blocks / unit), -least, least - 1)
        found = ((rounded * unit - blocks) ** 2).sum(2)
        is_better = found < errors
        errors[is_better], codes[is_better] = found[is_better], tried[is_better]
        numbers[is_better] = rounded[is_better]
    return top, (codes + NEGATIVE * (signs < 0)).astype(np.uint8), numbers


def _pack(fields: np.ndarray, width: int) -> np.ndarray:
    """Numbers of `width` bits (1, 2, 4 or 8) side by side in bytes, the first in the lowest bits."""
    rows, columns = fields.shape
    per_byte = 8 // width
    padded = np.zeros((rows, -(-columns // per_byte), per_byte), np.uint8)
    padded.reshape(rows, -1)[:, :columns] = fields
    packed = padded[..., 0].copy()
    for place in range(1, per_byte):
        packed |= padded[..., place] << np.uint8(width * place)
    return packed


def dequantise(quantised: Quantised) -> np.ndarray:
    """The matrix as floats."""
    rows, columns = quantised.shape
    high_bits, low_bits = PLANES[quantised.bits]
    numbers = _unpack(quantised.high, high_bits, columns, is_signed=True).astype(np.float32)
    if quantised.low is not None:
        numbers *= 2**low_bits
        numbers += _unpack(quantised.low, low_bits, columns, is_signed=False)
    blocks = numbers.reshape(rows, quantised.scales.shape[1], -1)
    blocks *= quantised.steps()[..., None]
    return numbers


def _unpack(packed: np.ndarray, width: int, columns: int, *, is_signed: bool) -> np.ndarray:
    """What `_pack` made bytes of; the highest bit of a signed number says that it is negative."""
    content: np.ndarray = packed.view(np.int8 if is_signed else np.uint8)
    if width == 8:
        return content
    fields = np.empty((*content.shape, 8 // width), content.dtype)
    for place in range(8 // width):
        # To the upper end of the byte, then down: signs are kept, and other numbers' bits drop out.
        np.left_shift(content, 8 - width * (place + 1), out=fields[..., place])
        fields[..., place] >>= 8 - width
    return fields.reshape(content.shape[0], -1)[:, :columns]


def find_fault(quantised: Quantised) -> str | None:
    """Why the parts do not make a matrix; None if they do."""
    if quantised.bits not in PLANES:
        return f"has numbers of {quantised.bits} bits, not of {', '.join(map(str, PLANES))}"
    if quantised.high.ndim != 2 or quantised.scales.ndim != 2:
        return "is no matrix"
    rows, columns = quantised.shape
    high_bits, low_bits = PLANES[quantised.bits]
    if quantised.high.shape[1] != -(-columns * high_bits // 8):
        return f"has bytes for {quantised.high.shape}, not for {rows} × {columns} numbers"
    blocks = quantised.scales.shape[1]
    if quantised.scales.shape[0] != rows or not blocks or columns % blocks:
        return f"has scales for {quantised.scales.shape}, which do not divide {rows} × {columns} numbers"
    if (quantised.low is None) != (low_bits == 0):
        return f"has numbers of {quantised.bits} bits, but {'no' if low_bits else 'needless'} lower bits"
    if quantised.low is not None and quantised.low.shape != (rows, -(-columns * low_bits // 8)):
        return f"has lower bits for {quantised.low.shape}, not for {rows} × {columns} numbers"
    if quantised.scales.dtype == np.uint8:
        is_sound = 0 < quantised.top <= MAX_SCALE
    else:
        # As whole numbers: comparing half-precision floats takes thirty times as long.
        half = quantised.scales.view(np.int16)
        is_sound = bool(half.min() > 0 and half.max() < HALF_INFINITY)
    return None if is_sound else "has a scale that is not a positive number"
