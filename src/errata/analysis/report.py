"""One page from the results of several commands: `--json` of stats, score, compare, robust, meta, density and edits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from errata.errors import DataError
from errata.formats import strict_json
from errata.formats.files import STANDARD, display_name, read_lines
from errata.registry import lookup
from errata.reports.page import make_page
from errata.reports.plots import PLOT_STYLE

# kind of result → heading, the section that shows it
SECTIONS: dict[str, tuple[str, str]] = {
    "stats": ("Corpora", "errata.analysis.sections.corpora:show"),
    "score": ("Scores", "errata.analysis.sections.scores:show"),
    "compare": ("Comparison", "errata.analysis.sections.comparisons:show"),
    "robust": ("Robustness", "errata.analysis.sections.robustness:show"),
    "meta": ("Metrics against people", "errata.analysis.sections.people:show"),
    "density": ("Error density", "errata.analysis.sections.density:show"),
    "edits": ("Impact of edits", "errata.analysis.sections.edits:show"),
}
STYLE = """
h2 { border-bottom: 2px solid var(--line); padding-bottom: .2rem; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
h4 { margin: 1rem 0 .2rem; } nav ul { padding-left: 1.2rem; } a { color: var(--accent); }
.notes p { margin: .15rem 0; line-height: 1.3; } .words { display: block; text-align: left; }
.examples td { text-align: left; } .examples td:first-child { white-space: nowrap; }
del { color: var(--del); } ins { color: var(--ins); text-decoration: none; font-weight: 600; }
@media (max-width: 40rem) { body { padding: 1rem .7rem; font-size: 15px; } th, td { padding: .3rem .4rem; } }
@media print { :root { color-scheme: light; --ground: #fff; --paper: #fff; --ink: #000; --quiet: #444; --line: #ccc;
  --accent: #0f6e66; --del: #a3213a; --ins: #0a6440; --hue-0: #0f6e66; --hue-1: #b4530a; --hue-2: #4a4fb5;
  --hue-3: #8a2063; --hue-4: #5b626c; --hue-5: #6f6a00; }
  body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  figure, tr { break-inside: avoid; } h2, h3, h4 { break-after: avoid; } .scroll { overflow: visible; }
  table { font-size: 8pt; } }
"""


@dataclass(frozen=True, slots=True)
class Result:
    """What a command printed, what it is called on the page, and where it was read."""

    kind: str
    value: Any
    name: str = ""
    path: str = STANDARD


def read_result(argument: str) -> Result:
    """The result in a file, which may be given a name (`NAME=FILE`)."""
    name, equals, path = argument.partition("=")
    if not equals or Path(argument).exists():
        name, path = "", argument
    shown = display_name(path)
    try:
        value = strict_json.loads("".join(read_lines(path)))
    except ValueError as error:
        raise DataError(f"{shown} is not JSON: write it with --json of a command, such as errata stats") from error
    return Result(recognise(value, shown), value, name or ("" if path == STANDARD else Path(path).stem), path)


def recognise(value: Any, origin: str) -> str:
    """The command that printed a JSON value: some say so, of the others the shape tells."""
    for kind, is_of_kind in _SHAPES.items():
        if is_of_kind(value):
            return kind
    raise DataError(f"{origin} is JSON of none of these commands: {', '.join(SECTIONS)}; write it with their --json")


def _says(kind: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, Mapping) and value.get("kind") == kind


def _has(*keys: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, Mapping) and value.keys() >= set(keys)


def _is_scores(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_has("metric", "hypothesis", "parts"), value))


_SHAPES: dict[str, Callable[[Any], bool]] = {
    "stats": _says("stats"),
    "density": _says("density"),
    "edits": _says("edits"),
    "score": _is_scores,
    "compare": _has("comparisons", "edits"),
    "robust": _has("subsets", "total", "flips"),
    "meta": _has("data", "tracks", "metrics"),
}
# What reading a result that is cut off or of another version meets.
_INCOMPLETE = (OverflowError, KeyError, TypeError, ValueError, AttributeError, IndexError)


def make_report(results: Sequence[Result], title: str) -> str:
    """The whole page: a section for each result, in the order of the results."""
    headings = [_heading(one) for one in results]
    parts = [_contents(headings)] if len(results) > 1 else []
    for number, (one, heading) in enumerate(zip(results, headings, strict=True), 1):
        show = _find_section(one.kind)
        parts.append(f'<section id="part-{number}"><h2>{escape(heading)}</h2>')
        try:
            parts += show(one.value)
        except _INCOMPLETE as error:
            where = display_name(one.path)
            raise DataError(f"{where} is not all of what errata {one.kind} --json prints: make it again") from error
        parts.append("</section>")
    return make_page(title, parts, PLOT_STYLE + STYLE)


def _find_section(kind: str) -> Callable[[Any], Iterator[str]]:
    found: Callable[[Any], Iterator[str]] = lookup(
        "section", {name: path for name, (_, path) in SECTIONS.items()}, kind
    )
    return found


def _heading(result: Result) -> str:
    heading, _ = SECTIONS[result.kind]
    return f"{heading}: {result.name}" if result.name else heading


def _contents(headings: Sequence[str]) -> str:
    rows = (f'<li><a href="#part-{number}">{escape(one)}</a></li>' for number, one in enumerate(headings, 1))
    return f"<nav><ul>{''.join(rows)}</ul></nav>"
