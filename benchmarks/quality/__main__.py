"""Scores of a model on the test sets: `python -m benchmarks.quality [SET …] [--model en-small]`.

Prints each score with its floor, signature, and the digest of the gold files; exits 1 if one is below its floor.
`--unseen` training files leaves out sentences that are in them, or nearly: what a model scores where it saw nothing.
`--pin` keeps the scores in pins.json, which the tests compare with; a pin is not lowered unless `--lower` says so.
`--sign` gives the pins the signatures that this version prints; no model runs, the scores stay.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from benchmarks.quality.sets import SETS, QualitySet
from benchmarks.speed.history import shared_folder

from errata import metrics
from errata.errors import DataError, ErrataError
from errata.metrics.inputs import Gold, Hypothesis, make_items
from errata.pipeline.load import load_model
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.installed import BUNDLED, find_model
from errata.systems.manifest import MANIFEST, format_manifest, read_manifest
from errata.training.decontaminate import read_exclusions
from errata.training.digests import file_digest

PINS = Path(__file__).with_name("pins.json")
# Sentences at the beginning of each set that the tests run again.
PART = 100


@dataclass(frozen=True, slots=True)
class Result:
    """The score of a model on a set; fractions."""

    set: str
    model: str
    preset: str
    metric: str
    value: float
    parts: dict[str, float]
    sentences: int
    signature: str
    gold: str
    weights: str
    floor: float | None
    part: float | None = None

    @property
    def key(self) -> str:
        """Its name among the pins."""
        return f"{self.model}/{self.set}"

    @property
    def is_reached(self) -> bool:
        return self.floor is None or 100 * self.value >= self.floor


def open_model(name: str, language: str) -> SentenceCorrector:
    """The corrector for a set's language, ready for any preset."""
    corrector = load_model(name, tokenised=language == "en")
    if corrector.language != language:
        raise DataError(f"{name} corrects {corrector.language}, the set is {language}")
    return corrector


def score(corrector: SentenceCorrector, chosen: QualitySet, gold: Gold) -> tuple[float, dict[str, float], str]:
    """Value, parts and signature of the corrections of some sentences."""
    texts = [chosen.text_of(one) for one in gold.sentences]
    preset = chosen.preset if chosen.preset in corrector.presets else "balanced"
    answers = [Hypothesis(one.target) for one in corrector.with_preset(preset).correct(texts)]
    found = metrics.score(make_items(gold, answers), chosen.metric, **chosen.options)
    return found.value, {name: float(part) for name, part in found.parts.items() if "[" not in name}, found.signature


def signature_of(chosen: QualitySet, gold: Gold) -> str:
    """The signature of any score of texts on the set."""
    metric = metrics.get_metric(chosen.metric, **chosen.options)
    answers = [Hypothesis(chosen.text_of(one)) for one in gold.sentences]
    return f"{metric.signature}|{metric.compared(make_items(gold, answers))}"


def leave_out(chosen: QualitySet, gold: Gold, seen: Sequence[Path]) -> Gold:
    """The sentences that are not in the files `seen`, whole or nearly."""
    known = read_exclusions(seen, chosen.language)
    kept = tuple(one for one in gold.sentences if known.find(chosen.text_of(one)) is None)
    print(f"{gold.name}: {len(gold.sentences) - len(kept)} of {len(gold.sentences)} left out as seen", file=sys.stderr)
    return Gold(f"{gold.name}, unseen", kept)


