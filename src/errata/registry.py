"""Lazy lookup of registered things by name.

A registry is a plain dict `{"errant": "errata.metrics.errant:Errant"}`; nothing is imported until it is asked for.
Other packages add to a registry by an entry point in its group (`errata.metrics`, `errata.formats`, `errata.systems`,
`errata.markups`, `errata.commands`, `errata.pages`). Entry points are read only for a name that is not built in. So a
built-in name always means errata's own, and nobody waits for the files of every installed package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from errata.errors import ErrataError, PluginError, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def lookup(kind: str, registry: Mapping[str, str], name: str, *, group: str | None = None) -> Any:
    """The object registered as `name`, here or in a group of entry points; `UnknownName` lists the choices."""
    if name in registry:
        return find_object(registry[name])
    plugins = find_plugins(group) if group else {}
    if name not in plugins:
        raise UnknownName(kind, name, [*registry, *plugins])
    return _load(kind, plugins[name])


def lookup_class(kind: str, registry: Mapping[str, str], name: str, base: type[Any], *, group: str) -> type[Any]:
    """The class derived from `base` that is registered as `name`; `PluginError` if it is something else."""
    found = lookup(kind, registry, name, group=group)
    if not (isinstance(found, type) and issubclass(found, base)):
        home = f"{base.__module__}.{base.__qualname__}"
        raise PluginError(f"{kind} {name!r} is {found!r}, which is no class derived from {home}")
    return found


def find_object(address: str) -> Any:
    """What lies at an address: `errata.metrics.errant:Errant`."""
    module, _, attribute = address.partition(":")
    return getattr(import_module(module), attribute)


def find_plugins(group: str) -> dict[str, list[EntryPoint]]:
    """Name → the entry points of that name in a group, of all installed packages."""
    from importlib.metadata import entry_points  # slow to import

    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        found.setdefault(point.name, []).append(point)
    return found


def _load(kind: str, points: list[EntryPoint]) -> Any:
    """What an entry point names; `PluginError` where several packages bring that name, or importing it fails."""
    if len({point.value for point in points}) > 1:
        brought = ", ".join(f"{_package(point)} ({point.value})" for point in points)
        raise PluginError(f"several packages bring a {kind} {points[0].name!r}: {brought}; uninstall all but one")
    point = points[0]
    try:
        found = point.load()
    except ErrataError:
        raise
    except Exception as error:  # the other package's code may fail in any way
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise PluginError(
            f"{kind} {point.name!r} of the package {_package(point)} cannot be loaded ({point.value}): {reason}; "
            "install a version that fits, or uninstall it"
        ) from error
    if not callable(found):
        raise PluginError(
            f"{kind} {point.name!r} of the package {_package(point)} ({point.value}) is {found!r}, no {kind}"
        )
    return found


def load_plugins(kind: str, registry: Mapping[str, str], group: str) -> tuple[dict[str, Any], list[str]]:
    """What other packages bring, by name, and what is wrong with what cannot be loaded, a line each."""
    loaded: dict[str, Any] = {}
    faults: list[str] = []
    for name, points in find_plugins(group).items():
        if name not in registry:
            try:
                loaded[name] = _load(kind, points)
            except ErrataError as error:
                faults.append(str(error))
    return loaded, faults


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "unknown"


def lazy_members(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package: imports `homes[name]` when `name` is first asked for.

    So a light module of the package can be had without the heavy ones whose names the package shows.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return find
