"""IMPARA's tables on corpora at hand: `python -m benchmarks.impara domains [NAME=FILE[,FILE] …]`.

`domains` trains a judge on nine tenths of each corpus and lets MAEGE judge all of them on the last tenth of each
(Table 3 of the paper; Table 4 with `--metric scribendi --metric some:model=./runs/some-en/model`, which are judged
beside them). Without corpora it takes those of the paper from the shared data. A corpus is a file, or lines and their
references: `jfleg=dev.src+dev.ref0+dev.ref1`. Models stay in `--folder`, so a command that was interrupted goes on.
They are for the table alone: CoNLL-2013 and CWEB are sets that others report on. Table 5 is `errata impact`.

`judging` (`python -m benchmarks.impara.judging`) writes a judge's scores of judged sets where there is a GPU. `bestof`
takes the best of several correctors' outputs by a judge, sentence by sentence, and scores it beside each of
them. It exits 1 if the choice does not beat them all. `speed` times `errata score` from its start to its end.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.impara.bestof import BEST, CHOSEN, CORRECTORS, beats_all, compare_choices, format_rows
from benchmarks.impara.domains import Cell, Domain, judge, load_track, split, train_judge, usual_domains
from benchmarks.impara.speed import format_times, time_scoring
from benchmarks.speed.history import shared_folder

from errata.errors import ErrataError
from errata.metrics.options import make_metrics

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


def _run_domains(given: argparse.Namespace) -> int:
    cells = compare_domains(given)
    print(json.dumps([asdict(one) for one in cells]) if given.json else format_cells(cells))
    return 0


def _run_bestof(given: argparse.Namespace) -> int:
    names = given.correctors or list(CORRECTORS)
    data = shared_folder() / "data"
    _, judge, options = _parse_metric(given.judge)
    (metric,) = make_metrics({judge: {}}, options)
    rows = compare_choices(
        names, given.sets or CHOSEN, given.folder, data, metric, margin=given.margin, by_edits=given.edits
    )
    print(json.dumps([asdict(one) for one in rows]) if given.json else format_rows(rows))
    has_won = beats_all(rows, names, BEST)
    told = "beats every corrector" if has_won else "does not beat every corrector"
    print(f"the best of {len(names)} by {given.judge} {told}", file=sys.stderr)
    return 0 if has_won else 1


def _run_speed(given: argparse.Namespace) -> int:
    times = time_scoring(shared_folder() / "data", given.metric, given.turns)
    print(format_times(given.metric, times))
    return 0


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
    domains.set_defaults(run=_run_domains)
    bestof = commands.add_parser("bestof", help="choose among correctors' outputs by a judge")
    bestof.add_argument("correctors", nargs="*", help=f"models or peers by name ({' '.join(CORRECTORS)})")
    bestof.add_argument("--sets", action="append", help=f"a set of benchmarks.quality, repeat ({' '.join(CHOSEN)})")
    bestof.add_argument("--judge", default="impara", help="a metric that needs no references, NAME[:OPTION=VALUE,…]")
    bestof.add_argument("--margin", type=float, default=0.0, help="how far another output must be ahead of the first")
    bestof.add_argument("--edits", action="store_true", help="combine edits too, which takes many minutes")
    bestof.add_argument("--folder", type=Path, default=Path("runs/bestof"), help="where outputs are kept")
    bestof.add_argument("--json", action="store_true")
    bestof.set_defaults(run=_run_bestof)
    speed = commands.add_parser("speed", help="seconds to score the outputs of CoNLL-14, start-up included")
    speed.add_argument("--metric", default="impara")
    speed.add_argument("--turns", type=int, default=3)
    speed.set_defaults(run=_run_speed)
    return parser.parse_args()


def main() -> int:
    given = read_arguments()
    try:
        return given.run(given)  # type: ignore[no-any-return]
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
