"""The settings in the folder of a language-model corrector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

from errata.errors import DataError, UnknownName, UsageError
from errata.networks.encoder import is_local
from errata.places import as_path
from errata.systems.lm.causal import DEFAULT_ENGLISH, GGUF, PRECISIONS
from errata.systems.lm.confusions import CONFUSIONS
from errata.systems.manifest import FORMAT, MANIFEST, Manifest, read_manifest, write_manifest

DEFAULT_DOMAIN = "default"
# In the middle of the thresholds that CWEB reports for its thirteen domains (0.91 to 0.98).
DEFAULT_THRESHOLD = 0.96


@dataclass(frozen=True, slots=True)
class LmSettings:
    """The language model, its confusion sets, and the threshold of each domain.

    `margin` and `lag` are in nats: an alternative is not run if its first different subword is more than `margin` less
    probable than the original's, and no further than two subwords behind the change if it is more than `lag` less
    probable up to there. `passes` limits how often one sentence is scored. `precision` is that of the products.
    """

    model: str = DEFAULT_ENGLISH
    confusions: tuple[str, ...] = ("inflections", "determiners", "prepositions", "spelling")
    thresholds: Mapping[str, float] = field(default_factory=lambda: {DEFAULT_DOMAIN: DEFAULT_THRESHOLD})
    margin: float = 4.0
    lag: float = 0.0
    passes: int = 3
    max_tokens: int = 128
    precision: str = PRECISIONS[0]

    def __post_init__(self) -> None:
        if DEFAULT_DOMAIN not in self.thresholds:
            raise ValueError(f"thresholds lacks the domain {DEFAULT_DOMAIN!r}")
        if not all(0 < value <= 1 for value in self.thresholds.values()):
            raise ValueError("a threshold is above 0 and at most 1")
        if not all(_is_number(one) for one in (self.margin, self.lag)) or self.margin <= 0 or self.lag < 0:
            raise ValueError("margin is a number above 0, lag one of 0 or more")
        if (
            not all(type(one) is int for one in (self.passes, self.max_tokens))
            or self.passes < 1
            or self.max_tokens < 2
        ):
            raise ValueError("passes is a whole number from 1, max_tokens one from 2")
        if self.precision not in PRECISIONS:
            raise ValueError(f"precision is one of {', '.join(PRECISIONS)}")

    def threshold(self, domain: str | None) -> float:
        """The threshold of a domain; None asks for the default."""
        if domain is not None and domain not in self.thresholds:
            raise UnknownName("domain", domain, self.thresholds)
        return self.thresholds[domain or DEFAULT_DOMAIN]

    def with_threshold(self, domain: str, threshold: float) -> LmSettings:
        return replace(self, thresholds={**self.thresholds, domain: threshold})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def fresh_settings(language: str, model: str | None = None) -> LmSettings:
    """Settings for a new folder; only English has a default language model. A relative path becomes absolute."""
    if language not in CONFUSIONS:
        raise UsageError(f"language {language!r} has no confusion sets (choose {', '.join(CONFUSIONS)})")
    if model is None and language != "en":
        raise DataError(f"language {language!r} has no default language model: name one")
    if model is not None and (is_local(model) or model.endswith(GGUF)):
        model = str(as_path(model).resolve())
    return LmSettings(model=model or DEFAULT_ENGLISH, confusions=tuple(CONFUSIONS[language]))


def read_settings(folder: Path, manifest: Manifest | None = None) -> tuple[str, LmSettings]:
    """The language and settings of a folder."""
    manifest = read_manifest(folder) if manifest is None else manifest
    origin = folder / MANIFEST
    try:
        language, given = manifest["language"], dict(manifest["settings"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{origin} is not a language-model corrector this version reads: {error}") from error
    if language not in CONFUSIONS:
        raise DataError(f"{origin}: language {language!r} has no confusion sets (choose {', '.join(CONFUSIONS)})")
    known = {one.name for one in fields(LmSettings)}
    if unknown := sorted(given.keys() - known):
        raise DataError(f"{origin}: unknown setting {unknown[0]!r} (known: {', '.join(sorted(known))})")
    given.setdefault("confusions", tuple(CONFUSIONS[language]))
    given["confusions"] = tuple(given["confusions"])
    for name in given["confusions"]:
        if name not in CONFUSIONS[language]:
            raise UnknownName(f"confusion set ({language})", name, CONFUSIONS[language])
    try:
        return language, LmSettings(**given)
    except (TypeError, ValueError) as error:
        raise DataError(f"{origin}: {error}") from error


def manifest_of(language: str, settings: LmSettings, training: Mapping[str, Any]) -> dict[str, Any]:
    """The content of `errata.json`; `training` says which data the thresholds were tuned on."""
    return {
        "system": "lm",
        "language": language,
        "format": FORMAT,
        "settings": asdict(settings),
        "training": dict(training),
    }


def write_settings(folder: Path, language: str, settings: LmSettings, training: Mapping[str, Any]) -> None:
    """Write the folder's manifest."""
    write_manifest(folder, manifest_of(language, settings, training))
