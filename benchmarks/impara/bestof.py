"""The best of several correctors' outputs by IMPARA, sentence by sentence, beside each of them and their votes.

Nothing is tuned here. W&I dev chose the presets of errata's models; nothing of CoNLL-2014 chose anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.quality.correctors import find_corrector
from benchmarks.quality.sets import SETS, QualitySet

from errata import metrics
from errata.judges.choosing import choose_best, combine_best
from errata.metrics import Metric
from errata.metrics.inputs import Gold, Hypothesis, make_items
from errata.model import Score
from errata.systems.ensemble.outputs import combine_outputs

CORRECTORS = ("en-base", "en-small", "lingotweaker")
CHOSEN = ("wi-dev", "conll14")
# MaxMatch reads the official annotations of both sets, ERRANT its own edits where the official ones are not ERRANT's.
ERRANT_GOLD = {"conll14": ("conll14/conll14.errant-auto.2ref.m2.xz",)}
SCORED_BY = ("errant", "maxmatch")
SOURCE, BEST, EDITS, VOTES = "source", "best of n", "best of n, by edits", "votes"


@dataclass(frozen=True, slots=True)
class Row:
    """What one output reaches: precision, recall and F0.5 by each metric, in per cent, and the judge's mean score."""

    set: str
    output: str
    scores: dict[str, tuple[float, float, float]]
    judged: float


def compare_choices(
    names: Sequence[str],
    sets: Sequence[str],
    folder: Path,
    data: Path,
    metric: Metric[Any],
    *,
    margin: float = 0.0,
    by_edits: bool = False,
) -> list[Row]:
    """A row for each corrector and each way to choose among them, on each set; `by_edits` takes many minutes more."""
    rows: list[Row] = []
    for key in sets:
        chosen = SETS[key]
        gold = chosen.read(chosen.paths(data))
        outputs = {name: _correct(name, key, gold, folder) for name in names}
        sources = [chosen.text_of(one) for one in gold.sentences]
        texts = {SOURCE: sources, **outputs, **_choose(sources, list(outputs.values()), metric, margin, by_edits)}
        golds = {"maxmatch": gold, "errant": _errant_gold(key, chosen, gold, data)}
        rows += [_score(key, name, lines, golds, metric) for name, lines in texts.items()]
    return rows


def _correct(name: str, key: str, gold: Gold, folder: Path) -> list[str]:
    """The corrector's output, kept in `folder` from one run to the next."""
    path = folder / f"{key}.{name}.txt"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as scratch:
            lines = find_corrector(name, Path(scratch)).correct(SETS[key], gold.sentences)
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _choose(
    sources: list[str], outputs: list[list[str]], metric: Metric[Any], margin: float, by_edits: bool
) -> dict[str, list[str]]:
    chosen = {BEST: [choice.text for choice in choose_best(sources, outputs, metric, margin=margin)]}
    if by_edits:
        chosen[EDITS] = [choice.text for choice in combine_best(sources, outputs, metric, "en", margin=margin)]
    with TemporaryDirectory() as scratch:
        files = [Path(scratch, f"{number}.txt") for number in range(len(outputs) + 1)]
        for file, lines in zip(files, [sources, *outputs], strict=True):
            file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        votes = [line for line, _ in combine_outputs(str(files[0]), list(map(str, files[1:])), "en", None)]
    return {**chosen, VOTES: votes}


def _errant_gold(key: str, chosen: QualitySet, gold: Gold, data: Path) -> Gold:
    files = ERRANT_GOLD.get(key)
    return gold if files is None else chosen.read([data / chosen.language / file for file in files])


def _score(key: str, name: str, lines: Sequence[str], golds: Mapping[str, Gold], metric: Metric[Any]) -> Row:
    answers = list(map(Hypothesis, lines))
    found: dict[str, tuple[float, float, float]] = {}
    for scorer in SCORED_BY:
        score: Score = metrics.score(make_items(golds[scorer], answers), scorer)
        found[scorer] = tuple(100 * x for x in (score.parts["precision"], score.parts["recall"], score.value))  # type: ignore[assignment]
    judged = metrics.score(make_items(golds["maxmatch"], answers), metric).value
    return Row(key, name, found, judged)


def beats_all(rows: Sequence[Row], names: Sequence[str], way: str) -> bool:
    """Whether a way to choose has a higher F0.5 than every corrector, by every metric and on every set."""
    scores = {(row.set, row.output): row.scores for row in rows}
    return all(
        scores[key, way][scorer][2] > scores[key, name][scorer][2]
        for key in dict.fromkeys(row.set for row in rows)
        for name in names
        for scorer in SCORED_BY
    )


def format_rows(rows: Sequence[Row]) -> str:
    """A Markdown table."""
    heads = [f"{scorer} {part}" for scorer in ("ERRANT", "M2") for part in ("P", "R", "F0.5")]
    lines = [f"| set | output | {' | '.join(heads)} | judge |", f"|---|---|{'---|' * (len(heads) + 1)}"]
    for row in rows:
        cells = " | ".join(f"{x:.2f}" for scorer in SCORED_BY for x in row.scores[scorer])
        lines.append(f"| {SETS[row.set].about} | {row.output} | {cells} | {row.judged:.4f} |")
    return "\n".join(lines)
