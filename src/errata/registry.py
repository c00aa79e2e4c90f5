"""Lazy lookup of registered things by name.

A registry is a plain dict `{"errant": "errata.metrics.errant:Errant"}`; nothing is imported until it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from errata.errors import UnknownName


def lookup(kind: str, registry: Mapping[str, str], name: str) -> Any:
    """The object registered as `name`; raises `UnknownName` listing the choices."""
    try:
        address = registry[name]
    except KeyError:
        raise UnknownName(kind, name, registry) from None
    return find_object(address)


def find_object(address: str) -> Any:
    """What lies at an address: `errata.metrics.errant:Errant`."""
    module, _, attribute = address.partition(":")
    return getattr(import_module(module), attribute)


def lazy_members(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package: imports `homes[name]` when `name` is first asked for.

    So a light module of the package can be had without the heavy ones whose names the package shows.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return find
