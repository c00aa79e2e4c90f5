"""Correctors of documents by the name of a model, or with the bundled model of every language."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from errata.errors import UsageError
from errata.model import Correction
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import AUTO, Options
from errata.pipeline.views import PLAIN
from errata.systems.base import load_corrector as load_model
from errata.systems.bundled import BUNDLED
from errata.systems.documents import DocumentCorrector
from errata.systems.guard import Protection
from errata.systems.presets import BALANCED, ORDER


def load_corrector(
    model: str | Path | None = None,
    *,
    language: str = AUTO,
    preset: str | None = None,
    min_confidence: float = 0.0,
    words: Collection[str] = (),
    terms: Collection[str] = (),
    tokenised: bool = False,
    **options: Any,
) -> Pipeline:
    """A corrector of texts: with a named model, the bundled one of a language, or each sentence's own.

    `model` is the name of a bundled model (`en-small`) or the folder of a trained system. `preset` is one it has
    (`careful`, `balanced`, `eager`); edits trusted less than `min_confidence` are left out on top of that. `words` and
    `terms` stay as they are. `tokenised` reads benchmark files: tokens are separated by spaces, every sentence is
    looked at once, and nothing is protected but `words` and `terms`. `options` are the system's own (`keep_bias` …).
    """
    if model == "":
        raise UsageError("a model has the name of a bundled one or is a folder, not ''")
    if language not in (AUTO, *BUNDLED):
        raise UsageError(f"no language {language!r}: choose {', '.join((AUTO, *BUNDLED))}")
    if not 0 <= min_confidence <= 1:
        raise UsageError(f"min_confidence is between 0 and 1, not {min_confidence}")
    if model is None and preset not in (None, *ORDER):
        raise UsageError(f"no preset {preset!r}: choose {', '.join(ORDER)}")

    def load(name: str | Path) -> DocumentCorrector:
        return load_model(name, tokenised=tokenised, preset=preset, **options)

    given = Options(
        languages=frozenset(BUNDLED),
        preset=preset or BALANCED,
        min_confidence=min_confidence,
        protection=Protection(words, terms, literals=not tokenised),
        is_tokenised=tokenised,
        is_stable=not tokenised,
    )
    if model is None and language == AUTO:
        return Pipeline(AUTO, lambda own: load(BUNDLED[own]), given)
    corrector = load(model or BUNDLED[language])
    if language not in (AUTO, corrector.language):
        raise UsageError(f"{corrector.name} corrects {corrector.language}, not {language}: leave the language out")
    given = replace(given, languages=frozenset({corrector.language}), language=corrector.language)
    return Pipeline(corrector.name, lambda _: corrector, given)


def correct(text: str, *, markup: str = PLAIN, **options: Any) -> Correction:
    """The correction of one text; `options` are those of `load_corrector`. For many texts, load once.

    >>> import errata
    >>> errata.correct("It depends of the weather.").target
    'It depends on the weather.'
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a str, not {type(text).__name__}")
    return load_corrector(**options).correct([text], markup=markup)[0]
