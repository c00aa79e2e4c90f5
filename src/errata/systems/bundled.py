"""The models that come with errata, by name and by language."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from errata.errors import DataError
from errata.places import as_path, is_path, refuse_shadow
from errata.systems.manifest import MANIFEST

# Language → the model that corrects it when none is named.
BUNDLED: dict[str, str] = {"en": "en-small", "zh": "zh-small"}


class NoModel(DataError):
    """No model has this name, and no folder."""


def find_model(name: str | Path) -> Path:
    """The folder of a model: a bundled one by its name, or one that is written as a path (`./mine`) or is a `Path`.

    A bundled name always means the bundled model, whatever folders are here.
    """
    if is_path(name):
        folder = as_path(name)
        if folder.is_dir():
            return folder
        raise NoModel(f"no model {str(name)!r}: there is no such folder")
    if name in BUNDLED.values():
        shipped = bundled_folder(str(name))
        if (shipped / MANIFEST).is_file():
            return shipped
        raise DataError(f"no model {name!r}: it comes with errata but is not installed; install errata again")
    refuse_shadow("model", str(name))
    known = ", ".join(installed_models().values())
    raise NoModel(f"no model {name!r}: give the folder of a trained system as a path" + (f", or {known}" * bool(known)))


def installed_models() -> dict[str, str]:
    """Language → bundled model, of those that are there."""
    return {language: name for language, name in BUNDLED.items() if (bundled_folder(name) / MANIFEST).is_file()}


def bundled_folder(name: str) -> Path:
    """Where a bundled model lies, or would."""
    return Path(str(files("errata"))) / "bundled" / name
