"""A tiny IMPARA and a tiny language model, trained once for all tests of judges."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_impara import run_tiny

from errata.judges.impara.export import export_impara
from errata.training.loop import Outcome
from tiny_encoder import write_encoder
from tiny_language_model import write_language_model


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """The folder of the judge as it was trained, and how training went."""
    return run_tiny(tmp_path_factory.mktemp("impara"))


@pytest.fixture(scope="session")
def exported(trained: tuple[Path, Outcome], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same judge without torch."""
    out = tmp_path_factory.mktemp("exported") / "judge"
    export_impara(trained[0], out)
    return out


@pytest.fixture(scope="session")
def lm_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny language model that has read a few sentences."""
    return write_language_model(tmp_path_factory.mktemp("lm") / "tiny")


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random BERT as Hugging Face publishes them."""
    return write_encoder(tmp_path_factory.mktemp("encoders") / "tiny-bert")


@pytest.fixture(scope="session")
def frozen(trained: tuple[Path, Outcome], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judge on the encoder of the other, which stays as it is; of its similarity one layer is kept."""
    encoder = f"{{name: '{trained[0]}', positions: 62}}"
    return run_tiny(
        tmp_path_factory.mktemp("frozen"),
        f"model.backbone={encoder}",
        f"model.similarity={encoder}",
        "model.similarity_layers=1",
        "model.pooling=mean",
        "model.frozen=true",
        "model.scaled=true",
    )[0]
