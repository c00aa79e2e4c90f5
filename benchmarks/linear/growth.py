"""How the time of a piece of code grows with the length of its text."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.linear.inputs import Recipe

Run = Callable[[str], object]

# Nothing that takes less than so many seconds for SHORT characters is quadratic there: 8 million steps take longer.
SHORT, LONG = 4_000, 16_000
QUICK = 0.01
# Four times the text may take so many times as long. Quadratic time would take 16 times as long; caches cost a little.
MOST_GROWTH = 7.0
TRIES = 5
# So many seconds for the long text are no noise.
HOPELESS = 2.0
# Linear time can be long too: seconds a pattern may take for a character.
MOST_PER_CHARACTER = 10e-6


@dataclass(frozen=True, slots=True)
class Growth:
    """The seconds a text took, and one that is four times as long."""

    recipe: Recipe
    short: float
    long: float

    @property
    def is_linear(self) -> bool:
        return self.long <= MOST_GROWTH * max(self.short, QUICK)

    @property
    def is_cheap(self) -> bool:
        return self.long <= MOST_PER_CHARACTER * LONG

    def __str__(self) -> str:
        grown = f"{self.short:.3f} s for {SHORT} characters, {self.long:.3f} s for {LONG}"
        return f"{self.recipe}: {grown}"


def seconds(run: Run, text: str) -> float:
    """The processor time of one run of this thread: other programs do not count.

    The garbage collector is off meanwhile. It walks over every object of the process, so its time depends on what
    else is in memory, and a long text that makes many objects would be charged for that.
    """
    was_enabled = gc.isenabled()
    gc.collect(0)
    gc.disable()
    try:
        started = time.thread_time()
        run(text)
        return time.thread_time() - started
    finally:
        if was_enabled:
            gc.enable()


def find_growth(run: Run, recipe: Recipe) -> Growth | None:
    """How the time grows where it could matter; None where the short text takes no time.

    Noise only ever adds time, so each length keeps its quickest run.
    """
    if seconds(run, recipe.make(SHORT)) < QUICK:
        return None
    growth = Growth(recipe, float("inf"), float("inf"))
    for _ in range(TRIES):
        short, long = seconds(run, recipe.make(SHORT)), seconds(run, recipe.make(LONG))
        growth = Growth(recipe, min(short, growth.short), min(long, growth.long))
        if (growth.is_linear and growth.is_cheap) or growth.long > HOPELESS:
            return growth
    return growth
