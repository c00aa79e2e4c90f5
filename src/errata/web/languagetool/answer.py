"""The JSON of LanguageTool's answers; offsets are UTF-16 code units of the whole text, markup included."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import errata
from errata.edits.explain import Explanation, Rule, explain, list_rules
from errata.model import TextEdit
from errata.pipeline.documents import SentenceSpan
from errata.text.language import UNDETERMINED
from errata.text.utf16 import Utf16Offsets
from errata.web.corrections import CorrectedText, ShownEdit
from errata.web.languagetool.languages import Variant
from errata.web.languagetool.widen import widen_edits
from errata.web.long_json import dump_members, dump_value

API_VERSION = 1
# Characters on either side of a match in `context`, as LanguageTool's server has them.
CONTEXT = 40
# A longer sentence is cut around the match: a text without full stops would come back once for each of its matches.
MAX_SENTENCE = 1000
# The rule of words that are in no dictionary: what clients offer to put into one.
UNKNOWN_WORD = "ERRATA_SPELLING_RULE"


@dataclass(frozen=True, slots=True)
class Detection:
    """The language a text was checked as, and what it looks like."""

    checked: Variant
    detected: Variant
    confidence: float


@cache
def software() -> dict[str, Any]:
    """Who answers; the build date is when this copy of errata was installed."""
    installed = time.gmtime(Path(errata.__file__).stat().st_mtime)
    return {
        "name": "errata",
        "version": errata.__version__,
        "buildDate": time.strftime("%Y-%m-%d %H:%M:%S +0000", installed),
        "apiVersion": API_VERSION,
        "premium": False,
        "status": "",
    }


def check_answer(
    corrected: CorrectedText, edits: Sequence[ShownEdit], detection: Detection, messages: str
) -> dict[str, Any]:
    """The answer to a check: `edits` are those of `corrected` that the client wants to hear of."""
    original = corrected.view.original
    offsets = Utf16Offsets(original)
    spans = [corrected.view.original_span(piece.start, piece.end) for piece in corrected.pieces]
    ranges = [[offsets[start], offsets[end]] for start, end in spans]
    return {
        "software": software(),
        "warnings": {"incompleteResults": bool(corrected.unchecked)},
        "language": _language(detection),
        "matches": [
            _match(original, offsets, shown.edit, shown.explanation, _sentence(corrected, shown.read))
            for shown in _underlined(corrected, edits, messages)
        ],
        "sentenceRanges": ranges,
        "extendedSentenceRanges": [
            {"from": start, "to": end, "detectedLanguages": _detected(piece)}
            for piece, (start, end) in zip(corrected.pieces, ranges, strict=True)
        ],
    }


def dump_answer(answer: Mapping[str, Any]) -> bytes:
    """The JSON of an answer to a check."""
    return dump_members({name: dump_value(value) for name, value in answer.items()})


def _detected(piece: SentenceSpan) -> list[dict[str, Any]]:
    return [] if piece.language == UNDETERMINED else [{"language": piece.language, "rate": 1.0}]


def _language(detection: Detection) -> dict[str, Any]:
    return {
        "name": detection.checked.name,
        "code": detection.checked.long_code,
        "detectedLanguage": {
            "name": detection.detected.name,
            "code": detection.detected.long_code,
            "confidence": detection.confidence,
            "source": "script",
        },
    }


def _underlined(corrected: CorrectedText, edits: Sequence[ShownEdit], messages: str) -> Iterator[ShownEdit]:
    """The edits in the original, widened to whole words where no markup is in the way."""
    view = corrected.view
    for wide in widen_edits(view.text, [shown.read for shown in edits]):
        members = [edits[number] for number in wide.members]
        placed = view.to_original([wide.edit])
        if not placed:
            yield from members
        elif len(members) == 1:
            yield replace(members[0], edit=placed[0])
        else:
            main = max(members, key=lambda shown: shown.read.end - shown.read.start)
            read = replace(wide.edit, type=main.explanation.type)
            about = explain(view.text, read, main.language, messages=messages)
            yield replace(main, edit=placed[0], explanation=about)


def _sentence(corrected: CorrectedText, edit: TextEdit) -> str:
    """The sentence of an edit, or what is around the edit where the sentence is too long to repeat with each."""
    piece = corrected.pieces[bisect_left(corrected.pieces, edit.end, key=lambda one: one.end)]
    start, end = piece.start, piece.end
    if end - start > MAX_SENTENCE:
        start, end = max(start, edit.start - MAX_SENTENCE // 2), min(end, edit.end + MAX_SENTENCE // 2)
    return corrected.view.text[start:end]


def _match(text: str, offsets: Utf16Offsets, edit: TextEdit, about: Explanation, sentence: str) -> dict[str, Any]:
    start, length = offsets[edit.start], offsets[edit.end] - offsets[edit.start]
    return {
        "message": about.message,
        "shortMessage": about.rule.title,
        "replacements": [{"value": value} for value in (edit.replacement, *edit.alternatives)],
        "offset": start,
        "length": length,
        "context": _context(text, edit, length),
        "sentence": sentence,
        "type": {"typeName": "UnknownWord" if about.rule.id == UNKNOWN_WORD else "Other"},
        "rule": _rule(about, edit),
        "ignoreForIncompleteSentence": True,
        "contextForSureMatch": -1,
    }


def _rule(about: Explanation, edit: TextEdit) -> dict[str, Any]:
    rule = {
        "id": about.rule.id,
        "subId": about.type,
        "description": about.rule.title,
        "issueType": about.rule.issue_type,
        "category": {"id": about.rule.category, "name": about.rule.category_name},
        "isPremium": False,
    }
    return rule if edit.confidence is None else {**rule, "confidence": round(edit.confidence, 4)}


def _context(text: str, edit: TextEdit, length: int) -> dict[str, Any]:
    first, last = max(0, edit.start - CONTEXT), min(len(text), edit.end + CONTEXT)
    before = ("..." if first else "") + text[first : edit.start]
    after = text[edit.end : last] + ("..." if last < len(text) else "")
    shown = before + text[edit.start : edit.end] + after
    offset = Utf16Offsets(before)[len(before)]
    return {"text": shown.replace("\n", " ").replace("\r", " "), "offset": offset, "length": length}


def languages_answer(variants: Sequence[Variant]) -> list[dict[str, str]]:
    """The answer of `/v2/languages`."""
    return [{"name": one.name, "code": one.code, "longCode": one.long_code} for one in variants]


def configuration_answer(language: str, max_length: int) -> dict[str, Any]:
    """The answer of `/v2/configinfo`: every rule of a language."""
    return {
        "software": software(),
        "parameter": {"maxTextLength": max_length},
        "rules": [_listed(rule) for rule in list_rules(language)],
    }


def _listed(rule: Rule) -> dict[str, str]:
    return {
        "ruleId": rule.id,
        "description": rule.title,
        "categoryId": rule.category,
        "categoryName": rule.category_name,
        "locQualityIssueType": rule.issue_type,
    }
