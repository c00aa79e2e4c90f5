"""Reading a recipe: YAML into frozen dataclasses, every fault told with its line.

`parse` knows dataclasses (nested), `X | None`, `tuple`/`list`/`dict`, `Literal`, numbers, strings and paths; what the
settings *are* is in `training.settings`. Values are read by the type of the field, not by YAML's guess, so `1e-4` is a
number and `no` can be a word.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import re
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import yaml

from errata.errors import FormatError
from errata.training.shipped import FOLDER, VARIABLE

# A path that training writes: relative to the current directory. A plain `Path` is read: relative to the recipe.
OutputPath = Annotated[Path, "output"]
_LOG = logging.getLogger(__name__)
_INTEGER, _VARIABLE = re.compile(r"[-+]?[\d_]+"), re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a recipe and where it was written; scalars are text, an absent value is None."""

    value: str | list[Node] | dict[str, Node] | None
    origin: str
    line: int | None

    def fault(self, message: str) -> FormatError:
        return FormatError(self.origin, self.line, message)


@dataclass(slots=True)
class Inputs:
    """Where relative paths start, and the input files met so far: (place in the recipe, its node, path).

    `others` are the folders of recipes that the recipe extends, by what their nodes have as origin.
    """

    folder: Path
    others: Mapping[str, Path] = field(default_factory=dict)
    met: list[tuple[str, Node, Path]] = field(default_factory=list)


def read_nodes(text: str, origin: str) -> Node:
    """The tree of a YAML document; a document that is not a mapping, or says a key twice, is a `FormatError`."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise FormatError(origin, line, f"not YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise FormatError(origin, None, f"not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(root, yaml.MappingNode):
        raise FormatError(origin, None, "a recipe is a mapping (`system: …`, `model: …`)")
    return _node(root, origin, 1)


def _node(yaml_node: yaml.Node, origin: str, line: int | None) -> Node:
    if isinstance(yaml_node, yaml.SequenceNode):
        items = [_node(item, origin, line and item.start_mark.line + 1) for item in yaml_node.value]
        return Node(items, origin, line)
    if isinstance(yaml_node, yaml.MappingNode):
        children: dict[str, Node] = {}
        for key, value in yaml_node.value:
            # The key's line, not the value's: a section is found by its heading.
            child = _node(value, origin, line and key.start_mark.line + 1)
            if key.value in children:
                raise child.fault(f"key {key.value!r} is given twice")
            children[key.value] = child
        return Node(children, origin, line)
    is_null = yaml_node.tag == "tag:yaml.org,2002:null"
    return Node(None if is_null else yaml_node.value, origin, line)


def to_node(value: Any, place: Node) -> Node:
    """Plain Python as the tree that a recipe would have, written where `place` is."""
    if isinstance(value, Mapping):
        return Node({key: to_node(item, place) for key, item in value.items()}, place.origin, place.line)
    if isinstance(value, list | tuple):
        return Node([to_node(item, place) for item in value], place.origin, place.line)
    return Node(None if value is None else str(value), place.origin, place.line)


def extend(base: Node, node: Node) -> Node:
    """`base` with what `node` says: sections key by key, anything else in the place of what was there."""
    if not isinstance(base.value, dict) or not isinstance(node.value, dict):
        return node
    changed = {key: extend(base.value[key], child) if key in base.value else child for key, child in node.value.items()}
    return Node({**base.value, **changed}, node.origin, node.line)


def override(root: Node, assignments: Iterable[str]) -> Node:
    """The tree with `section.key=value` assignments (values are YAML) put in; faults name the assignment.

    The last of several values counts, so that a script can be given more.
    """
    chosen: dict[str, str] = {}
    for assignment in assignments:
        dotted, equals, text = assignment.partition("=")
        if chosen.setdefault(dotted.strip(), assignment) != assignment:
            _LOG.warning("--set %s gives way to --set %s", chosen[dotted.strip()], assignment)
            chosen[dotted.strip()] = assignment
        origin = f"--set {assignment}"
        if not equals or not dotted.strip():
            raise FormatError(origin, None, "write key=value, as in optimiser.learning_rate=1e-4")
        try:
            composed = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            raise FormatError(origin, None, "the value is not YAML") from error
        value = Node(None, origin, None) if composed is None else _node(composed, origin, None)
        root = _put(root, dotted.strip().split("."), value)
    return root


def _put(node: Node, keys: list[str], value: Node) -> Node:
    if not keys:
        return value
    children = node.value if isinstance(node.value, dict) else {}
    child = children.get(keys[0], Node(None, value.origin, None))
    return Node({**children, keys[0]: _put(child, keys[1:], value)}, node.origin, node.line)


def parse(kind: Any, node: Node, where: str, inputs: Inputs) -> Any:
    """`node` as a value of type `kind`; `where` is its dotted place in the recipe, for messages."""
    if dataclasses.is_dataclass(kind):
        return parse_fields(kind, node, where, inputs)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Path(_expanded(node, where))
    if origin in (Union, types.UnionType):
        return _parse_union(arguments, node, where, inputs)
    if origin is Literal:
        return _parse_choice(arguments, node, where)
    if origin in (tuple, list) or kind in (tuple, list):
        return _parse_sequence(origin, arguments, node, where, inputs)
    if origin in (dict, Mapping):
        return {
            key: parse(arguments[1], child, f"{where}.{key}", inputs) for key, child in mapping(node, where).items()
        }
    if kind is Path:
        path = (inputs.others.get(node.origin, inputs.folder) / _expanded(node, where)).resolve()
        inputs.met.append((where, node, path))
        return path
    if kind is Any:
        return plain(node)
    return _parse_scalar(kind, node, where)


def parse_fields(kind: Any, node: Node, where: str, inputs: Inputs) -> Any:
    """The dataclass `kind` from a mapping: unknown and missing keys are faults, defaults fill the rest."""
    children, hints = mapping(node, where), get_type_hints(kind, include_extras=True)
    fields = {f.name: f for f in dataclasses.fields(kind) if f.init}
    refuse_unknown(children, fields, where)
    for name, f in fields.items():
        if name not in children and f.default is f.default_factory is dataclasses.MISSING:
            raise node.fault(f"missing key {name!r} in {where or 'the recipe'}")
    values = {
        name: parse(hints[name], child, f"{where}.{name}".lstrip("."), inputs) for name, child in children.items()
    }
    try:
        return kind(**values)
    except ValueError as error:  # the dataclass's own checks, in __post_init__
        raise node.fault(f"{where}: {error}") from error


def refuse_unknown(children: Mapping[str, Node], known: Iterable[str], where: str) -> None:
    """Raise for the first key that is not in `known`, with the nearest one that is."""
    names = list(known)
    for key, child in children.items():
        if key not in names:
            near = get_close_matches(key, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(names)}"
            raise child.fault(f"unknown key {key!r} in {where or 'the recipe'}; {hint}")


def mapping(node: Node, where: str) -> dict[str, Node]:
    """The children of a section; an empty section has none."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        raise node.fault(f"{where}: a section with keys is needed, not {_described(node)}")
    return node.value


