"""Presets of a model, chosen on development sets: how careful it is, and what its confidences mean.

A model is asked once; its answers are decoded with different settings, every edit is compared with the gold edits, and
confidences are calibrated to how often such an edit is right. A preset is the settings and the least confidence with
the best score. The search counts edits; the few best candidates are scored with the metric itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from errata.errors import DataError
from errata.model import Correction
from errata.systems.calibration import calibration_error, fit_calibration, held_out_error
from errata.systems.devsets import Answers, DevSet, Goal
from errata.systems.documents import DocumentCorrector
from errata.systems.presets import Calibration, Preset
from errata.train.digests import file_digest

# Decoding settings tried with each kind of system, the one that gives most edits first; others keep their own. A tag
# with a probability above one half needs no bias against keep.
GRIDS: dict[str, tuple[dict[str, float], ...]] = {
    "tagger": tuple(
        {"keep_bias": bias, "min_error_probability": least}
        for bias, leasts in (
            (-0.35, (0.0, 0.2)),
            (-0.2, (0.0, 0.3)),
            (-0.1, (0.0, 0.3)),
            (0.0, (0.0, 0.3, 0.45, 0.55, 0.65, 0.75)),
        )
        for least in leasts
    )
}
# Least confidences tried.
STEPS = tuple(round(0.02 * step, 2) for step in range(46))
# Candidates of a preset that are scored with the metric itself.
FINALISTS = 3
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
    corrector: DocumentCorrector, sets: Sequence[DevSet], rare: Sequence[DevSet] = (), report: Report | None = None
) -> dict[str, Choice]:
    """The three presets of a model, chosen on `sets`; `careful` on `rare`, sets in which most sentences are correct."""
    trials = Trials(corrector, sets, report)
    careful = Trials(corrector, rare, report).choose(GOALS["careful"]) if rare else trials.choose(STRICT)
    return {"careful": careful, **{name: trials.choose(GOALS[name]) for name in ("balanced", "eager")}}


def with_presets(manifest: Mapping[str, Any], choices: Mapping[str, Choice], sets: Sequence[DevSet]) -> dict[str, Any]:
    """The manifest with the presets, what they reached and on which files; one that finds nothing is a `DataError`."""
    for name, choice in choices.items():
        if not any(one["recall"] and one["edits"] for one in choice.scores.values()):
            raise DataError(f"the preset {name} finds nothing in {', '.join(choice.scores)}: nothing is saved")
    presets = {name: choice.preset.as_dict() for name, choice in choices.items()}
    tuning = {
        "sets": {dev.path.name: {"sha256": file_digest(dev.path), "sentences": len(dev.texts)} for dev in sets},
        "presets": {name: choice.as_dict() for name, choice in choices.items()},
    }
    return {**manifest, "settings": {**manifest["settings"], "presets": presets}, "tuning": tuning}


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
    answers: tuple[Answers, ...]
    calibration: Calibration


def _asked_once(model: Any) -> Any:
    """The model, remembering its network's answers where it can."""
    if model.kind != "tagger":
        return model
    from errata.systems.tagger.remembering import RememberingRuntime

    other = copy(model)
    other.runtime = RememberingRuntime(model.runtime)
    return other


class Trials:
    """A model tried with every decoding on some sets; any number of presets can be chosen from them."""

    def __init__(self, corrector: DocumentCorrector, sets: Sequence[DevSet], report: Report | None = None) -> None:
        if not sets or not all(dev.texts for dev in sets):
            raise DataError("there are no sentences to tune on")
        self.name, self.model = corrector.name, _asked_once(corrector.model)
        self.sets, self.report = sets, report or (lambda line: None)
        self.trials = self._try_all()

    def _try_all(self) -> list[Trial]:
        # What stays as it is under the first settings, which give most edits, stays so under all.
        open_: list[list[int]] = [list(range(len(dev.texts))) for dev in self.sets]
        trials: list[Trial] = []
        for decoding in GRIDS.get(self.model.kind, ({},)):
            found = [
                dict(zip(numbers, self.run(Preset(decoding), [dev.texts[n] for n in numbers]), strict=True))
                for dev, numbers in zip(self.sets, open_, strict=True)
            ]
            if not trials:
                open_ = [[number for number, one in answers.items() if one.edits] for answers in found]
            answers = tuple(Answers.of(dev, one) for dev, one in zip(self.sets, found, strict=True))
            calibration = fit_calibration([edit for one in answers for edit in one.judged()])
            trials.append(Trial(decoding, answers, calibration))
            self.report(f"{_shown(decoding)}: {sum(len(one.edits) for one in answers)} edits")
        return trials

    def run(self, preset: Preset, texts: Sequence[str]) -> list[Correction]:
        """The corrections of the texts with a preset."""
        is_tokenised = self.model.language == "en"
        asked = DocumentCorrector(self.model, name=self.name, tokenised=is_tokenised, presets={"tried": preset})
        return asked.with_preset("tried").correct(texts)

    def choose(self, goal: Goal) -> Choice:
        """The preset with the best mean score over the sets."""
        # Of equals the later trial, which gives fewer edits to look at and so takes less time.
        candidates = sorted((self._best_step(trial, goal) for trial in reversed(self.trials)), key=lambda one: -one[0])
        choices: list[Choice] = []
        for estimated, least, trial in candidates[:FINALISTS]:
            preset = Preset(dict(trial.decoding), trial.calibration, least)
            scores = {dev.path.name: dev.score(self.run(preset, dev.texts), goal) for dev in self.sets}
            choices.append(Choice(preset, goal, scores, *_calibration_errors(trial)))
            self.report(
                f"{_shown(trial.decoding)}, confidence from {least:.2f}: F{goal.beta:g} {100 * choices[-1].f:.2f} "
                f"(estimated {100 * estimated:.2f})"
            )
        return max(choices, key=lambda one: one.f)

    def _best_step(self, trial: Trial, goal: Goal) -> tuple[float, float, Trial]:
        found = np.mean([one.estimate(trial.calibration, STEPS, goal) for one in trial.answers], axis=0)
        # Where nothing is precise enough, anything goes.
        allowed = np.flatnonzero(found[:, 0] >= goal.min_precision).tolist() or range(len(STEPS))
        best = max(allowed, key=lambda step: (round(float(found[step, 1]), 6), step))
        return round(float(found[best, 1]), 6), STEPS[best], trial


def _calibration_errors(trial: Trial) -> tuple[float, float]:
    """Before, and after on the halves that were not fitted."""
    first, second = ([edit for one in trial.answers for edit in one.judged(half)] for half in (0, 1))
    return calibration_error([*first, *second]), held_out_error((first, second))


def _shown(decoding: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in decoding.items()) or "its own settings"
