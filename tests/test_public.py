"""The package as people meet it: what it exports, and how fast it imports."""

from __future__ import annotations

import subprocess
import sys
import types

import errata

HEAVY = ("numpy", "spacy", "torch", "transformers", "rich", "typer", "onnxruntime")


def test_all_is_what_is_public() -> None:
    public = {
        name
        for name, value in vars(errata).items()
        if not name.startswith("_")
        and not isinstance(value, types.ModuleType)
        and name not in ("annotations", "TYPE_CHECKING", "lazy_members")
    }
    assert public | {"__version__", "correct", "load_corrector"} == set(errata.__all__)
    assert all(callable(getattr(errata, verb)) for verb in ("correct", "load_corrector"))


def test_import_is_light() -> None:
    """`import errata` takes well under 0.3 s because it pulls in none of the heavy packages."""
    code = f"import sys, errata; print([m for m in {HEAVY!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert found == "[]"
