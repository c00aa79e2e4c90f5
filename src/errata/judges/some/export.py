"""A trained SOME for use without torch."""

from __future__ import annotations

import shutil
from pathlib import Path

from errata.judges.saved_vectors import export_sentence_model
from errata.judges.some.saved import RATINGS
from errata.networks.bits import Bits
from errata.systems.exported import exporting
from errata.systems.manifest import read_manifest


def export_some(folder: Path, out: Path, *, small: bool = True, bits: Bits | None = None) -> None:
    """Write the judge in `folder` to the new folder `out`; `small` stores weights in few bits (`bits`)."""
    with exporting(folder, out, read_manifest(folder), format="onnx", int8=small) as beside:
        export_sentence_model(folder, beside, small=small, bits=bits)
        shutil.copyfile(folder / RATINGS, beside / RATINGS)
