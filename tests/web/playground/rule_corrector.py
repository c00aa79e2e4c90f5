"""A corrector whose suggestions can be foretold: a few rules, each with its confidence, behind the real server."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.model import TextEdit, Tokens
from errata.pipeline.presets import ORDER, Preset
from errata.pipeline.sentences import Candidate, Segment, SentenceCorrector
from errata.systems.base import ProposedEdit, TokenCorrector

# pattern → replacement, confidence
RULES = {
    "en": [
        (r"(?<=\bHe )go\b", "goes", 0.9),
        (r"\bteh\b", "the", 0.95),
        (r"\ban(?= park\b)", "a", 0.95),
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


class RuleModel(TokenCorrector):
    """A model that is never asked: the corrector below has its own rules."""

    kind, max_tokens = "rules", 100

    def __init__(self, language: str) -> None:
        self.language = language

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [[] for _ in sentences]


class RuleCorrector(SentenceCorrector):
    """A corrector by `RULES`; a preset is the least confidence it takes."""

    def __init__(self, language: str) -> None:
        presets = {name: Preset(min_confidence=least) for name, least in PRESETS.items()}
        super().__init__(RuleModel(language), name=f"rules-{language}", presets=presets)

    def look(self, pieces: Sequence[tuple[str, Segment | None]]) -> list[tuple[Candidate, ...]]:
        return [self._look(text) for text, _ in pieces]

    def _look(self, text: str) -> tuple[Candidate, ...]:
        found = [
            Candidate(TextEdit(match.start(), match.end(), new, "R", sure), _rank(sure), (sure,) * len(ORDER))
            for pattern, new, sure in RULES[self.language]
            for match in re.finditer(pattern, text)
        ]
        return tuple(sorted(found, key=lambda one: one.edit.start))


def _rank(sure: float) -> int:
    return next(number for number, name in enumerate(ORDER) if sure >= PRESETS[name])
