"""Lazy lookup of registered things by name.

A registry is a plain dict `{"errant": "errata.metrics.errant:Errant"}`; nothing is imported until it is asked for.
Other packages add to a registry by an entry point in its group (`errata.metrics`, `errata.formats`, `errata.systems`,
`errata.markups`, `errata.proposers`, `errata.commands`, `errata.pages`, `errata.judged_sets`; models are folders, which
`errata.systems.model_packages` finds). Entry points are read only for a name that is not built in. So a built-in name
always means errata's own, and nobody waits for the files of every installed package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from errata.errors import ErrataError, PluginError, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint


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
    """Name → the entry points of that name in a group, of all installed packages.

    A package that is installed in two folders of `sys.path` counts once, as it is in the first. One whose entry points
    cannot be read is left out with a warning.
    """
    from importlib.metadata import distributions  # slow to import

    found: dict[str, list[EntryPoint]] = {}
    seen: set[str] = set()
    for package in distributions():
        if points := _entry_points(package, group):
            name = package_name(package).lower().replace("_", "-").replace(".", "-")
            for point in points if name not in seen else ():
                found.setdefault(point.name, []).append(point)
            seen.add(name)
    return found


def _entry_points(package: Distribution, group: str) -> list[EntryPoint]:
    """The entry points of a package in a group; none, and a warning, where its file is damaged.

    `importlib.metadata.entry_points` parses the files of all packages, and fails for all if one is damaged.
    """
    try:
        if group not in (package.read_text("entry_points.txt") or ""):
            return []
        return list(package.entry_points.select(group=group))
    except Exception as error:  # the other package's file may be damaged in any way
        from logging import getLogger

        getLogger(__name__).warning(
            "the entry points of the package %s cannot be read (%s): install it again, or uninstall it",
            package_name(package),
            " ".join(str(error).split()),
        )
        return []


def package_name(package: Distribution | None) -> str:
    """What an installed package is called; "unknown" where its metadata is damaged."""
    try:
        return (package and package.name) or "unknown"
    except Exception:  # half of it is uninstalled, for one
        return "unknown"


def package_version(package: Distribution | None) -> str:
    """The version of an installed package; "" where its metadata is damaged."""
    try:
        return (package and package.version) or ""
    except Exception:  # as above
        return ""


def only_one(kind: str, points: list[EntryPoint]) -> EntryPoint:
    """The entry point of a name; `PluginError` where several packages bring that name."""
    if len({point.value for point in points}) > 1:
        brought = ", ".join(f"{package_name(point.dist)} ({point.value})" for point in points)
        raise PluginError(f"several packages bring a {kind} {points[0].name!r}: {brought}; uninstall all but one")
    return points[0]


def _load(kind: str, points: list[EntryPoint]) -> Any:
    """What an entry point names; `PluginError` where several packages bring that name, or importing it fails."""
    point = only_one(kind, points)
    try:
        found = point.load()
    except ErrataError:
        raise
    except (Exception, SystemExit) as error:  # the other package's code may fail in any way, or end the program
        raise PluginError(
            f"{kind} {point.name!r} of the package {package_name(point.dist)} cannot be loaded ({point.value}): "
            f"{describe_failure(error)}; install a version that fits, or uninstall it"
        ) from error
    if not callable(found):
        raise PluginError(
            f"{kind} {point.name!r} of the package {package_name(point.dist)} ({point.value}) is {found!r}, no {kind}"
        )
    return found


def describe_failure(error: BaseException) -> str:
    """What an error of another package's code says, on one line: `ValueError: no such file`."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def load_plugins(kind: str, registry: Mapping[str, str], group: str) -> tuple[dict[str, Any], list[str]]:
    """What other packages bring, by name, and a line for each entry point that cannot be used.

    One that has the name of something built in is among the latter.
    """
    loaded: dict[str, Any] = {}
    faults: list[str] = []
    for name, points in find_plugins(group).items():
        if name in registry:
            faults += [shadowing(kind, point) for point in points]
            continue
        try:
            loaded[name] = _load(kind, points)
        except ErrataError as error:
            faults.append(str(error))
    return loaded, faults


def shadowing(kind: str, point: EntryPoint) -> str:
    """What is said of an entry point whose name is built in."""
    package = package_name(point.dist)
    return f"{kind} {point.name!r} of the package {package} is left out: the name is one of errata's own"


def lazy_members(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package: imports `homes[name]` when `name` is first asked for.

    So a light module of the package can be had without the heavy ones whose names the package shows.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return find
