"""Looks for texts that make a function slow: `python -m benchmarks.linear.search --seconds 20 literal_spans`.

A small evolution: texts are a prefix, a repeat and a suffix, the slowest of the same length have children with a change
or two. What was slowest is measured at four times the length; the exit status is 1 where time grows faster than the
text. Without names every function and every pattern is searched.
"""

from __future__ import annotations

import argparse
import random
import string
import sys
import time
from collections.abc import Mapping
from dataclasses import replace

from benchmarks.linear.functions import FUNCTIONS
from benchmarks.linear.growth import SHORT, Growth, Run, find_growth, seconds
from benchmarks.linear.inputs import REPEATS, Recipe
from benchmarks.linear.patterns import find_patterns

SIGNS = (
    *string.punctuation,
    *"aZ1 \n\r\té中。，“”’\u0301\u200d\u2028👩",
    "n't",
    "www.",
    "://",
    "\\begin{a}",
    "<a ",
    "](",
    "- ",
    "> ",
)
ALIVE, CHILDREN = 12, 24
MAX_REPEAT, MAX_AFFIX = 12, 12
# One text must not eat the time of all others.
TOO_SLOW = 2.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.linear.search", description=__doc__)
    runs = every_run()
    parser.add_argument("names", nargs="*", metavar="NAME", help="how functions or patterns begin (all)")
    parser.add_argument("--seconds", type=float, default=10, help="for each of them (10)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    wanted = [name for name in runs if not args.names or name.startswith(tuple(args.names))]
    if not wanted:
        parser.error(f"nothing begins with {' or '.join(args.names)}; there are {', '.join(FUNCTIONS)} and patterns")
    is_linear = True
    for name in wanted:
        slowest = search(runs[name], random.Random(args.seed), args.seconds)
        growth = find_growth(runs[name], slowest)
        print(f"{name:40} {_verdict(growth)}", flush=True)
        is_linear = is_linear and (growth is None or growth.is_linear)
    return 0 if is_linear else 1


def every_run() -> Mapping[str, Run]:
    """What can be searched, by name."""
    patterns = ((known, zip(known.uses, known.runs(), strict=True)) for known in find_patterns())
    return {**FUNCTIONS, **{f"{known.place} {use}": run for known, runs in patterns for use, run in runs}}


def search(run: Run, rng: random.Random, limit: float, length: int = SHORT) -> Recipe:
    """The text that took longest in `limit` seconds of searching."""
    ends = time.monotonic() + limit
    alive = [(seconds(run, recipe.make(length)), recipe) for recipe in map(Recipe, REPEATS[::3])]
    while True:
        alive = sorted(alive, key=lambda one: one[0], reverse=True)[:ALIVE]
        for _ in range(CHILDREN):
            if time.monotonic() > ends or alive[0][0] > TOO_SLOW:
                return max(alive, key=lambda one: one[0])[1]
            child = _change(rng.choice(alive)[1], rng.choice(alive)[1], rng)
            alive.append((seconds(run, child.make(length)), child))


def _change(recipe: Recipe, other: Recipe, rng: random.Random) -> Recipe:
    """A child: a part changed, or taken from the other."""
    part = rng.choice(("repeat", "repeat", "prefix", "suffix"))
    old: str = getattr(recipe, part)
    at, sign = rng.randint(0, len(old)), rng.choice(SIGNS)
    new = rng.choice((old[:at] + sign + old[at:], old[:at] + old[at + 1 :], old[:at] + sign + old[at + 1 :], old + old))
    if rng.random() < 0.15:
        new = getattr(other, rng.choice(("repeat", "prefix", "suffix")))
    most = MAX_REPEAT if part == "repeat" else MAX_AFFIX
    return replace(recipe, **{part: new[:most] or sign}) if part == "repeat" else replace(recipe, **{part: new[:most]})


def _verdict(growth: Growth | None) -> str:
    if growth is None:
        return "quick"
    return f"{'linear' if growth.is_linear else 'SUPERLINEAR'}: {growth}"


if __name__ == "__main__":
    sys.exit(main())
