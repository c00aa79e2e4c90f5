"""Tables of judges from the verdicts that `judging --verdicts` wrote: no network is needed any more.

    python -m benchmarks.impara.tables DATA A=scores/A-1 B=scores/B-1 --threshold 0 --threshold 0.9
    python -m benchmarks.impara.tables DATA A=scores/A-1+scores/A-2+scores/A-3 B=scores/B-1 --choose

DATA is the folder that has `tmu-gfm`, `gjg15` and `seeda`. Each judge is a folder of verdicts, or several whose R are
averaged (`+`). A set is left out for a judge that has no verdicts on it. `--gate FOLDER` takes similarities that
`benchmarks.impara.gates` wrote instead of the judge's own. `--scale standard` gives R the mean 0 and the standard
deviation 1 over the outputs of TMU-GFM before σ.

`--choose` reads TMU-GFM alone. It prints the row that agrees best with it: by the mean of Pearson's r of sentences and
of the share of pairs in the right order less the share in the wrong one. Its θ is 0 unless `--threshold` is given.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isnan
from pathlib import Path

import numpy as np
from benchmarks.impara.ratings import NAME as RATINGS
from benchmarks.impara.ratings import RatedOutputs, read_outputs

from errata.errors import DataError, ErrataError, FormatError, UsageError
from errata.formats.files import read_lines
from errata.meta_eval.agreement import correlate_rated, count_pairs, count_rated_pairs
from errata.meta_eval.base import Rated, Track, get_judged_set
from errata.meta_eval.evaluation import MetaOptions, rank_systems
from errata.stats.correlation import pearson, spearman

SETS = ("gjg15", "seeda")
# Both the scale of R and the gate may be the judge's own.
OWN, STANDARD = "own", "standard"
TABLE = "tmu-gfm-dataset.csv"
# A correction: its system, and its sentence counted from 0.
Key = tuple[str, int]
# R and the similarity of each correction.
Verdicts = dict[Key, tuple[float, float]]
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


@dataclass(frozen=True, slots=True)
class Judge:
    """Folders of verdicts whose R are averaged, and a folder of similarities (None: those of the first folder)."""

    folders: tuple[Path, ...]
    gate: Path | None = None

    def read(self, name: str) -> Verdicts | None:
        """The verdicts on a set; None where a file is missing."""
        paths = [folder / f"{name}-verdicts.tsv" for folder in self.folders]
        gates = [] if self.gate is None else [self.gate / f"{name}-similarities.tsv"]
        if not all(path.is_file() for path in [*paths, *gates]):
            return None
        tables = [read_numbers(path, 2) for path in paths]
        alike = read_numbers(gates[0], 1) if gates else {key: verdict[1:] for key, verdict in tables[0].items()}
        if any(table.keys() != alike.keys() for table in tables):
            raise DataError(f"{', '.join(map(str, [*paths, *gates]))} are not about the same corrections")
        return {key: (float(np.mean([table[key][0] for table in tables])), alike[key][0]) for key in alike}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: a judge, and how its verdicts become scores."""

    label: str
    judge: Judge
    rule: Rule


def read_numbers(path: Path, n_numbers: int) -> dict[Key, tuple[float, ...]]:
    """The numbers after the system and the sentence of each line."""
    table = {}
    for line_number, line in enumerate(read_lines(path), 1):
        try:
            system, sentence, *numbers = line.rstrip("\n").split("\t")
            key, values = (system, int(sentence) - 1), tuple(map(float, numbers))
        except ValueError as error:
            raise FormatError(str(path), line_number, "not a system, a sentence's number and numbers") from error
        if len(values) != n_numbers:
            raise FormatError(str(path), line_number, f"{len(values)} numbers instead of {n_numbers}")
        table[key] = values
    return table


def judge_ratings(outputs: RatedOutputs, verdicts: Verdicts, rule: Rule) -> Cells:
    """The agreement with ratings: sentences, pairs of outputs of one source, and correctors."""
    track = outputs.track
    correctors = outputs.correlate_correctors(score_rated(track.rated, verdicts, rule))
    return {**rate_rows(track.rated, len(track.gold), verdicts, rule), "correctors r": correctors}


def rate_rows(rated: Sequence[Rated], n_sentences: int, verdicts: Verdicts, rule: Rule) -> Cells:
    """The agreement with the ratings of some sentences, and the number that judges are chosen by."""
    scores = score_rated(rated, verdicts, rule)
    sentences = correlate_rated(rated, scores)
    pairs = count_rated_pairs(rated, scores, n_sentences, "half").values()
    return {
        "sentence r": sentences["pearson"],
        "sentence ρ": sentences["spearman"],
        "pairs": pairs["accuracy"],
        "choice": (sentences["pearson"] + 2 * pairs["accuracy"] - 1) / 2,
    }


