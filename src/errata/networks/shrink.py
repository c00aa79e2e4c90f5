"""Moves an exported network's weights out of its graph into files that our own kernels read too; in few bits if asked.

The graph turns quantised weights back into floats: matrices when it is loaded, embeddings when subwords are looked up,
so that the table stays small in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from errata.networks.quantised import MIN_SIZE, Quantised, quantise
from errata.networks.stored import WeightWriter

# Rounding errors add up over the layers; embeddings and heads are used once.
LAYER_BITS, OTHER_BITS = 10, 8
ENCODERS = ("encoder.", "encoders.")  # what the names of their weights begin with
ELEMENTS = {"": TensorProto.FLOAT, "high": TensorProto.INT8, "low": TensorProto.UINT8, "scales": TensorProto.FLOAT16}


def store_weights(
    source: Path,
    target: Path,
    writer: WeightWriter,
    *,
    tables: Collection[str],
    small: bool,
    layer_bits: int = LAYER_BITS,
) -> None:
    """Write the network in `source` to `target`, with its weights in the files of `writer` beside it.

    `source` has its weights under their names in torch, after a first part (`model.tags.weight`). `tables` names the
    embeddings. `small` stores them and the heads in 8 bits, the encoder's layers in `layer_bits` (8 or 10).
    Networks that share weights share a writer; each weight is stored once.
    """
    model = onnx.load(source)
    initializers = {one.name: one for one in model.graph.initializer if one.data_type == TensorProto.FLOAT}
    restoring: list[onnx.NodeProto] = []
    for full, tensor in initializers.items():
        array, name = numpy_helper.to_array(tensor), full.partition(".")[2]
        if not name:  # a number of the graph's own
            continue
        model.graph.initializer.remove(tensor)
        if not small or array.ndim != 2 or array.size < MIN_SIZE:
            _refer(model.graph, full, writer.add(name, array))
            continue
        is_layer = name.startswith(ENCODERS) and name not in tables
        quantised = quantise(array, layer_bits if is_layer else OTHER_BITS)
        _refer(model.graph, full, writer.add(name, quantised))
        if name in tables:
            _look_up_quantised(model.graph, full, quantised)
        if any(full in node.input for node in model.graph.node):
            restoring += _dequantise_matrix(model.graph, full, quantised)
    nodes = [*restoring, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    target.write_bytes(model.SerializeToString())


def _refer(graph: onnx.GraphProto, name: str, places: dict[str, dict[str, Any]]) -> None:
    """Declare the parts of a tensor as external data: `name` for floats, else `name/high` and so on."""
    for part, place in places.items():
        tensor = TensorProto(name=f"{name}/{part}" if part else name, data_type=ELEMENTS[part], dims=place["shape"])
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", place["file"]), ("offset", place["offset"]), ("length", place["length"])):
            tensor.external_data.add(key=key, value=str(value))
        graph.initializer.append(tensor)


def _dequantise_matrix(graph: onnx.GraphProto, name: str, quantised: Quantised) -> Iterator[onnx.NodeProto]:
    """Nodes that make the floats `name` from its parts."""
    rows, columns = quantised.high.shape
    yield helper.make_node("Cast", [f"{name}/high"], [f"{name}/upper"], to=TensorProto.FLOAT)
    upper = f"{name}/upper"
    if quantised.low is not None:
        yield from _add_low(graph, name, rows, columns)
        upper = f"{name}/whole"
    yield from _scale(graph, name, upper, quantised, [rows, quantised.scales.shape[1], -1], [rows, columns])


def _add_low(graph: onnx.GraphProto, name: str, rows: int, columns: int) -> Iterator[onnx.NodeProto]:
    """Nodes that make `name/whole`: four times `name/upper` plus `name/low`, which has four numbers in a byte."""
    constants = {
        "four": np.array(4, np.uint8),
        "shifts": np.array([0, 2, 4, 6], np.uint8),
        "apart": np.array([rows, -1, 1]),
        "flat": np.array([rows, -1]),
        "factor": np.array(4, np.float32),
    }
    at = {key: _add(graph, f"{name}/{key}", value) for key, value in constants.items()}
    yield helper.make_node("Reshape", [f"{name}/low", at["apart"]], [f"{name}/bytes"])
    yield helper.make_node("BitShift", [f"{name}/bytes", at["shifts"]], [f"{name}/shifted"], direction="RIGHT")
    yield helper.make_node("Mod", [f"{name}/shifted", at["four"]], [f"{name}/pairs"])
    yield helper.make_node("Reshape", [f"{name}/pairs", at["flat"]], [f"{name}/lower"])
    yield helper.make_node("Cast", [f"{name}/lower"], [f"{name}/lower_floats"], to=TensorProto.FLOAT)
    lower = f"{name}/lower_floats"
    if columns % 4:
        ends = [_add(graph, f"{name}/{key}", np.array([n])) for key, n in (("from", 0), ("to", columns), ("axis", 1))]
        yield helper.make_node("Slice", [lower, *ends], [f"{name}/cut"])
        lower = f"{name}/cut"
    yield helper.make_node("Mul", [f"{name}/upper", at["factor"]], [f"{name}/fourfold"])
    yield helper.make_node("Add", [f"{name}/fourfold", lower], [f"{name}/whole"])


def _look_up_quantised(graph: onnx.GraphProto, name: str, quantised: Quantised) -> None:
    """Let the graph look subwords up in the quantised table and make floats of their rows alone."""
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        if node.op_type != "Gather" or node.input[0] != name:
            nodes.append(node)
            continue
        ids, found = node.input[1], node.output[0]
        for part in ("high", "scales"):
            nodes.append(helper.make_node("Gather", [f"{name}/{part}", ids], [f"{found}/{part}"]))
        nodes.append(helper.make_node("Cast", [f"{found}/high"], [f"{found}/upper"], to=TensorProto.FLOAT))
        # (sentences, subwords, hidden)
        nodes += _scale(graph, found, f"{found}/upper", quantised, [0, 0, quantised.scales.shape[1], -1], [0, 0, -1])
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(kept)


def _scale(
    graph: onnx.GraphProto, name: str, numbers: str, quantised: Quantised, blocks: Sequence[int], whole: Sequence[int]
) -> Iterator[onnx.NodeProto]:
    """Nodes that cut numbers into blocks, multiply each by its scale (`name/scales`) and join them again as `name`."""
    shape = _add(graph, f"{name}/blocks", np.array(blocks))
    yield helper.make_node("Reshape", [numbers, shape], [f"{name}/cut_up"])
    yield helper.make_node("Cast", [f"{name}/scales"], [f"{name}/floats"], to=TensorProto.FLOAT)
    step = _add(graph, f"{name}/step", np.array(1 / quantised.largest, np.float32))
    yield helper.make_node("Mul", [f"{name}/floats", step], [f"{name}/factors"])
    axis = _add(graph, f"{name}/last", np.array([-1]))
    yield helper.make_node("Unsqueeze", [f"{name}/factors", axis], [f"{name}/per_block"])
    yield helper.make_node("Mul", [f"{name}/cut_up", f"{name}/per_block"], [f"{name}/scaled"])
    yield helper.make_node("Reshape", [f"{name}/scaled", _add(graph, f"{name}/shape", np.array(whole))], [name])


def _add(graph: onnx.GraphProto, name: str, array: np.ndarray) -> str:
    graph.initializer.append(numpy_helper.from_array(array, name))
    return name
