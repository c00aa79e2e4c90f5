"""F0.5 against speed as SVGs, one for each language, made from results.json: `python -m benchmarks.quality plot`.

Written by hand and not with a library: its colours follow the reader's light or dark theme, its letters can be
searched, and the same results make the same file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from pathlib import Path

from benchmarks.quality.results import Results, read_results
from benchmarks.quality.sets import SETS

from errata.errors import DataError
from errata.files import replacing

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
# The name of each picture, and the set whose F0.5 it shows.
PICTURES = {"quality-speed.svg": "conll14", "quality-speed-zh.svg": "mucgec"}
WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 30, 30, 55
# Points of F0.5 between two lines of the grid.
STEP = 10
# Pixels that a label takes: its height, and the width of a bold letter.
LABEL_HEIGHT, LETTER = 16, 8.5
# Without a theme, as in a README: greys and blues that can be read on white and on black.
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #6e7781; }
  .label { font-weight: 600; fill: #57748f; }
  .grid { stroke: #8884; }
  .point { fill: #2f81f7; }
  .peer { fill: #c2701c; }
  @media (prefers-color-scheme: light) { text { fill: #57606a; } .label { fill: #1f2328; } }
  @media (prefers-color-scheme: dark) { text { fill: #9198a1; } .label { fill: #f0f6fc; } .peer { fill: #e3954b; } }
"""


@dataclass(frozen=True, slots=True)
class Point:
    """A corrector: sentences a second, and F0.5 in per cent."""

    name: str
    per_second: float
    score: float
    is_peer: bool


def find_points(results: Results, set_name: str) -> list[Point]:
    """The correctors whose speed and score on the set are known."""
    return [
        Point(one.name, one.per_second, 100 * score.value, one.name in ("harper", "lingotweaker"))
        for one in results.correctors.values()
        if one.per_second and (score := results.of(one.name).get(set_name))
    ]


def draw(points: Sequence[Point], set_name: str) -> str:
    """The SVG."""
    if not points:
        raise DataError(f"nothing to plot: no corrector has both a speed and a score on {set_name}")
    low = floor(log10(min(point.per_second for point in points)))
    high = max(low + 1, ceil(log10(max(point.per_second for point in points))))
    top = STEP * ceil((max(point.score for point in points) + 1) / STEP)

    def x(per_second: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (log10(per_second) - low) / (high - low)

    def y(score: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * score / top

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>F0.5 on {SETS[set_name].about} against sentences a second</title>",
        f"<style>{STYLE}</style>",
    ]
    for score in range(0, top + 1, STEP):
        lines.append(f'<path class="grid" d="M{LEFT} {y(score):.1f}H{WIDTH - RIGHT}"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(score) + 4:.1f}" text-anchor="end">{score}</text>')
    for power in range(low, high + 1):
        lines.append(f'<path class="grid" d="M{x(10.0**power):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        lines.append(
            f'<text x="{x(10.0**power):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{10.0**power:,g}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(f'<text x="{middle:.0f}" y="{HEIGHT - 12}" text-anchor="middle">sentences a second</text>')
    lines.append(f'<text x="{LEFT}" y="{TOP - 12}">F0.5 on {escape(SETS[set_name].about)}</text>')
    for point, at in zip(
        points, _place_labels([(x(one.per_second), y(one.score), one.name) for one in points]), strict=True
    ):
        kind = "peer" if point.is_peer else "point"
        lines.append(f'<circle class="{kind}" cx="{x(point.per_second):.1f}" cy="{y(point.score):.1f}" r="5"/>')
        lines.append(f'<text class="label" x="{at[0]:.1f}" y="{at[1]:.1f}">{escape(point.name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _place_labels(points: Sequence[tuple[float, float, str]]) -> list[tuple[float, float]]:
    """Where each label begins: beside its point, or above or below where another label or the border is."""
    taken: list[tuple[float, float, float]] = []
    for left, height, name in points:
        width = LETTER * len(name)
        beside = [(left + 9, height + 4), (left - 9 - width, height + 4)]
        apart = [(left - width / 2, height + step * LABEL_HEIGHT) for n in range(1, 9) for step in (-n, n + 0.5)]
        free = (
            (at, base)
            for at, base in (*beside, *apart)
            if LEFT <= at <= WIDTH - RIGHT - width
            and all(abs(base - other[1]) >= LABEL_HEIGHT or at + width < other[0] or at > other[2] for other in taken)
        )
        at, base = next(free, beside[0])
        taken.append((at, base, at + width))
    return [(at, base) for at, base, _ in taken]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality plot", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER", help="where to write (docs/images)")
    options = parser.parse_args(arguments)
    results = read_results()
    pictures = {name: draw(find_points(results, set_name), set_name) for name, set_name in PICTURES.items()}
    for name, picture in pictures.items():
        with replacing(options.out / name) as beside:
            beside.write_text(picture, encoding="utf-8")
    return 0
