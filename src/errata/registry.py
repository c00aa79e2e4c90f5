"""Lazy lookup of registered things by name.

A registry is a plain dict `{"errant": "errata.metrics.errant:Errant"}`; nothing is imported until it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from errata.errors import UnknownName


def lookup(kind: str, registry: Mapping[str, str], name: str) -> Any:
    """The object registered as `name`; raises `UnknownName` listing the choices."""
    try:
        address = registry[name]
    except KeyError:
        raise UnknownName(kind, name, registry) from None
    module, _, attribute = address.partition(":")
    return getattr(import_module(module), attribute)
