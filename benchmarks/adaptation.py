"""What fine-tuning on web text brings: `python -m benchmarks.adaptation --model en-small NAME=./FOLDER … --table`.

Each model corrects CWEB test, generic (G) and sponsored (S) sites, with each `--preset`. Its corrections are scored
with ERRANT against each annotator alone, the mean of both (as in the CWEB paper's Tables 5 and 6) and both at once, the
better one for every sentence (as in its Table 9). `--others` also scores CoNLL-14 and W&I dev, to see what is lost on
learners' essays. Results are kept in adaptation.json; `--table` prints what is there, beside the paper's numbers, and
`--write` puts it into docs/adaptation.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.quality.__main__ import score
from benchmarks.quality.correctors import ModelCorrector, find_corrector
from benchmarks.quality.sets import SETS, QualitySet
from benchmarks.speed.history import shared_folder

from errata import metrics
from errata.errors import ErrataError, UsageError
from errata.files import read_json, write_text
from errata.metrics.base import Item
from errata.metrics.inputs import Hypothesis, make_items
from errata.model import Annotation
from errata.pipeline.presets import ORDER

RESULTS = Path(__file__).with_name("adaptation.json")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "adaptation.md"
BEGIN, END = "<!-- python -m benchmarks.adaptation --write -->\n", "<!-- end of the tables -->\n"
PARTS = {"G": ("cweb-g",), "S": ("cweb-s",), "G+S": ("cweb-g", "cweb-s")}
OTHERS = ("conll14", "wi-dev")
MEAN, BOTH = "mean", "both"
# CWEB's sentences were cut out of their paragraphs, so that many have one of a pair of quotation marks, and annotators
# put in the other one or take it away. A model learns that quickly. This is the mean on the other sentences.
UNQUOTED = "mean, no quotation marks"
QUOTES = frozenset('"“”')
# Precision, recall and F0.5 in the paper: Table 5 (before fine-tuning), 6 and 9 (after).
Shares = tuple[float, float, float]
PAPER: dict[tuple[str, str], dict[str, Shares]] = {
    ("before", MEAN): {"G": (21.34, 23.00, 21.58), "S": (17.27, 15.75, 16.91), "G+S": (19.97, 20.28, 19.98)},
    ("after", MEAN): {"G": (42.09, 16.56, 32.01), "S": (35.91, 12.96, 26.46), "G+S": (39.89, 15.20, 30.00)},
    ("after", BOTH): {"G": (53.88, 34.24, 48.33), "S": (43.65, 31.10, 40.39), "G+S": (50.25, 33.20, 45.57)},
}


@dataclass(frozen=True, slots=True)
class Row:
    """A model's score with a preset; `against` is an annotator, their mean, or both. Shares are per cent.

    `by_type` has the same for every type of error, with the counts of both annotators.
    """

    model: str
    digest: str
    preset: str
    set: str
    against: str
    precision: float
    recall: float
    f: float
    signature: str
    by_type: dict[str, dict[str, float]] | None = None

    @property
    def key(self) -> str:
        return f"{self.model}/{self.preset}/{self.set}/{self.against}"

    @property
    def shares(self) -> Shares:
        return self.precision, self.recall, self.f


def score_web(corrector: ModelCorrector, preset: str, data: Path) -> Iterator[Row]:
    """The rows of CWEB test: each part against each annotator, their mean, and both."""
    sets = {name: replace(SETS[name], preset=preset) for name in PARTS["G+S"]}
    golds = {name: chosen.read(chosen.paths(data)) for name, chosen in sets.items()}
    targets = {name: corrector.correct(sets[name], gold.sentences) for name, gold in golds.items()}
    items = {name: make_items(golds[name], [Hypothesis(text) for text in targets[name]]) for name in golds}
    alone = metrics.get_metric("errant", per_annotator=True, by_type="main")
    either = metrics.get_metric("errant")
    stats = {
        name: alone.stats(items[name]) for name in items
    }  # counts against each annotator, whatever becomes of them
    for part, names in PARTS.items():
        joined = [item for name in names for item in items[name]]
        counts = [one for name in names for one in stats[name]]
        row = Row(corrector.name, corrector.digest, preset, part, "", 0, 0, 0, "")
        found, signature = alone.aggregate(counts), f"{alone.signature}|{alone.compared(joined)}"
        mean = _filled(row, MEAN, found.parts, signature)
        yield replace(mean, by_type=_by_type(found.by_type or {})) if len(names) > 1 else mean
        for annotator in sorted({name.partition("[")[2] for name in found.parts if "[" in name}):
            own = {name.partition("[")[0]: one for name, one in found.parts.items() if name.endswith(f"[{annotator}")}
            yield _filled(row, f"annotator {annotator.rstrip(']')}", own, signature)
        others = [one for one, item in zip(counts, joined, strict=True) if not changes_quotes(item)]
        yield _filled(row, UNQUOTED, alone.aggregate(others).parts, f"{signature}|sentences:{len(others)}")
        yield _filled(row, BOTH, either.aggregate(counts).parts, f"{either.signature}|{either.compared(joined)}")


def changes_quotes(item: Item) -> bool:
    """Whether an annotator puts in a quotation mark or takes one away."""
    changes = (
        Counter(item.source.tokens[edit.start : edit.end]) - Counter(edit.replacement)
        | Counter(edit.replacement) - Counter(item.source.tokens[edit.start : edit.end])
        for reference in item.references
        if isinstance(reference, Annotation)
        for edit in reference.edits
    )
    return any(QUOTES & change.keys() for change in changes)


def score_others(corrector: ModelCorrector, preset: str, data: Path) -> Iterator[Row]:
    """The rows of learners' essays, each with the metric it is reported with."""
    for name in OTHERS:
        chosen: QualitySet = replace(SETS[name], preset=preset)
        gold = chosen.read(chosen.paths(data))
        _, parts, signature = score(corrector.correct(chosen, gold.sentences), chosen, gold)
        row = Row(corrector.name, corrector.digest, preset, chosen.about, chosen.metric, 0, 0, 0, "")
        yield _filled(row, chosen.metric, parts, signature)


