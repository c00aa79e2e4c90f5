"""Export: the same answers without torch, for any number and length of sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from errata.errors import DataError, UsageError
from errata.networks import shrink
from errata.networks.bits import Bits
from errata.networks.export import export_checked, export_onnx, largest_difference, name_of
from errata.networks.onnx import OnnxModel, has_network, read_parts, split_file
from errata.networks.shrink import store_weights
from errata.networks.stored import WeightWriter
from errata.networks.transformer import Transformer, TransformerConfig
from errata.systems.installed import find_model


class Tagger(nn.Module):
    def __init__(self, position_kind: str) -> None:
        super().__init__()
        sizes = {"vocabulary": 50, "hidden": 16, "layers": 2, "heads": 2, "feed_forward": 32, "positions": 20}
        self.encoder = Transformer(TransformerConfig(**sizes, position_kind=position_kind))  # type: ignore[arg-type]
        self.head = nn.Linear(16, 7)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        states = self.encoder(ids, mask).last_hidden_state
        return self.head(states).softmax(-1), states


AXES = dict.fromkeys(("ids", "mask", "scores", "states"), ("sentences", "subwords"))


def batch(sentences: int, subwords: int) -> dict[str, torch.Tensor]:
    ids = torch.randint(0, 50, (sentences, subwords), generator=torch.Generator().manual_seed(0))
    mask = torch.ones_like(ids)
    mask[0, subwords // 2 + 1 :] = 0
    return {"ids": ids, "mask": mask}


@pytest.mark.parametrize("position_kind", ["learned", "rotary"])
def test_exported_networks_answer_the_same_at_any_size(tmp_path: Path, position_kind: str) -> None:
    torch.manual_seed(1)
    model = Tagger(position_kind)
    export_checked(model, batch(3, 9), AXES, tmp_path / "model.onnx", tolerance=1e-4)
    assert model.training
    exported = OnnxModel(tmp_path / "model.onnx", threads=1)
    for sentences, subwords in ((1, 1), (5, 20), (2, 13)):
        assert max(largest_difference(model, exported, batch(sentences, subwords)).values()) < 1e-4


class Tied(nn.Module):
    """Two networks over the same weights; the second uses its embeddings twice, once transposed."""

    def __init__(self) -> None:
        super().__init__()
        self.model = Tagger("learned")
        self.is_second = False

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        scores, states = self.model(ids, mask)
        return states @ self.model.encoder.embedding.weight.T if self.is_second else scores


@pytest.mark.parametrize("is_small", [False, True])
def test_networks_share_weights_in_few_bits(tmp_path: Path, is_small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "MIN_SIZE", 64)  # the least a test network has
    torch.manual_seed(1)
    model, writer = Tied(), WeightWriter(tmp_path)
    axes = {name: AXES[name] for name in ("ids", "mask", "scores")}
    table = name_of(model.model, model.model.encoder.embedding.weight)
    for is_second in (False, True):
        model.is_second, path = is_second, tmp_path / f"{is_second}.onnx"
        export_checked(model, batch(3, 9), axes, tmp_path / "plain.onnx", keep_names=True)
        store_weights(tmp_path / "plain.onnx", path, writer, tables={table}, small=is_small)
        writer.close()
        difference = largest_difference(model, OnnxModel(path, threads=1), batch(5, 20))["scores"]
        assert (1e-6 if is_small else 0) <= difference < (0.05 if is_small else 1e-4)
    n_weights = sum(weights.numel() for weights in model.parameters())
    size = (tmp_path / "weights0.bin").stat().st_size
    assert size < (2.5 if is_small else 5) * n_weights + 64 * 60  # stored once, each tensor from a multiple of 64 on
    with pytest.raises(ValueError, match=f"two tensors are called {table}"):
        writer.add(table, model.model.encoder.embedding.weight.detach().numpy() + 1)


@pytest.mark.parametrize(("bits", "gap"), [(10, 0.001), (8, 0.004), (6, 0.02), (5, 0.04), (4, 0.08)])
def test_networks_in_any_bits(tmp_path: Path, bits: int, gap: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "MIN_SIZE", 64)
    torch.manual_seed(1)
    model, path = Tied(), tmp_path / "model.onnx"
    export_small(model, tmp_path, Bits(bits, bits, bits, bits))
    difference = largest_difference(model, OnnxModel(path, threads=1), batch(5, 20))["scores"]
    assert gap / 20 < difference < gap
    graph = onnx.load(path, load_external_data=False).graph
    weights = {one.name for one in graph.initializer}
    assert not [node for node in graph.node if node.op_type == "Transpose" and node.input[0] in weights]


def export_small(model: nn.Module, folder: Path, bits: Bits) -> None:
    axes, writer = {name: AXES[name] for name in ("ids", "mask", "scores")}, WeightWriter(folder)
    export_checked(model, batch(3, 9), axes, folder / "plain.onnx", keep_names=True)
    tables = {"encoder.embedding.weight"}
    store_weights(folder / "plain.onnx", folder / "model.onnx", writer, tables=tables, small=True, bits=bits)
    writer.close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shape": [8, 32]}, "encoder.layers.0.widen.weight has bytes for"),
        ({"initializers": {}}, "is not a network onnxruntime can run"),
        ({"initializers": {"model.onnx": ["model.encoder.layers.0.widen.weight"]}}, "is not a network"),
        ({"initializers": {"model.onnx": ["model.encoder.layers.0.narrow.weight.T"]}}, "is not a network"),
        ({"initializers": {"model.onnx": ["other"]}}, "is not a network"),
        ({"initializers": {"model.onnx": [5]}}, "has initializers that are no lists of names"),
    ],
)
def test_weights_that_do_not_fit_the_network(
    tmp_path: Path, change: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrink, "MIN_SIZE", 64)
    export_small(Tied(), tmp_path, Bits(4, 4, 4, 4))
    index = json.loads((tmp_path / "weights.json").read_text(encoding="utf-8"))
    index["encoder.layers.0.widen.weight"].update(change)
    (tmp_path / "weights.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        OnnxModel(tmp_path / "model.onnx", threads=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["en-small", "zh-small"])
def test_bundled_graphs_run(name: str) -> None:
    exported = OnnxModel(find_model(name) / "model.onnx", threads=1)
    ids = np.array([[5, 60, 61, 62, 6]])
    arrays = {"ids": ids, "mask": np.ones_like(ids), "cases": np.zeros_like(ids), "first": np.array([[0, 1, 2, 3]])}
    assert np.isfinite(exported.run(arrays)["error"]).all()


def test_an_export_that_answers_otherwise_is_refused(tmp_path: Path) -> None:
    class Moody(nn.Module):
        calls = 0

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            return ids * float(self.calls)

    with pytest.raises(DataError, match="answers otherwise than the model: scores differs by"):
        export_checked(Moody(), {"ids": torch.ones(2, 3)}, {"scores": ("n",)}, tmp_path / "model.onnx")


def test_what_a_network_cannot_take_is_one_line(tmp_path: Path) -> None:
    export_onnx(Tagger("learned"), batch(3, 9), AXES, tmp_path / "model.onnx")
    exported = OnnxModel(tmp_path / "model.onnx", threads=1)
    arrays = {name: tensor.numpy() for name, tensor in batch(2, 4).items()}
    with pytest.raises(DataError, match=r"model\.onnx cannot run on this input: ") as caught:
        exported.run({**arrays, "ids": arrays["ids"] + 100})
    assert "\n" not in str(caught.value)
    with pytest.raises(DataError, match="asks for mask"):
        exported.run({"ids": arrays["ids"]})


def test_parts(tmp_path: Path) -> None:
    model, path = Tagger("learned"), tmp_path / "model.onnx"
    export_onnx(model, batch(3, 9), AXES, path)
    content = path.read_bytes()
    parts = split_file(path, limit=10_000)
    assert len(parts) == -(-len(content) // 10_000) > 2 and not path.exists() and has_network(path)
    assert max(p.stat().st_size for p in parts) <= 10_000
    assert max(largest_difference(model, OnnxModel(path, threads=1), batch(2, 4)).values()) < 1e-4
    parts[1].unlink()
    with pytest.raises(DataError, match=r"model\.onnx\.part1 is missing"):
        read_parts(path)


@given(st.binary(max_size=40), st.integers(1, 9))
def test_parts_are_the_whole(tmp_path_factory: pytest.TempPathFactory, content: bytes, limit: int) -> None:
    path = tmp_path_factory.mktemp("parts") / "file"
    path.write_bytes(content)
    split_file(path, limit)
    assert read_parts(path) == content


def test_faults(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    with pytest.raises(DataError, match=r"no such file .*model\.onnx, nor model\.onnx\.part0"):
        OnnxModel(path)
    path.write_bytes(b"not a network")
    with pytest.raises(DataError, match="is not a network onnxruntime can run"):
        OnnxModel(path)
    with pytest.raises(UsageError, match="no device 'cuda'"):
        OnnxModel(path, device="cuda")
