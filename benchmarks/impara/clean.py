"""How well judges agree with ratings that they did not learn from, behind gates of any height.

    python -m benchmarks.impara.judging MODEL scores/A-1 tmu-gfm=FILE gmeg=FOLDER --verdicts
    python -m benchmarks.impara.clean DATA A=scores/A-1 --seed 1 --train FILE --train FILE

DATA has `tmu-gfm` and `gmeg`, the dev part. Clean are the corrections of TMU-GFM that training with `data.ratings` and
this seed kept apart, and those of GMEG whose sources are in no training file (`--train`). A row has the mean over these
sets of what judges are chosen by: Pearson's r of sentences and the share of pairs in the right order less the share in
the wrong one, halved. The last column has the share of TMU-GFM's pairs kept apart that R has in the right order; it
knows no gate. Nothing here is a set that errata reports on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.impara.ratings import NAME, read_outputs
from benchmarks.impara.tables import TABLE, Judge, Rule, Verdicts, parse_judge, rate_rows

from errata.datasets.similar import EXACT, SHORT, Collection
from errata.datasets.texts import read_records
from errata.errors import DataError, ErrataError
from errata.judges.impara.rated_pairs import DEV_EVERY, rank_rated
from errata.judges.impara.supervision import RankedPair
from errata.judges.ratings import read_ratings
from errata.meta_eval.base import Rated, Track, get_judged_set

THRESHOLDS = (0.0, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class CleanSet:
    """The rated corrections of a set that a judge did not learn from, and what the set's file of verdicts is called."""

    name: str
    track: Track
    rows: Sequence[Rated]


def find_clean(data: Path, known: Collection, seed: int) -> Iterator[CleanSet]:
    """The clean part of TMU-GFM and of each track of GMEG."""
    ratings = read_outputs(data / NAME / TABLE).track
    yield CleanSet(NAME, ratings, [row for row in ratings.rated if (row.sentence + seed) % DEV_EVERY == 0])
    for track in get_judged_set("gmeg").load(data / "gmeg"):
        texts = [" ".join(sentence.sentence.tokens) for sentence in track.gold.sentences]
        rows = [row for row in track.rated if not _is_known(texts[row.sentence], known)]
        yield CleanSet(f"gmeg-{track.name}", track, rows)


def _is_known(text: str, known: Collection) -> bool:
    return any(edits in (EXACT, SHORT) for _, edits in known.find(text))


def count_in_order(pairs: Sequence[RankedPair], track: Track, verdicts: Verdicts) -> float:
    """How many pairs R has in the right order; a tie is half."""
    worth = {
        text: verdicts[name, row.sentence][0]
        for row in track.rated
        for name, text in zip(row.systems, row.texts, strict=True)
    }
    gaps = [worth[" ".join(pair.better)] - worth[" ".join(pair.worse)] for pair in pairs]
    return float(np.sum((np.sign(gaps) + 1) / 2))


def format_judge(
    name: str, judge: Judge, sets: Sequence[CleanSet], pairs: Sequence[RankedPair], thresholds: Sequence[float]
) -> str:
    """A row of the table; `pairs` are those of TMU-GFM that were kept apart."""
    known: dict[str, Verdicts] = {}
    for one in sets:
        if (verdicts := judge.read(one.name)) is None:
            raise DataError(f"{judge.folders[0]} has no verdicts on {one.name}: judging --verdicts writes them")
        known[one.name] = verdicts
    choices = [
        np.mean([rate_rows(one.rows, len(one.track.gold), known[one.name], Rule(height))["choice"] for one in sets])
        for height in thresholds
    ]
    share = count_in_order(pairs, sets[0].track, known[NAME]) / len(pairs)
    return f"| {name} | {' | '.join(f'{value:.3f}' for value in choices)} | {share:.3f} of {len(pairs)} |"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impara.clean", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("data", type=Path, help="the folder that has tmu-gfm and gmeg")
    parser.add_argument("judges", nargs="+", metavar="NAME=FOLDER", help="folders of verdicts; several with +")
    parser.add_argument("--train", type=Path, action="append", default=[], help="a training file, repeat")
    parser.add_argument("--seed", type=int, default=1, help="the seed that the judge was trained with")
    parser.add_argument("--threshold", type=float, action="append", help="a height of the gate, repeat")
    given = parser.parse_args()
    thresholds = given.threshold or THRESHOLDS
    try:
        known = Collection([record.texts[0] for path in given.train for record in read_records(path)])
        sets = list(find_clean(given.data, known, given.seed))
        _, pairs = rank_rated(read_ratings([given.data / NAME / TABLE], "en"), given.seed)
        if not pairs:
            raise DataError(f"{given.data / NAME / TABLE} has no pairs that training keeps apart")
        print("sentences: " + ", ".join(f"{one.name} {len(one.rows)}" for one in sets), file=sys.stderr)
        print(f"| judge | {' | '.join(f'θ {height:g}' for height in thresholds)} | kept apart |")
        print("|---" * (len(thresholds) + 2) + "|")
        for name, folders in map(parse_judge, given.judges):
            print(format_judge(name, Judge(tuple(folders)), sets, pairs, thresholds))
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
