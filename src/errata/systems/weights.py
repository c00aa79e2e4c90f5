"""Weights of a torch model on disk: `model.safetensors`, loaded strictly; the mean of several models' weights."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from errata.errors import DataError, UsageError
from errata.systems.base import MANIFEST, read_manifest, write_manifest
from errata.systems.exported import refuse_target
from errata.train.files import replacing_folder

if TYPE_CHECKING:
    import torch
    from torch import nn

WEIGHTS = "model.safetensors"
ModelT = TypeVar("ModelT", bound="nn.Module")


def save_weights(model: nn.Module, path: Path) -> None:
    """Write the model's weights; tensors the model shares are written once."""
    from safetensors.torch import save_file

    written: dict[int, str] = {}
    tensors = {}
    for name, tensor in model.state_dict().items():
        if written.setdefault(tensor.data_ptr(), name) == name or not tensor.numel():
            tensors[name] = tensor.detach().cpu().contiguous()
    save_file(tensors, path)
    path.chmod(0o644)  # safetensors makes it readable by its owner alone


def load_weights(model: nn.Module, path: Path) -> None:
    """Load what `save_weights` wrote; a missing, extra or misshapen weight is a `DataError`."""
    weights = _read_weights(path)
    first_name: dict[int, str] = {}
    for name, tensor in model.state_dict().items():
        owner = first_name.setdefault(tensor.data_ptr(), name)
        if tensor.numel() and owner != name and owner in weights:
            weights.setdefault(name, weights[owner])
    fit_weights(model, weights, path)


def _read_weights(path: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise DataError(f"cannot read weights {path}: {error}") from error


def place_model(model: ModelT, device: str) -> ModelT:
    """The model on `device`, ready to answer; `UsageError` where there is no such device."""
    try:
        return model.to(device).eval()
    except (RuntimeError, AssertionError) as error:  # torch's own ways to say that it has no such device
        raise UsageError(f"device {device!r} cannot be used: {str(error).splitlines()[0]}") from error


def fit_weights(model: nn.Module, weights: Mapping[str, torch.Tensor], origin: Path) -> None:
    """Put `weights` into the model, strictly; what does not fit is named in one line with `origin`."""
    own = model.state_dict()
    faults = [f"{name} is missing" for name in own if name not in weights]
    faults += [f"{name} is not in the model" for name in weights if name not in own]
    faults += [
        f"{name} is {tuple(weights[name].shape)}, not {tuple(value.shape)}"
        for name, value in own.items()
        if name in weights and weights[name].shape != value.shape
    ]
    if faults:
        more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
        raise DataError(f"{origin} does not fit the model: {'; '.join(faults[:3])}{more}")
    model.load_state_dict(dict(weights))


def average_systems(folders: Sequence[Path], out: Path) -> None:
    """Write the system whose weights are the mean of those of `folders`: runs of one recipe, with the same vocabulary.

    The mean of models that began alike is as fast as one of them and often better than each. Everything but the
    weights is the first folder's; its manifest says of the others how they scored.
    """
    import torch
    from safetensors.torch import save_file

    refuse_target(folders, out)
    manifest, others = read_manifest(folders[0]), [read_manifest(folder) for folder in folders[1:]]
    shapes = [
        {name: value for name, value in one["settings"].items() if name != "presets"} for one in (manifest, *others)
    ]
    weights = [_read_weights(folder / WEIGHTS) for folder in folders]
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
