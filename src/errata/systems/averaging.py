"""The mean of several trained systems: as fast as one of them, and often better than each."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from errata.errors import DataError
from errata.files import replacing_folder
from errata.networks.weights import WEIGHTS, read_weights
from errata.systems.cards import without_measurements
from errata.systems.exported import refuse_target
from errata.systems.manifest import MANIFEST, read_manifest, write_manifest


def average_systems(folders: Sequence[Path], out: Path) -> None:
    """Write the system whose weights are the mean of those of `folders`: runs of one recipe, with the same vocabulary.

    The mean of models that began alike is as fast as one of them and often better than each. Everything but the
    weights is the first folder's; its manifest says of the others how they scored.
    """
    import torch
    from safetensors.torch import save_file

    refuse_target(folders, out)
    manifest, others = (
        without_measurements(read_manifest(folders[0])),
        [read_manifest(folder) for folder in folders[1:]],
    )
    shapes = [
        {name: value for name, value in one["settings"].items() if name != "presets"} for one in (manifest, *others)
    ]
    weights = [read_weights(folder / WEIGHTS) for folder in folders]
    for folder, shape, own in zip(folders[1:], shapes[1:], weights[1:], strict=True):
        is_alike = {k: v.shape for k, v in own.items()} == {k: v.shape for k, v in weights[0].items()}
        if shape != shapes[0] or not is_alike or not _same_files(folders[0], folder):
            raise DataError(f"{folder} is another kind of model than {folders[0]}: only runs of one recipe have a mean")
    mean = {
        name: torch.stack([own[name].float() for own in weights]).mean(0).to(first.dtype)
        if first.is_floating_point()
        else first
        for name, first in weights[0].items()
    }
    told = [{name: one.get("training", {}).get(name) for name in ("step", "scores")} for one in others]
    manifest["training"] = {**manifest.get("training", {}), "averaged_with": told}
    with replacing_folder(out) as beside:
        shutil.copytree(folders[0], beside, dirs_exist_ok=True)
        save_file(mean, beside / WEIGHTS, metadata={"format": "pt"})
        write_manifest(beside, manifest)


def _same_files(first: Path, second: Path) -> bool:
    """Whether vocabularies and word lists are the same: everything but weights and manifests."""
    known, other = (
        {file.name: file.read_bytes() for file in folder.iterdir() if file.name not in (WEIGHTS, MANIFEST)}
        for folder in (first, second)
    )
    return known == other
