"""SEEDA's correlations as they were published: `python -m benchmarks.seeda SEEDA -m maxmatch -m gleu:variant=official`.

`errata meta` computes people's rankings and takes the outputs as they are today. Published numbers differ in two ways:
they are correlations with the three decimals of `scores/human`, and until December 2024 `outputs/subset/LM-Critic.txt`
had the text of `PIE.txt`. `--before-2025` puts that text back. SEEDA is a folder as its authors publish it.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from errata.meta_eval.base import Track, get_judged_set
from errata.meta_eval.scorers import MISSING, MetricScorer
from errata.metrics.options import make_metrics
from errata.stats.correlation import pearson, spearman

RENAMED, SHOWN_INSTEAD = "LM-Critic", "PIE"
WAYS, GROUPS = ("edit", "sent"), ("base", "fluency")


def read_people(root: Path, way: str, systems: list[str]) -> dict[str, float]:
    """TrueSkill as published: a number on each line, systems in alphabetical order."""
    lines = (root / "scores" / "human" / f"TS_{way}.txt").read_text(encoding="utf-8").split()
    return dict(zip(sorted(systems), map(float, lines), strict=True))


def as_published(track: Track) -> Track:
    """The track with the outputs of the release before it was mended."""
    return replace(track, outputs={**track.outputs, RENAMED: track.outputs[SHOWN_INSTEAD]})


def format_row(name: str, scores: dict[str, float], tracks: list[Track], root: Path) -> str:
    """A line of a Markdown table: r and ρ for each kind of judgement and group of systems."""
    cells = []
    for track in tracks:
        people = read_people(root, track.name, list(track.outputs))
        for group in GROUPS:
            systems = track.groups[group]
            pair = [scores[one] for one in systems], [people[one] for one in systems]
            cells.append(f"{pearson(*pair):.3f}, {spearman(*pair):.3f}")
    return f"| `{name}` | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seeda", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("root", type=Path)
    parser.add_argument("-m", "--metric", action="append", required=True, help="NAME[:OPTION=VALUE,…]")
    parser.add_argument("--missing", choices=MISSING, default=MISSING[0], help="as for errata meta")
    parser.add_argument("--before-2025", action="store_true", help="LM-Critic has the outputs of PIE")
    given = parser.parse_args()
    tracks = get_judged_set("seeda").load(given.root)
    if given.before_2025:
        tracks = [as_published(track) for track in tracks]
    print("| metric | " + " | ".join(f"{way}, {group}" for way in WAYS for group in GROUPS) + " |")
    print("|---|" + "---|" * (len(WAYS) * len(GROUPS)))
    for spec in given.metric:
        name, _, options = spec.partition(":")
        chosen = dict(one.split("=", 1) for one in options.split(",") if one)
        (metric,) = make_metrics({name: {}}, chosen)
        values = MetricScorer(metric, missing=given.missing).score_systems(tracks[0]).values
        print(format_row(spec, dict(values), tracks, given.root), flush=True)


if __name__ == "__main__":
    main()
