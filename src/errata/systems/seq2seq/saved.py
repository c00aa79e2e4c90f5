"""A system's folder: manifest, tokenizer, description of the network, weights."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import DataError
from errata.networks.encoder import DESCRIPTION as ENCODER
from errata.networks.encoder import load_encoder, save_encoder
from errata.systems.manifest import FORMAT, write_manifest
from errata.systems.seq2seq.borrowed import borrow_for
from errata.systems.seq2seq.subwords import TextSubwords

if TYPE_CHECKING:
    from errata.systems.seq2seq.settings import BackboneSettings, Seq2SeqSettings

DESCRIPTION = "network.json"


def build_network(settings: BackboneSettings, subwords: TextSubwords) -> tuple[Any, int]:
    """The network for a tokenizer, pretrained or freshly initialised, and the subword its decoder begins with."""
    n_subwords = subwords.tokenizer.get_vocab_size()
    if settings.name is not None:
        from errata.systems.seq2seq.huggingface import load_pretrained

        network = load_pretrained(settings.name, n_subwords, settings.positions)
        return network, network.decoder_start
    from errata.systems.seq2seq.network import EncoderDecoder, NetworkConfig

    encoder, hidden = None, settings.hidden
    if settings.tagger is not None:
        encoder, hidden = borrow_for(settings.tagger, subwords)
        if hidden % settings.heads:
            raise DataError(
                f"the encoder of {settings.tagger} is {hidden} wide: {settings.heads} heads do not divide it"
            )
    config = NetworkConfig(
        vocabulary=n_subwords,
        hidden=hidden,
        encoder_layers=settings.encoder_layers,
        decoder_layers=settings.decoder_layers,
        heads=settings.heads,
        feed_forward=settings.feed_forward or 4 * hidden,
        positions=settings.positions,
        dropout=settings.dropout,
    )
    return EncoderDecoder(config, encoder), subwords.end


def save_system(
    folder: Path,
    network: Any,
    subwords: TextSubwords,
    settings: Seq2SeqSettings,
    decoder_start: int,
    training: Mapping[str, Any],
) -> None:
    """Write a complete folder."""
    from errata.networks.weights import WEIGHTS, save_weights

    manifest = {
        "system": "seq2seq",
        "language": subwords.language,
        "format": FORMAT,
        "settings": {
            "positions": subwords.positions,
            "max_tokens": settings.max_tokens,
            "decoder_start": decoder_start,
            "decoding": dataclasses.asdict(settings.decoding),
        },
        "training": dict(training),
    }
    write_manifest(folder, manifest)
    subwords.save(folder)
    is_pretrained = hasattr(network.config, "to_dict")
    config = network.config.to_dict() if is_pretrained else dataclasses.asdict(network.config)
    write_json(folder / DESCRIPTION, {"kind": "transformers" if is_pretrained else "errata", "config": config})
    if getattr(network, "is_borrowed", False):
        save_encoder(network.encoder, folder)
    save_weights(network, folder / WEIGHTS)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n", encoding="utf-8")


def load_network(folder: Path) -> Any:
    """The network in a folder, strictly: its weights are exactly those its description asks for."""
    from errata.networks.weights import WEIGHTS, load_weights
    from errata.systems.seq2seq.network import EncoderDecoder, NetworkConfig

    try:
        described = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        kind, config = described["kind"], dict(described["config"])
        own = NetworkConfig(**config) if kind == "errata" else None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{folder / DESCRIPTION} does not describe a network: {error}") from error
    network: Any
    if own is not None:
        is_borrowed = (folder / ENCODER).is_file()
        network = EncoderDecoder(own, load_encoder(folder)[0] if is_borrowed else None)
    else:
        from errata.systems.seq2seq.huggingface import empty_network

        network = empty_network(config, folder / DESCRIPTION)
    load_weights(network, folder / WEIGHTS)
    return network.eval()
