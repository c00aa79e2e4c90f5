"""Tokens per second of the training loop, and its step time against compute: `python -m benchmarks.speed.training`.

A tagger over random pieces (our own Transformer, 5,000 tags), so nothing but torch, numpy and PyYAML is needed and the
figures are about the loop: batching, worker processes, copying, the update, logging. `bare` is the same model on
one batch that already lies on the device, forward, backward and AdamW, nothing else: what the loop can reach at best.
On a GPU use `--device cuda --layers 6 --hidden 384 --tokens 65536 --workers 12 --steps 300`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from benchmarks.speed.history import record
from torch import nn

from errata.networks.transformer import Transformer, TransformerConfig
from errata.training.devices import Place, pick_device
from errata.training.log import read_log
from errata.training.loop import train
from errata.training.objectives import Likelihood
from errata.training.settings import (
    BatchSettings,
    EvaluationSettings,
    OptimiserSettings,
    Recipe,
    RunSettings,
    ScheduleSettings,
)
from errata.training.task import Loss

PIECES, TAGS = 30_000, 5_000


@dataclass(frozen=True, slots=True)
class Sizes:
    """The network."""

    layers: int
    hidden: int


class RandomExamples:
    """Sentences of random pieces with random tags; a tenth of the pieces is replaced afresh in each batch."""

    def __init__(self, n: int) -> None:
        rng = np.random.default_rng(0)
        self.lengths = np.clip(rng.lognormal(3.2, 0.5, n).astype(np.int64), 4, 128)
        self.offsets = np.concatenate([[0], np.cumsum(self.lengths)])
        self.pieces = rng.integers(1, PIECES, self.offsets[-1], dtype=np.int32)
        self.tags = rng.integers(0, TAGS, self.offsets[-1], dtype=np.int32)

    def __len__(self) -> int:
        return len(self.lengths)

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        longest = int(self.lengths[list(indices)].max())
        pieces = np.zeros((len(indices), longest), dtype=np.int64)
        tags = np.full_like(pieces, -100)
        for row, i in enumerate(indices):
            part = slice(self.offsets[i], self.offsets[i + 1])
            pieces[row, : self.lengths[i]], tags[row, : self.lengths[i]] = self.pieces[part], self.tags[part]
        noise = (rng.random(pieces.shape) < 0.1) & (pieces > 0)
        pieces[noise] = rng.integers(1, PIECES, int(noise.sum()))
        return {"pieces": pieces, "tags": tags}


class RandomTagger(nn.Module):
    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        heads, wide = sizes.hidden // 32, 4 * sizes.hidden
        self.encoder = Transformer(TransformerConfig(PIECES, sizes.hidden, sizes.layers, heads, wide, positions=128))
        self.head = nn.Linear(sizes.hidden, TAGS)

    def forward(self, pieces: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self.head(self.encoder(pieces, pieces > 0).last_hidden_state)
        return scores


class RandomTask:
    """What the loop needs, and no more."""

    Settings = Sizes
    DataSettings = Sizes
    backbone = ()

    def __init__(self, sizes: Sizes, examples: RandomExamples) -> None:
        self.sizes, self.train_examples = sizes, examples

    def build_model(self) -> nn.Module:
        return RandomTagger(self.sizes)

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        tags = batch["tags"].flatten()
        total = nn.functional.cross_entropy(model(batch["pieces"]).flatten(0, 1), tags, ignore_index=-100)
        return Loss(total, (tags >= 0).sum())

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        return {}

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        """Nothing: the benchmark is about speed."""


def loop_figures(task: RandomTask, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The loop's own log, without its first third (warming up): medians."""
    recipe = Recipe(
        origin=folder / "benchmark.yaml",
        start=folder,
        system="random",
        language="en",
        seed=1,
        model=task.sizes,
        data=task.sizes,
        objective=Likelihood(),
        optimiser=OptimiserSettings(learning_rate=1e-4),
        schedule=ScheduleSettings(),
        batches=BatchSettings(tokens=given.tokens, workers=given.workers),
        evaluation=EvaluationSettings(every=10**9),
        run=RunSettings(steps=given.steps, folder=folder, log_every=max(1, given.steps // 15)),
    )
    train(recipe, task, place=Place(pick_device(given.device)))  # type: ignore[arg-type]
    steps = [r for r in read_log(folder / "log.jsonl") if r["event"] == "step"][5:]
    names = ("tokens_per_second", "step_ms", "compute_ms", "wait_ms", "step_to_compute", "padding", "gpu_gib")
    return {name: float(np.median([r[name] for r in steps])) for name in names if name in steps[0]}


def bare_rate(task: RandomTask, given: argparse.Namespace) -> float:
    """Tokens per second of forward, backward and AdamW on one full batch that is already there."""
    device = pick_device(given.device)
    model = task.build_model().to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), fused=device.type == "cuda")
    near = np.argsort(np.abs(task.train_examples.lengths - 25), kind="stable")[: given.tokens // 25]
    arrays = task.train_examples.collate(near.tolist(), np.random.default_rng(0))
    batch = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
    best = float("inf")
    for _ in range(4):
        began = time.perf_counter()
        for _ in range(given.steps // 15):
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                task.loss(model, batch).total.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        if device.type == "cuda":
            torch.cuda.synchronize()
        best = min(best, time.perf_counter() - began)
    return int((batch["tags"] >= 0).sum()) * (given.steps // 15) / best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--examples", type=int, default=100_000)
    given = parser.parse_args()
    if given.device.startswith("cuda"):
        torch.set_float32_matmul_precision("high")
    task = RandomTask(Sizes(given.layers, given.hidden), RandomExamples(given.examples))
    with tempfile.TemporaryDirectory() as folder:
        figures = loop_figures(task, given, Path(folder))
    result = {"settings": vars(given), "loop": figures, "bare_tokens_per_second": round(bare_rate(task, given))}
    if given.device.startswith("cuda"):
        result["gpu"] = torch.cuda.get_device_name()
    print(json.dumps(result, indent=1))
    record("training", result)


if __name__ == "__main__":
    main()
