"""Development sets for tuning: texts as a corrector takes them, gold edits to compare its edits with, and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from errata.edits.languages import LANGUAGES
from errata.edits.texts import source_text, target_text
from errata.errors import DataError
from errata.metrics.base import Item, get_metric
from errata.metrics.inputs import as_references, read_gold
from errata.metrics.items import scored_references
from errata.model import Annotation, Correction, Counts, TextEdit, Tokens
from errata.pipeline.fluency import Fluency
from errata.pipeline.presets import Calibration, Preset, edit_kind
from errata.text.arguments import printable
from errata.text.language import UNDETERMINED, identify_language
from errata.text.projection import trim_edit
from errata.text.spacing import LAYOUTS
from errata.tuning.calibration import JudgedEdit

# Language → options of its metric that differ from the usual ones.
METRIC_OPTIONS: dict[str, dict[str, Any]] = {"en": {}, "zh": {"simplify": True}}

# Quotations and names make some sentences look like another language: 1 of 3,867 in CWEB-G, none in W&I or MuCGEC.
MOST_OTHERS = 0.05

Key = tuple[int, int, str]


def refuse_other_language(path: Path, texts: Sequence[str], language: str) -> None:
    """Raise unless the sources in `path` are in `language`; a few that look otherwise are let pass."""
    found = Counter(identify_language(text, language) for text in texts)
    n_others = len(texts) - found.pop(language, 0)
    if n_others > MOST_OTHERS * len(texts):
        other = _language_name(found.most_common(1)[0][0])
        raise DataError(
            f"{path}: {n_others} of {len(texts)} sentences are in {other}, and the model corrects "
            f"{_language_name(language)}: give sets in its language alone"
        )


def _language_name(language: str) -> str:
    return "another language" if language == UNDETERMINED else LANGUAGES[language].name


@dataclass(frozen=True, slots=True)
class Goal:
    """F-`beta`, against each annotator by itself or the best one, with a precision that must be reached."""

    beta: float = 0.5
    per_annotator: bool = False
    min_precision: float = 0.0


@dataclass(frozen=True, slots=True)
class DevSet:
    """Texts, and for each the gold edits of every reference, and the text it makes."""

    path: Path
    language: str
    texts: tuple[str, ...]
    items: tuple[Item, ...]
    gold: tuple[tuple[frozenset[Key], ...], ...]
    targets: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """The name of its file, without the folder."""
        return printable(self.path.name)

    @classmethod
    def read(cls, path: Path, language: str, limit: int | None = None) -> DevSet:
        """A file of any format errata reads, with sources in the language; English is tokenised."""
        metric: Any = _metric(language, Goal())
        sentences = list(islice(read_gold(path).sentences, limit))
        refuse_other_language(path, [source_text(one.sentence) for one in sentences], language)
        items = metric.prepare(
            [
                Item(
                    one.sentence,
                    Annotation(),
                    tuple(side for each in one.annotations for side in as_references(one.sentence, each)),
                )
                for one in sentences
            ]
        )
        texts = tuple(" ".join(i.source.tokens) if language == "en" else source_text(i.source) for i in items)
        placed = [_gold_edits(text, item, language) for text, item in zip(texts, items, strict=True)]
        gold = tuple(
            tuple(frozenset(_key(text, edit) for edit in one) for one in references)
            for text, references in zip(texts, placed, strict=True)
        )
        targets = tuple(tuple(target_text(i.source, one) for one in scored_references(i)) for i in items)
        return cls(path, language, texts, tuple(items), gold, targets)

    def tokens(self, number: int) -> Tokens:
        """The tokens of a sentence, as a model reads them."""
        text = self.texts[number]
        return tuple(text[a:b] for a, b in LAYOUTS["tokenised" if self.language == "en" else self.language].spans(text))

    def has(self, number: int, edit: TextEdit) -> list[bool]:
        """For every reference of a sentence whether the edit is one of its own.

        English edits are over words, and are compared. Chinese ones can be cut in many ways: an edit is right when it
        alone brings the text nearer to the reference by all that it changes.
        """
        text = self.texts[number]
        if self.language == "en":
            key = _key(text, edit)
            return [key in one for one in self.gold[number]]
        old = text[edit.start : edit.end]
        after = text[: edit.start] + edit.replacement + text[edit.end :]
        size = Levenshtein.distance(old, edit.replacement)
        return [
            Levenshtein.distance(text, one) - Levenshtein.distance(after, one) == size for one in self.targets[number]
        ]

    def score(self, corrections: Sequence[Correction], goal: Goal) -> dict[str, float]:
        """The metric's own precision, recall and F, and the number of edits."""
        metric = _metric(self.language, goal)
        items = [
            replace(item, hypothesis=one.target if one.edits else Annotation())
            for item, one in zip(self.items, corrections, strict=True)
        ]
        parts = metric.aggregate(metric.stats(items)).parts
        scores = {name: parts[name] for name in ("precision", "recall", f"f{goal.beta:g}")}
        return {**scores, "edits": float(sum(len(one.edits) for one in corrections))}


def _metric(language: str, goal: Goal) -> Any:
    options = {**METRIC_OPTIONS[language], "beta": goal.beta, "per_annotator": goal.per_annotator}
    return get_metric(LANGUAGES[language].metric, **options)


