"""An encoder's folder: what `backbone: {name: ./folder}` reads, the head, and where it all comes from.

The head has a file of its own. A backbone is read strictly, and the head is no part of it; but without the head nobody
could judge the encoder again or let it fill masks, and it is a hundredth of the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.networks.subwords import Subwords
from errata.systems.manifest import FORMAT, write_manifest

if TYPE_CHECKING:
    from errata.systems.encoder.model import MaskedLanguageModel

HEAD = "head.safetensors"


def save_model(
    folder: Path, model: MaskedLanguageModel, subwords: Subwords, language: str, training: Mapping[str, Any]
) -> None:
    """Write a complete folder: `config.json`, `model.safetensors`, `tokenizer.json`, the head, `errata.json`."""
    from transformers.utils import logging

    from errata.networks.weights import WEIGHTS, save_weights

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    encoder: Any = model.encoder
    if hasattr(encoder, "save_pretrained"):
        encoder.save_pretrained(folder)
        (folder / WEIGHTS).chmod(0o644)  # safetensors lets only the owner read it
    else:  # our own MPNet, whose weights have the names they have in transformers
        encoder.config.save_pretrained(folder)
        save_weights(encoder, folder / WEIGHTS)
    save_weights(model.head, folder / HEAD)
    subwords.save(folder)
    settings = {"max_positions": subwords.max_positions}
    manifest = {"system": "encoder", "language": language, "format": FORMAT, "settings": settings, "training": training}
    write_manifest(folder, manifest)
