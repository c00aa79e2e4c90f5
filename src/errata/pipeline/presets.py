"""How sure a corrector must be: presets a model carries, and what its confidences mean.

A network's own confidences say too much about some kinds of edits and too little about others (`M:PUNCT ,`, a comma put
in, is another kind than a hyphen), and the same edit is right less often where errors are rare or the writer is fluent.
A `Calibration` maps them to how often such an edit was right on a development set; a `Preset` is one with the settings
chosen for it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from errata.errors import DataError, UsageError
from errata.model import TextEdit, Tokens
from errata.pipeline.fluency import Fluency
from errata.text.projection import trim_edit

BALANCED = "balanced"
# Odds beyond these are as good as certain.
CERTAIN = 30.0
# What anybody gets wrong who writes in a hurry, by the second part of an edit's type.
SLIPS = frozenset({"CONTR", "ORTH", "ORTH:CASE", "ORTH:SPACE", "PUNCT", "SPELL"})
# What grammar alone decides: "she go", "he goed", "two childs". Edits that are neither slips nor this are about
# wording, also those of verb forms, articles and noun number. If these needed no more than others, en-small would have
# 3 of 12 (forms) and 18 of 40 (articles) further edits right in FCE dev and W&I dev, and make 3 (articles) and 1
# (number) more everyday sentences (dev half) worse; with agreement, none.
AGREEMENT = frozenset({"NOUN:INFL", "VERB:INFL", "VERB:SVA"})


@dataclass(frozen=True, slots=True)
class Calibration:
    """log-odds of being right = `slope` × log-odds the network gives + `offset` + the offset of the edit's kind.

    A kind without an entry has that of the next wider one (`R:NOUN` for `R:NOUN tea`, `R` for `R:NOUN`), or none.
    With a calibration for `fluent` writers, this one is for learners, and their log-odds are mixed by how likely the
    writer is fluent.
    """

    slope: float = 1.0
    offset: float = 0.0
    types: Mapping[str, float] = field(default_factory=dict)
    fluent: Calibration | None = None

    def __call__(self, confidence: float, kind: str, fluency: float = 0.0) -> float:
        """How often an edit of this kind with this confidence is right.

        >>> round(Calibration(offset=-1.0, types={"R:NOUN": -2.0})(0.9, "R:NOUN tea"), 3)
        0.309
        """
        odds = self._odds(confidence, kind)
        if self.fluent is not None:
            odds += fluency * (self.fluent._odds(confidence, kind) - odds)
        return 1 / (1 + math.exp(-max(min(odds, CERTAIN), -CERTAIN)))

    def _odds(self, confidence: float, kind: str) -> float:
        shift = self.offset + next((self.types[one] for one in widened(kind) if one in self.types), 0.0)
        return self.slope * log_odds(confidence) + shift

    def as_dict(self) -> dict[str, Any]:
        """What `read_presets` reads."""
        fluent = {} if self.fluent is None else {"fluent": self.fluent.as_dict()}
        return {"slope": self.slope, "offset": self.offset, "types": dict(self.types), **fluent}


def edit_kind(text: str, edit: TextEdit) -> str:
    """An edit's type with the letters it puts in, or a minus and those it takes out when it puts in none.

    >>> edit_kind("In short we go", TextEdit(8, 8, " ,", "M:PUNCT"))
    'M:PUNCT ,'
    >>> edit_kind("A dogs barks", TextEdit(2, 6, "dog", "R:NOUN:NUM"))
    'R:NOUN:NUM -s'
    """
    trimmed = trim_edit(text, edit)
    added, removed = trimmed.replacement.strip(), text[trimmed.start : trimmed.end].strip()
    return f"{edit.type} {added.lower() or f'-{removed.lower()}'}"


def is_wording(edit: TextEdit) -> bool:
    """Whether an edit is about the choice of words, and neither a slip of spelling or punctuation nor agreement.

    >>> is_wording(TextEdit(0, 2, "at", "R:PREP")), is_wording(TextEdit(0, 3, "the", "R:SPELL"))
    (True, False)
    >>> is_wording(TextEdit(4, 6, "goes", "R:VERB:SVA"))
    False
    """
    return edit.type.partition(":")[2] not in SLIPS | AGREEMENT


def widened(kind: str) -> Iterator[str]:
    """The kind, then wider ones: its type, its operation."""
    yield kind
    type_ = kind.partition(" ")[0]
    if type_ != kind:
        yield type_
    if ":" in type_:
        yield type_.partition(":")[0]


def log_odds(probability: float) -> float:
    """The logarithm of p / (1 − p), bounded."""
    p = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(p / (1 - p))


@dataclass(frozen=True, slots=True)
class Preset:
    """`decoding` options of the model, what its confidences mean, and the least an edit must have.

    An edit of wording in talk (`errata.pipeline.talk`) needs `wording_odds` times the odds of that least confidence.
    `fluency` tells learners from fluent writers, for a calibration that has one for each.
    """

    decoding: Mapping[str, float] = field(default_factory=dict)
    calibration: Calibration = field(default_factory=Calibration)
    min_confidence: float = 0.0
    fluency: Fluency | None = None
    wording_odds: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.wording_odds < math.inf:
            raise ValueError(f"wording_odds is above 0 and finite, not {self.wording_odds}")

    def confidence(self, probability: float, kind: str, tokens: Tokens) -> float:
        """How sure it is of an edit of a sentence that the network gives this probability."""
        is_mixed = self.fluency is not None and self.calibration.fluent is not None
        return self.calibration(probability, kind, self.fluency(tokens) if self.fluency and is_mixed else 0.0)

    @property
    def min_wording(self) -> float:
        """The least confidence of an edit of wording in talk.

        >>> round(Preset(min_confidence=0.4, wording_odds=1.5).min_wording, 3)
        0.5
        """
        if self.wording_odds == 1:
            return self.min_confidence
        least = self.wording_odds * self.min_confidence
        return least / (1 - self.min_confidence + least)

    def as_dict(self) -> dict[str, Any]:
        """What `read_presets` reads; the fluency, which all presets share, stands beside them."""
        return {
            "decoding": dict(self.decoding),
            "calibration": self.calibration.as_dict(),
            "min_confidence": self.min_confidence,
            **({"wording_odds": self.wording_odds} if self.wording_odds != 1 else {}),
        }


# The presets every model may have, the most careful first. Each makes all edits of those before it.
ORDER = ("careful", BALANCED, "eager")


@dataclass(frozen=True, slots=True)
class Ladder:
    """A model's presets in the order of `ORDER`, and the number of the one that is in use.

    A preset makes the edits that it trusts, and those that a more careful one makes. So presets are nested: what
    `careful` makes, `balanced` makes too. For the same reason all of them decode alike. In the place of a preset that a
    model lacks stands the one in use.

    `careful` may be calibrated on text in which errors are rare, where editors put in commas that correctors of essays
    do not. Its word alone counts in a sentence that is clean but for one error; elsewhere `balanced` must agree. On dev
    that costs CWEB nothing, and spares W&I most of the commas that nobody asked for.

    Confidences are calibrated on essays and web pages. In talk, people who write fluently make slips and seldom choose
    a wrong word, so an edit of wording there may need more (`wording_odds`). Whether a sentence is talk depends on what
    stays when its slips are mended, so it is judged alike when it is corrected again. With 1.5 for `careful` and 1.7
    for `balanced`, en-small makes 4 instead of 14 of 392 everyday errors (dev half) worse.
    """

    presets: tuple[Preset, ...]
    rank: int

    @classmethod
    def of(cls, presets: Mapping[str, Preset], name: str | None = None) -> Ladder:
        """The ladder of a model's presets at the one called `name`; without a name at `balanced`, or the first."""
        if name is None:
            name = BALANCED if BALANCED in presets else next(iter(presets))
        if name not in presets:
            raise UsageError(f"the model has no preset {name!r} (it has {', '.join(presets)})")
        if name not in ORDER:
            return cls.alone(presets[name])
        return cls(tuple(presets.get(step, presets[name]) for step in ORDER), ORDER.index(name))

    @classmethod
    def alone(cls, preset: Preset) -> Ladder:
        """One preset, whatever others there are."""
        return cls((preset,) * len(ORDER), ORDER.index(BALANCED))

    @property
    def preset(self) -> Preset:
        """The one in use."""
        return self.presets[self.rank]

    @property
    def decoding(self) -> Mapping[str, float]:
        """The options of the model that every step shares."""
        return self.presets[-1].decoding

    def confidences(self, probability: float, kind: str, tokens: Tokens = ()) -> tuple[float, ...]:
        """How sure every preset is of an edit of a sentence that the network gives this probability."""
        known: dict[int, float] = {}  # neighbours often share a calibration
        for preset in self.presets:
            if id(preset.calibration) not in known:
                known[id(preset.calibration)] = preset.confidence(probability, kind, tokens)
        return tuple([known[id(preset.calibration)] for preset in self.presets])

    def ranks(self, edits: Sequence[Sequence[float]], wordings: Collection[int] = ()) -> list[int | None]:
        """For each edit of a sentence, given its confidences, the most careful preset that makes it; None if none.

        `wordings` are the numbers of the edits of wording in talk, which need more.
        """
        trusts = [
            [
                sure >= (preset.min_wording if number in wordings else preset.min_confidence)
                for sure, preset in zip(confidences, self.presets, strict=True)
            ]
            for number, confidences in enumerate(edits)
        ]
        is_clean = sum(trust[1] for trust in trusts) <= 1
        return [self._rank(trust, is_clean=is_clean) for trust in trusts]

    def _rank(self, trust: Sequence[bool], *, is_clean: bool) -> int | None:
        if trust[0] and (trust[1] or is_clean):
            return 0
        return next((number for number in range(1, len(trust)) if trust[number]), None)


