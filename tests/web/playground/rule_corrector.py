"""A corrector whose suggestions can be foretold: a few rules, each with its confidence, behind the real server."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from errata.edits.apply import apply_text_edits
from errata.model import Correction, TextEdit
from errata.systems.base import Progress

# pattern → replacement, confidence
RULES = {
    "en": [
        (r"(?<=\bHe )go\b", "goes", 0.9),
        (r"\bteh\b", "the", 0.95),
        (r"\bfreinds\b", "friends", 0.97),
        (r"\binformations\b", "information", 0.75),
        (r" very\b", "", 0.6),
        (r"(?<=\bwent)(?= school)", " to", 0.7),
        (r"\bnice\b", "kind", 0.3),
    ],
    "zh": [
        (r"(?<=我)门", "们", 0.9),
        (r"饭午", "午饭", 0.8),
        (r"很(?=很)", "", 0.7),
    ],
}
PRESETS = {"careful": 0.8, "balanced": 0.5, "eager": 0.0}


@dataclass(frozen=True)
class RuleCorrector:
    """A `Corrector` by `RULES`; a preset is the least confidence it takes."""

    language: str
    preset: str = "balanced"

    @property
    def name(self) -> str:
        return f"rules-{self.language}"

    def with_preset(self, preset: str) -> RuleCorrector:
        return RuleCorrector(self.language, preset)

    def correct(self, sentences: Sequence[str], *, progress: Progress | None = None) -> list[Correction]:
        return [self._correct(text) for text in sentences]

    def _correct(self, text: str) -> Correction:
        edits = [
            TextEdit(match.start(), match.end(), replacement, "R", confidence)
            for pattern, replacement, confidence in RULES[self.language]
            if confidence >= PRESETS[self.preset]
            for match in re.finditer(pattern, text)
        ]
        edits.sort(key=lambda edit: edit.start)
        return Correction(text, apply_text_edits(text, edits), tuple(edits))
