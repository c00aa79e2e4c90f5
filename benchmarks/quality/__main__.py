"""Scores of correctors on the test sets: `python -m benchmarks.quality [SET …] [--model NAME …]`.

A corrector is an installed model, a folder (`./runs/stg/model`, or `stg=./runs/stg/model` to call it stg), `harper`,
`lingotweaker`, or `lm`, a language model alone. Without `--model`, the bundled models are scored; `--all` takes
everything that is installed. Each corrects all sets of its language. Prints every score with its floor, signature, and
the digest of the gold files, and exits 1 if one is below its floor.

Scores and speeds are kept in results.json. What was scored before is not scored again unless the model, the gold files
or errata's code changed, so an interrupted run goes on where it was (`--again` scores it nevertheless). `--speed-only`
measures speeds alone; run it on an idle machine. `table` and `plot` make what MODELS.md shows of results.json:
`python -m benchmarks.quality table --write`, `python -m benchmarks.quality plot`.

`task FOLDER` writes what a language model is asked, for another machine; `--answers` scores what comes back from there.

`--unseen` training files leaves out sentences that are in them, or nearly: what a model scores where it saw nothing.
`--pin` keeps the scores in pins.json, which the tests compare with; a pin is not lowered unless `--lower` says so.
`--sign` gives the pins the signatures that this version prints; no model runs, the scores stay.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

from benchmarks.quality import plot, task
from benchmarks.quality import table as page_table
from benchmarks.quality.correctors import Advance, Corrector, ModelCorrector, code_digest, find_all, find_corrector
from benchmarks.quality.pace import describe, measure
from benchmarks.quality.results import Result, Results, edits_per_hundred, read_results, write_results
from benchmarks.quality.sets import SETS, QualitySet
from benchmarks.speed.history import shared_folder

from errata import metrics
from errata.errors import DataError, ErrataError
from errata.metrics.inputs import Gold, Hypothesis, make_items
from errata.systems.installed import BUNDLED
from errata.training.decontaminate import read_exclusions

PINS = Path(__file__).with_name("pins.json")
# Sentences at the beginning of each set that the tests run again.
PART = 100
# What a result has beside a pin.
NOT_PINNED = ("edits", "code")
COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "table": page_table.main,
    "plot": plot.main,
    "task": task.main,
}


def score(targets: Sequence[str], chosen: QualitySet, gold: Gold) -> tuple[float, dict[str, float], str]:
    """Value, parts and signature of the corrected sentences."""
    found = metrics.score(make_items(gold, list(map(Hypothesis, targets))), chosen.metric, **chosen.options)
    return found.value, {name: float(part) for name, part in found.parts.items() if "[" not in name}, found.signature


def signature_of(chosen: QualitySet, gold: Gold) -> str:
    """The signature of any score of texts on the set."""
    metric = metrics.get_metric(chosen.metric, **chosen.options)
    answers = [Hypothesis(chosen.text_of(sentence)) for sentence in gold.sentences]
    return f"{metric.signature}|{metric.compared(make_items(gold, answers))}"


def leave_out(chosen: QualitySet, gold: Gold, seen: Sequence[Path]) -> Gold:
    """The sentences that are not in the files `seen`, whole or nearly."""
    known = read_exclusions(seen)
    kept = tuple(sentence for sentence in gold.sentences if known.find(chosen.text_of(sentence)) is None)
    print(f"{gold.name}: {len(gold.sentences) - len(kept)} of {len(gold.sentences)} left out as seen", file=sys.stderr)
    return Gold(f"{gold.name}, unseen", kept)


def judge(corrector: Corrector, name: str, gold: Gold, digest: str, advance: Advance) -> Result:
    """A corrector's score on the set called `name`, or on what `gold` has of it."""
    chosen = SETS[name]
    targets = corrector.correct(chosen, gold.sentences, advance)
    value, parts, signature = score(targets, chosen, gold)
    part = score(targets[:PART], chosen, Gold(gold.name, gold.sentences[:PART]))[0]
    sources = [chosen.text_of(sentence) for sentence in gold.sentences]
    split = str.split if chosen.language == "en" else list
    return Result(
        set=name,
        model=corrector.name,
        preset=chosen.preset if isinstance(corrector, ModelCorrector) else "",
        metric=chosen.metric,
        value=value,
        parts=parts,
        sentences=len(gold),
        signature=signature,
        gold=digest,
        weights=corrector.digest,
        floor=chosen.floors.get(corrector.name),
        part=part,
        edits=round(edits_per_hundred(list(map(split, sources)), list(map(split, targets))), 3),
        code=code_digest(),
    )


