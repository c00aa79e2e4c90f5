"""IMPARA's tables on corpora at hand: `python -m benchmarks.impara domains [NAME=FILE[,FILE] …]`.

`domains` trains a judge on nine tenths of each corpus and lets MAEGE judge all of them on the last tenth of each
(Table 3 of the paper; Table 4 with `--metric scribendi --metric some:model=./runs/some-en/model`, which are judged
beside them). Without corpora it takes those of the paper from the shared data. A corpus is a file, or lines and their
references: `jfleg=dev.src+dev.ref0+dev.ref1`. Models stay in `--folder`, so a command that was interrupted goes on.
They are for the table alone: CoNLL-2013 and CWEB are sets that others report on. Table 5 is `errata impact`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.impara.domains import Cell, Domain, judge, load_track, split, train_judge, usual_domains
from benchmarks.speed.history import shared_folder

from errata.errors import ErrataError

COLUMNS = ("system r", "system ρ", "sentence r", "sentence ρ", "chain τ")


def compare_domains(given: argparse.Namespace) -> list[Cell]:
    """A cell for each corpus to judge on and each judge or metric."""
    domains = [Domain.parse(text) for text in given.domains] or usual_domains(shared_folder())
    parts = {one.name: split(one, given.folder, given.seed) for one in domains}
    judges = []
    for one in domains:
        model = train_judge(one.name, parts[one.name][0], given.folder, given.seed, given.set)
        judges.append((f"impara on {one.name}", "impara", {"model": str(model.resolve()), **_threshold(given)}))
    judges += [_parse_metric(text) for text in given.metric]
    cells: list[Cell] = []
    for one in domains:
        cells += judge(load_track(one, parts[one.name][1], given.sentences, given.seed), judges)
        print(f"judged on {one.name}", file=sys.stderr)
    return cells


def _threshold(given: argparse.Namespace) -> dict[str, float]:
    return {} if given.threshold is None else {"threshold": given.threshold}


def _parse_metric(text: str) -> tuple[str, str, dict[str, str]]:
    """`some:model=./mine` as a label, a name and options."""
    name, _, options = text.partition(":")
    return text, name, dict(one.split("=", 1) for one in options.split(",") if one)


def format_cells(cells: Sequence[Cell]) -> str:
    """A Markdown table; the best number of a column and corpus is bold."""
    lines = [f"| judged on | metric | {' | '.join(COLUMNS)} |", f"|---|---|{'---|' * len(COLUMNS)}"]
    for name in dict.fromkeys(one.judged_on for one in cells):
        rows = [one for one in cells if one.judged_on == name]
        best = [max(one.values[column] for one in rows) for column in range(len(COLUMNS))]
        for row in rows:
            shown = [f"**{x:.3f}**" if x == top else f"{x:.3f}" for x, top in zip(row.values, best, strict=True)]
            lines.append(f"| {name} | {row.metric} | {' | '.join(shown)} |")
    return "\n".join(lines)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impara", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    domains = commands.add_parser("domains", help="train on one domain, judge on the others")
    domains.add_argument("domains", nargs="*", metavar="NAME=FILE[,FILE]")
    domains.add_argument("--folder", type=Path, default=Path("runs/domains"), help="where models and parts are kept")
    domains.add_argument("--metric", action="append", default=[], help="another metric to judge, NAME[:OPTION=VALUE,…]")
    domains.add_argument("--set", action="append", default=[], help="a setting of the recipe, KEY=VALUE")
    domains.add_argument("--sentences", type=int, help="judge on so many sentences of each corpus")
    domains.add_argument("--threshold", type=float, help="similarity below which a correction scores 0")
    domains.add_argument("--seed", type=int, default=1)
    domains.add_argument("--json", action="store_true")
    return parser.parse_args()


def main() -> int:
    given = read_arguments()
    try:
        cells = compare_domains(given)
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1
    print(json.dumps([asdict(one) for one in cells]) if given.json else format_cells(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
