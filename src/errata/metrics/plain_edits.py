"""Items with one plain list of edits on every side, in either language: what metrics over chunks compare.

Edits of one side never overlap. Of several equally cheap alignments of a correction only the first counts, because a
chunk cannot be corrected in two ways by the same side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from errata.edits.base import Extractor, get_extractor
from errata.edits.languages import LANGUAGES
from errata.errors import DataError, UnknownName
from errata.metrics.base import Item
from errata.metrics.items import annotate_items
from errata.model import Annotation, Edit, Tokens, correction
from errata.text.tokens import is_char_level


def check_edit_language(language: str | None) -> None:
    """Refuse a language that edits cannot be extracted in; None is that of the sources."""
    if language is not None and language not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)


def choose_extractor(items: Sequence[Item], language: str | None) -> Extractor:
    """What finds the edits of texts: that of the language, or of the sources where none is named."""
    if language is None:
        language = "zh" if any(is_char_level(item.source.tokens) for item in items) else "en"
    return get_extractor(language, **({"strategy": "first"} if language == "zh" else {}))


def annotate_plainly(items: Sequence[Item], language: str | None) -> list[Item]:
    """The items with plain lists of edits in the place of texts; overlapping edits in a file are a `DataError`."""
    kept = [
        replace(item, references=tuple(one for one in item.references if _is_first_alignment(one))) for item in items
    ]
    annotated = annotate_items(kept, lambda: choose_extractor(items, language))
    return [_check(number, item) for number, item in enumerate(annotated, 1)]


def _is_first_alignment(side: str | Annotation) -> bool:
    return isinstance(side, str) or not side.alignment


def _check(number: int, item: Item) -> Item:
    assert isinstance(item.hypothesis, Annotation)
    sides = [_sort(number, one) if isinstance(one, Annotation) else one for one in (item.hypothesis, *item.references)]
    return replace(item, hypothesis=sides[0], references=tuple(sides[1:]))


def _sort(number: int, annotation: Annotation) -> Annotation:
    """The annotation with its edits in order; one that repeats another is left out, unless it inserts."""
    seen: set[tuple[int, int, Tokens]] = set()
    edits: list[Edit] = []
    for edit in sorted(annotation.edits, key=lambda one: (one.start, one.end)):
        if edit.start != edit.end and correction(edit) in seen:
            continue
        if edits and edit.start < edits[-1].end:
            raise DataError(
                f"sentence {number}: edits of annotator {annotation.annotator} overlap at token {edit.start}; "
                "metrics over chunks need edits that do not: give the corrected texts instead"
            )
        seen.add(correction(edit))
        edits.append(edit)
    return replace(annotation, edits=tuple(edits))
