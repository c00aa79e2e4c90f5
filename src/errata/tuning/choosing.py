"""Presets of a model, chosen on development sets: how careful it is, and what its confidences mean.

A model is asked once; its answers are decoded with different settings, every edit is compared with the gold edits, and
confidences are calibrated to how often such an edit is right. A preset is the settings and the least confidence with
the best score. The search counts edits; what it finds is scored with the metric itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from errata.errors import DataError
from errata.model import Correction
from errata.pipeline.fluency import Fluency
from errata.pipeline.presets import BALANCED, Calibration, Preset
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.cards import without_measurements
from errata.training.digests import file_digest
from errata.tuning.calibration import calibration_error, fit_calibration, held_out_error
from errata.tuning.devsets import DevAnswers, DevSet, Goal

# Least confidences tried.
STEPS = tuple(round(0.02 * step, 2) for step in range(46))
# Decodings that are scored with the metric itself.
FINALISTS = 3
# How far from the estimated least confidence others are scored too. The estimate counts edits one by one, and is up to
# 0.06 off in Chinese.
NEARBY = (-0.04, -0.02, 0.02, 0.04, 0.06)
# Below this share of right edits, more corrections help nobody; a model that does not reach it is as it is.
EAGER_PRECISION = 0.35

Report = Callable[[str], None]

# What presets are chosen for: `careful` on text in which errors are rare, the others on text in which they are not.
GOALS = {
    "careful": Goal(per_annotator=True),
    "balanced": Goal(),
    "eager": Goal(beta=1.0, min_precision=EAGER_PRECISION),
}
# `careful` where there is no text of its own to choose it on.
STRICT = Goal(beta=0.25)


def tune_presets(
    corrector: SentenceCorrector,
    sets: Sequence[DevSet],
    rare: Sequence[DevSet] = (),
    report: Report | None = None,
    fluency: Fluency | None = None,
) -> dict[str, Choice]:
    """The three presets of a model, chosen on `sets`; `careful` on `rare`, sets in which most sentences are correct.

    They are nested: all decode alike, and each makes the edits of the more careful ones. With `fluency`, confidences
    are calibrated for learners and for fluent writers.
    """
    trials = Trials(corrector, sets, report, fluency)
    seldom, goal = (Trials(corrector, rare, report, fluency), GOALS["careful"]) if rare else (trials, STRICT)
    tried = []
    for decoding in _best_decodings(trials, seldom if rare else None):
        careful = seldom.choose("careful", goal, decoding)
        balanced = trials.choose(BALANCED, GOALS[BALANCED], decoding, {"careful": careful.preset})
        tried.append((careful, balanced))
    # Without text of its own, `careful` takes the decoding that is best for the others.
    careful, balanced = max(tried, key=lambda pair: pair[1].f + (pair[0].f if rare else 0.0))
    careful = seldom.refine("careful", careful)
    balanced = trials.refine(BALANCED, balanced, {"careful": careful.preset})
    made = {"careful": careful.preset, BALANCED: balanced.preset}
    eager = trials.choose("eager", GOALS["eager"], balanced.preset.decoding, made)
    return {"careful": careful, BALANCED: balanced, "eager": eager}


def _best_decodings(trials: Trials, seldom: Trials | None) -> list[Mapping[str, float]]:
    """The decodings that seem best for `balanced`, and for `careful` where that has sets of its own."""

    def estimated(number: int) -> float:
        rare = seldom.best_step(seldom.trials[number], GOALS["careful"])[0] if seldom else 0.0
        return rare + trials.best_step(trials.trials[number])[0]

    # Of equals the later trial, which gives fewer edits to look at and so takes less time.
    best = sorted(range(len(trials.trials)), key=lambda number: (estimated(number), number), reverse=True)
    return [trials.trials[number].decoding for number in best[:FINALISTS]]


def with_presets(
    manifest: Mapping[str, Any], choices: Mapping[str, Choice], sets: Sequence[DevSet], fluency: Fluency | None = None
) -> dict[str, Any]:
    """The manifest with the presets, what they reached and on which files; one that finds nothing is a `DataError`."""
    for name, choice in choices.items():
        if not any(one["recall"] and one["edits"] for one in choice.scores.values()):
            raise DataError(f"the preset {name} finds nothing in {', '.join(choice.scores)}: nothing is saved")
    presets = {name: choice.preset.as_dict() for name, choice in choices.items()}
    tuning = {
        "sets": {dev.name: {"sha256": file_digest(dev.path), "sentences": len(dev.texts)} for dev in sets},
        "presets": {name: choice.as_dict() for name, choice in choices.items()},
    }
    settings = {name: value for name, value in manifest["settings"].items() if name != "fluency"}
    settings |= {"presets": presets} | ({"fluency": fluency.as_dict()} if fluency else {})
    return {**without_measurements(manifest), "settings": settings, "tuning": tuning}


@dataclass(frozen=True, slots=True)
class Choice:
    """A preset with what it reaches: the metric's numbers by set, calibration errors before and after (held out)."""

    preset: Preset
    goal: Goal
    scores: Mapping[str, Mapping[str, float]]
    error_before: float
    error_after: float

    @property
    def f(self) -> float:
        """The mean F over the sets."""
        return float(np.mean([one[f"f{self.goal.beta:g}"] for one in self.scores.values()]))

    def as_dict(self) -> dict[str, Any]:
        """What the manifest says about the choice."""
        scores = {name: {part: round(value, 5) for part, value in parts.items()} for name, parts in self.scores.items()}
        errors = {"before": round(self.error_before, 4), "after": round(self.error_after, 4)}
        return {"scores": scores, "calibration_error": errors}


