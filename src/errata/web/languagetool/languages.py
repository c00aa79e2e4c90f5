"""LanguageTool's language codes, and which of errata's languages they mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from errata.pipeline.documents import AUTO
from errata.text.language import han_share
from errata.web.refusals import SHOWN, Refusal


@dataclass(frozen=True, slots=True)
class Variant:
    """A language as LanguageTool lists it."""

    name: str
    code: str
    long_code: str


VARIANTS = (
    Variant("English", "en", "en"),
    Variant("English (Australian)", "en", "en-AU"),
    Variant("English (Canadian)", "en", "en-CA"),
    Variant("English (GB)", "en", "en-GB"),
    Variant("English (New Zealand)", "en", "en-NZ"),
    Variant("English (South African)", "en", "en-ZA"),
    Variant("English (US)", "en", "en-US"),
    Variant("Chinese", "zh", "zh"),
    Variant("Chinese", "zh", "zh-CN"),
)
# What a text is said to be in when no variant was asked for.
USUAL = {"en": "en-US", "zh": "zh-CN"}
SUREST = 0.99
_BY_CODE = {variant.long_code.lower(): variant for variant in VARIANTS}


def served(languages: Collection[str]) -> list[Variant]:
    """The variants a server with models for `languages` takes."""
    return [variant for variant in VARIANTS if variant.code in languages]


def find_variant(code: str, languages: Collection[str]) -> Variant:
    """The variant of a code in any case; refused where it is unknown or has no model."""
    variant = _BY_CODE.get(code.strip().replace("_", "-").lower())
    if variant is None or variant.code not in languages:
        known = ", ".join(sorted(variant.long_code for variant in served(languages)))
        told = f"'{code[:SHOWN]}' is not a language code known to this server. Supported language codes are: {known}"
        raise Refusal(400, f"{told}. Use 'auto' to have the language detected.")
    return variant


def usual_variant(language: str, preferred: Sequence[str]) -> Variant:
    """The variant to report for a language: the preferred one of it, else the usual one."""
    wanted = (code.lower() for code in preferred)
    code = next((c for c in wanted if c.startswith(f"{language}-") and c in _BY_CODE), USUAL[language].lower())
    return _BY_CODE[code]


def detection_confidence(text: str, language: str) -> float:
    """How sure it is that a text is in a language: the share of it that is in its script, and never quite sure."""
    share = han_share(text)
    if share is None:
        return 0.0
    return round(min(SUREST, share if language == "zh" else 1 - share), 4)


def is_auto(code: str) -> bool:
    return code.strip().lower() == AUTO