def is_kept(result: Result | None, corrector: Corrector, digest: str) -> bool:
    """Whether a result is still that of the corrector, the gold files and the code."""
    return result is not None and (result.weights, result.gold, result.code) == (
        corrector.digest,
        digest,
        code_digest(),
    )


def find_pairs(correctors: Sequence[Corrector], names: Sequence[str]) -> Iterator[tuple[Corrector, str]]:
    """Each corrector with each set of its language."""
    for corrector in correctors:
        yield from ((corrector, name) for name in names if SETS[name].language == corrector.language)


def score_all(correctors: Sequence[Corrector], options: argparse.Namespace, data: Path) -> Iterator[Result]:
    """The result of every pair; whole sets are kept as soon as they are scored."""
    is_whole = not (options.limit or options.unseen)
    code_digest()  # before the first sentence, since files may be edited meanwhile
    results = read_results()
    for corrector, name in find_pairs(correctors, options.sets):
        digest = SETS[name].digest(data)
        known = results.scores.get(f"{corrector.name}/{name}")
        if known is not None and is_whole and not options.again and is_kept(known, corrector, digest):
            print(f"{known.key}: {100 * known.value:.2f}, as before", file=sys.stderr)
            yield replace(known, floor=SETS[name].floors.get(corrector.name))
            continue
        gold = read_part(SETS[name], data, options.limit, options.unseen)
        with shown_progress(f"{corrector.name}/{name}", len(gold)) as advance:
            result = judge(corrector, name, gold, digest, advance)
        print(f"{result.key}: {100 * result.value:.2f}", file=sys.stderr)
        if is_whole:
            keep(result, corrector)
        yield result if is_whole else replace(result, part=None)


def read_part(chosen: QualitySet, data: Path, limit: int | None, seen: Sequence[Path]) -> Gold:
    """A set, or its first sentences, or those that are in no file of `seen`."""
    gold = chosen.read(chosen.paths(data))
    gold = Gold(gold.name, tuple(islice(gold.sentences, limit)))
    return leave_out(chosen, gold, seen) if seen else gold


def keep(result: Result, corrector: Corrector) -> None:
    """Write a result to results.json, which another run may have changed meanwhile."""
    results = read_results()
    results.scores[result.key] = result
    _describe(results, corrector)
    write_results(results)


def _describe(results: Results, corrector: Corrector) -> None:
    known = results.correctors.get(corrector.name)
    if known is None or known.digest != corrector.digest:
        results.correctors[corrector.name] = describe(corrector)


def measure_all(correctors: Sequence[Corrector], data: Path) -> None:
    """Measure the speed of each corrector and keep it."""
    for corrector in correctors:
        measured = measure(corrector, data)
        print(f"{measured.name}: {measured.per_second} sentences a second", file=sys.stderr)
        results = read_results()
        results.correctors[measured.name] = measured
        write_results(results)