def score_rated(rated: Sequence[Rated], verdicts: Verdicts, rule: Rule) -> list[np.ndarray]:
    """The scores of each sentence's corrections."""
    return [rule.score([verdicts[name, row.sentence] for name in row.systems]) for row in rated]


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
    """The centre and the scale that give R the mean 0 and the standard deviation 1."""
    if verdicts is None:
        raise DataError(f"a standard scale needs the verdicts on {RATINGS}")
    worth = np.array([r for r, _ in verdicts.values()])
    return float(worth.mean()), 1 / max(float(worth.std()), 1e-9)


def plan_rows(
    judges: Mapping[str, Sequence[Path]], gates: Sequence[str], scales: Sequence[str], thresholds: Sequence[float]
) -> Iterator[Row]:
    """A row for each judge, gate, scale and threshold."""
    for (name, folders), gate, scale in product(judges.items(), gates, scales):
        judge = Judge(tuple(folders), None if gate == OWN else Path(gate))
        numbers = (0.0, 1.0) if scale == OWN else measure_scale(judge.read(RATINGS))
        for threshold in thresholds:
            label = f"{name}, {scale} scale, {gate if gate == OWN else Path(gate).name} gate, θ {threshold:g}"
            yield Row(label, judge, Rule(threshold, *numbers))


def rate_judges(data: Path, rows: Sequence[Row]) -> Iterator[tuple[str, Cells]]:
    """Each row's agreement with TMU-GFM."""
    outputs = read_outputs(data / RATINGS / TABLE)
    for row in rows:
        if (verdicts := row.judge.read(RATINGS)) is not None:
            yield row.label, judge_ratings(outputs, verdicts, row.rule)


def choose_row(rated: Mapping[str, Cells]) -> str:
    """The label of the row that agrees best with TMU-GFM."""
    worth = {label: cells["choice"] for label, cells in rated.items() if not isnan(cells["choice"])}
    if not worth:
        raise DataError(f"no judge has verdicts on {RATINGS}")
    return max(worth, key=lambda label: worth[label])


def rank_rows(data: Path, rows: Sequence[Row]) -> Iterator[tuple[str, str, Cells]]:
    """The set, the label and the agreement with rankings and pairs of GJG15 and SEEDA."""
    for kind in SETS:
        verdicts = {row.judge: row.judge.read(kind) for row in rows}
        if not any(verdicts.values()):
            continue
        for track in get_judged_set(kind).load(data / kind):
            rankings = {method: ranking.scores for method, ranking in rank_systems(track, MetaOptions()).items()}
            for row in rows:
                if (known := verdicts[row.judge]) is not None:
                    for where, cells in judge_track(track, rankings, known, row.rule):
                        yield where, row.label, cells


def format_tables(found: Sequence[tuple[str, str, Cells]]) -> Iterator[str]:
    """The lines of a Markdown table for each set."""
    for where in dict.fromkeys(place for place, _, _ in found):
        rows = [(label, cells) for place, label, cells in found if place == where]
        columns = rows[0][1]
        yield from ("", where, "", f"| judge | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|")
        for label, cells in rows:
            yield f"| {label} | {' | '.join(f'{value:.3f}' for value in cells.values())} |"


def parse_judge(text: str) -> tuple[str, list[Path]]:
    """`A=scores/A-1+scores/A-2` as a name and folders."""
    name, has_folders, folders = text.partition("=")
    if not has_folders:
        raise UsageError(f"{text!r} names no folder: give NAME=FOLDER")
    return name, [Path(folder) for folder in folders.split("+")]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impara.tables", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("judges", nargs="+", metavar="NAME=FOLDER[+FOLDER]")
    parser.add_argument("--threshold", type=float, action="append", help="θ, repeat (0 and 0.9; 0 to choose)")
    parser.add_argument("--gate", action="append", help="a folder of similarities, or own, repeat (own)")
    parser.add_argument("--scale", choices=(OWN, STANDARD), action="append", help="the scale of R, repeat (own)")
    parser.add_argument("--choose", action="store_true", help="print the row that agrees best with TMU-GFM")
    given = parser.parse_args()
    thresholds = given.threshold or ([0.0] if given.choose else [0.0, 0.9])
    try:
        judges = dict(map(parse_judge, given.judges))
        rows = list(plan_rows(judges, given.gate or [OWN], given.scale or [OWN], thresholds))
        rated = dict(rate_judges(given.data, rows))
        if given.choose:
            for label, cells in rated.items():
                print(f"{label}: {cells['choice']:.4f}", file=sys.stderr)
            print(choose_row(rated))
            return 0
        found = [(RATINGS, label, cells) for label, cells in rated.items()]
        found += rank_rows(given.data, rows)
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1
    print("\n".join(format_tables(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