def _read_calibration(slope: Any = 1.0, offset: Any = 0.0, types: Any = None, fluent: Any = None) -> Calibration:
    shifts = {name: float(shift) for name, shift in (types or {}).items()}
    return Calibration(float(slope), float(offset), shifts, None if fluent is None else _read_calibration(**fluent))


def read_fluency(manifest: Mapping[str, Any]) -> Fluency | None:
    """What tells learners from fluent writers, if the model has it."""
    given = manifest.get("settings", {}).get("fluency")
    try:
        return None if given is None else Fluency.read(given)
    except (TypeError, ValueError) as error:
        raise DataError(f"the model's fluency cannot be read: {error}") from error


def read_presets(manifest: Mapping[str, Any]) -> dict[str, Preset]:
    """The presets of a model by name; one that has none is as it is, and that is `balanced`."""
    fluency = read_fluency(manifest)
    try:
        found = {
            name: Preset(
                decoding=dict(given.get("decoding", {})),
                calibration=_read_calibration(**given.get("calibration", {})),
                min_confidence=float(given.get("min_confidence", 0.0)),
                fluency=fluency,
                wording_odds=float(given.get("wording_odds", 1.0)),
            )
            for name, given in manifest.get("settings", {}).get("presets", {}).items()
        }
    except (AttributeError, TypeError, ValueError) as error:
        raise DataError(f"the model's presets cannot be read: {error}") from error
    return found or {BALANCED: Preset()}
