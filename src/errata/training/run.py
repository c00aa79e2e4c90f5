"""A whole run: read the recipe, prepare the data, train, draw the curve. Both command lines call this."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from errata.errors import MissingExtra, UsageError
from errata.logs import StderrHandler
from errata.parameters import check_path, check_type

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
        from errata.training.devices import joined
        from errata.training.guard import check_recipe
        from errata.training.loop import clear_run, train
        from errata.training.plot import plot_log
        from errata.training.progress import shown_progress
        from errata.training.recipe import find_task, read_recipe
        from errata.training.shipped import find_recipe
    except ModuleNotFoundError as error:
        raise MissingExtra(str(error.name), "train") from error

    _show_log_lines()
    recipe = read_recipe(find_recipe(recipe_name), assignments)
    with joined(device) as place, shown_progress() as show:
        task = None
        if place.is_first:
            check_recipe(recipe)
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


def train(
    recipe: str | Path,
    settings: Mapping[str, object] | None = None,
    *,
    resume: bool = False,
    restart: bool = False,
    device: str = "auto",
) -> Path:
    """Train as a recipe says (a shipped one by name, or a file), and return the folder of the model.

    `settings` change the recipe: `errata.train("tagger-tiny", {"run.steps": 200})`. A run that is interrupted saves
    itself and raises `KeyboardInterrupt`; `resume` goes on from there.
    """
    from errata.training.recipe import read_recipe
    from errata.training.shipped import find_recipe

    check_path("recipe", recipe)
    check_type("settings", settings, Mapping | None)
    for name in settings or {}:
        check_type("the name of a setting", name, str)
    check_type("resume", resume, bool)
    check_type("restart", restart, bool)
    check_type("device", device, str)
    if resume and restart:
        raise UsageError("resume goes on, restart begins anew: give one of them")
    assignments = [f"{name}={'null' if value is None else value}" for name, value in (settings or {}).items()]
    folder = read_recipe(find_recipe(recipe), assignments).folder / "model"
    if run_recipe(recipe, assignments, resume=resume, restart=restart, device=device):
        raise KeyboardInterrupt
    return folder


def _show_log_lines() -> None:
    """Our own log lines on stderr; other libraries' stay as the program has them."""
    ours = logging.getLogger("errata")
    if not ours.handlers:
        ours.addHandler(StderrHandler())
        ours.setLevel(logging.INFO)


def _say(line: str) -> None:
    if line:
        print(line, file=sys.stderr)
