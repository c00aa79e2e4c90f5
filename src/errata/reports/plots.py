"""Plots as inline SVG: points with names, and lines over places; as wide as a phone, they grow with the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

# Pixels of a plot, and of its margins: left for the numbers of the axis, below for names.
WIDTH, HEIGHT = 360, 260
LEFT, RIGHT, TOP, BELOW = 46, 12, 12, 40
# Lines are told apart by their dashes, and not by colour alone.
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "10 4")
# About so many numbers stand beside an axis.
TICKS = 4
PLOT_STYLE = """
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem;
  margin: 1rem 0; }
figure { margin: 0; } figcaption { font-size: .9rem; }
.plots svg text { font-size: 11px; } .plots text.name { font-size: 9px; }
.point { fill: var(--accent); } .line { fill: none; stroke: var(--accent); stroke-width: 2; }
.line.other { stroke: var(--ink); }
"""


@dataclass(frozen=True, slots=True)
class Axis:
    """Where numbers from `low` to `high` lie between two pixels."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round numbers along the axis."""
        raw = (self.high - self.low) / TICKS
        unit = 10 ** floor(log10(raw))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw)
        first = ceil(self.low / step - 1e-9)
        return [step * n for n in range(first, floor(self.high / step + 1e-9) + 1)]


def make_axis(values: Iterable[float], start: float, end: float) -> Axis:
    """An axis on which all the values have their place, with a little room at both ends."""
    known = [value for value in values if isfinite(value)] or [0.0]
    low, high = min(known), max(known)
    room = 0.06 * (high - low) or 0.5 * (abs(high) or 1)
    return Axis(low - room, high + room, start, end)


def draw_figure(caption: str, parts: Iterable[str], *, label: str) -> str:
    """A plot with its caption, which is HTML already; `label` says in words what is plotted."""
    drawn = "".join(parts)
    box = f"0 0 {WIDTH} {HEIGHT}"
    svg = f'<svg viewBox="{box}" role="img" aria-label="{escape(label)}">{drawn}</svg>'
    return f"<figure>{svg}<figcaption>{caption}</figcaption></figure>"


def draw_points(points: Mapping[str, tuple[float, float]], across: str, up: str) -> list[str]:
    """A point with its name for each pair of numbers; `across` and `up` name the axes."""
    x = make_axis((one for one, _ in points.values()), LEFT, WIDTH - RIGHT)
    y = make_axis((one for _, one in points.values()), HEIGHT - BELOW, TOP)
    parts = [*_draw_axes(x, y, across, up)]
    for name, (one, other) in points.items():
        if isfinite(one) and isfinite(other):
            left, top = x.place(one), y.place(other)
            is_late = left > WIDTH * 0.7
            anchor = ' text-anchor="end"' if is_late else ""
            parts.append(f'<circle class="point" cx="{left:.1f}" cy="{top:.1f}" r="3.5"/>')
            at = f'x="{left + (-6 if is_late else 6):.1f}" y="{top + 3:.1f}"'
            parts.append(f'<text class="name" {at}{anchor}>{escape(name)}</text>')
    return parts


def draw_lines(lines: Mapping[str, Sequence[float]], across: str, up: str) -> list[str]:
    """A line for each list of numbers between -1 and 1, over places counted from 1; what is no number is a gap."""
    n_places = max(map(len, lines.values()), default=1)
    x = Axis(0.5, n_places + 0.5, LEFT, WIDTH - RIGHT)
    y = Axis(-1.05, 1.05, HEIGHT - BELOW, TOP)
    parts = [*_draw_axes(x, y, across, up, whole=True)]
    for number, values in enumerate(lines.values()):
        kind = "line" if number % 2 == 0 else "line other"
        dash = f' stroke-dasharray="{DASHES[number % len(DASHES)]}"' if number % len(DASHES) else ""
        for start, run in _runs(values):
            places = " ".join(f"{x.place(start + k + 1):.1f},{y.place(one):.1f}" for k, one in enumerate(run))
            parts.append(f'<polyline class="{kind}"{dash} points="{places}"/>')
    return parts


def _runs(values: Sequence[float]) -> Iterable[tuple[int, list[float]]]:
    """The runs of numbers between gaps, each with the place where it begins."""
    run: list[float] = []
    for place, value in enumerate([*values, float("nan")]):
        if isfinite(value):
            run.append(value)
        elif run:
            yield place - len(run), run
            run = []


def _draw_axes(x: Axis, y: Axis, across: str, up: str, *, whole: bool = False) -> Iterable[str]:
    foot = HEIGHT - BELOW
    for tick in y.ticks():
        top = y.place(tick)
        yield f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{top:.1f}" y2="{top:.1f}"/>'
        yield f'<text x="{LEFT - 4}" y="{top + 4:.1f}" text-anchor="end">{tick:.3g}</text>'
    for tick in x.ticks():
        if not whole or tick == int(tick):
            left = x.place(tick)
            yield f'<line class="axis" x1="{left:.1f}" x2="{left:.1f}" y1="{TOP}" y2="{foot}"/>'
            yield f'<text x="{left:.1f}" y="{foot + 14}" text-anchor="middle">{tick:.3g}</text>'
    yield f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
    middle = foot / 2
    turn = f'transform="rotate(-90 12 {middle:.0f})"'
    yield f'<text x="12" y="{middle:.0f}" text-anchor="middle" {turn}>{escape(up)}</text>'