@contextmanager
def shown_progress(title: str, total: int) -> Iterator[Advance]:
    """What moves a bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda n_sentences: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda n_sentences: bar.advance(task, n_sentences)


def read_pins() -> dict[str, dict[str, object]]:
    """The pinned results by model and set: `en-small/conll14`."""
    return json.loads(PINS.read_text(encoding="utf-8")) if PINS.is_file() else {}


def pin(results: Sequence[Result], *, lower: bool) -> None:
    """Keep the results; `DataError` when one is worse than what is pinned."""
    pins = read_pins()
    for result in results:
        known = pins.get(result.key, {}).get("value")
        if isinstance(known, float) and result.value < known and not lower:
            raise DataError(
                f"{result.key}: {100 * result.value:.2f} is below the pinned {100 * known:.2f}; --lower pins it"
            )
        pins[result.key] = {name: value for name, value in asdict(result).items() if name not in NOT_PINNED}
    write_pins(pins)


def write_pins(pins: dict[str, dict[str, object]]) -> None:
    PINS.write_text(json.dumps(dict(sorted(pins.items())), indent=1) + "\n", encoding="utf-8")


def sign(names: Sequence[str], data: Path) -> None:
    """Give pins the signatures that belong to their sets now; `DataError` when the gold files are others."""
    pins = read_pins()
    for key, pinned in pins.items():
        if pinned["set"] not in names:
            continue
        chosen = SETS[str(pinned["set"])]
        if chosen.digest(data) != pinned["gold"]:
            raise DataError(f"{key}: the gold files are others than those that were scored; score them with --pin")
        pinned["signature"] = signature_of(chosen, chosen.read(chosen.paths(data)))
    write_pins(pins)


def table(results: Sequence[Result]) -> str:
    head = f"{'set':<27} {'metric':<9} {'preset':<9} {'floor':>5} {'score':>6} {'P':>6} {'R':>6} {'edits':>6}"
    lines = [f"{head}  signature, gold, model"]
    for result in results:
        floor = "" if result.floor is None else f"{result.floor:g}"
        parts = (100 * result.parts[name] if name in result.parts else None for name in ("precision", "recall"))
        shares = " ".join(" " * 6 if share is None else f"{share:6.2f}" for share in (*parts, result.edits))
        mark = " " if result.is_reached else "!"
        how = f"{SETS[result.set].about:<27} {result.metric:<9} {result.preset:<9}"
        lines.append(
            f"{how} {floor:>5} {100 * result.value:6.2f}{mark}{shares}"
            f"  {result.signature} {result.gold} {result.model}:{result.weights}"
        )
    return "\n".join(lines)


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.quality", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"one of {', '.join(SETS)}; all of the language without")
    parser.add_argument("--only", action="append", default=[], metavar="SET", help="the same, as an option")
    parser.add_argument("--model", action="append", default=[], metavar="NAME", help="a corrector; may be repeated")
    parser.add_argument("--all", action="store_true", help="every corrector that is installed")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="what the model --model answered elsewhere")
    parser.add_argument("--again", action="store_true", help="score what was scored before, too")
    parser.add_argument("--speed-only", action="store_true", help="measure speeds, score nothing")
    parser.add_argument("--limit", type=int, help="the first sentences only; nothing is kept")
    parser.add_argument("--unseen", nargs="+", type=Path, default=[], metavar="FILE", help="leave out what is in these")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--pin", action="store_true", help=f"keep the scores in {PINS.name}")
    parser.add_argument("--lower", action="store_true", help="pin scores that are lower than before, too")
    parser.add_argument("--sign", action="store_true", help="refresh the signatures of the pins; no model runs")
    options = parser.parse_args(arguments)
    options.sets = options.sets + options.only or list(SETS)
    if unknown := [name for name in options.sets if name not in SETS]:
        parser.error(f"no set {unknown[0]!r}: there are {', '.join(SETS)}")
    if options.answers and (len(options.model) != 1 or options.speed_only):
        parser.error("--answers are those of one --model, and say nothing of its speed")
    if options.pin and (options.limit or options.unseen):
        parser.error("--pin needs whole sets")
    return options


def run(options: argparse.Namespace, data: Path, scratch: Path) -> list[Result]:
    """What the options ask for: all results, or none where only speeds or signatures are wanted."""
    if options.sign:
        sign(options.sets, data)
        return []
    correctors = list(_find_correctors(options, scratch))
    if options.speed_only:
        measure_all(correctors, data)
        return []
    results = list(score_all(correctors, options, data))
    if options.pin:
        pin(results, lower=options.lower)
    return results


def _find_correctors(options: argparse.Namespace, scratch: Path) -> Iterator[Corrector]:
    if options.all:
        yield from find_all(scratch)
    elif options.answers:
        yield task.find_recorded(options.model[0], scratch, options.answers)
    else:
        yield from (find_corrector(name, scratch) for name in options.model or BUNDLED.values())


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if given and given[0] in COMMANDS:
            return COMMANDS[given[0]](given[1:])
        options = parse_arguments(given)
        with tempfile.TemporaryDirectory() as scratch:
            results = run(options, shared_folder() / "data", Path(scratch))
    except ErrataError as error:
        print(f"benchmarks.quality: {error}", file=sys.stderr)
        return error.exit_code
    if options.json:
        print(json.dumps([asdict(result) for result in results], indent=1))
    elif results:
        print(table(results))
    return 0 if options.limit or all(result.is_reached for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