def weights_digest(folder: Path) -> str:
    """A short digest of what decides a model's answers: everything but its card."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".md")
    digests = (_manifest_digest(folder) if path.name == MANIFEST else file_digest(path) for path in files)
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:12]


def _manifest_digest(folder: Path) -> str:
    """The digest of a manifest without what it says of the card."""
    manifest = {key: value for key, value in read_manifest(folder).items() if key != "card"}
    return hashlib.sha256(format_manifest(manifest).encode()).hexdigest()


def judge(name: str, model: str | None, data: Path, limit: int | None = None, seen: Sequence[Path] = ()) -> Result:
    """A model's score on the set called `name`."""
    chosen = SETS[name]
    model = model or BUNDLED[chosen.language]
    corrector = open_model(model, chosen.language)
    gold = chosen.read(chosen.paths(data))
    gold = Gold(gold.name, tuple(islice(gold.sentences, limit)))
    if seen:
        gold = leave_out(chosen, gold, seen)
    value, parts, signature = score(corrector, chosen, gold)
    part = score(corrector, chosen, Gold(gold.name, gold.sentences[:PART]))[0] if limit is None else None
    return Result(
        set=name,
        model=corrector.name,
        preset=chosen.preset,
        metric=chosen.metric,
        value=value,
        parts=parts,
        sentences=len(gold),
        signature=signature,
        gold=chosen.digest(data),
        weights=weights_digest(find_model(model)),
        floor=chosen.floors.get(corrector.name),
        part=part,
    )


def read_pins() -> dict[str, dict[str, object]]:
    """The pinned results by model and set: `en-small/conll14`."""
    return json.loads(PINS.read_text(encoding="utf-8")) if PINS.is_file() else {}


def pin(results: Sequence[Result], *, lower: bool) -> None:
    """Keep the results; `DataError` when one is worse than what is pinned."""
    pins = read_pins()
    for one in results:
        known = pins.get(one.key, {}).get("value")
        if isinstance(known, float) and one.value < known and not lower:
            raise DataError(f"{one.key}: {100 * one.value:.2f} is below the pinned {100 * known:.2f}; --lower pins it")
        pins[one.key] = asdict(one)
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
    lines = [
        f"{'set':<27} {'metric':<9} {'preset':<9} {'floor':>5} {'score':>6} {'P':>6} {'R':>6}  signature, gold, model"
    ]
    for one in results:
        floor = "" if one.floor is None else f"{one.floor:g}"
        shares = [f"{100 * one.parts[name]:6.2f}" if name in one.parts else " " * 6 for name in ("precision", "recall")]
        mark = " " if one.is_reached else "!"
        lines.append(
            f"{SETS[one.set].about:<27} {one.metric:<9} {one.preset:<9} {floor:>5} {100 * one.value:6.2f}{mark}"
            f"{shares[0]} {shares[1]}  {one.signature} {one.gold} {one.model}:{one.weights}"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"one of {', '.join(SETS)}; all of the model's without")
    parser.add_argument("--model", help="a bundled model or a folder; the bundled one of the set's language without")
    parser.add_argument("--limit", type=int, help="the first sentences only")
    parser.add_argument("--unseen", nargs="+", type=Path, default=[], metavar="FILE", help="leave out what is in these")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--pin", action="store_true", help=f"keep the scores in {PINS.name}")
    parser.add_argument("--lower", action="store_true", help="pin scores that are lower than before, too")
    parser.add_argument("--sign", action="store_true", help="refresh the signatures of the pins; no model runs")
    given = parser.parse_args()
    if unknown := [name for name in given.sets if name not in SETS]:
        parser.error(f"no set {unknown[0]!r}: there are {', '.join(SETS)}")
    if given.pin and (given.limit or given.unseen):
        parser.error("--pin needs whole sets")
    data = shared_folder() / "data"
    try:
        if given.sign:
            sign(given.sets or list(SETS), data)
            return 0
        language = load_model(given.model).language if given.model else None
        names = given.sets or [name for name, one in SETS.items() if language in (None, one.language)]
        results = []
        for name in names:
            results.append(judge(name, given.model, data, given.limit, given.unseen))
            print(f"{name}: {100 * results[-1].value:.2f}", file=sys.stderr)
        if given.pin:
            pin(results, lower=given.lower)
    except ErrataError as error:
        print(f"benchmarks.quality: {error}", file=sys.stderr)
        return error.exit_code
    print(json.dumps([asdict(one) for one in results], indent=1) if given.json else table(results))
    return 0 if given.limit or all(one.is_reached for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
