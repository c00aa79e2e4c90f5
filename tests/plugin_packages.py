"""Other people's packages, as pip leaves them: a module, and entry points that name what is in it."""

from __future__ import annotations

from pathlib import Path


def install(
    folder: Path, package: str, group: str, points: str, module: str | None = None, *, version: str = "1.0"
) -> None:
    """Put a package into a folder of `sys.path`: entry points (`name = module:Class`, a line each) and its module."""
    info = folder / f"{package}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\n{points}\n", "utf-8")
    if module is not None:
        (folder / f"{package}.py").write_text(module, "utf-8")
