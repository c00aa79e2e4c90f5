"""A tagger under PyTorch on a GPU: `python -m benchmarks.speed.gpu --model runs/en-small/model FILE`.

FILE has a tokenised sentence a line. Needs torch, transformers and tokenizers alone; edits are proposed, not typed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

from errata.formats.files import read_lines
from errata.systems.tagger import Tagger

ROUNDS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="folder of a trained tagger")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--passes", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    sentences = [tuple(line.split()) for line in read_lines(given.file)]
    for passes in given.passes:
        tagger = Tagger.load(given.model, device=given.device, backend="torch", passes=passes)
        fitting = [tokens for tokens in sentences if 0 < len(tokens) <= tagger.max_tokens]
        for is_half in (False, True):
            rates = []
            for _ in range(ROUNDS):
                with torch.autocast(given.device.partition(":")[0], dtype=torch.bfloat16, enabled=is_half):
                    start = time.perf_counter()
                    tagger.propose(fitting)  # its answers are on the CPU, so nothing is left to wait for
                    rates.append(len(fitting) / (time.perf_counter() - start))
            precision = "bfloat16" if is_half else "float32"
            print(f"{passes} passes, {precision}: {max(rates):,.0f} sentences/s, {len(fitting)} sentences", flush=True)


if __name__ == "__main__":
    main()
