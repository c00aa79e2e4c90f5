"""Weights of a torch model on disk: `model.safetensors`, or those of an export, loaded strictly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from errata.errors import DataError, UsageError
from errata.networks.stored import INDEX, StoredWeights

if TYPE_CHECKING:
    import torch
    from torch import nn

WEIGHTS = "model.safetensors"
ModelT = TypeVar("ModelT", bound="nn.Module")


def save_weights(model: nn.Module, path: Path) -> None:
    """Write the model's weights; shared tensors are written once."""
    from safetensors.torch import save_file

    written: dict[int, str] = {}
    tensors = {}
    for name, tensor in model.state_dict().items():
        if written.setdefault(tensor.data_ptr(), name) == name or not tensor.numel():
            tensors[name] = tensor.detach().cpu().contiguous()
    save_file(tensors, path)
    path.chmod(0o644)  # safetensors lets only the owner read it


def has_weights(folder: Path) -> bool:
    """Whether a folder has weights to train on: those that training left, or an export's."""
    return (folder / WEIGHTS).is_file() or (folder / INDEX).is_file()


def load_weights(model: nn.Module, path: Path) -> None:
    """Load the weights of a file or folder; a missing, extra or misshapen weight is a `DataError`."""
    weights = read_weights(path)
    first_name: dict[int, str] = {}
    for name, tensor in model.state_dict().items():
        owner = first_name.setdefault(tensor.data_ptr(), name)
        if tensor.numel() and owner != name and owner in weights:
            weights.setdefault(name, weights[owner])
    fit_weights(model, weights, path)


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """The weights of a file, or of a system's folder, by name; `DataError` if they cannot be read.

    Weights that an export stores in few bits become floats again.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if path.is_dir() and not (path / WEIGHTS).is_file():
        return _read_export(path)
    try:
        return load_file(path / WEIGHTS if path.is_dir() else path)
    except (OSError, SafetensorError) as error:
        raise DataError(f"cannot read weights {path}: {error}") from error


def _read_export(folder: Path) -> dict[str, torch.Tensor]:
    import torch

    if not (folder / INDEX).is_file():
        raise DataError(f"{folder} has no weights to train on: neither {WEIGHTS} nor {INDEX}")
    stored = StoredWeights.load(folder)
    return {name: torch.from_numpy(stored.any_floats(name).copy()) for name in stored.names()}


def place_model(model: ModelT, device: str) -> ModelT:
    """The model on `device`, ready to answer; `UsageError` where there is no such device."""
    try:
        return model.to(device).eval()
    except (RuntimeError, AssertionError) as error:  # what torch raises where there is no such device
        raise UsageError(
            f"no device {device!r} here: choose cpu, cuda, cuda:N or mps, as this machine has it"
        ) from error


def fit_weights(model: nn.Module, weights: Mapping[str, torch.Tensor], origin: Path) -> None:
    """Put `weights` into the model; a missing, extra or misshapen one is a `DataError` that names it and `origin`."""
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
