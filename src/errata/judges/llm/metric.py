"""A large language model as judge (Kobayashi et al. 2024): ratings from 1 to 5, without references.

It follows the paper's LLM-S (`view="sentences"`) and LLM-E (`view="edits"`) and their aspects; prompts are errata's
own, so published figures are not reproduced to the digit. The paper ranks systems by the ratings with TrueSkill; here a
correction has its rating, (rating − 1) / 4, and a corpus the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from errata.edits.texts import source_text
from errata.errors import UnknownName, UsageError
from errata.judges.llm.prompt import ASPECTS, HIGHEST, LOWEST, MOST, VERSION, VIEWS, Question, mark_edits
from errata.judges.llm.rater import Rater
from errata.judges.models import digest_model
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_sources, describe_systems
from errata.metrics.plain_edits import annotate_plainly
from errata.metrics.signature import make_signature
from errata.metrics.texts import side_text
from errata.model import Annotation, Score
from errata.systems.installed import find_model


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """`model` is the folder of a prompted system (`./judge`); there is none by default.

    `view` is what the model sees of a correction, the sentence or its edits; `aspect` what it rates. With `together`
    the corrections of several systems are rated side by side, up to five at once. `allow_network` lets the text be sent
    to the model's endpoint.
    """

    model: str | None = None
    view: str = "sentences"
    aspect: str = "overall"
    together: bool = False
    allow_network: bool = False
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.view not in VIEWS:
            raise UnknownName("view", self.view, VIEWS)
        if self.aspect not in ASPECTS[self.view]:
            raise UnknownName(f"aspect of {self.view}", self.aspect, ASPECTS[self.view])


class Llm(Metric[int]):
    """The mean rating of a corpus, from 0 to 1."""

    name = "llm"
    Options = LlmOptions
    options: LlmOptions
    needs_references = False
    use_of_systems = "rates the corrections of several systems together"

    @cached_property
    def rater(self) -> Rater:
        """The model; a `UsageError` where none is named, or where its endpoint is not allowed."""
        options = self.options
        if options.model is None:
            raise UsageError("llm asks a language model: name the folder of a prompted one (model=./judge)")
        return Rater(
            find_model(options.model),
            options.view,
            options.aspect,
            device=options.device,
            allow_network=options.allow_network,
        )

    @property
    def needs_systems(self) -> bool:
        return self.options.together

    @property
    def signature(self) -> str:
        rater = self.rater
        folder = find_model(str(self.options.model))
        decisive: dict[str, Any] = {
            "model": rater.settings.model,
            "at": rater.place,
            "weights": digest_model(folder) if rater.settings.endpoint is None else None,
            "view": self.options.view,
            "aspect": self.options.aspect,
            "together": "yes" if self.options.together else None,
            "prompt": f"{rater.language}-{VERSION}",
            "temperature": 0,
        }
        return make_signature(self.name, **decisive)

    def compared(self, items: Sequence[Item]) -> str:
        sources = describe_sources(items)
        return f"{sources}|{describe_systems(items)}" if self.needs_systems else sources

    def stats(self, items: Sequence[Item]) -> list[int]:
        """The rating of each hypothesis."""
        texts = [[side_text(item.source, one) for one in (item.hypothesis, *item.systems)] for item in items]
        shown = self._show(items, texts)
        questions = [_questions(source_text(item.source), own) for item, own in zip(items, shown, strict=True)]
        ratings = self.rater([question for own in questions for question in own])
        found = []
        for item, seen, asked in zip(items, shown, questions, strict=True):
            rated = {text: rating for one in asked for text, rating in zip(one.corrections, ratings[one], strict=True)}
            found.append(rated[seen[0]] if seen[0] else _rate_empty(item))
        return found

    def _show(self, items: Sequence[Item], texts: Sequence[Sequence[str]]) -> list[list[str]]:
        """What the model sees of each correction; nothing of an empty one."""
        if self.options.view == "sentences":
            return [[" ".join(text.split()) for text in own] for own in texts]
        # Every correction is a reference, so that the edits of all are found at once.
        bare = [Item(item.source, Annotation(), tuple(own)) for item, own in zip(items, texts, strict=True)]
        annotated = annotate_plainly(bare, self.rater.language)
        return [_mark(item, own) for item, own in zip(annotated, texts, strict=True)]

    def aggregate(self, stats: Sequence[int]) -> Score:
        """The mean; `rating` is the mean of the ratings themselves, from 1 to 5."""
        rating = float(np.mean(stats)) if stats else float(LOWEST)
        value = (rating - LOWEST) / (HIGHEST - LOWEST)
        return Score(self.name, value, {self.name: value, "rating": rating}, self.signature)

    def sentence_scores(self, stats: Sequence[int]) -> np.ndarray:
        scores: np.ndarray = (np.array(stats, float) - LOWEST) / (HIGHEST - LOWEST)
        return scores

    def resample(self, stats: Sequence[int], indices: np.ndarray) -> np.ndarray:
        means: np.ndarray = self.sentence_scores(stats)[indices].mean(axis=1)
        return means


def _mark(item: Item, texts: Sequence[str]) -> list[str]:
    """The source with the edits of each reference marked; nothing for an empty text."""
    edits = [one.edits for one in item.references if isinstance(one, Annotation)]
    return [mark_edits(item.source.tokens, own) if text.strip() else "" for own, text in zip(edits, texts, strict=True)]


def _questions(source: str, shown: Sequence[str]) -> list[Question]:
    """The questions about different corrections of a source; their order does not depend on that of systems."""
    distinct = sorted({text for text in shown if text})
    groups = (tuple(distinct[start : start + MOST]) for start in range(0, len(distinct), MOST))
    return [Question(" ".join(source.split()), group) for group in groups]


def _rate_empty(item: Item) -> int:
    """An empty correction is not shown to the model: it is the worst, unless the source is empty too."""
    return LOWEST if source_text(item.source).strip() else HIGHEST