@dataclass(frozen=True, slots=True)
class Trial:
    """What a decoding gives on each set, and what its confidences mean there."""

    decoding: Mapping[str, float]
    answers: tuple[DevAnswers, ...]
    calibration: Calibration


class Trials:
    """A model tried with every decoding on some sets; any number of presets can be chosen from them."""

    def __init__(
        self,
        corrector: SentenceCorrector,
        sets: Sequence[DevSet],
        report: Report | None = None,
        fluency: Fluency | None = None,
    ) -> None:
        if not sets or not all(dev.texts for dev in sets):
            raise DataError("there are no sentences to tune on")
        self.name, self.model = corrector.name, corrector.base.remembering()
        self.sets, self.report, self.fluency = sets, report or (lambda line: None), fluency
        # What was set by hand and is not searched is kept.
        self.odds = {name: preset.wording_odds for name, preset in corrector.presets.items()}
        self.trials = self._try_all(self.model.decodings)

    def _try_all(self, decodings: Sequence[Mapping[str, float]]) -> list[Trial]:
        # What stays as it is under the first settings, which give most edits, stays so under all.
        open_: list[list[int]] = [list(range(len(dev.texts))) for dev in self.sets]
        trials: list[Trial] = []
        for decoding in decodings:
            found = [
                dict(zip(numbers, self.run(Preset(decoding), [dev.texts[n] for n in numbers]), strict=True))
                for dev, numbers in zip(self.sets, open_, strict=True)
            ]
            if not trials:
                open_ = [[number for number, one in answers.items() if one.edits] for answers in found]
            answers = tuple(DevAnswers.of(dev, one, self.fluency) for dev, one in zip(self.sets, found, strict=True))
            calibration = fit_calibration([edit for one in answers for edit in one.judged()])
            trials.append(Trial(decoding, answers, calibration))
            self.report(f"{_shown(decoding)}: {sum(len(one.edits) for one in answers)} edits")
        return trials

    def run(
        self, preset: Preset, texts: Sequence[str], name: str = "tried", others: Mapping[str, Preset] | None = None
    ) -> list[Correction]:
        """The corrections of the texts with a preset of this name, beside more careful ones."""
        is_tokenised = self.model.language == "en"
        presets = {name: preset, **(others or {})}
        asked = SentenceCorrector(self.model, name=self.name, tokenised=is_tokenised, presets=presets)
        return asked.with_preset(name).correct(texts)

    def choose(
        self, name: str, goal: Goal, decoding: Mapping[str, float], others: Mapping[str, Preset] | None = None
    ) -> Choice:
        """The preset with this decoding and the best mean score over the sets; it makes the edits of `others` too."""
        trial = next(trial for trial in self.trials if trial.decoding == decoding)
        estimated, least = self.best_step(trial, goal, (others or {}).values())
        preset = Preset(dict(trial.decoding), trial.calibration, least, self.fluency, self.odds.get(name, 1.0))
        choice = Choice(preset, goal, self._scores(name, preset, goal, others), *_calibration_errors(trial))
        self.report(
            f"{name}: {_shown(trial.decoding)}, confidence from {least:.2f}: F{goal.beta:g} {100 * choice.f:.2f} "
            f"(estimated {100 * estimated:.2f})"
        )
        return choice

    def refine(self, name: str, choice: Choice, others: Mapping[str, Preset] | None = None) -> Choice:
        """The choice with the least confidence nearby that the metric itself, and not the estimate, finds best."""
        tried = [choice]
        for step in NEARBY:
            least = round(choice.preset.min_confidence + step, 2)
            if least in STEPS:
                preset = replace(choice.preset, min_confidence=least)
                tried.append(replace(choice, preset=preset, scores=self._scores(name, preset, choice.goal, others)))
                self.report(f"{name}: confidence from {least:.2f}: F{choice.goal.beta:g} {100 * tried[-1].f:.2f}")
        return max(tried, key=lambda one: one.f)

    def _scores(
        self, name: str, preset: Preset, goal: Goal, others: Mapping[str, Preset] | None
    ) -> dict[str, Mapping[str, float]]:
        return {dev.name: dev.score(self.run(preset, dev.texts, name, others), goal) for dev in self.sets}

    def best_step(
        self, trial: Trial, goal: Goal = GOALS[BALANCED], others: Iterable[Preset] = ()
    ) -> tuple[float, float]:
        """The best score over the sets, estimated, and the least confidence that reaches it."""
        more_careful = list(others)
        found = np.mean([one.estimate(trial.calibration, STEPS, goal, more_careful) for one in trial.answers], axis=0)
        # Where nothing is precise enough, anything goes.
        allowed = np.flatnonzero(found[:, 0] >= goal.min_precision).tolist() or range(len(STEPS))
        best = max(allowed, key=lambda step: (round(float(found[step, 1]), 6), step))
        return round(float(found[best, 1]), 6), STEPS[best]


def _calibration_errors(trial: Trial) -> tuple[float, float]:
    """Before, and after on the halves that were not fitted."""
    first, second = ([edit for one in trial.answers for edit in one.judged(half)] for half in (0, 1))
    return calibration_error([*first, *second]), held_out_error((first, second))


def _shown(decoding: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in decoding.items()) or "its own settings"
