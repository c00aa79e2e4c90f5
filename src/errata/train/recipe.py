"""From a recipe file to a `Recipe`: the sections find their dataclasses, the input files are looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from errata.errors import DataError, ErrataError
from errata.registry import lookup
from errata.train.digests import is_remembered
from errata.train.objectives import OBJECTIVES
from errata.train.parsing import Inputs, Node, mapping, override, parse, read_nodes, refuse_unknown
from errata.train.settings import (
    SECTIONS,
    BatchSettings,
    EvaluationSettings,
    OptimiserSettings,
    Recipe,
    RunSettings,
    ScheduleSettings,
)
from errata.train.task import TASKS


def find_task(system: str) -> Any:
    """The task class named `system` in `TASKS`, or at the address `package.module:Class`."""
    if ":" not in system:
        return lookup("system", TASKS, system)
    module, _, name = system.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise DataError(f"no task at {system}: {error}") from error


def read_recipe(path: Path, assignments: Iterable[str] = ()) -> Recipe:
    """The recipe in `path` with `section.key=value` assignments on top; any fault is one `FormatError` line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise DataError(f"cannot read the recipe {path}: {reason}") from error
    return parse_recipe(text, path, assignments)


def parse_recipe(text: str, origin: Path, assignments: Iterable[str] = ()) -> Recipe:
    """The recipe written in `text`; faults name `origin`, and relative input paths start at its folder."""
    root = override(read_nodes(text, str(origin)), assignments)
    sections, inputs = mapping(root, ""), Inputs(origin.absolute().parent)
    refuse_unknown(sections, SECTIONS, "")
    for name in ("system", "language", "optimiser", "run"):
        if name not in sections:
            raise root.fault(f"missing key {name!r} in the recipe")

    def section(name: str, kind: Any) -> Any:
        return parse(kind, sections.get(name, Node(None, root.origin, root.line)), name, inputs)

    system = section("system", str)
    task = _named(sections["system"], find_task, system)
    recipe = Recipe(
        origin=origin.absolute(),
        system=system,
        language=section("language", Literal["en", "zh"]),
        seed=section("seed", int) if "seed" in sections else 1,
        model=section("model", task.Settings),
        data=section("data", task.DataSettings),
        objective=_objective(sections.get("objective"), inputs),
        optimiser=section("optimiser", OptimiserSettings),
        schedule=section("schedule", ScheduleSettings),
        batches=section("batches", BatchSettings),
        evaluation=section("evaluation", EvaluationSettings),
        run=section("run", RunSettings),
        inputs=tuple(path for _, _, path in inputs.met),
    )
    for where, node, path in inputs.met:
        if not path.exists() and not is_remembered(recipe.relative(path), recipe.run.cache):
            raise node.fault(f"{where}: no such file {path}")
    return recipe


def _objective(node: Node | None, inputs: Inputs) -> Any:
    """The objective that `objective: {name: …, settings…}` describes; likelihood when nothing is said."""
    settings = {} if node is None else dict(mapping(node, "objective"))
    named = settings.pop("name", None)
    name = "likelihood" if named is None else parse(str, named, "objective.name", inputs)
    place = named or node or Node(None, "<default>", None)
    kind = _named(place, lambda name: lookup("objective", OBJECTIVES, name), name)
    return parse(kind, Node(settings, place.origin, place.line), "objective", inputs)


def _named(node: Node, find: Callable[[str], Any], name: str) -> Any:
    """What `find` finds under `name`; not finding it is a fault of the recipe, at `node`."""
    try:
        return find(name)
    except ErrataError as error:
        raise node.fault(str(error)) from error
