"""Moves an exported network's weights out of its graph into files that our own kernels read too; in few bits if asked.

Floats stay the network's own: it refers to the files as external data. Matrices in few bits are only declared in it;
`OnnxModel` reads them and hands them over as floats when the network is loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import onnx
from onnx import TensorProto, numpy_helper

from errata.networks.bits import Bits
from errata.networks.quantised import MIN_SIZE, quantise
from errata.networks.stored import TURNED, WeightWriter

# Where other programs that load the network look for matrices in few bits: the name is what their message says.
HANDED_OVER = "weights-in-few-bits-are-read-by-errata"


def store_weights(
    source: Path,
    target: Path,
    writer: WeightWriter,
    *,
    tables: Collection[str],
    small: bool,
    bits: Bits | None = None,
) -> None:
    """Write the network in `source` to `target`, with its weights in the files of `writer` beside it.

    `source` has its weights under their names in torch, after a first part (`model.tags.weight`). `tables` names the
    embeddings. `small` stores matrices in few bits (`bits`, if other than usual). Networks that share weights share a
    writer; each weight is stored once. `writer.close` must be called before the network is loaded.
    """
    bits = bits or Bits()
    model = onnx.load(source)
    initializers = {one.name: one for one in model.graph.initializer if one.data_type == TensorProto.FLOAT}
    for full, tensor in initializers.items():
        array, name = numpy_helper.to_array(tensor), full.partition(".")[2]
        if not name:  # a number of the graph's own
            continue
        model.graph.initializer.remove(tensor)
        if not small or array.ndim != 2 or array.size < MIN_SIZE:
            place = writer.add(name, array)[""]
            _declare(model.graph, full, place["shape"], place["file"], offset=place["offset"], length=place["length"])
            continue
        writer.add(name, quantise(array, bits.of(name, tables)))
        for initializer in _turn(model.graph, full):
            is_turned = initializer.endswith(TURNED)
            _declare(model.graph, initializer, array.shape[::-1] if is_turned else array.shape, HANDED_OVER)
            writer.hand_over(name, target.name, initializer)
    target.write_bytes(model.SerializeToString())


def _declare(graph: onnx.GraphProto, name: str, shape: Collection[int], file: str, **place: Any) -> None:
    """Declare floats that lie in a file."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": file, **place}.items():
        tensor.external_data.add(key=key, value=str(value))
    graph.initializer.append(tensor)


def _turn(graph: onnx.GraphProto, name: str) -> Iterator[str]:
    """Take out nodes that transpose a matrix; give the names under which the graph takes it now.

    Otherwise ONNX Runtime would keep both the matrix and its transpose.
    """
    turning = [node for node in graph.node if node.op_type == "Transpose" and node.input[0] == name]
    outputs = {node.output[0] for node in turning}
    for node in turning:
        graph.node.remove(node)
    is_taken = False
    for node in graph.node:
        is_taken = is_taken or name in node.input
        node.input[:] = [name + TURNED if one in outputs else one for one in node.input]
    if is_taken:
        yield name
    if turning:
        yield name + TURNED
