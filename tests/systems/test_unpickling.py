"""Weights are numbers: loading a folder from a stranger runs nothing of his."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from errata.errors import DataError, ErrataError
from errata.networks.encoder import load_pretrained, load_tokenizer
from errata.networks.stored import INDEX, StoredWeights
from errata.systems.lm.causal import load_causal
from errata.training.checkpoints import find_weights, load_checkpoint


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Path.write_text, (self.path, "it ran")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "trace"


def test_a_checkpoint_runs_nothing(tmp_path: Path, trace: Path) -> None:
    path = tmp_path / "run" / "checkpoints" / "last.pt"
    path.parent.mkdir(parents=True)
    torch.save({"model": Bomb(trace), "best": []}, path)
    with pytest.raises(DataError, match="not a readable checkpoint"):
        load_checkpoint(path, torch.device("cpu"))
    with pytest.raises(DataError, match="not a readable checkpoint"):
        find_weights(tmp_path / "run")
    assert not trace.exists()


def test_a_pretrained_folder_runs_nothing(tmp_path: Path, trace: Path) -> None:
    config = {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1}
    (tmp_path / "config.json").write_text(json.dumps({**config, "architectures": ["BertModel"]}))
    torch.save({"embeddings.word_embeddings.weight": Bomb(trace)}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ErrataError):
        load_pretrained(str(tmp_path), 10, 8)
    assert not trace.exists()


def test_code_in_a_pretrained_folder_is_not_run(tmp_path: Path, trace: Path) -> None:
    code = f"from pathlib import Path\nPath({str(trace)!r}).write_text('it ran')\n"
    for name in ("configuration_own", "modeling_own", "tokenization_own"):
        (tmp_path / f"{name}.py").write_text(code)
    homes = {
        "AutoConfig": "configuration_own.OwnConfig",
        "AutoModel": "modeling_own.OwnModel",
        "AutoModelForCausalLM": "modeling_own.OwnModel",
        "AutoTokenizer": ["tokenization_own.OwnTokenizer", None],
    }
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "own", "auto_map": homes}))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"auto_map": homes}))
    for load in (load_tokenizer, load_causal, lambda name: load_pretrained(name, 10, 8)):
        with pytest.raises(DataError):
            load(str(tmp_path))
    assert not trace.exists()


@pytest.mark.parametrize("file", ["../secret.bin", "/etc/passwd", "..", ""])
def test_stored_weights_lie_in_the_folder(tmp_path: Path, file: str) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(64))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / INDEX).write_text(json.dumps({"w": {"shape": [2], "file": file, "offset": 0}}))
    with pytest.raises(DataError, match="must lie inside the folder"):
        StoredWeights.load(folder).floats("w", (2,))
