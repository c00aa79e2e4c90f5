"""A tiny LLaMA trained through its recipe, and the same model behind a real server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

# Seconds a server may take to start on a machine that is busy with other tests.
PATIENCE = 180


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of the recipe lora-tiny."""
    from errata.training.loop import train
    from errata.training.recipe import find_task, read_recipe
    from errata.training.shipped import shipped_recipe

    folder = tmp_path_factory.mktemp("lora")
    recipe = read_recipe(shipped_recipe("lora-tiny"), [f"run.folder={folder}/run", f"run.cache={folder}/cache"])
    train(recipe, find_task(recipe.system).prepare(recipe, recipe.run.cache))
    return folder / "run"


@pytest.fixture(scope="session")
def server(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of `transformers serve` with the trained model, and the model's name there."""
    from errata.systems.base import load_system

    pytest.importorskip("uvicorn", reason="pip install 'errata[test]' to start a server")
    program = str(Path(sys.executable).parent / "transformers")  # beside this Python, whether or not it is on the PATH
    local = load_system(trained / "model").backend
    folder = tmp_path_factory.mktemp("served")
    local.model.merge_and_unload().save_pretrained(folder)
    # A chat of one question is the very prompt the model was trained with.
    local.tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    local.tokenizer.save_pretrained(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [program, "serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, "transformers serve ended by itself"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail(f"transformers serve did not start within {PATIENCE} s")
