"""From a torch model to ONNX, which runs without torch. `shrink` stores its weights in few bits afterwards.

export_onnx(model, {"ids": ids, "mask": mask}, {"scores": ("sentences", "subwords")}, folder / "model.onnx", …)
largest_difference(model, OnnxModel(folder / "model.onnx"), batch)
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.errors import DataError, MissingExtra
from errata.files import replacing

if TYPE_CHECKING:
    import torch
    from torch import nn

    from errata.networks.onnx import OnnxModel

OPSET = 17

# What a network's axes are called; named axes may have any length when it runs.
Axes = Mapping[str, Sequence[str]]


def export_onnx(
    model: nn.Module, inputs: Mapping[str, torch.Tensor], axes: Axes, path: Path, *, keep_names: bool = False
) -> None:
    """Write `model` as ONNX. `inputs` are examples in the order of `forward`.

    `axes` names the axes of every input and output, outputs in the order of `forward`. Named axes may have any length;
    `""` or nothing stands for a fixed one. The example needs several sentences of unequal length: an axis of length 1
    may be taken for a constant. `keep_names` leaves all weights as they are, under their names in torch; otherwise some
    are transposed beforehand and lose their names.
    """
    import torch

    try:
        import onnx  # noqa: F401
    except ImportError as error:
        raise MissingExtra("onnx", "train") from error
    outputs = [name for name in axes if name not in inputs]
    free = {name: {i: axis for i, axis in enumerate(named) if axis} for name, named in axes.items()}
    was_training = model.training
    model.eval()
    with replacing(path) as beside, torch.no_grad(), warnings.catch_warnings():
        # The older exporter: its graphs are as fast, and it needs a third of the time and no further packages. Its
        # warnings are about its age and about shapes that are constant here; `largest_difference` finds real faults.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            tuple(inputs.values()),
            str(beside),
            dynamo=False,
            input_names=list(inputs),
            output_names=outputs,
            dynamic_axes=free,
            opset_version=OPSET,
            do_constant_folding=not keep_names,
        )
    model.train(was_training)


def name_of(model: nn.Module, weights: torch.Tensor) -> str:
    """The name of a parameter in its model."""
    return next(name for name, parameter in model.named_parameters() if parameter is weights)


def largest_difference(model: nn.Module, exported: OnnxModel, inputs: Mapping[str, torch.Tensor]) -> dict[str, float]:
    """By output, the largest absolute difference between the torch model and the exported one."""
    import torch

    was_training = model.training
    with torch.no_grad():
        answers = model.eval()(*inputs.values())
    model.train(was_training)
    expected = [answers] if isinstance(answers, torch.Tensor) else [a for a in answers if a is not None]
    found = exported.run({name: tensor.cpu().numpy() for name, tensor in inputs.items()})
    if len(found) != len(expected):
        raise DataError(f"the exported network gives {len(found)} outputs, the model {len(expected)}")
    return {
        name: float(np.abs(array.astype(np.float64) - answer.cpu().double().numpy()).max(initial=0.0))
        for (name, array), answer in zip(found.items(), expected, strict=True)
    }


def export_checked(
    model: nn.Module,
    inputs: Mapping[str, torch.Tensor],
    axes: Axes,
    path: Path,
    *,
    tolerance: float = 1e-3,
    keep_names: bool = False,
) -> None:
    """Write `model` as ONNX, and raise `DataError` if its answers to `inputs` differ by more than `tolerance`."""
    from errata.networks.onnx import OnnxModel

    export_onnx(model, inputs, axes, path, keep_names=keep_names)
    for name, difference in largest_difference(model, OnnxModel(path, threads=1), inputs).items():
        if not difference <= tolerance:
            raise DataError(
                f"the exported network answers otherwise than the model: {name} differs by {difference:.2g}, more than "
                f"{tolerance:.2g}; are there numbers among its weights that are infinite or none?"
            )