def _gold_edits(text: str, item: Item, language: str) -> list[list[TextEdit]]:
    layout = LAYOUTS["tokenised" if language == "en" else language]
    spans = layout.spans(text)
    return [
        [TextEdit(*layout.place(text, spans, edit.start, edit.end, edit.replacement, None)) for edit in one.edits]
        for one in scored_references(item)
    ]


def _key(text: str, edit: TextEdit) -> Key:
    trimmed = trim_edit(text, edit)
    return trimmed.start, trimmed.end, trimmed.replacement


class FoundEdit(NamedTuple):
    """An edit of a corrector: the number of its sentence, its confidence and kind, and the sentence's fluency."""

    sentence: int
    confidence: float
    kind: str
    fluency: float | None = None

    def trusted_by(self, calibration: Calibration) -> float:
        """How often such an edit is right, by the calibration."""
        return calibration(self.confidence, self.kind, self.fluency or 0.0)


@dataclass(frozen=True, slots=True)
class DevAnswers:
    """A corrector's edits on a set: the references that have each of them, and how many edits every reference has.

    `found` is (edits, references), `wanted` (sentences, references); sentences with fewer references than others repeat
    their last one.
    """

    edits: tuple[FoundEdit, ...]
    found: np.ndarray
    wanted: np.ndarray

    @classmethod
    def of(cls, dev: DevSet, corrections: Mapping[int, Correction], fluency: Fluency | None = None) -> DevAnswers:
        """Judge the corrections of the sentences with these numbers; the others were left as they are."""
        edits = [(number, edit) for number, one in sorted(corrections.items()) for edit in one.edits]
        n_references = max(map(len, dev.gold), default=0)
        found = np.zeros((len(edits), n_references), bool)
        for row, (number, edit) in enumerate(edits):
            has = dev.has(number, edit) or [False]
            found[row] = [has[min(n, len(has) - 1)] for n in range(n_references)]
        wanted = [[len(gold[min(n, len(gold) - 1)]) if gold else 0 for n in range(n_references)] for gold in dev.gold]
        return cls(
            tuple(
                FoundEdit(
                    number,
                    edit.confidence or 0.0,
                    edit_kind(dev.texts[number], edit),
                    fluency(dev.tokens(number)) if fluency else None,
                )
                for number, edit in edits
            ),
            found,
            np.array(wanted, int).reshape(len(dev.gold), n_references),
        )

    def trusted(self, presets: Iterable[Preset]) -> np.ndarray:
        """Which of the edits one of the presets makes: (edits,)."""
        limits = [(preset.calibration, preset.min_confidence) for preset in presets]
        return np.array(
            [any(edit.trusted_by(calibration) >= least for calibration, least in limits) for edit in self.edits], bool
        )

    def judged(self, half: int | None = None) -> list[JudgedEdit]:
        """Every edit, right when any reference has it; of every other sentence only, with `half` 0 or 1."""
        return [
            JudgedEdit(edit.confidence, edit.kind, bool(row.any()), edit.fluency)
            for edit, row in zip(self.edits, self.found, strict=True)
            if half is None or edit.sentence % 2 == half
        ]

    def estimate(
        self, calibration: Calibration, steps: Sequence[float], goal: Goal, others: Iterable[Preset] = ()
    ) -> np.ndarray:
        """Precision and F, counted edit by edit, of the edits with at least each of these confidences: (steps, 2).

        The edits of `others`, the more careful presets, count in any case.
        """
        told = np.array([edit.trusted_by(calibration) for edit in self.edits])
        sentences = np.array([edit.sentence for edit in self.edits], int)
        made = self.trusted(others)
        count = self._by_annotator if goal.per_annotator or self.wanted.shape[1] == 1 else self._by_best

        def kept(least: float) -> np.ndarray:
            own = told >= least
            is_clean = np.bincount(sentences[own], minlength=len(self.wanted))[sentences] <= 1  # as in `Ladder`
            return np.asarray(own | (made & is_clean))

        return np.array([count(kept(least), goal.beta) for least in steps])

    def _by_annotator(self, kept: np.ndarray, beta: float) -> tuple[float, float]:
        right, wanted = self.found[kept].sum(axis=0), self.wanted.sum(axis=0)
        counts = [Counts(int(tp), int(kept.sum() - tp), int(gold - tp)) for tp, gold in zip(right, wanted, strict=True)]
        return float(np.mean([one.precision for one in counts])), float(np.mean([one.f(beta) for one in counts]))

    def _by_best(self, kept: np.ndarray, beta: float) -> tuple[float, float]:
        sentences = np.array([edit.sentence for edit in self.edits], int)[kept]
        proposed = np.bincount(sentences, minlength=len(self.wanted))
        right = np.zeros(self.wanted.shape, int)
        np.add.at(right, sentences, self.found[kept])
        total = Counts()
        for n, tps, golds in zip(proposed, right, self.wanted, strict=True):
            counts = [Counts(int(tp), int(n - tp), int(gold - tp)) for tp, gold in zip(tps, golds, strict=True)]
            total += max(counts, key=lambda c: (c.f(beta), c.tp, -c.fp, -c.fn), default=Counts())
        return total.precision, total.f(beta)
