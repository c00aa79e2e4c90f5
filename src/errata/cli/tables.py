"""Results for people and for spreadsheets: tables and CSV."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from errata.cli.grids import Grid, Row, make_console, print_grid
from errata.metrics.evaluation import Evaluation

if TYPE_CHECKING:
    from errata.tuning.choosing import Choice

COUNTS = frozenset({"tp", "fp", "fn"})
RATING = "rating"  # from 1 to 5
NUMBER = "n_"  # parts that begin so are numbers, which may be weighted: `n_hit`


@contextmanager
def show_progress(message: str) -> Iterator[None]:
    """A spinner on standard error while the block runs; nothing where nobody watches."""
    if sys.stderr.isatty():
        with Console(stderr=True).status(message):
            yield
    else:
        yield


def print_lines(lines: Iterable[str]) -> None:
    """Plain lines on standard output."""
    for line in lines:
        typer.echo(line)


def format_part(name: str, value: float) -> str:
    """Counts and ratings as numbers, everything else as a percentage."""
    if name == RATING:
        return f"{value:.2f}"
    if isinstance(value, int) or name.partition("[")[0] in COUNTS or name.startswith(NUMBER):
        if value == int(value):
            return f"{value:g}"
        return f"{value:.1f}" if value >= 1 else f"{value:.2g}"  # sums of weights may be small
    return f"{100 * value:.2f}"


def format_label(part: str) -> str:
    """The heading of a part: `tp` is TP, `f0.5` F0.5, `precision` Precision, `n_hit` # hit."""
    if part.startswith(NUMBER):
        return f"# {part.removeprefix(NUMBER)}"
    return part.upper() if part in COUNTS else part[:1].upper() + part[1:]


def score_grid(evaluations: Sequence[Evaluation]) -> Grid:
    """One row per hypothesis, and one per annotator where the score is an average over annotators."""
    score = evaluations[0].score
    parts = [part for part in score.parts if "[" not in part]
    has_interval = any(one.score.interval for one in evaluations)
    rows = []
    for one in evaluations:
        cells = [format_part(part, one.score.parts[part]) for part in parts]
        if has_interval:
            interval = one.score.interval
            cells.append("{:.2f}–{:.2f}".format(*(100 * bound for bound in interval)) if interval else "")
        rows.append(Row(one.hypothesis, tuple(cells)))
        for name, values in annotator_rows(one.score.parts).items():
            own = [format_part(part, values[part]) for part in parts]
            rows.append(Row(f"annotator {name}", (*own, "") if has_interval else tuple(own), is_part=True))
    columns = [format_label(part) for part in parts] + (["95 % interval"] if has_interval else [])
    title = f"{score.metric} ({evaluations[0].n_sentences} sentences)"
    return Grid(title, "hypothesis", tuple(columns), tuple(rows), are_files=True)


def annotator_rows(parts: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """The parts of each annotator: `{"f0.5[0]": 0.2}` is `{"0": {"f0.5": 0.2}}`."""
    rows: dict[str, dict[str, float]] = {}
    for label, value in parts.items():
        part, bracket, name = label.partition("[")
        if bracket:
            rows.setdefault(name.removesuffix("]"), {})[part] = value
    return rows


def breakdown_grid(title: str, rows: Mapping[str, Mapping[str, float]], sizes: Mapping[str, int] | None = None) -> Grid:
    """One row per error type or group."""
    parts = [part for part in next(iter(rows.values()), {}) if "[" not in part]
    columns = (["sentences"] if sizes else []) + [format_label(part) for part in parts]
    cells = {
        name: ([str(sizes[name])] if sizes else []) + [format_part(part, row[part]) for part in parts]
        for name, row in rows.items()
    }
    made = tuple(Row(name, tuple(own)) for name, own in cells.items())
    return Grid(title, title.partition(":")[0], tuple(columns), made)


def print_evaluations(evaluations: Sequence[Evaluation]) -> None:
    """The table of one metric, its breakdowns and, below them, the signatures."""
    console = make_console()
    print_grid(console, score_grid(evaluations))
    for one in evaluations:
        if one.score.by_type is not None:
            print_grid(console, breakdown_grid(f"type: {one.hypothesis}", one.score.by_type))
        for grouping, rows in one.groups.items():
            values = {name: score.parts for name, (_, score) in rows.items()}
            sizes = {name: size for name, (size, _) in rows.items()}
            print_grid(console, breakdown_grid(f"{grouping}: {one.hypothesis}", values, sizes))
    print_lines(f"{one.score.signature} = {100 * one.score.value:.2f}" for one in evaluations)
    for one in evaluations:
        if one.sentences is not None:
            print_lines(f"{one.hypothesis}\t{number}\t{value:.4f}" for number, value in one.sentences)


def format_csv(evaluations: Sequence[Evaluation]) -> str:
    """All evaluations as CSV; `scope` says whether a row is the corpus, a type, a group or a sentence."""
    rows = [row for one in evaluations for row in _csv_rows(one)]
    columns = dict.fromkeys(key for row in rows for key in row)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _csv_rows(one: Evaluation) -> Iterator[dict[str, object]]:
    base: dict[str, object] = {"metric": one.score.metric, "hypothesis": one.hypothesis}
    low, high = one.score.interval or ("", "")
    corpus = {"scope": "corpus", "name": "", "value": one.score.value, "low": low, "high": high}
    yield base | corpus | dict(one.score.parts) | {"signature": one.score.signature}
    for name, row in (one.score.by_type or {}).items():
        yield base | {"scope": "type", "name": name} | dict(row)
    for grouping, rows in one.groups.items():
        for name, (_, score) in rows.items():
            yield base | {"scope": grouping, "name": name, "value": score.value} | dict(score.parts)
    for number, value in one.sentences or ():
        yield base | {"scope": "sentence", "name": number, "value": value}


def preset_grid(choices: Mapping[str, Choice]) -> Grid:
    """One row for each preset and the set it was chosen on."""
    columns = ("set", "settings", "confidence from", "P", "R", "F", "calibration error")
    rows = []
    for name, choice in choices.items():
        settings = " ".join(f"{key}={value:g}" for key, value in choice.preset.decoding.items())
        error = f"{choice.error_before:.3f} → {choice.error_after:.3f}"
        for number, (set_name, parts) in enumerate(choice.scores.items()):
            precision, recall, f = (format_part(part, value) for part, value in parts.items() if part != "edits")
            scores = (precision, recall, f"{f} (F{choice.goal.beta:g})")
            if number:
                rows.append(Row("", (set_name, "", "", *scores, "")))
            else:
                confidence = f"{choice.preset.min_confidence:.2f}"
                rows.append(Row(name, (set_name, settings, confidence, *scores, error)))
    return Grid("", "preset", columns, tuple(rows), frozenset({"set", "settings"}))
