"""A model in a folder with a card, and packages of it as pip installs them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

CARD = "# en-tiny\n\nLearnt fifty sentences by heart.\n"


def with_card(model: Path, folder: Path) -> Path:
    """A copy of a model that has a card."""
    shutil.copytree(model, folder)
    (folder / "README.md").write_text(CARD, encoding="utf-8")
    return folder


def pip_install(package: Path, site: Path) -> None:
    """Install a wheel, or a source tree, into a folder; nothing is fetched."""
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(site), str(package)]
    subprocess.run(command, check=True, capture_output=True, text=True)
