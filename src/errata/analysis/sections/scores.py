"""The section about `errata score`: bars, parts, types, groups, and the sentences with the lowest scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from errata.reports.plots import draw_bars, show_bars, show_plots
from errata.reports.tables import ABSENT, Table, show_notes, show_percent, show_tables

Scores = Sequence[Mapping[str, Any]]
COUNTS = frozenset({"tp", "fp", "fn"})
WORST = 10  # sentences
NO_SENTENCES = "No sentence scores here: errata score --sentences --json adds them, and this page then lists the worst."


def show(result: Any) -> Iterator[str]:
    """Each metric by itself."""
    for metric in dict.fromkeys(one["metric"] for one in result):
        yield from show_metric(metric, [one for one in result if one["metric"] == metric])
    yield from show_worst(result)
    yield from show_signatures(result)


def show_metric(metric: str, scores: Scores) -> Iterator[str]:
    """Bars with intervals, then the table of parts."""
    bars = {one["hypothesis"]: (one["value"], show_percent(one["value"])) for one in scores}
    whiskers = {one["hypothesis"]: tuple(one["interval"]) for one in scores if one["interval"]}
    title = f"{metric}, {scores[0]['n_sentences']} sentences"
    figure = draw_bars(bars, f"{metric} of each system", whiskers=whiskers)
    caption = "lines: 95 % intervals" if whiskers else "no intervals: --bootstrap N adds them"
    yield f"<h3>{escape(title)}</h3>{show_plots([show_bars(figure, caption)])}"
    yield from show_tables([_parts_table(metric, scores)])
    for one in scores:
        yield from show_tables(_breakdowns(one))
        yield from (f"<p>Warning: {escape(one['hypothesis'])}: {escape(warning)}</p>" for warning in one["warnings"])


def _parts_table(metric: str, scores: Scores) -> Table:
    parts = [part for part in scores[0]["parts"] if "[" not in part]
    rows = tuple(
        (one["hypothesis"], tuple(show_part(part, one["parts"].get(part)) for part in parts)) for one in scores
    )
    return Table(f"{metric}: parts", "system", tuple(parts), rows)


def show_part(name: str, value: float | None) -> str:
    """Counts as numbers, the rest as a percentage."""
    if value is None:
        return ABSENT
    is_number = name in COUNTS or name.startswith("n_") or isinstance(value, int)
    return f"{value:,.0f}" if is_number else show_percent(value, 2)


def _breakdowns(one: Mapping[str, Any]) -> Iterator[Table]:
    if one["by_type"]:
        yield _breakdown(f"{one['hypothesis']}: error types", "type", one["by_type"])
    for grouping, groups in one.get("groups", {}).items():
        rows = {name: group["parts"] for name, group in groups.items()}
        yield _breakdown(f"{one['hypothesis']}: {grouping}", grouping, rows)


def _breakdown(title: str, heading: str, rows: Mapping[str, Mapping[str, float]]) -> Table:
    parts = [part for part in next(iter(rows.values()), {}) if "[" not in part]
    cells = ((name, tuple(show_part(part, row.get(part)) for part in parts)) for name, row in rows.items())
    return Table(title, heading, tuple(parts), tuple(cells))


def show_worst(scores: Scores) -> Iterator[str]:
    """The sentences with the lowest scores, by number: the JSON has no texts."""
    scored = [one for one in scores if one.get("sentences")]
    if not scored:
        yield f'<p class="quiet">{NO_SENTENCES}</p>'
        return
    rows = []
    for one in scored:
        lowest = sorted((row["value"], row["sentence"]) for row in one["sentences"] if row["value"] < 1)[:WORST]
        told = ", ".join(f"{number} ({show_percent(value)})" for value, number in lowest)
        rows.append((f"{one['hypothesis']}, {one['metric']}", (told or "every sentence has the best score",)))
    columns = ("number in the gold file (score)",)
    yield from show_tables([Table("Worst sentences", "system", columns, tuple(rows), frozenset(columns))])
    yield '<p class="quiet">The JSON of scores has no texts; errata compare shows sentences.</p>'


def show_signatures(scores: Scores) -> Iterator[str]:
    """How each score came about."""
    yield show_notes(f"{one['hypothesis']}: {one['signature']} = {100 * one['value']:.2f}" for one in scores)
