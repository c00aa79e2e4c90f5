"""Plots as inline SVG: points with names, lines, curves, bars; as wide as a phone, they grow with the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

from errata.reports.labels import Box, place_names

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
:root { --hue-0: #0f6e66; --hue-1: #b4530a; --hue-2: #4a4fb5; --hue-3: #8a2063; --hue-4: #5b626c; --hue-5: #6f6a00; }
@media (prefers-color-scheme: dark) { :root { --hue-0: #5ccabb; --hue-1: #f0a35e; --hue-2: #a5a9ff; --hue-3: #f08fc8;
  --hue-4: #c0c6cd; --hue-5: #d4d46a; } }
.curve { fill: none; stroke-width: 2; } .bar { fill: var(--accent); }
.whisker { stroke: var(--ink); stroke-width: 1.5; }
.own { stroke: var(--paper); stroke-width: 1; }
.legend { list-style: none; padding: 0; margin: .3rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem;
  font-size: .85rem; }
.legend svg { width: 2.2rem; height: .7rem; background: none; vertical-align: middle; margin-right: .3rem; }
.zero { stroke: var(--quiet); stroke-dasharray: 3 3; }
"""
# Pixels of a bar and of the room that its name and its number have.
BAR, BAR_STEP, BAR_NAMES, BAR_NUMBERS = 12, 18, 130, 44
NAME_LENGTH = 20  # characters of a name beside a bar
Span = tuple[float, float]
Curve = Sequence[Span]
N_HUES = 6  # colours of curves, in the style above


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


def show_plots(figures: Iterable[str]) -> str:
    """Figures side by side where there is room."""
    return f'<div class="plots">{"".join(figures)}</div>'


def show_bars(svg: str, caption: str) -> str:
    """A plot of bars with its caption, which is text."""
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def draw_points(points: Mapping[str, tuple[float, float]], across: str, up: str) -> list[str]:
    """A point with its name for each pair of numbers; `across` and `up` name the axes."""
    x = make_axis((one for one, _ in points.values()), LEFT, WIDTH - RIGHT)
    y = make_axis((one for _, one in points.values()), HEIGHT - BELOW, TOP)
    parts = [*_draw_axes(x, y, across, up)]
    known = [(name, x.place(one), y.place(other)) for name, (one, other) in points.items() if isfinite(one + other)]
    return [*parts, *_draw_named(known)]


def _draw_named(points: Sequence[tuple[str, float, float]]) -> Iterable[str]:
    """Points with their names; where there is no room for one, it is shown when somebody points there."""
    frame = Box(LEFT, 0, WIDTH, HEIGHT - BELOW)
    for (name, left, top), box in zip(points, place_names(points, frame), strict=True):
        told = f"<title>{escape(name)}</title>"
        yield f'<circle class="point" cx="{left:.1f}" cy="{top:.1f}" r="3.5">{told}</circle>'
        if box is not None:
            at = f'x="{(box.left + box.right) / 2:.1f}" y="{box.bottom - 1.5:.1f}" text-anchor="middle"'
            yield f'<text class="name" {at}>{escape(name)}</text>'


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


def draw_curves(
    curves: Mapping[str, Curve], across: str, up: str, *, marks: Mapping[str, tuple[float, float]] | None = None
) -> list[str]:
    """A curve through the points of each name, over axes from 0; `marks` are points that stand out on a curve."""
    points = [(0.0, 0.0), *(point for curve in curves.values() for point in curve)]
    x = make_axis((one for one, _ in points), LEFT, WIDTH - RIGHT)
    y = make_axis((one for _, one in points), HEIGHT - BELOW, TOP)
    parts = [*_draw_axes(x, y, across, up)]
    for number, (name, curve) in enumerate(curves.items()):
        places = " ".join(f"{x.place(one):.1f},{y.place(other):.1f}" for one, other in curve if isfinite(other))
        parts.append(f'<polyline class="curve"{_line_style(number)} points="{places}"/>')
        if marks and name in marks:
            one, other = marks[name]
            at = f'cx="{x.place(one):.1f}" cy="{y.place(other):.1f}"'
            parts.append(f'<circle class="own" fill="var(--hue-{number % N_HUES})" {at} r="4.5"/>')
    return parts


