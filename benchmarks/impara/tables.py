"""Tables of judges from the verdicts that `judging --verdicts` wrote: no network is needed any more.

    python -m benchmarks.impara.tables DATA A=scores/A-1 B=scores/B-1 --threshold 0 --threshold 0.9 --scale own
    python -m benchmarks.impara.tables DATA A=scores/A-1+scores/A-2+scores/A-3 B=scores/B-1 --choose

DATA is the folder that has `tmu-gfm`, `gjg15` and `seeda`. Each judge is a folder of verdicts, or several whose R are
averaged (`+`). A set without verdicts is left out. `--scale standard` gives R the mean 0 and the standard deviation 1
over the outputs of TMU-GFM before σ. `--choose` prints the name of the judge that agrees best with TMU-GFM: the mean of
Pearson's r of sentences and of the pairs in the right order less those in the wrong one, at θ 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np
from benchmarks.impara.ratings import NAME as RATINGS
from benchmarks.impara.ratings import RatedOutputs, read_outputs

from errata.errors import DataError, ErrataError
from errata.formats.files import read_lines
from errata.meta_eval.agreement import correlate_rated, count_pairs, count_rated_pairs
from errata.meta_eval.base import Track, get_judged_set
from errata.meta_eval.evaluation import MetaOptions, rank_systems
from errata.stats.correlation import pearson, spearman

SETS = ("gjg15", "seeda")
SCALES = ("own", "standard")
TABLE = "tmu-gfm-dataset.csv"
# R and the similarity of each correction, by system and sentence.
Verdicts = dict[tuple[str, int], tuple[float, float]]
Cells = dict[str, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """How verdicts become scores: σ(scale × (R − centre)) above the threshold, else 0."""

    threshold: float
    centre: float = 0.0
    scale: float = 1.0

    def score(self, verdicts: Sequence[tuple[float, float]]) -> np.ndarray:
        worth, alike = np.array(verdicts, float).reshape(-1, 2).T
        scores = 1 / (1 + np.exp(np.clip(-self.scale * (worth - self.centre), -700, 700)))
        gated: np.ndarray = np.where(alike > self.threshold, scores, 0.0)
        return gated


def read_verdicts(folders: Sequence[Path], name: str) -> Verdicts | None:
    """The verdicts on a set, R averaged over the folders; None where a folder has none."""
    paths = [folder / f"{name}-verdicts.tsv" for folder in folders]
    if not all(path.is_file() for path in paths):
        return None
    tables = []
    for path in paths:
        rows = (line.rstrip("\n").split("\t") for line in read_lines(path))
        tables.append({(system, int(number) - 1): (float(r), float(alike)) for system, number, r, alike in rows})
    if any(table.keys() != tables[0].keys() for table in tables):
        raise DataError(f"{', '.join(map(str, paths))} have verdicts on different corrections")
    return {key: (float(np.mean([table[key][0] for table in tables])), tables[0][key][1]) for key in tables[0]}


def judge_ratings(outputs: RatedOutputs, verdicts: Verdicts, rule: Rule) -> Cells:
    """Sentences, pairs of outputs of one source, and correctors."""
    rated = outputs.track.rated
    scores = [rule.score([verdicts[name, row.sentence] for name in row.systems]) for row in rated]
    found = correlate_rated(rated, scores)
    pairs = count_rated_pairs(rated, scores, len(outputs.track.gold), "half").values()
    return {
        "sentence r": found["pearson"],
        "sentence ρ": found["spearman"],
        "pairs": pairs["accuracy"],
        "correctors r": outputs.correlate_correctors(scores),
    }


def judge_track(
    track: Track, rankings: Mapping[str, Mapping[str, float]], verdicts: Verdicts, rule: Rule
) -> Iterator[tuple[str, Cells]]:
    """The agreement with people for each choice of systems."""
    places = range(len(track.gold))
    scores = {name: rule.score([verdicts[name, place] for place in places]) for name in track.outputs}
    for group, systems in track.groups.items():
        cells: Cells = {}
        means = [scores[name].mean() for name in systems]
        for method, ranking in rankings.items():
            human = [ranking[name] for name in systems]
            cells[f"{method} r"], cells[f"{method} ρ"] = pearson(means, human), spearman(means, human)
        pairs = count_pairs(track.judgements, scores, systems, len(track.gold), "wrong").values()
        yield f"{track.name} {group}", {**cells, "accuracy": pairs["accuracy"], "τ": pairs["kendall"]}


def measure_scale(verdicts: Verdicts | None) -> tuple[float, float]:
    """What gives R the mean 0 and the standard deviation 1."""
    if verdicts is None:
        raise DataError(f"a standard scale needs the verdicts on {RATINGS}")
    worth = np.array([r for r, _ in verdicts.values()])
    return float(worth.mean()), 1 / max(float(worth.std()), 1e-9)


def choose(data: Path, judges: Mapping[str, Sequence[Path]]) -> str:
    """The judge that agrees best with TMU-GFM."""
    outputs = read_outputs(data / RATINGS / TABLE)
    worth = {}
    for name, folders in judges.items():
        if (verdicts := read_verdicts(folders, RATINGS)) is not None:
            cells = judge_ratings(outputs, verdicts, Rule(0.0))
            worth[name] = (cells["sentence r"] + 2 * cells["pairs"] - 1) / 2
            print(f"{name}: {worth[name]:.4f}", file=sys.stderr)
    worth = {name: value for name, value in worth.items() if not isnan(value)}
    if not worth:
        raise DataError(f"no judge has verdicts on {RATINGS}")
    return max(worth, key=lambda name: worth[name])


def list_rows(
    data: Path, judges: Mapping[str, Sequence[Path]], thresholds: Sequence[float], scales: Sequence[str]
) -> Iterator[tuple[str, str, Cells]]:
    """Where, who and what: the table's rows, set by set."""
    rules = {}
    for name, folders in judges.items():
        for kind in scales:
            centre, scale = (0.0, 1.0) if kind == SCALES[0] else measure_scale(read_verdicts(folders, RATINGS))
            for threshold in thresholds:
                rules[f"{name}, {kind} scale, θ {threshold:g}"] = name, Rule(threshold, centre, scale)
    outputs = read_outputs(data / RATINGS / TABLE)
    known = {name: read_verdicts(folders, RATINGS) for name, folders in judges.items()}
    for label, (name, rule) in rules.items():
        if (verdicts := known[name]) is not None:
            yield RATINGS, label, judge_ratings(outputs, verdicts, rule)
    for kind in SETS:
        known = {name: read_verdicts(folders, kind) for name, folders in judges.items()}
        if not any(known.values()):
            continue
        for track in get_judged_set(kind).load(data / kind):
            rankings = {method: one.scores for method, one in rank_systems(track, MetaOptions()).items()}
            for label, (name, rule) in rules.items():
                if (verdicts := known[name]) is not None:
                    for where, cells in judge_track(track, rankings, verdicts, rule):
                        yield where, label, cells


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impara.tables", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("judges", nargs="+", metavar="NAME=FOLDER[+FOLDER]")
    parser.add_argument("--threshold", type=float, action="append")
    parser.add_argument("--scale", choices=SCALES, action="append")
    parser.add_argument("--choose", action="store_true")
    given = parser.parse_args()
    named = (text.partition("=") for text in given.judges)
    judges = {name: [Path(folder) for folder in folders.split("+")] for name, _, folders in named}
    try:
        if given.choose:
            print(choose(given.data, judges))
            return 0
        rows = sorted(
            list_rows(given.data, judges, given.threshold or [0.0, 0.9], given.scale or SCALES), key=lambda row: row[0]
        )
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1
    before = ""
    for where, label, cells in rows:
        if where != before:
            print(f"\n{where}\n\n| judge | {' | '.join(cells)} |\n|---{'|---' * len(cells)}|")
            before = where
        print(f"| {label} | {' | '.join(f'{value:.3f}' for value in cells.values())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
