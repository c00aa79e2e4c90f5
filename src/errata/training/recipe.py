"""From a recipe file to a `Recipe`: the sections find their dataclasses, the input files are looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from errata.errors import DataError, ErrataError
from errata.places import as_path
from errata.registry import lookup
from errata.training.digests import is_remembered
from errata.training.objectives import OBJECTIVES
from errata.training.parsing import Inputs, Node, extend, mapping, override, parse, read_nodes, refuse_unknown, to_node
from errata.training.settings import (
    SECTIONS,
    BatchSettings,
    EvaluationSettings,
    OptimiserSettings,
    Recipe,
    RunSettings,
    ScheduleSettings,
)
from errata.training.shipped import is_shipped_name, shipped_recipe, start_of_paths
from errata.training.task import TASKS, StartingTask

# Keys beside the sections: the recipe this one changes, and the trained system that training goes on from.
EXTENDS, START = "extends", "start"


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
    return parse_recipe(_read_text(path), path, assignments)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise DataError(f"cannot read the recipe {path}: {reason}") from error


def parse_recipe(text: str, origin: Path, assignments: Iterable[str] = ()) -> Recipe:
    """The recipe written in `text`; faults name `origin`, and input paths start at its folder (`start_of_paths`)."""
    tree, folders = _read_tree(text, origin, ())
    root = override(tree, assignments)
    start = start_of_paths(origin)
    refuse_unknown(mapping(root, ""), (*SECTIONS, START), "")
    _require(root, "system")
    system = parse(str, mapping(root, "")["system"], "system", Inputs(start))
    task = _named(mapping(root, "")["system"], find_task, system)
    root = _started(root, task, system)
    _require(root, "language", "optimiser", "run")
    sections, inputs = mapping(root, ""), Inputs(start, folders)

    def section(name: str, kind: Any) -> Any:
        return parse(kind, sections.get(name, Node(None, root.origin, root.line)), name, inputs)

    recipe = Recipe(
        origin=origin.absolute(),
        start=start,
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


def _read_tree(text: str, origin: Path, extending: tuple[Path, ...]) -> tuple[Node, dict[str, Path]]:
    """The recipe's tree on top of the one it extends, and the folders of all that were read."""
    root = read_nodes(text, str(origin))
    sections = mapping(root, "")
    named = sections.pop(EXTENDS, None)
    folder = start_of_paths(origin)
    if named is None:
        return root, {str(origin): folder}
    if not isinstance(named.value, str):
        raise named.fault(f"{EXTENDS}: the name or path of a recipe is needed")
    is_name = is_shipped_name(named.value)
    path = _named(named, shipped_recipe, named.value) if is_name else folder / as_path(named.value)
    chain = (*extending, origin.resolve())
    if path.resolve() in chain:
        raise named.fault(f"{EXTENDS}: {named.value} extends this recipe")
    if not path.is_file():
        raise named.fault(f"{EXTENDS}: no such file {path}")
    base, folders = _read_tree(_read_text(path), path, chain)
    return extend(base, root), {**folders, str(origin): folder}


def _started(root: Node, task: Any, system: str) -> Node:
    """The tree on top of what the system that `start` names has to say; without `start`, the tree."""
    sections = dict(mapping(root, ""))
    named = sections.pop(START, None)
    root = Node(sections, root.origin, root.line)
    if named is None or named.value is None:
        return root
    if not isinstance(named.value, str):
        raise named.fault(f"{START}: the name of an installed model is needed, or the folder of one (./mine)")
    if not isinstance(task, StartingTask):
        raise named.fault(f"{START}: this is for taggers; a {system} goes on from run.start_from")
    taken = _named(named, task.starting_point, named.value)
    if "language" in sections and sections["language"].value != taken["language"]:
        raise named.fault(f"{START}: {named.value} is a model of another language ({taken['language']})")
    return extend(to_node(taken, named), root)


def _require(root: Node, *names: str) -> None:
    for name in names:
        if name not in mapping(root, ""):
            raise root.fault(f"missing key {name!r} in the recipe")


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
