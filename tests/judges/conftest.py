"""A tiny IMPARA and a tiny language model, trained once for all tests of judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.judges.impara.export import export_impara
from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.shipped import FOLDER as RECIPES
from tiny_encoder import write_encoder
from tiny_language_model import write_language_model

TINY = RECIPES / "impara-tiny.yaml"


def run_tiny(folder: Path, *assignments: str) -> tuple[Path, Outcome]:
    recipe = read_recipe(TINY, [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}", *assignments])
    task = find_task(recipe.system).prepare(recipe, recipe.run.cache)
    return folder / "run" / "model", train(recipe, task, place=Place(pick_device("cpu")))


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
