"""When things happen in a run, and at what learning rate: pure functions of the step, so nothing needs saving.

A run that ends by the clock (`run.seconds`) needs the seconds it has taken too; a checkpoint has them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.training.settings import Recipe, ScheduleSettings


def rate_share(schedule: ScheduleSettings, step: int, steps: int) -> float:
    """The share of the full learning rate at `step` (from 0) of `steps`: warm-up, then the schedule's shape."""
    warmup = round(schedule.warmup * steps if schedule.warmup < 1 else schedule.warmup)
    if step < warmup:
        return (step + 1) / (warmup + 1)
    if schedule.shape == "inverse-sqrt":
        return max(schedule.floor, math.sqrt(max(warmup, 1) / max(step, warmup, 1)))
    left = max(0.0, (steps - step) / max(1, steps - warmup))
    falling = {"constant": 1.0, "linear": left, "cosine": (1 - math.cos(math.pi * left)) / 2}[schedule.shape]
    return schedule.floor + (1 - schedule.floor) * falling


@dataclass(frozen=True, slots=True)
class Timetable:
    """The run in steps: how many, how many to an epoch, how many cold, how far apart the evaluations are.

    `seconds` is how long it may take; None for as long as the steps need.
    """

    steps: int
    per_epoch: int
    cold: int
    evaluate_every: int
    seconds: float | None = None

    @classmethod
    def of(cls, recipe: Recipe, batches_per_epoch: int, world: int = 1) -> Timetable:
        """Epochs are counted by the first epoch's batches; later plans differ by a batch or so."""
        per_epoch = max(1, math.ceil(batches_per_epoch / (recipe.batches.accumulate * world)))
        steps = recipe.run.steps or max(1, round((recipe.run.epochs or 0) * per_epoch))
        cold = recipe.optimiser.cold
        return cls(
            steps=steps,
            per_epoch=per_epoch,
            cold=0 if cold is None else min(steps, round(cold.epochs * per_epoch)),
            evaluate_every=recipe.evaluation.every or per_epoch,
            seconds=recipe.run.seconds,
        )

    def is_over(self, step: int, seconds: float) -> bool:
        """Whether the run ends after `step` steps and `seconds` seconds."""
        return step >= self.steps or (self.seconds is not None and seconds >= self.seconds)

    def expected_steps(self, step: int, seconds: float) -> int:
        """How many steps the run will have in all, if it goes on as fast as so far.

        >>> Timetable(steps=9000, per_epoch=500, cold=0, evaluate_every=500, seconds=300.0).expected_steps(1000, 60.0)
        5000
        """
        if self.seconds is None or step == 0:
            return self.steps
        return min(self.steps, max(step, round(step * self.seconds / max(seconds, 1e-9))))

    def is_evaluation(self, step: int) -> bool:
        """Whether dev is scored after `step` steps because of the interval; it is at the end, too."""
        return step % self.evaluate_every == 0
