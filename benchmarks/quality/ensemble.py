"""Two real systems and their ensemble on CoNLL-2014: `python -m benchmarks.quality.ensemble`.

The outputs of two systems (T5-Large and UEDIN-MS unless named) are combined by MuCGEC's votes and by weights learnt on
BEA-2019 dev alone. All four are scored with MaxMatch (official annotations) and ERRANT (its automatic edits).
Exits 1 if the learnt ensemble does not beat both systems on both metrics.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.speed.history import shared_folder

from errata import metrics
from errata.metrics.inputs import make_items, read_gold, read_hypotheses
from errata.model import Score
from errata.systems.ensemble.outputs import combine_outputs, learn_from_outputs
from errata.systems.ensemble.voting import Electorate

GOLD = {"maxmatch": "official-2014.combined.m2", "errant": "conll14.errant-auto.2ref.m2.xz"}


def combine(source: Path, outputs: list[Path], electorate: Electorate | None, out: Path) -> Path:
    lines = combine_outputs(str(source), [str(path) for path in outputs], "en", electorate)
    out.write_text("".join(line + "\n" for line, _ in lines), encoding="utf-8")
    return out


def score(hypothesis: Path, metric: str, gold: Path) -> Score:
    corpus = read_gold(gold)
    return metrics.score(make_items(corpus, read_hypotheses(hypothesis, corpus, "text")), metric)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", default=["esc.T5-Large", "esc.UEDIN-MS"], help="names of output files")
    args = parser.parse_args()
    data = shared_folder() / "data" / "en"
    dev, test = data / "system-outputs" / "bea-dev", data / "system-outputs" / "conll14"
    outputs = {name: test / f"{name}.txt.xz" for name in args.systems}
    learnt = learn_from_outputs(
        str(dev / "esc.source.txt.xz"),
        [str(dev / f"{name}.txt.xz") for name in args.systems],
        "en",
        references=[str(dev / "esc.target.txt.xz")],
    )
    print(f"learnt on BEA-2019 dev: F0.5 {100 * learnt.learnt['held_out_f']:.2f} held out, cut at {learnt.threshold}")
    with tempfile.TemporaryDirectory() as scratch:
        source, parts = test / "esc.source.txt.xz", list(outputs.values())
        rows = {
            **outputs,
            "votes": combine(source, parts, None, Path(scratch, "votes.txt")),
            "learnt": combine(source, parts, learnt, Path(scratch, "learnt.txt")),
        }
        found = {(name, metric): score(path, metric, data / "conll14" / gold)
                 for metric, gold in GOLD.items() for name, path in rows.items()}  # fmt: skip
    print(f"{'':<20}" + "".join(f"{metric + ' ' + part:>18}" for metric in GOLD for part in ("P", "R", "F0.5")))
    for name in rows:
        scores = [found[name, metric] for metric in GOLD]
        cells = [value for one in scores for value in (one.parts["precision"], one.parts["recall"], one.value)]
        print(f"{name:<20}" + "".join(f"{100 * value:18.2f}" for value in cells))
    for metric in GOLD:
        print(found["learnt", metric].signature)
    wins = all(found["learnt", metric].value > found[name, metric].value for name in outputs for metric in GOLD)
    print("the ensemble beats every system" if wins else "the ensemble does NOT beat every system")
    return 0 if wins else 1


if __name__ == "__main__":
    sys.exit(main())
