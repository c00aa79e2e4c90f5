"""The recipes that come with errata: found by name, from wherever errata is run.

Paths in them start at the current folder, as those of a copy there would; `${ERRATA_RECIPES}` is their own folder.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from errata.errors import UnknownName
from errata.places import is_path, refuse_shadow

FOLDER = Path(str(files("errata"))) / "recipes"
VARIABLE = "ERRATA_RECIPES"
SUFFIXES = (".yaml", ".yml")
README = "README"


def recipe_names() -> list[str]:
    """The names of the recipes."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def shipped_recipe(name: str) -> Path:
    """The file of a recipe that comes with errata."""
    if name not in recipe_names():
        raise UnknownName("recipe", name, recipe_names())
    return FOLDER / f"{name}.yaml"


def is_shipped_name(name: str) -> bool:
    """Whether `name` is written as the name of a recipe; files are paths or end in `.yaml`."""
    return not is_path(name) and not name.endswith(SUFFIXES)


def find_recipe(name: str | Path) -> Path:
    """The file of a recipe: one that comes with errata by its name (`tagger-tiny`), or any other by its path."""
    if isinstance(name, Path) or not is_shipped_name(name):
        return Path(name)
    if name not in recipe_names():
        refuse_shadow("recipe", name)
    return shipped_recipe(name)


def start_of_paths(origin: Path) -> Path:
    """The folder at which paths in the recipe `origin` start: its own, for a shipped one the current folder."""
    return Path.cwd() if origin.resolve().parent == FOLDER.resolve() else origin.absolute().parent


def summary(name: str) -> str:
    """What a recipe is for: the first sentence of its first comment."""
    first = shipped_recipe(name).read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("#").strip().partition(". ")[0].rstrip(".:")


def recipe_text(name: str) -> str:
    """The recipe, or the page about all of them (`README`), as it is written."""
    path = FOLDER / f"{README}.md" if name == README else shipped_recipe(name)
    return path.read_text(encoding="utf-8")