def _line_style(number: int) -> str:
    """Curves differ in colour and in dashes."""
    dash = DASHES[number % len(DASHES)]
    return f' stroke="var(--hue-{number % N_HUES})"' + (f' stroke-dasharray="{dash}"' if dash else "")


def draw_legend(names: Iterable[str]) -> str:
    """What each curve of a plot stands for, in their order."""
    rows = (
        f'<li><svg viewBox="0 0 36 10" aria-hidden="true"><line class="curve"{_line_style(number)} '
        f'x1="0" x2="36" y1="5" y2="5"/></svg>{escape(name)}</li>'
        for number, name in enumerate(names)
    )
    return f'<ul class="legend">{"".join(rows)}</ul>'


def draw_differences(points: Mapping[str, tuple[float, float]], across: str, up: str) -> list[str]:
    """Points with names, as differences: with dashed lines where an axis is 0."""
    known = {name: point for name, point in points.items() if isfinite(sum(point))}
    x = make_axis([0, *(one for one, _ in known.values())], LEFT, WIDTH - RIGHT)
    y = make_axis([0, *(one for _, one in known.values())], HEIGHT - BELOW, TOP)
    foot, zero, level = HEIGHT - BELOW, x.place(0), y.place(0)
    return [
        *_draw_axes(x, y, across, up),
        f'<line class="zero" x1="{zero:.1f}" x2="{zero:.1f}" y1="{TOP}" y2="{foot}"/>',
        f'<line class="zero" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}"/>',
        *_draw_named([(name, x.place(one), y.place(other)) for name, (one, other) in known.items()]),
    ]


def draw_bars(bars: Mapping[str, tuple[float, str]], label: str, *, whiskers: Mapping[str, Span] | None = None) -> str:
    """A bar for each name, as long as its number, with the text beside it; whiskers are intervals. An SVG by itself."""
    highest = max([value for value, _ in bars.values()] + [high for _, high in (whiskers or {}).values()] + [1e-9])
    full = WIDTH - BAR_NAMES - BAR_NUMBERS
    parts = []
    for place, (name, (value, text)) in enumerate(bars.items()):
        top = 4 + place * BAR_STEP
        middle = top + BAR / 2
        shown = shorten_name(name)
        parts.append(f'<text x="{BAR_NAMES - 6}" y="{middle + 4:.1f}" text-anchor="end">{escape(shown)}</text>')
        width = max(value, 0) / highest * full
        parts.append(f'<rect class="bar" x="{BAR_NAMES}" y="{top}" width="{width:.1f}" height="{BAR}"/>')
        end = value
        if whiskers and name in whiskers:
            low, end = whiskers[name]
            left, right = (BAR_NAMES + max(one, 0) / highest * full for one in (low, end))
            parts.append(
                f'<line class="whisker" x1="{left:.1f}" x2="{right:.1f}" y1="{middle:.1f}" y2="{middle:.1f}"/>'
            )
        parts.append(
            f'<text x="{BAR_NAMES + max(end, 0) / highest * full + 5:.1f}" y="{middle + 4:.1f}">{escape(text)}</text>'
        )
    box = f"0 0 {WIDTH} {8 + len(bars) * BAR_STEP}"
    return f'<svg viewBox="{box}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'


def shorten_name(name: str) -> str:
    """A name that fits beside a bar; of a path the end tells more.

    >>> shorten_name("outputs/2026/tagger-small.txt"), shorten_name("RobustGEC, learners of English")
    ('…/tagger-small.txt', 'RobustGEC, learners…')
    """
    if len(name) <= NAME_LENGTH:
        return name
    last = name.rpartition("/")[2]
    if last != name and len(last) <= NAME_LENGTH - 2:
        return f"…/{last}"
    return f"{name[: NAME_LENGTH - 1]}…"


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
