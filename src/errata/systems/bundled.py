"""The models that come with errata, by name and by language."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from errata.errors import DataError
from errata.systems.base import MANIFEST

# Language → the model that corrects it when none is named.
BUNDLED: dict[str, str] = {"en": "en-small", "zh": "zh-small"}


def find_model(name: str | Path) -> Path:
    """The folder of a model: one that exists, or a bundled one by its name."""
    folder = Path(name)
    if folder.is_dir():
        return folder
    shipped = bundled_folder(str(name))
    if (shipped / MANIFEST).is_file():
        return shipped
    known = ", ".join(installed_models().values())
    raise DataError(f"no model {str(name)!r}: give the folder of a trained system" + (f", or {known}" if known else ""))


def installed_models() -> dict[str, str]:
    """Language → bundled model, of those that are there."""
    return {language: name for language, name in BUNDLED.items() if (bundled_folder(name) / MANIFEST).is_file()}


def bundled_folder(name: str) -> Path:
    """Where a bundled model lies, or would."""
    return Path(str(files("errata"))) / "bundled" / name
