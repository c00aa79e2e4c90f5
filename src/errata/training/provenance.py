"""Where a run comes from: settings, data digests, versions, revision; and how two runs differ."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import DataError

if TYPE_CHECKING:
    from errata.training.settings import Recipe

LIBRARIES = ("torch", "transformers", "tokenizers", "numpy", "accelerate", "peft")

# Settings that decide speed and places but not results: a run may be resumed with others.
FREE = {
    *("batches.workers", "batches.start_method", "run.folder", "run.cache"),
    *("run.checkpoint_every", "run.log_every", "run.seconds"),
}


def describe(recipe: Recipe, world: int) -> dict[str, Any]:
    """What decides the outcome (`recipe`, `data`, `processes`) and what may (versions, revision, machine).

    `contamination` is what the training files have in common with evaluation sets, if that was looked for.
    """
    from errata import __version__
    from errata.training.guard import recall_check

    checked = recall_check(recipe)
    return {
        "recipe": recipe.as_dict(),
        "data": recipe.digests(),
        "processes": world,
        "versions": {"errata": __version__, "python": platform.python_version(), **_library_versions()},
        "revision": git_revision(Path(__file__).parent),
        **({"contamination": checked} if checked else {}),
    }


def git_revision(folder: Path) -> str | None:
    """The commit checked out around `folder`, with `+` when files differ from it; None outside a repository."""

    def git(*command: str) -> str:
        done = subprocess.run(["git", "-C", str(folder), *command], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        # An installed errata inside somebody's project must not take that project's commit for its own.
        if not git("ls-files", "--", str(folder)):
            return None
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def refuse_other_run(saved: Mapping[str, Any], now: Mapping[str, Any], checkpoint: Path) -> None:
    """Raise unless the run in `checkpoint` was described as this one is; the message names the differences."""
    keys = ("recipe", "data", "processes")
    found = list(_differences({key: saved[key] for key in keys}, {key: now[key] for key in keys}, ""))
    listed = [
        f"{name.removeprefix('recipe.')} was {old}, is {new}"
        for name, old, new in found
        if name.removeprefix("recipe.") not in FREE
    ]
    if listed:
        more = f" (and {len(listed) - 3} more)" if len(listed) > 3 else ""
        raise DataError(f"cannot resume {checkpoint}: it is another run: {'; '.join(listed[:3])}{more}")


def _differences(old: Any, new: Any, name: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _differences(old.get(key, "absent"), new.get(key, "absent"), f"{name}.{key}".lstrip("."))
    elif old != new:
        yield name, old, new


def _library_versions() -> dict[str, str]:
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