def _filled(row: Row, against: str, parts: Mapping[str, float], signature: str) -> Row:
    shares = (round(100 * parts[name], 2) for name in ("precision", "recall", "f0.5"))
    precision, recall, f = shares
    return replace(row, against=against, precision=precision, recall=recall, f=f, signature=signature)


def _by_type(rows: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Counts as they are, shares in per cent."""
    counts = ("tp", "fp", "fn")
    return {
        name: {part: round(value if part in counts else 100 * value, 2) for part, value in parts.items()}
        for name, parts in rows.items()
    }


def read_rows() -> dict[str, Row]:
    """What was measured before, by key."""
    rows = [Row(**row) for row in read_json(RESULTS)] if RESULTS.is_file() else []
    return {row.key: row for row in rows}


def write_rows(rows: Mapping[str, Row]) -> None:
    write_text(RESULTS, json.dumps([asdict(rows[key]) for key in sorted(rows)], indent=1, ensure_ascii=False) + "\n")


def make_tables(rows: Mapping[str, Row]) -> Iterator[str]:
    """Markdown: CWEB by annotator, then error types, then learners' essays."""
    yield from _web_table(rows)
    yield from _type_table(rows)
    yield from _other_table(rows)


def _web_table(rows: Mapping[str, Row]) -> Iterator[str]:
    yield "| | | G: P / R / F0.5 | S | G+S |"
    yield "|---|---|---|---|---|"
    for (when, against), parts in PAPER.items():
        cells = " | ".join(_shares(parts[part]) for part in PARTS)
        yield f"| the paper's system, {when} fine-tuning | {against} | {cells} |"
    webs = [row for row in rows.values() if row.set in PARTS]
    for model, preset in dict.fromkeys((row.model, row.preset) for row in webs):
        own = [row for row in webs if (row.model, row.preset) == (model, preset)]
        for against in (*sorted({row.against for row in own} - {MEAN, UNQUOTED, BOTH}), MEAN, UNQUOTED, BOTH):
            found = {row.set: _shares(row.shares) for row in own if row.against == against}
            yield f"| `{model}`, {preset} | {against} | {' | '.join(found.get(part, '') for part in PARTS)} |"
    yield ""


def _type_table(rows: Mapping[str, Row]) -> Iterator[str]:
    """The most frequent types of G+S, mean of the annotators."""
    own = [row for row in rows.values() if row.by_type and (row.set, row.against) == ("G+S", MEAN)]
    if not own:
        return
    wanted = {name: parts["tp"] + parts["fn"] for name, parts in (own[0].by_type or {}).items()}
    yield "| type | errors, both annotators | " + " | ".join(f"`{row.model}`, {row.preset}" for row in own) + " |"
    yield "|---|---:|" + "---|" * len(own)
    for name in sorted(wanted, key=lambda one: -wanted[one])[:10]:
        parts = [(row.by_type or {}).get(name, {}) for row in own]
        cells = (_shares((one.get("precision", 0), one.get("recall", 0), one.get("f0.5", 0))) for one in parts)
        yield f"| {name} | {wanted[name]:.0f} | {' | '.join(cells)} |"
    yield ""


def _other_table(rows: Mapping[str, Row]) -> Iterator[str]:
    own = {(row.model, row.preset, row.set): row for row in rows.values() if row.set not in PARTS}
    sets = {row.set: f"{row.set}, {row.against}: P / R / F0.5" for row in own.values()}
    if not own:
        return
    yield f"| | {' | '.join(sets.values())} |"
    yield "|---|" + "---|" * len(sets)
    for model, preset in dict.fromkeys((model, preset) for model, preset, _ in own):
        cells = (_shares(own[model, preset, name].shares) if (model, preset, name) in own else "" for name in sets)
        yield f"| `{model}`, {preset} | {' | '.join(cells)} |"


def _shares(shares: Shares) -> str:
    return f"{shares[0]:.1f} / {shares[1]:.1f} / **{shares[2]:.1f}**"


def write_page(text: str) -> None:
    """Put the tables into the page, in the place of those that are there."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UsageError(f"{PAGE} has no place for the tables: it needs the lines {BEGIN.strip()} and {END.strip()}")
    write_text(PAGE, f"{before}{begin}{text}\n{end}{after}")


def measure(names: Sequence[str], presets: Sequence[str], data: Path, *, with_others: bool) -> None:
    """Score the models and keep each row as soon as it is there."""
    with tempfile.TemporaryDirectory() as scratch:
        correctors = [find_corrector(name, Path(scratch)) for name in names]
    for corrector in correctors:
        if not isinstance(corrector, ModelCorrector):
            raise UsageError(f"{corrector.name} is not a model of errata's")
        for preset in presets:
            found = [*score_web(corrector, preset, data)]
            found += score_others(corrector, preset, data) if with_others else ()
            write_rows({**read_rows(), **{row.key: row for row in found}})
            for row in found:
                print(f"{row.key}: {_shares(row.shares)}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", nargs="+", default=[], help="installed models or folders (NAME=./FOLDER)")
    parser.add_argument("--preset", nargs="+", choices=ORDER, default=["careful"], help="these presets (careful)")
    parser.add_argument("--others", action="store_true", help="score CoNLL-14 and W&I dev as well")
    parser.add_argument("--table", action="store_true", help="print the tables of what was measured")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/adaptation.md")
    options = parser.parse_args(arguments)
    try:
        measure(options.model, options.preset, shared_folder() / "data", with_others=options.others)
        if options.write:
            write_page("\n".join(make_tables(read_rows())))
    except ErrataError as error:
        print(f"benchmarks.adaptation: {error}", file=sys.stderr)
        return error.exit_code
    if options.table:
        print("\n".join(make_tables(read_rows())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
