"""The models that are installed, by name and by language: those that come with errata, and those of packages."""

from __future__ import annotations

import os
from importlib.resources import files
from logging import getLogger
from pathlib import Path

from errata.errors import DataError, PluginError
from errata.places import as_path, is_path, refuse_shadow
from errata.systems.manifest import MANIFEST
from errata.systems.model_packages import (
    PREFIX,
    InstalledModel,
    find_own_package,
    find_packaged,
    own_version,
    packaged_models,
)

# Language → the model that comes with errata.
BUNDLED: dict[str, str] = {"en": "en-small", "zh": "zh-small"}
# Language → the models that correct it when none is named; the first that is installed is taken. No package can put its
# model into this list. Those that are not bundled are in the package `errata-NAME`, and in no other.
PREFERRED: dict[str, tuple[str, ...]] = {"en": ("en-base", "en-small"), "zh": ("zh-base", "zh-small")}

# Errata's correctors that are taken only where they are named, each in the package `errata-NAME` and in no other.
NAMED = ("en-open",)
# Errata's own judges, in packages of their own like the correctors that are not bundled.
JUDGES = ("en-impara", "en-impara-large", "zh-impara", "en-some")
# Those of errata's packages whose sources come with it.
IN_REPOSITORY = ("en-base", "en-open", "en-impara", "en-impara-large", "zh-impara", "en-some")

# With the language behind it, the variable in which users name the model they want when none is named: ERRATA_MODEL_EN.
CHOICE = "ERRATA_MODEL_"

log = getLogger(__name__)


class NoModel(DataError):
    """No model has this name, and no folder."""


def find_model(name: str | Path) -> Path:
    """The folder of a model: an installed one by its name, or one that is written as a path (`./mine`) or is a `Path`.

    A bundled name always means the bundled model, whatever folders and packages are here.
    """
    if is_path(name):
        folder = as_path(name)
        if folder.is_dir():
            return folder
        raise NoModel(f"no model {str(name)!r}: there is no such folder")
    name = str(name)
    if name in _own_names():
        return _find_own(name)
    if found := find_packaged(name):
        return found.folder
    refuse_shadow("model", name)
    known = ", ".join(model.name for model in list_models()[0])
    raise NoModel(f"no model {name!r}: give the folder of a trained system as a path" + (f", or {known}" * bool(known)))


def default_model(language: str) -> str:
    """The model of a language when none is named; one whose package is damaged is passed over with a warning."""
    name, faults = choose_default(language)
    for fault in faults:
        log.warning("%s; %s is taken until then", fault, name)
    return name


def choose_default(language: str) -> tuple[str, list[str]]:
    """The first model of a language that errata prefers and that is installed, and what is wrong with those before it.

    The bundled model where none is installed; the one that the user's environment names, before all others.
    """
    variable = CHOICE + language.upper()
    if chosen := os.environ.get(variable):
        try:
            find_model(chosen)
        except NoModel as error:
            raise NoModel(f"{variable} in the environment: {error}") from error
        return chosen, []
    faults: list[str] = []
    for name in PREFERRED[language]:
        try:
            if _folder(name):
                return name, faults
        except PluginError as error:
            faults.append(str(error))
    return BUNDLED[language], faults


def default_models() -> dict[str, str]:
    """Language → the model when none is named, of those that are there."""
    models = {language: default_model(language) for language in PREFERRED}
    return {language: name for language, name in models.items() if name not in BUNDLED.values() or _folder(name)}


def bundled_models() -> dict[str, str]:
    """Language → bundled model, of those that are there."""
    return {language: name for language, name in BUNDLED.items() if _folder(name)}


def bundled_folder(name: str) -> Path:
    """Where a bundled model lies, or would."""
    return Path(str(files("errata"))) / "bundled" / name


def list_models() -> tuple[list[InstalledModel], list[str]]:
    """The installed models, errata's own first, and what is wrong with packages whose models cannot be used."""
    own: list[InstalledModel] = []
    faults: list[str] = []
    for name in _own_names():
        try:
            if folder := _folder(name):
                package = () if _is_bundled(name) else (PREFIX + name, own_version(name))
                own.append(InstalledModel(name, folder, *package))
        except PluginError as error:
            faults.append(str(error))
    others, more = packaged_models(reserved=_own_names())
    return own + others, faults + more


def _own_names() -> list[str]:
    """The names that mean errata's own models, whatever other packages bring."""
    return [*(name for names in PREFERRED.values() for name in names), *NAMED, *JUDGES]


def _is_bundled(name: str) -> bool:
    return name in BUNDLED.values()


def _find_own(name: str) -> Path:
    """The folder of one of errata's own models."""
    if folder := _folder(name):
        return folder
    if _is_bundled(name):
        raise DataError(f"no model {name!r}: it comes with errata but is not installed; install errata again")
    told = f"; in a checkout of errata: pip install ./models/{name}" if name in IN_REPOSITORY else ""
    raise NoModel(f"no model {name!r}: it is in the package {PREFIX}{name}, which is not installed{told}")


def _folder(name: str) -> Path | None:
    """The folder of one of errata's own models; None if it is not installed."""
    if not _is_bundled(name):
        return find_own_package(name)
    folder = bundled_folder(name)
    return folder if (folder / MANIFEST).is_file() else None
