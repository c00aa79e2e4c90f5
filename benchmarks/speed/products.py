"""Matrix products of our own kernels on one core: `python -m benchmarks.speed.products`.

A product of `--rows` rows with each matrix of a 384-wide and a 768-wide layer, in 16 bits and in 8 (which weights of 4
and 5 bits take). The best of `--runs` counts, in CPU time, since other programs only ever make things slower. The last
column is how many products of two numbers are computed in a nanosecond.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from errata.networks.native._network import product
from errata.networks.quantised import Quantised, quantise

SIZES = [(384, 1152), (384, 1536), (1536, 384), (768, 2304), (768, 768), (768, 3072), (3072, 768)]  # (depth, columns)
TIMES = 8


def seconds(rows: np.ndarray, weight: np.ndarray | Quantised, runs: int) -> float:
    """The CPU time of one product, without making the matrix."""
    bias, best = np.zeros(weight.shape[0], np.float32), np.inf
    for _ in range(runs):
        start = time.thread_time()
        product(rows, weight, bias, times=1)
        middle = time.thread_time()
        product(rows, weight, bias, times=1 + TIMES)
        best = min(best, (time.thread_time() - middle - (middle - start)) / TIMES)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    for depth, columns in SIZES:
        rows = rng.normal(size=(options.rows, depth)).astype(np.float32)
        weight = rng.normal(size=(columns, depth)).astype(np.float32)
        for name, matrix in (("16 bits", weight), ("8 bits", quantise(weight, 4))):
            took = seconds(rows, matrix, options.runs)
            speed = options.rows * depth * columns / took / 1e9
            print(f"{options.rows} × {depth} by {depth} × {columns}, {name}: {took * 1e3:.2f} ms, {speed:.0f} a ns")


if __name__ == "__main__":
    main()
