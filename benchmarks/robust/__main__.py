"""Robustness on RobustGEC: `python -m benchmarks.robust systems`, `… split FOLDER`, `… table FOLDER`.

`systems --model NAME …` scores correctors of any kind on the whole set, as an editor would ask them: models by name or
folder, `harper`, `lingotweaker`, `lm`.

`split FOLDER` writes RobustGEC in three parts. `table FOLDER` scores a baseline, models trained from it (`--models
NAME=FOLDER,FOLDER …`, one folder or file of answers for each seed), and what needs no training: a keep bias that makes
the baseline as precise as one of the models (`--tweak-to NAME`, searched on dev), averaging (`--average N`) and voting
(`--vote N`).
Variants for the last two are made by a list of words, or read from a file of blocks whose originals are the sentences
of the part (`--variants FILE`).
It prints a table like Table 5 of the paper for each definition. `--part test` is for the last run: choose on dev.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.robust.alternatives import Models, Variants, averaged, find_bias, load_row, score, voting, with_bias
from benchmarks.robust.parts import DEV, PARTS, SEED, SUBSETS, count_leaks, read_cases, split_cases, write_parts
from benchmarks.robust.systems import score_systems
from benchmarks.robust.table import Row, as_dict, format_table
from benchmarks.speed.history import shared_folder

from errata.errors import ErrataError, UsageError
from errata.files import write_text
from errata.robustness.cases import Subset, read_subsets
from errata.robustness.evaluation import Corrector

BASELINE = "baseline"
SYSTEMS = ("en-base", "en-small", "lingotweaker", "harper")


def split(folder: Path, data: Path) -> None:
    """Write the parts, and print how large they are."""
    parts = split_cases(read_cases(data))
    if n_leaks := count_leaks(parts):
        raise ErrataError(f"{n_leaks} groups of near duplicates are in more than one part")
    write_parts(parts, folder)
    print(f"seed {SEED}; no case of one part is a near duplicate of a case in another")
    for part, cases in parts.items():
        counts = Counter(one.subset for one in cases)
        print(f"{part}: {len(cases):,} cases ({', '.join(f'{name} {counts[name]:,}' for name in SUBSETS)})")


def published() -> Path:
    """RobustGEC among the shared corpora."""
    return shared_folder() / "data" / "en" / "robustgec"


def read_part(folder: Path, part: str, limit: int | None) -> list[Subset]:
    """The subsets of a part; of each at most `limit` cases."""
    subsets = read_subsets([folder / part / f"{name}.para" for name in SUBSETS])
    return [Subset(one.name, one.cases[:limit]) for one in subsets]


def compare(given: argparse.Namespace) -> list[Row]:
    """The rows of the table, in the order of the paper."""
    if given.variants is not None and given.average is None and given.vote is None:
        raise UsageError("--variants is for --average and --vote: give one of them")
    subsets, dev = (read_part(given.folder, part, given.limit) for part in (given.part, DEV))
    trained = [Models.parse(text) for text in given.models]
    if given.tweak_to is not None and given.tweak_to not in [one.name for one in trained]:
        raise UsageError(f"--tweak-to {given.tweak_to}: there are no --models of this name")
    baseline: Any = load_row(given.baseline, device=given.device)
    if given.baseline.endswith(".json") and (given.tweak_to or given.average or given.vote):
        raise UsageError("a file of answers cannot be asked again: give the model itself, or files of its answers")
    rows = [_row(BASELINE, [lambda: baseline], subsets)]
    for models in trained:
        rows.append(_row(models.name, [_loader(one, given.device) for one in models.models], subsets))
    if given.tweak_to is not None:
        aim = next(one for one in trained if one.name == given.tweak_to)
        on_dev = rows[1 + trained.index(aim)]
        if given.part != DEV:
            on_dev = _row(aim.name, [_loader(one, given.device) for one in aim.models], dev)
        bias = find_bias(baseline, dev, on_dev.precision)
        rows.append(_row(f"keep bias {bias:.3f}", [lambda: with_bias(baseline, bias)], subsets))
    for name, n, wrap in (("averaging over", given.average, averaged), ("voting of", given.vote, voting)):
        if n is not None:
            variants = Variants(n, given.variants)
            rows.append(_row(f"{name} {n}", [partial(wrap, baseline, variants)], subsets))
            told = f"{variants.n_without:,} of {variants.n_sentences:,} sentences have no variant"
            print(f"{name} {n}: {told}", file=sys.stderr)
    return rows


def _loader(model: str, device: str | None) -> Callable[[], Corrector]:
    return lambda: load_row(model, device=device)


def _row(name: str, loaders: Sequence[Callable[[], Corrector]], subsets: Sequence[Subset]) -> Row:
    """The reports of correctors, which are loaded one after the other."""
    print(f"{name} …", file=sys.stderr)
    return Row(name, tuple(score(make(), subsets) for make in loaders))


def _count(text: str) -> int:
    """A number of things, one or more."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.robust", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    splitting = verbs.add_parser("split", help="write RobustGEC in three parts")
    splitting.add_argument("folder", type=Path)
    splitting.add_argument("--data", type=Path, default=None, help="RobustGEC as published (else in ERRATA_DATA)")
    table = verbs.add_parser("table", help="score alternatives on a part")
    table.add_argument("folder", type=Path, help="what split wrote")
    table.add_argument("--baseline", required=True, help="a model by name or folder")
    table.add_argument("--models", nargs="*", default=[], metavar="NAME=FOLDER,FOLDER", help="trained from it; seeds")
    table.add_argument("--tweak-to", metavar="NAME", help="find the keep bias that gives the precision of these models")
    table.add_argument("--average", type=_count, metavar="N", help="average over N variants")
    table.add_argument("--vote", type=_count, metavar="N", help="vote with N variants")
    table.add_argument("--variants", type=Path, metavar="FILE", help="blocks that have them (else by a list of words)")
    table.add_argument("--part", choices=PARTS, default=DEV)
    table.add_argument("--limit", type=_count, metavar="N", help="only the first N cases of each subset")
    table.add_argument("--device", help="cpu, cuda … (models as training left them)")
    table.add_argument("--json", type=Path, metavar="FILE", help="write every report too")
    systems = verbs.add_parser("systems", help="score correctors on the whole set")
    systems.add_argument("--model", action="append", metavar="NAME", help="repeat to compare")
    systems.add_argument("--data", type=Path, default=None, help="RobustGEC as published (else in ERRATA_DATA)")
    systems.add_argument("--limit", type=_count, metavar="N", help="only the first N cases of each subset")
    systems.add_argument("--json", type=Path, metavar="FILE", help="write every report too")
    given = parser.parse_args()
    try:
        if given.verb == "split":
            split(given.folder, given.data or published())
            return 0
        if given.verb == "systems":
            rows = score_systems(given.model or SYSTEMS, given.data or published(), given.limit)
        else:
            rows = compare(given)
        if given.json is not None:
            write_text(given.json, json.dumps(as_dict(rows), indent=1) + "\n")
        print("\n".join(format_table(rows)), end="")
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
