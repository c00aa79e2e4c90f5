"""Models that other packages bring: where they lie, found without running any code of theirs.

An entry point `legal = acme_models` in the group `errata.models` says that the model `legal` is the folder `legal` of
the Python package `acme_models`. `errata package` writes such packages.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from errata.errors import PluginError
from errata.places import package_folders
from errata.registry import find_plugins, only_one, package_name, package_version, shadowing
from errata.systems.manifest import MANIFEST

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "errata.models"
PREFIX = "errata-"
# What pip leaves as it is: the names of a distribution, its files and its Python package follow from each other.
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model with its name; `package` and `version` are of the package that brings it, "" for errata itself."""

    name: str
    folder: Path
    package: str = ""
    version: str = ""


def module_name(package: str) -> str:
    """The Python package in a distribution that `errata package` wrote: `errata_en_base` of `errata-en-base`."""
    return package.replace("-", "_")


def find_own_package(name: str) -> Path | None:
    """The folder of a model that errata prefers, in the package `errata-NAME`; None if that is not installed.

    Entry points are not read: looking for one Python package takes less than a millisecond.
    """
    package = PREFIX + name
    folder = _folder_in(module_name(package), name)
    if folder is None and any((root / "__init__.py").is_file() for root in _roots(module_name(package))):
        raise _broken(name, package, module_name(package))
    return folder


def find_packaged(name: str) -> InstalledModel | None:
    """The model of this name that some package brings; `PluginError` if several do, or if its folder is not there."""
    points = find_plugins(GROUP).get(name)
    return _locate(points) if points else None


def packaged_models(reserved: Container[str]) -> tuple[list[InstalledModel], list[str]]:
    """The models that packages bring, by name, and a line for each that cannot be used.

    Names that are `reserved` for errata's own models are among the latter, unless `errata-NAME` brings them.
    """
    models: list[InstalledModel] = []
    faults: list[str] = []
    for name, points in sorted(find_plugins(GROUP).items()):
        try:
            if name not in reserved:
                models.append(_locate(points))
        except PluginError as error:
            faults.append(str(error))
        if name in reserved:
            faults += [shadowing("model", point) for point in points if _package(point) != PREFIX + name]
    return models, faults


def own_version(name: str) -> str:
    """The version of the package `errata-NAME`; "" where nothing says it."""
    from importlib.metadata import PackageNotFoundError, distribution  # slow to import

    try:
        return package_version(distribution(PREFIX + name))
    except PackageNotFoundError:  # a source tree on the path
        return ""


def _locate(points: list[EntryPoint]) -> InstalledModel:
    """The model that an entry point names."""
    point = only_one("model", points)
    package = _package(point)
    if not NAME.fullmatch(point.name):
        raise PluginError(f"the package {package} brings a model {point.name!r}, which is no name: uninstall it")
    folder = _folder_in(point.value, point.name)
    if folder is None:
        raise _broken(point.name, package, point.value)
    return InstalledModel(point.name, folder, package, package_version(point.dist))


def _package(point: EntryPoint) -> str:
    return package_name(point.dist)


def _folder_in(module: str, name: str) -> Path | None:
    return next((root / name for root in _roots(module) if (root / name / MANIFEST).is_file()), None)


def _roots(module: str) -> list[Path]:
    """The folders of a Python package; none in the current folder, where `python -m` looks for packages as well."""
    return [root for root in package_folders(module) if root.is_dir() and not root.parent.samefile(".")]


def _broken(name: str, package: str, module: str) -> PluginError:
    return PluginError(
        f"model {name!r} of the package {package} cannot be used: {module} has no folder {name} with {MANIFEST}; "
        "install it again, or uninstall it"
    )
