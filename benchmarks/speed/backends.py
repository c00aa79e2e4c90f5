"""Our own kernels beside ONNX Runtime, on one exported tagger: `python -m benchmarks.speed.backends`.

Prints the table of docs/design.md ("Native kernels or ONNX Runtime"). The two take turns, each in a process of its own
(`benchmarks.speed.correct` measures it), because the load of a machine changes; the best of `--runs` counts, and the
ratio of the two depends less on the machine than either figure. The answers of both are compared edit by edit.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from benchmarks.speed.correct import measure
from benchmarks.speed.history import digest, record, shared_folder

from errata.systems.installed import find_model
from errata.systems.tagger import Tagger

WAYS = {"errata": "own kernels", "errata onnx": "ONNX Runtime"}


def same_answers(folder: Path, sentences: list[tuple[str, ...]]) -> tuple[int, float]:
    """On how many sentences both backends make the same edits, and how far their confidences are apart at most."""
    found = [Tagger.load(folder, backend=backend).propose(sentences) for backend in ("native", "onnx")]
    n_same, apart = 0, 0.0
    for one, other in zip(*found, strict=True):
        if [proposed.edit for proposed in one] == [proposed.edit for proposed in other]:
            n_same += 1
            pairs = zip(one, other, strict=True)
            apart = max([apart, *(abs(a.confidence - b.confidence) for a, b in pairs)])
    return n_same, apart


def installed_bytes() -> dict[str, int]:
    """What each runtime takes on disk, besides the model."""
    kernels = find_spec("errata.networks.native._network")
    runtime = find_spec("onnxruntime")
    assert kernels and kernels.origin and runtime and runtime.origin
    files = (path for path in Path(runtime.origin).parent.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {"errata": Path(kernels.origin).stat().st_size, "errata onnx": sum(path.stat().st_size for path in files)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="en-small", help="a bundled tagger, or the folder of an exported one")
    parser.add_argument("--file", type=Path, default=shared_folder() / "oracles/errant/conll14.src.txt")
    parser.add_argument("--sentences", type=int, default=None, help="the first so many lines")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="leave the history alone")
    options = parser.parse_args()
    folder = find_model(options.model)
    lines = [line for line in options.file.read_text(encoding="utf-8").splitlines() if line][: options.sentences]
    longest = Tagger.load(folder).max_tokens
    sentences = [tokens for line in lines if len(tokens := tuple(line.split())) <= longest]
    n_same, apart = same_answers(folder, sentences)
    arguments = ["--model", options.model, "--file", str(options.file), "--threads", str(options.threads)]
    arguments += ["--sentences", str(len(lines))]
    turns = [{way: measure(way, arguments) for way in WAYS} for _ in range(options.runs)]
    best = {way: {name: min(turn[way][name] for turn in turns) for name in turns[0][way]} for way in WAYS}
    rows = {
        "sentences a second": {way: len(lines) / best[way]["wall"] for way in WAYS},
        "sentences a CPU second": {way: len(lines) / best[way]["cpu"] for way in WAYS},
        "first correction, seconds": {way: best[way]["first"] for way in WAYS},
        "peak memory, MiB": {way: best[way]["memory"] for way in WAYS},
        "runtime on disk, MiB": {way: size / 2**20 for way, size in installed_bytes().items()},
    }
    print(
        f"| {options.model}, {len(lines)} sentences, {options.threads} threads | {' | '.join(WAYS.values())} | ratio |"
    )
    print("|---|---|---|---|")
    for name, row in rows.items():
        print(
            f"| {name} | {' | '.join(f'{row[way]:.2f}' for way in WAYS)} | {row['errata'] / row['errata onnx']:.2f} |"
        )
    print(f"same edits: {n_same} of {len(sentences)} sentences; confidences at most {apart:.4f} apart")
    if not options.dry:
        settings = {"corpus": digest(options.file), "model": Path(options.model).name, "threads": options.threads}
        figures = {name: {way: round(value, 3) for way, value in row.items()} for name, row in rows.items()}
        same = {"sentences": len(sentences), "same": n_same, "apart": round(apart, 5)}
        record("backends", {**settings, **same, "figures": figures})


if __name__ == "__main__":
    main()
