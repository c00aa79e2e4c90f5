"""A whole run: read the recipe, prepare the data, train, draw the curve. Both command lines call this."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from pathlib import Path

from errata.errors import MissingExtra
from errata.logs import StderrHandler

INTERRUPTED = 130  # exit status after a signal, as shells have it


def run_recipe(
    recipe_name: str | Path,
    assignments: Iterable[str] = (),
    *,
    resume: bool = False,
    restart: bool = False,
    prepare_only: bool = False,
    device: str = "auto",
) -> int:
    """Do what the recipe (a shipped one by name, or a file) says and return the exit status.

    Faults are `ErrataError`s.
    """
    try:
        from errata.train.devices import joined
        from errata.train.loop import clear_run, train
        from errata.train.plot import plot_log
        from errata.train.progress import shown_progress
        from errata.train.recipe import find_task, read_recipe
        from errata.train.shipped import find_recipe
    except ModuleNotFoundError as error:
        raise MissingExtra(str(error.name), "train") from error

    _show_log_lines()
    recipe = read_recipe(find_recipe(recipe_name), assignments)
    with joined(device) as place, shown_progress() as show:
        task = None
        if place.is_first:
            task = find_task(recipe.system).prepare(recipe, recipe.run.cache)
        place.share(None)  # the others find the data packed
        if prepare_only:
            _say(f"prepared {len(task.train_examples):,} training examples in {recipe.run.cache}" if task else "")
            return 0
        task = task or find_task(recipe.system).prepare(recipe, recipe.run.cache)
        if restart and place.is_first:
            clear_run(recipe)
        outcome = train(recipe, task, place=place, resume=resume, show=show)
    if not place.is_first:
        return 0
    plot_log(recipe.folder / "log.jsonl", recipe.folder / "loss.png")
    if outcome.ended == "interrupted":
        _say(f"stopped at step {outcome.step}; the same command with --resume goes on from there")
        return INTERRUPTED
    ended = "stopped early" if outcome.ended == "early" else "done"
    _say(f"{ended} at step {outcome.step}: {recipe.folder / 'model'}")
    return 0


def _show_log_lines() -> None:
    """Our own log lines on stderr; other libraries' stay as the program has them."""
    ours = logging.getLogger("errata")
    if not ours.handlers:
        ours.addHandler(StderrHandler())
        ours.setLevel(logging.INFO)


def _say(line: str) -> None:
    if line:
        print(line, file=sys.stderr)