def plain(node: Node) -> Any:
    """The value as plain Python, types guessed as YAML does (for fields that say nothing)."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return None if node.value is None else yaml.safe_load(node.value)


def _parse_union(kinds: tuple[Any, ...], node: Node, where: str, inputs: Inputs) -> Any:
    if node.value is None and type(None) in kinds:
        return None
    choices = [kind for kind in kinds if kind is not type(None)]
    for kind in choices[:-1]:
        try:
            return parse(kind, node, where, inputs)
        except FormatError:
            continue
    return parse(choices[-1], node, where, inputs)


def _parse_choice(choices: tuple[Any, ...], node: Node, where: str) -> Any:
    by_text = {str(choice): choice for choice in choices}
    if isinstance(node.value, str) and node.value in by_text:
        return by_text[node.value]
    near = get_close_matches(str(node.value), by_text, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise node.fault(f"{where}: {_described(node)} is not one of {', '.join(by_text)}{hint}")


def _parse_sequence(
    origin: Any, arguments: tuple[Any, ...], node: Node, where: str, inputs: Inputs
) -> tuple[Any, ...] | list[Any]:
    if not isinstance(node.value, list):
        raise node.fault(f"{where}: a list is needed ([a, b]), not {_described(node)}")
    fixed = origin is tuple and arguments[-1:] != (...,)
    if fixed and len(node.value) != len(arguments):
        raise node.fault(f"{where}: {len(arguments)} values are needed, not {len(node.value)}")
    kinds = arguments if fixed else arguments[:1] * len(node.value)
    items = [
        parse(kind, child, f"{where}[{i}]", inputs)
        for i, (kind, child) in enumerate(zip(kinds, node.value, strict=True))
    ]
    return tuple(items) if origin is tuple else items


def _parse_scalar(kind: Any, node: Node, where: str) -> Any:
    wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[kind]
    if not isinstance(node.value, str):
        raise node.fault(f"{where}: {wanted} is needed, not {_described(node)}")
    if kind is str:
        return node.value
    try:
        if kind is bool:
            return {"true": True, "false": False}[node.value.lower()]
        number = float(node.value)
        if kind is float:
            return number
        if not number.is_integer():
            raise ValueError
        return int(node.value) if _INTEGER.fullmatch(node.value) else int(number)
    except (ValueError, KeyError, OverflowError):
        raise node.fault(f"{where}: {node.value!r} is not {wanted}") from None


def _expanded(node: Node, where: str) -> str:
    """The text of a path with `${NAME}` replaced from the environment, `${ERRATA_RECIPES}` by the shipped recipes'."""
    if not isinstance(node.value, str):
        raise node.fault(f"{where}: a path is needed, not {_described(node)}")

    def value_of(match: re.Match[str]) -> str:
        if match[1] == VARIABLE:
            return str(FOLDER)
        if match[1] not in os.environ:
            raise node.fault(f"{where}: the environment has no {match[1]} (in {node.value!r})")
        return os.environ[match[1]]

    return str(Path(_VARIABLE.sub(value_of, node.value)).expanduser())


def _described(node: Node) -> str:
    if isinstance(node.value, dict):
        return "a section"
    if isinstance(node.value, list):
        return "a list"
    return "nothing" if node.value is None else repr(node.value)
