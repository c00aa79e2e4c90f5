"""A noise model: error statistics, word tables and a mixture of noises in one file, and the text it corrupts.

Corrupting needs the standard library alone, so a model travels to machines that have nothing else.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from errata.edits.languages import LANGUAGES
from errata.errors import DataError, UnknownName, UsageError
from errata.formats.files import open_for_writing, read_lines
from errata.model import Tokens
from errata.synth.chinese import Chinese
from errata.synth.counts import ErrorCounter, ErrorHistogram
from errata.synth.english import English
from errata.synth.learned import LEARNED
from errata.synth.noisy import Noisy
from errata.synth.sampler import Language, Sampler
from errata.synth.statistics import Statistics
from errata.synth.tables import ChineseTables, EnglishTables, Tables

if TYPE_CHECKING:
    import numpy as np

# Of the file; English has rates of everyday slips since 2.
FORMATS = {"en": 2, "zh": 1}
KIND = "errata noise model"
# Rounds and sentences that bring the noises to their shares; the rest is within a few per cent.
CALIBRATION_ROUNDS = 6
CALIBRATION_SENTENCES = 2_000
CALIBRATION_SHARE = 0.005
# A noise that found nothing in a round is not blown up without bounds.
MAX_STEP = 8.0


@dataclass(frozen=True)
class NoiseModel:
    """Corrupts sentences of one language.

    `shares` is the mixture: the share of each noise among all errors. A noise's weights are multiplied by its share and
    its unit, which was found on real text so that the noise comes to that share. `rate` is the number of errors per
    token, `clean` the share of sentences left as they are; None leaves both to the corpus.
    """

    language: str
    statistics: Statistics
    tables: Tables
    histogram: ErrorHistogram
    shares: Mapping[str, float]
    units: Mapping[str, float]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    rate: float | None = None
    clean: float | None = None

    def corrupt(self, tokens: Sequence[str], rng: Random | np.random.Generator) -> Noisy:
        """The corrupted sentence and the edits that undo it."""
        return self._corrupt(tuple(tokens), as_random(rng))

    def corrupt_batch(self, sentences: Iterable[Sequence[str]], rng: Random | np.random.Generator) -> list[Noisy]:
        """One corrupted sentence for each; a numpy generator gives one number for the whole batch."""
        random = as_random(rng)
        return [self._corrupt(tuple(tokens), random) for tokens in sentences]

    def corrupt_at(self, tokens: Sequence[str], *, seed: int, index: int, copy: int = 0) -> Noisy:
        """The corrupted sentence number `index` of a text: the same whatever was corrupted before, and where."""
        return self._corrupt(tuple(tokens), Random((seed << 80) | (copy << 60) | index))

    def with_options(
        self, *, rate: float | None = None, clean: float | None = None, mix: Mapping[str, float] | None = None
    ) -> NoiseModel:
        """The model with another rate, share of unchanged sentences, or mixture; None keeps what it has.

        `mix` gives shares to the noises it names beside those the model has, which add up to 1: `{"typing": 0}` turns
        typing errors off, `{"case": 0.5}` makes case errors a third of all.
        """
        if rate is not None and not 0 <= rate <= 1:
            raise UsageError(f"rate {rate} is not between 0 and 1: it is the number of errors per token")
        if clean is not None and not 0 <= clean <= 1:
            raise UsageError(f"clean {clean} is not between 0 and 1: it is the share of unchanged sentences")
        shares = dict(self.shares)
        for name, share in (mix or {}).items():
            if name not in shares and name in self.noises.names:
                raise UsageError(f"this noise model was learnt without the noise {name}: learn it again to use it")
            if name not in shares:
                raise UnknownName("noise", name, shares)
            if not 0 <= share < math.inf:
                raise UsageError(f"noise {name} cannot have the share {share}")
            shares[name] = share
        total = sum(shares.values())
        if not total:
            raise UsageError("no noise is left in the mixture")
        shares = {name: share / total for name, share in shares.items()}
        return replace(
            self,
            shares=shares,
            rate=self.rate if rate is None else rate,
            clean=self.clean if clean is None else clean,
        )

    def calibrated(self, sentences: Sequence[Tokens], *, seed: int = 0) -> NoiseModel:
        """The model with units under which its noises come to their shares in this text.

        Noises without a share are tried too, so that a mixture can give them one later.
        """
        sentences = sentences[:: max(1, len(sentences) // CALIBRATION_SENTENCES)]
        tried = {name: max(share, CALIBRATION_SHARE) for name, share in self.shares.items()}
        tried = {name: share / sum(tried.values()) for name, share in tried.items()}
        model = replace(self, shares=tried, clean=0.0)  # every sentence tells something
        for round_number in range(CALIBRATION_ROUNDS):
            found = Counter(
                self.noise_of(edit.type)
                for index, tokens in enumerate(sentences)
                for edit in model.corrupt_at(tokens, seed=seed, index=index, copy=round_number).edits
            )
            total = found.total()
            if not total:
                break
            units = {
                name: model.units[name] * min(MAX_STEP, share / max(found[name] / total, 1e-9))
                for name, share in tried.items()
            }
            largest = max(units[name] for name in found)
            model = replace(model, units={name: min(unit / largest, 1.0) for name, unit in units.items()})
        return replace(self, units=model.units)

    def noise_of(self, edit_type: str) -> str:
        """The noise that makes edits of this type: generic noises name themselves, the learnt one has the corpus's."""
        return edit_type if edit_type in self.shares else LEARNED

    def _corrupt(self, tokens: Tokens, random: Random) -> Noisy:
        return self._sampler.corrupt(tokens, self._counter.draw(len(tokens), random), random)

    @cached_property
    def _sampler(self) -> Sampler:
        return Sampler(self.noises, {name: share * self.units[name] for name, share in self.shares.items()})

    @cached_property
    def _counter(self) -> ErrorCounter:
        return ErrorCounter(self.histogram, rate=self.rate, clean=self.clean)

    @cached_property
    def noises(self) -> Language:
        """The noises of the language over this model's tables."""
        return make_language(self.language, self.statistics, self.tables)

    def __getstate__(self) -> dict[str, Any]:
        # Without the sampler, which is made again from the rest and holds functions that do not travel.
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def digest(self) -> str:
        """What the model is, in 16 hexadecimal digits."""
        return _digest(self._as_dict())

    def _as_dict(self) -> dict[str, Any]:
        return {
            "kind": KIND,
            "format": FORMATS[self.language],
            "language": self.language,
            "provenance": dict(self.provenance),
            "rate": self.rate,
            "clean": self.clean,
            "shares": dict(self.shares),
            "units": dict(self.units),
            "histogram": self.histogram.as_dict(),
            "statistics": self.statistics.as_dict(),
            "tables": self.tables.as_dict(),
        }

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model as JSON, packed when the name ends in .gz or .xz."""
        data = self._as_dict()
        with open_for_writing(path) as stream:
            stream.write(_canonical({"digest": _digest(data), **data}) + "\n")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> NoiseModel:
        """Read what `save` wrote; a damaged or foreign file is a `DataError`."""
        text = "".join(read_lines(path))
        try:
            data = json.loads(text)
        except ValueError as error:
            raise DataError(f"{path} is not a noise model: {error}") from error
        if not isinstance(data, dict) or data.get("kind") != KIND:
            raise DataError(f"{path} is not a noise model; `errata synth learn` makes one")
        reads = FORMATS.get(str(data.get("language")), max(FORMATS.values()))
        if data.get("format") != reads:
            raise DataError(f"{path} has format {data.get('format')}; this errata reads {reads}: learn it again")
        digest = data.pop("digest", None)
        if digest != _digest(data):
            raise DataError(f"{path} is damaged: its digest is not {digest}")
        tables: type[EnglishTables | ChineseTables] = EnglishTables if data["language"] == "en" else ChineseTables
        return cls(
            data["language"],
            Statistics.from_dict(data["statistics"]),
            tables.from_dict(data["tables"]),
            ErrorHistogram.from_dict(data["histogram"]),
            data["shares"],
            data["units"],
            data["provenance"],
            data["rate"],
            data["clean"],
        )


def make_language(language: str, statistics: Statistics, tables: Tables) -> Language:
    """The noises of a language over statistics and tables."""
    if language == "en" and isinstance(tables, EnglishTables):
        return English(statistics, tables)
    if language == "zh" and isinstance(tables, ChineseTables):
        return Chinese(statistics, tables)
    raise UnknownName("language", language, LANGUAGES)


def generic_model(language: str, tables: Tables, sentences: Sequence[Tokens] = ()) -> NoiseModel:
    """A model without a corpus: the generic noises in their default shares, calibrated on clean `sentences`."""
    shares = dict((English if language == "en" else Chinese).shares)
    model = NoiseModel(language, Statistics(), tables, ErrorHistogram(), shares, dict.fromkeys(shares, 1.0))
    return model.calibrated(sentences) if sentences else model


def as_random(rng: Random | np.random.Generator) -> Random:
    """The generator itself, or one seeded by a number drawn from numpy's, whose single draws are slow."""
    return rng if isinstance(rng, Random) else Random(int(rng.integers(1 << 63)))


def _canonical(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _digest(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical(data).encode("utf-8")).hexdigest()[:16]


def file_digest(path: Path) -> str:
    """The first 16 hexadecimal digits of a file's SHA-256."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]
