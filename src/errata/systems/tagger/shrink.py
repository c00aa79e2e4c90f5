"""Eight-bit weights in an exported network, by scales that keep its answers.

Every 32 numbers that are summed up or looked up together share a scale. Embeddings stay small in memory: a piece is
looked up in 8 bits and scaled. Matrices become floats again when the network is loaded, so arithmetic is what it was.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

BLOCK = 32
# Smaller tables (case, positions) are not worth the loss.
MIN_SIZE = 2**14


def shrink(source: Path, target: Path, *, weights: bool) -> list[str]:
    """Write `source` with small embeddings, and small `weights` if asked; the nodes that must not be rounded again."""
    model = onnx.load(source)
    fixed = _shrink_embeddings(model.graph)
    if weights:
        _shrink_weights(model.graph)
    onnx.save(model, target)
    return fixed


def _shrink_embeddings(graph: onnx.GraphProto) -> list[str]:
    tables = _matrices(graph)
    nodes: list[onnx.NodeProto] = []
    fixed: list[str] = []
    for node in graph.node:
        if node.op_type != "Gather" or node.input[0] not in tables:
            nodes.append(node)
            continue
        name, ids = node.output[0], node.input[1]
        packed = _pack(graph, name, tables[node.input[0]], axis=1)
        found = [f"{part}_found" for part in packed]
        looking = [
            helper.make_node("Gather", [part, ids], [at], f"{at}_node") for part, at in zip(packed, found, strict=True)
        ]
        _add(graph, f"{name}_shape", np.array([0, 0, -1]))  # (sentences, pieces, hidden)
        nodes += [*looking, *_unpacking(name, *found)]
        fixed += [one.name for one in looking]
    _replace_nodes(graph, nodes)
    return fixed


def _shrink_weights(graph: onnx.GraphProto) -> None:
    matrices = _matrices(graph)
    unpacking: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        name = node.input[1] if node.op_type in ("MatMul", "Gemm") else ""
        if name not in matrices or name in unpacking:
            continue
        is_transposed = any(attribute.name == "transB" and attribute.i for attribute in node.attribute)
        packed = _pack(graph, name, matrices[name], axis=1 if is_transposed else 0)
        _add(graph, f"{name}_shape", np.array(matrices[name].shape))
        unpacking[name] = _unpacking(name, *packed)
    for initializer in [one for one in graph.initializer if one.name in unpacking]:
        graph.initializer.remove(initializer)
    _replace_nodes(graph, [*(node for nodes in unpacking.values() for node in nodes), *graph.node])


def _pack(graph: onnx.GraphProto, name: str, matrix: np.ndarray, axis: int) -> tuple[str, str]:
    """Add the matrix in blocks along `axis` as whole numbers from −127 to 127 and their scales; their names."""
    length = matrix.shape[axis]
    block = BLOCK if length % BLOCK == 0 else length
    shape = (length // block, block, matrix.shape[1]) if axis == 0 else (matrix.shape[0], length // block, block)
    blocks = matrix.reshape(shape)
    scales = (np.maximum(np.abs(blocks).max(axis + 1, keepdims=True), 1e-4) / 127).astype(np.float16)
    numbers = np.clip(np.round(blocks / scales.astype(np.float32)), -127, 127).astype(np.int8)
    return _add(graph, f"{name}_int8", numbers), _add(graph, f"{name}_scales", scales)


def _unpacking(name: str, numbers: str, scales: str) -> list[onnx.NodeProto]:
    """The nodes that make floats called `name` of packed ones."""
    return [
        helper.make_node("Cast", [numbers], [f"{name}_numbers"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Cast", [scales], [f"{name}_factors"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}_numbers", f"{name}_factors"], [f"{name}_blocks"]),
        helper.make_node("Reshape", [f"{name}_blocks", f"{name}_shape"], [name]),
    ]


def _add(graph: onnx.GraphProto, name: str, array: np.ndarray) -> str:
    graph.initializer.append(numpy_helper.from_array(array, name))
    return name


def _matrices(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    """The large floating-point matrices a network carries, by name."""
    return {
        one.name: numpy_helper.to_array(one)
        for one in graph.initializer
        if len(one.dims) == 2 and np.prod(one.dims) >= MIN_SIZE and one.data_type == onnx.TensorProto.FLOAT
    }


def _replace_nodes(graph: onnx.GraphProto, nodes: list[onnx.NodeProto]) -> None:
    """Give the graph these nodes, and drop what none of them reads any more."""
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(kept)
    read = {name for node in kept for name in node.input}
    for initializer in [one for one in graph.initializer if one.name not in read]:
        graph.initializer.remove(initializer)
