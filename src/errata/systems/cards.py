"""What the card of a model says in short: the section "card" of its `errata.json`. The card itself is its README.md.

{"card": {"licence": "research, non-commercial", "commercial_use": false, "sentences_per_second": 502,
          "scores": [{"set": "CoNLL-14 test", "metric": "M2 F0.5", "preset": "balanced", "score": 51.16}]}}
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from errata.errors import DataError
from errata.systems.manifest import MANIFEST, Manifest

CARD = "README.md"
# A licence in few words has two lines of a terminal at most; names of sets and metrics one.
LONGEST = 120


@dataclass(frozen=True, slots=True)
class CardScore:
    """What a model reached on a test set, by which metric and with which preset; `score` is the number people write."""

    set: str
    metric: str
    preset: str
    score: float


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a model without running it. No use is taken to be allowed that nothing says is."""

    licence: str = ""
    commercial_use: bool = False
    scores: tuple[CardScore, ...] = ()
    sentences_per_second: float | None = None
    contamination: str = ""  # evaluation sentences in the training data, in a phrase

    def as_dict(self) -> dict[str, Any]:
        """The section of the manifest."""
        section = asdict(self) | {"scores": [asdict(score) for score in self.scores]}
        return section if self.contamination else {k: v for k, v in section.items() if k != "contamination"}


def read_facts(folder: Path, manifest: Manifest) -> Facts:
    """What the manifest of a folder says under "card"; a `DataError` for anything that has no place there."""
    section = manifest.get("card", {})
    origin = f'{folder / MANIFEST}: "card"'
    if not isinstance(section, dict):
        raise DataError(f"{origin} is {json.dumps(section)[:LONGEST]}, not a mapping")
    known = [field.name for field in fields(Facts)]
    if unknown := [key for key in section if key not in known]:
        raise DataError(f"{origin} has {json.dumps(unknown[0])[:LONGEST]}, which is none of {', '.join(known)}")
    is_allowed = section.get("commercial_use", False)
    if not isinstance(is_allowed, bool):
        raise DataError(f"{origin}: commercial_use is {json.dumps(is_allowed)[:LONGEST]}, not true or false")
    scores = section.get("scores", [])
    if not isinstance(scores, list):
        raise DataError(f"{origin}: scores is {json.dumps(scores)[:LONGEST]}, not a list")
    speed = section.get("sentences_per_second")
    return Facts(
        licence=check_phrase(f"{origin}: licence", section.get("licence", "")),
        commercial_use=is_allowed,
        scores=tuple(_read_score(f"{origin}: score {number}", score) for number, score in enumerate(scores, 1)),
        sentences_per_second=None if speed is None else _number(f"{origin}: sentences_per_second", speed),
        contamination=check_phrase(f"{origin}: contamination", section.get("contamination") or _sum_up(manifest)),
    )


def _sum_up(manifest: Manifest) -> str:
    """What was found when the training files were compared with evaluation sets; empty if they were not."""
    training = manifest.get("training")
    report = training.get("contamination") if isinstance(training, Mapping) else None
    try:
        files, n_sets = report["files"], len(report["against"])  # type: ignore[index]
        exact, near = (sum(int(file[kind]) for file in files) for kind in ("exact", "near"))
    except (KeyError, TypeError, ValueError):  # not checked, or not by us
        return ""
    return f"training data compared with evaluation sets ({n_sets}): exact copies {exact}, near duplicates {near}"


def check_phrase(what: str, phrase: Any) -> str:
    """The phrase, which terminals and files can show as it is; a `DataError` if it is something else."""
    if not isinstance(phrase, str) or not phrase.isprintable() or len(phrase) > LONGEST:
        raise DataError(f"{what} is {json.dumps(phrase)[:LONGEST]}, not a phrase of at most {LONGEST} characters")
    return phrase.strip()


def read_card(folder: Path) -> str:
    """The card of a model; a `DataError` if it has none."""
    path = folder / CARD
    if not path.is_file():
        raise DataError(f"{folder} has no card: write {CARD}, which says what the model learnt from and how good it is")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    if not text.strip():
        raise DataError(f"{path} is empty: write what the model learnt from and how good it is")
    return text


def without_measurements(manifest: Manifest) -> dict[str, Any]:
    """The manifest of a model that answers otherwise now: the licence stays, scores and speed are not known."""
    section = manifest.get("card")
    if not isinstance(section, Mapping):
        return dict(manifest)
    kept = {key: value for key, value in section.items() if key not in ("scores", "sentences_per_second")}
    return {**manifest, "card": kept}


def _read_score(origin: str, entry: Any) -> CardScore:
    names = [field.name for field in fields(CardScore)]
    if not isinstance(entry, dict) or sorted(entry) != sorted(names):
        raise DataError(f"{origin} is {json.dumps(entry)[:LONGEST]}, not a mapping of {', '.join(names)}")
    phrases = {name: check_phrase(f"{origin}: {name}", entry[name]) for name in ("set", "metric", "preset")}
    return CardScore(**phrases, score=_number(f"{origin}: score", entry["score"]))


def _number(what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise DataError(f"{what} is {json.dumps(value)[:LONGEST]}, not a number of 0 or more")
    return value
