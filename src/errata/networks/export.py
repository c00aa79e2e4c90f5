"""From a torch model to ONNX, and to int8: what runs without torch, on a laptop.

export_onnx(model, {"ids": ids, "mask": mask}, {"scores": ("sentences", "subwords")}, folder / "model.onnx", …)
quantise(folder / "model.onnx", folder / "model.int8.onnx")
largest_difference(model, OnnxModel(folder / "model.int8.onnx"), batch)
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

    `axes` names the axes of every input and output, outputs in the order `forward` returns them: those it names are
    free, `""` or nothing stands for a fixed one. Give an example with more than one sentence of unequal length: an
    axis of length 1 may be taken for a constant. `keep_names` leaves all weights as they are, with their names in
    torch, where otherwise some are turned round beforehand and lose them.
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
        # The older exporter: graphs run as fast, it takes a third of the time and no further packages. Its warnings
        # are about its age and about shapes that are constants for us too; `largest_difference` tells the truth.
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


def quantise(source: Path, target: Path, *, signed: bool = False, keep_float: Sequence[str] = ()) -> None:
    """Write `source` with 8-bit weights; matrices are multiplied in 8 bits, inputs scaled as they come.

    Each output channel has its own scale: MiniLM with a random head of 5,000 tags then keeps 76 % of its best tags,
    where one scale per matrix keeps 50 %. Nodes named in `keep_float` stay as they are.

    `signed` weights are about 15 % faster, but processors without VNNI instructions add products in 16 bits, where
    two large ones overflow: check such a network on the oldest machine it is meant for.
    """
    import logging

    try:
        from onnx import TensorProto
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise MissingExtra("onnx", "train") from error
    with replacing(target) as beside:
        logging.disable(logging.WARNING)  # it advises a pre-processing step that changes nothing here
        try:
            quantize_dynamic(
                str(source),
                str(beside),
                weight_type=QuantType.QInt8 if signed else QuantType.QUInt8,
                per_channel=True,
                nodes_to_exclude=list(keep_float),
                extra_options={"DefaultTensorType": TensorProto.FLOAT},
            )
        finally:
            logging.disable(logging.NOTSET)


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
    """`export_onnx`, then run both on `inputs`: answers further apart than `tolerance` are a `DataError`."""
    from errata.networks.onnx import OnnxModel

    export_onnx(model, inputs, axes, path, keep_names=keep_names)
    for name, difference in largest_difference(model, OnnxModel(path, threads=1), inputs).items():
        if not difference <= tolerance:
            raise DataError(
                f"{path}: output {name!r} differs from the model's by {difference:.2g}, not {tolerance:.2g}"
            )
