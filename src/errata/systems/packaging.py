"""A Python package of a trained model: a source tree that any build tool reads, and a wheel.

The package has no code. `model_packages.py` says how errata finds the model in it.
"""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from errata import __version__
from errata.edits.languages import LANGUAGES
from errata.errors import DataError, UsageError
from errata.files import replacing_folder
from errata.systems.base import find_system
from errata.systems.cards import CARD, Facts, check_phrase, read_card, read_facts
from errata.systems.exported import BACKUPS, files_in, require_earlier, require_free
from errata.systems.installed import BUNDLED
from errata.systems.manifest import MANIFEST, Manifest, format_manifest, read_manifest, read_name
from errata.systems.model_packages import GROUP, NAME, PREFIX, module_name
from errata.systems.wheels import write_wheel

PYPROJECT = "pyproject.toml"
LICENCE = "LICENSE"
PYTHON = ">=3.11"
# The largest file of a source tree that is kept in a repository; `errata export` writes weights in smaller parts.
LARGEST = 16 * 2**20
# What pip reads as it is written (PEP 440): 0.1.0, 1.0rc1, 2.0.post1.dev3.
VERSION = re.compile(r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?")
# Files of a model: names that every file system, archive and build tool takes as they are.
FILE_NAME = re.compile(r"(?:[A-Za-z0-9_+-][A-Za-z0-9_.+-]*/)*[A-Za-z0-9_+-][A-Za-z0-9_.+-]*")
# What `pip install TREE` leaves in a tree.
BUILT = re.compile(r"build/(?:lib|bdist\.[^/]+)/.*|src/[^/]+\.egg-info/.*|src/[^/]+/__pycache__/.*")
# The licence itself, where a model has it.
LICENCE_FILE = re.compile(r"LICEN[CS]E(?:\.txt|\.md)?")


@dataclass(frozen=True, slots=True)
class ModelPackage:
    """What a package is called and holds: the `files` of the model in `folder`, with the card and what it says."""

    name: str
    version: str
    folder: Path
    files: tuple[str, ...]
    manifest: Manifest
    facts: Facts
    card: str

    @property
    def model(self) -> str:
        """The name that `--model` takes."""
        return self.name.removeprefix(PREFIX)

    @property
    def module(self) -> str:
        return module_name(self.name)

    @property
    def wheel(self) -> str:
        return f"{self.module}-{self.version}-py3-none-any.whl"

    @property
    def summary(self) -> str:
        return f"{self.model}, a model of errata for {LANGUAGES[self.manifest['language']].name}"


def read_package(
    folder: Path, name: str, version: str, licence: str | None = None, *, commercial_use: bool | None = None
) -> ModelPackage:
    """The package that a model's folder can become; an error says what is missing or in the way.

    `licence` and `commercial_use` take the place of what the manifest says.
    """
    _check_name(name)
    if not VERSION.fullmatch(version):
        raise UsageError(f"--version is {version!r}: write numbers and points, such as 0.1.0")
    manifest = read_manifest(folder)
    find_system(folder, manifest)
    if (language := read_name(folder, manifest, "language")) not in LANGUAGES:
        raise DataError(f"{folder / MANIFEST}: language {language!r} is none of {', '.join(LANGUAGES)}")
    facts = read_facts(folder, manifest)
    if licence is not None:
        facts = replace(facts, licence=check_phrase("--licence", licence))
    if commercial_use is not None:
        facts = replace(facts, commercial_use=commercial_use)
    if not facts.licence:
        raise UsageError(f"{folder / MANIFEST} names no licence: give one in a few words with --licence")
    return ModelPackage(name, version, folder, _model_files(folder), manifest, facts, read_card(folder))


def write_package(package: ModelPackage, out: Path, *, source_only: bool = False) -> Path:
    """Write the source tree and, in its `dist`, the wheel; the wheel, or with `source_only` the tree.

    The tree takes the place of an earlier one, and of nothing else. It is whole or not there.
    """
    _refuse_target(package, out)
    if source_only:
        _refuse_large(package)
    with replacing_folder(out) as beside:
        _write_tree(package, beside, source_only)
        if not source_only:
            (beside / "dist").mkdir()
            _write_wheel(package, beside, beside / "dist" / package.wheel)
    return out if source_only else out / "dist" / package.wheel


def _check_name(name: str) -> None:
    model = name.removeprefix(PREFIX)
    if not name.startswith(PREFIX) or not NAME.fullmatch(model):
        raise UsageError(
            f"--name is {name!r}: a package of a model is called {PREFIX}NAME ({PREFIX}en-legal), and NAME has small "
            "letters, digits and single hyphens"
        )
    if model in BUNDLED.values():
        raise UsageError(f"--name is {name!r}, but {model} comes with errata and always means that one: choose another")


def _model_files(folder: Path) -> tuple[str, ...]:
    """The files of a model, as paths from its folder."""
    files = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise DataError(f"{path} is a link: a package holds files, so copy what it leads to")
        if path.is_dir() or BACKUPS.fullmatch(name):
            continue
        if not path.is_file() or not FILE_NAME.fullmatch(name):
            raise DataError(f"{path} has a name or is something that packages cannot hold: move it out of the folder")
        files.append(name)
    return tuple(files)


def _refuse_large(package: ModelPackage) -> None:
    for name in package.files:
        if (size := (package.folder / name).stat().st_size) > LARGEST:
            raise DataError(
                f"{package.folder / name} has {size / 2**20:.1f} MiB, and a file of a source tree at most "
                f"{LARGEST >> 20}: errata export writes weights in parts, and without --source-only a wheel takes it"
            )


def _refuse_target(package: ModelPackage, out: Path) -> None:
    """Raise if writing the folder `out` would destroy something."""
    files = _earlier_files(out)
    if files is None:
        require_free([package.folder], out)
    else:
        require_earlier([package.folder], out, "a package of a model", files, made_later=BUILT)


def _earlier_files(out: Path) -> list[Any] | None:
    """The files that `errata package` has written into a folder; None if it has written none."""
    try:
        described = tomllib.loads((out / PYPROJECT).read_text(encoding="utf-8"))
        files = described["tool"]["errata"]["package"]["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return files if isinstance(files, list) else None


def _write_tree(package: ModelPackage, tree: Path, source_only: bool) -> None:
    module = tree / "src" / package.module
    target = module / package.model
    for name in package.files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(package.folder / name, target / name)
    manifest = {**package.manifest, "card": package.facts.as_dict()}
    (target / MANIFEST).write_text(format_manifest(manifest), encoding="utf-8")
    (module / "__init__.py").write_text(f'"""{package.summary}: `--model {package.model}`."""\n', encoding="utf-8")
    (tree / CARD).write_text(package.card, encoding="utf-8")
    (tree / LICENCE).write_text(_licence_text(package), encoding="utf-8")
    wheel = [] if source_only else [f"dist/{package.wheel}"]
    files = sorted([PYPROJECT, *files_in(tree), *wheel])
    (tree / PYPROJECT).write_text(_pyproject(package, files), encoding="utf-8")


def _write_wheel(package: ModelPackage, tree: Path, path: Path) -> None:
    source = tree / "src"
    info = f"{package.module}-{package.version}.dist-info"
    write_wheel(
        path,
        info,
        {
            **{name: source / name for name in files_in(source)},
            f"{info}/METADATA": _metadata(package),
            f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: errata {__version__}\n"
            "Root-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/entry_points.txt": f"[{GROUP}]\n{package.model} = {package.module}\n",
            f"{info}/licenses/{LICENCE}": tree / LICENCE,
        },
    )


def _metadata(package: ModelPackage) -> str:
    return f"""\
Metadata-Version: 2.4
Name: {package.name}
Version: {package.version}
Summary: {package.summary}
License-File: {LICENCE}
Requires-Python: {PYTHON}
Requires-Dist: errata>={__version__}
Description-Content-Type: text/markdown

{package.card}"""


def _licence_text(package: ModelPackage) -> str:
    """The licence in a few words, then the model's own licence file if it has one."""
    use = "allowed" if package.facts.commercial_use else "not allowed"
    note = (
        f"Licence of the model {package.model}: {package.facts.licence}\n"
        f"Commercial use: {use}\n\n"
        f"{CARD} says what the model was trained on, and under which licences that is.\n"
    )
    own = next((name for name in package.files if LICENCE_FILE.fullmatch(name)), None)
    if own is None:
        return note
    try:
        return f"{note}\n{(package.folder / own).read_text(encoding='utf-8')}"
    except UnicodeDecodeError as error:
        raise DataError(f"{package.folder / own} is not UTF-8: {error}") from error


def _pyproject(package: ModelPackage, files: list[str]) -> str:
    listed = "".join(f"  {json.dumps(name)},\n" for name in files)
    return f"""\
# Written by `errata package`.
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{package.name}"
version = "{package.version}"
description = "{package.summary}"
readme = "{CARD}"
requires-python = "{PYTHON}"
license-files = ["{LICENCE}"]
dependencies = ["errata>={__version__}"]

[project.entry-points."{GROUP}"]
{package.model} = "{package.module}"

[tool.setuptools]
package-dir = {{ "" = "src" }}
packages = ["{package.module}"]
include-package-data = false

[tool.setuptools.package-data]
{package.module} = ["{package.model}/**/*"]

[tool.errata.package]
files = [
{listed}]
"""
