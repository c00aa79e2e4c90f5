"""A trained IMPARA for use without torch."""

from __future__ import annotations

import shutil
from pathlib import Path

from errata.judges.impara.saved import SCORE, SIMILARITY
from errata.judges.saved_vectors import export_sentence_model
from errata.networks.bits import Bits
from errata.systems.exported import exporting
from errata.systems.manifest import read_manifest

# The encoder of similarity decides a yes or no, far from its threshold most of the time.
SIMILARITY_BITS = Bits(layers=4, tables=4)


def export_impara(folder: Path, out: Path, *, small: bool = True, bits: Bits | None = None) -> None:
    """Write the judge in `folder` to the new folder `out`; `small` stores weights in few bits (`bits`)."""
    with exporting(folder, out, read_manifest(folder), format="onnx", int8=small) as beside:
        export_sentence_model(folder, beside, small=small, bits=bits)
        export_sentence_model(folder / SIMILARITY, beside / SIMILARITY, small=small, bits=SIMILARITY_BITS)
        shutil.copyfile(folder / SCORE, beside / SCORE)
