"""`errata.extract`: the edits between texts and their corrections, one annotation for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from errata.edits.base import get_extractor
from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName, UsageError
from errata.model import Annotation
from errata.parameters import check_encodable, check_length, check_texts, check_type
from errata.text.language import find_language

AUTO = "auto"


@overload
def extract(
    source: str, target: str, *, language: str = AUTO, level: str | None = None, **options: Any
) -> Annotation: ...
@overload
def extract(
    source: list[str] | tuple[str, ...],
    target: list[str] | tuple[str, ...],
    *,
    language: str = AUTO,
    level: str | None = None,
    **options: Any,
) -> list[Annotation]: ...
def extract(
    source: str | Sequence[str],
    target: str | Sequence[str],
    *,
    language: str = AUTO,
    level: str | None = None,
    **options: Any,
) -> Annotation | list[Annotation]:
    """The typed edits that make a text its correction; of two lists, those of each pair in order.

    English edits are ERRANT's, over the words that spaces separate; with `tokenise=True` the text is raw. Chinese edits
    are ChERRANT's, over characters, or with `level="word"` over words. `language` is "en", "zh", or "auto", which means
    that of most sources. `options` are the extractor's own (`merge`, `simplify`, `workers` …).

    >>> import errata
    >>> [edit] = errata.extract("He go home .", "He goes home .").edits
    >>> edit.start, edit.end, edit.replacement, edit.type
    (1, 2, ('goes',), 'R:VERB:SVA')
    >>> [found.edits[0].type for found in errata.extract(["我爱你门。", "他很的高。"], ["我爱你们。", "他很高。"])]
    ['S', 'R']
    """
    check_type("language", language, str)
    check_type("level", level, str | None)
    if isinstance(source, str) and isinstance(target, str):
        check_encodable("source", source)
        check_encodable("target", target)
        return _extract_all([source], [target], language, level, options)[0]
    check_texts("source", source)
    check_texts("target", target)
    check_length("targets", len(target), "sources", len(source))
    return _extract_all(source, target, language, level, options)


def _extract_all(
    sources: Sequence[str], targets: Sequence[str], language: str, level: str | None, options: dict[str, Any]
) -> list[Annotation]:
    if "strategy" in options:
        raise UsageError("extract gives one annotation for each pair; errata.edits.get_extractor takes a strategy")
    if not sources:
        return []
    chosen = _choose_language(sources) if language == AUTO else language
    if chosen not in LANGUAGES:
        raise UnknownName("language", language, [AUTO, *LANGUAGES])
    extractor = get_extractor(chosen, **options, **_level_options(chosen, level))
    pairs = zip(sources, ([target] for target in targets), strict=True)
    return [annotated.annotations[0] for annotated in extractor.annotate(pairs)]


def _choose_language(sources: Sequence[str]) -> str:
    language = find_language(sources)
    if language is None:
        raise UsageError("the source text is in neither English nor Chinese, as far as one can tell: name its language")
    return language


def _level_options(language: str, level: str | None) -> dict[str, str]:
    """What the extractor is told about levels; the English one knows words alone."""
    if language == "zh":
        return {"level": LANGUAGES[language].level if level is None else level, "strategy": "first"}
    if level not in (None, LANGUAGES[language].level):
        raise UsageError(f"level={level!r}: edits of {LANGUAGES[language].name} are over words")
    return {}
