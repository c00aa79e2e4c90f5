"""Every regular expression of errata, found by itself: a new one is in the list as soon as it is written.

Patterns are compiled at the top of their module. One that is compiled, or given as a string, inside a function would be
missing here; `hidden_calls` finds it in the source.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import errata

ROOT = Path(errata.__file__).parent
SCANS = frozenset({"search", "finditer", "findall", "sub", "subn", "split", "scanner"})
# What calls of the `re` module take a pattern.
CALLS = frozenset({"compile", "match", "fullmatch", *SCANS})
_ANY_CALL = re.compile(rf"\.(?:{'|'.join(sorted(CALLS))})\b")

# Ways to use a pattern. `everywhere` is `match` with a place to begin at, as parsers call it again and again.
USES: dict[str, Callable[[re.Pattern[Any], Any], object]] = {
    "scan": lambda pattern, text: deque(pattern.finditer(text), maxlen=0),
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "everywhere": lambda pattern, text: [pattern.match(text, start) is None for start in range(len(text))],
}


@dataclass(frozen=True, slots=True)
class KnownPattern:
    """A compiled pattern, where it is, and how it is used."""

    place: str
    pattern: re.Pattern[Any]
    uses: tuple[str, ...]

    def runs(self) -> Iterator[Callable[[str], object]]:
        """What must take linear time: each use of the pattern on a text."""
        own = self.pattern
        if isinstance(own.pattern, bytes):
            return (lambda text, run=USES[use]: run(own, text.encode()) for use in self.uses)
        return (partial(USES[use], own) for use in self.uses)


@dataclass(frozen=True, slots=True)
class HiddenCall:
    """A call of the `re` module that no list of compiled patterns shows."""

    module: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.code}"


def find_patterns() -> list[KnownPattern]:
    """The compiled patterns of all modules, each once, in the order of their modules."""
    modules = dict(_modules())
    uses = _uses(modules)
    places: dict[re.Pattern[Any], list[str]] = defaultdict(list)
    for module, tree in modules.items():
        if any(_re_calls(tree)):
            for name, pattern in _walk(importlib.import_module(module)):
                places[pattern].append(f"{module}:{name}")
    return [KnownPattern(found[0], pattern, _used(found, uses)) for pattern, found in places.items()]


def hidden_calls() -> list[HiddenCall]:
    """Calls of the `re` module inside functions, and those at the top of a module that keep no pattern."""
    found: list[HiddenCall] = []
    for module, tree in _modules():
        calls = list(_re_calls(tree))
        inside = set(_inside_functions(tree)) if calls else set()
        hidden = (call for name, call in calls if name != "compile" or call in inside)
        found += (HiddenCall(module, call.lineno, ast.unparse(call)) for call in hidden)
    return found


def _modules() -> Iterator[tuple[str, ast.Module]]:
    """The modules that could have or use a pattern, by their names."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = ("errata", *path.relative_to(ROOT).with_suffix("").parts)
        name = ".".join(part for part in parts if part != "__init__")
        text = path.read_text("utf-8")
        if not name.endswith("__main__") and _ANY_CALL.search(text):
            yield name, ast.parse(text)


def _re_calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """The calls of the `re` module that take a pattern, with their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in ("re", "regex"):
                yield node.func.attr, node


def _inside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from ast.walk(node)


def _walk(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns at the top of a module, also those in its collections and classes."""
    for name, value in vars(module).items():
        yield from _patterns_in(name, value)
        if isinstance(value, type) and value.__module__ == module.__name__:
            for attribute, inner in vars(value).items():
                yield from _patterns_in(f"{name}.{attribute}", inner)


def _patterns_in(place: str, value: object) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _patterns_in(f"{place}[{key!r}]", inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for number, inner in enumerate(value):
            yield from _patterns_in(f"{place}[{number}]", inner)


def _used(places: list[str], uses: dict[str, set[str]]) -> tuple[str, ...]:
    """How a pattern is used under any of its names; in all ways where the source does not tell (in a list, say)."""
    known = set().union(*(uses.get(place, ()) for place in places))
    return tuple(sorted(known or {"scan", "match", "fullmatch"}))


def _uses(modules: dict[str, ast.Module]) -> dict[str, set[str]]:
    """How the patterns of a name are used: `_WORD.finditer(text)` scans, `_MARK.match(text, start)` is everywhere."""
    found: dict[str, set[str]] = defaultdict(set)
    for module, tree in modules.items():
        nodes = list(ast.walk(tree))
        home = {alias.asname or alias.name: f"{node.module}:{alias.name}" for node, alias in _imported_names(nodes)}
        with_start = {id(call.func) for call in nodes if isinstance(call, ast.Call) and len(call.args) > 1}
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr in CALLS and isinstance(node.value, ast.Name):
                is_everywhere = node.attr == "match" and id(node) in with_start
                use = "everywhere" if is_everywhere else "scan" if node.attr in SCANS else node.attr
                found[home.get(node.value.id, f"{module}:{node.value.id}")].add(use)
    return found


def _imported_names(nodes: list[ast.AST]) -> Iterator[tuple[ast.ImportFrom, ast.alias]]:
    return ((node, alias) for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names)
