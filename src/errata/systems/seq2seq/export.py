"""A trained system as a CTranslate2 folder, which corrects with ctranslate2, tokenizers and numpy alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import DataError, MissingExtra
from errata.networks.transformer import Transformer
from errata.systems.exported import exporting
from errata.systems.manifest import read_manifest
from errata.systems.seq2seq.network import DecoderLayer, EncoderDecoder
from errata.systems.seq2seq.runtime import CT2
from errata.systems.seq2seq.saved import load_network
from errata.systems.seq2seq.subwords import TextSubwords

# CTranslate2's 8-bit weights have one scale for a whole row, which is too coarse, and its 8-bit products round their
# inputs too. Half precision changes next to nothing; on a CPU `runtime` has the weights made floats again.
SMALL = "float16"


def export_seq2seq(folder: Path, out: Path, *, small: bool = True) -> None:
    """Write the system in `folder` to the new folder `out`, converted for CTranslate2.

    `small` stores weights in half precision: half the space, and nearly the same answers.
    """
    try:
        import ctranslate2  # noqa: F401
    except ImportError as error:
        raise MissingExtra("ctranslate2", "ct2") from error
    manifest = read_manifest(folder)
    subwords = TextSubwords.load(folder, manifest["language"], manifest["settings"]["positions"])
    network = load_network(folder)
    start = int(manifest["settings"]["decoder_start"])
    with exporting(folder, out, manifest, format=CT2, int8=False) as beside:
        if isinstance(network, EncoderDecoder):
            spec = _describe(network)
            _name_subwords(spec, subwords, start, network.config.vocabulary)
        else:
            spec = _convert(network.model, subwords, start)
        spec.validate()
        spec.optimize(quantization=SMALL if small else None)
        (beside / CT2).mkdir()
        spec.save(str(beside / CT2))
        subwords.save(beside)


def _describe(network: EncoderDecoder) -> Any:
    """Our network in CTranslate2's terms."""
    from ctranslate2.specs import Activation, TransformerDecoderSpec, TransformerSpec

    config, embedding = network.config, network.embedding.weight
    decoder = TransformerDecoderSpec(config.decoder_layers, config.heads, pre_norm=True, activation=Activation.GELU)
    spec = TransformerSpec(_describe_encoder(network.encoder), decoder)
    spec.encoder.embeddings[0].weight = _array(embedding)
    spec.encoder.scale_embeddings = spec.decoder.scale_embeddings = False
    spec.decoder.embeddings.weight = _array(embedding)
    spec.decoder.position_encodings.encodings = _array(network.positions.weight)
    spec.decoder.projection.weight = _array(embedding)
    _norm(spec.decoder.layer_norm, network.norm)
    for described, layer in zip(spec.decoder.layer, network.layers, strict=True):
        assert isinstance(layer, DecoderLayer)
        _norm(described.self_attention.layer_norm, layer.self_norm)
        _linear(described.self_attention.linear[0], layer.query_key_value)
        _linear(described.self_attention.linear[1], layer.self_project)
        _norm(described.attention.layer_norm, layer.cross_norm)
        _linear(described.attention.linear[0], layer.query)
        _linear(described.attention.linear[1], layer.key_value)
        _linear(described.attention.linear[2], layer.cross_project)
        _feed_forward(described.ffn, layer)
    return spec


def _describe_encoder(encoder: Any) -> Any:
    """Our encoder, or BERT's that was borrowed from a tagger, without its table of subwords."""
    from ctranslate2.specs import Activation
    from ctranslate2.specs.transformer_spec import TransformerEncoderSpec

    config = encoder.config
    if isinstance(encoder, Transformer):
        if encoder.positions is None:
            raise DataError("CTranslate2 does not convert an encoder with rotary positions; use the system under torch")
        spec = TransformerEncoderSpec(config.layers, config.heads, pre_norm=True, activation=Activation.GELU)
        spec.position_encodings.encodings = _array(encoder.positions.weight)
        _norm(spec.layer_norm, encoder.norm)
        for described, layer in zip(spec.layer, encoder.layers, strict=True):
            _norm(described.self_attention.layer_norm, layer.attention_norm)
            _linear(described.self_attention.linear[0], layer.query_key_value)
            _linear(described.self_attention.linear[1], layer.project)
            _feed_forward(described.ffn, layer)
        return spec
    if config.model_type != "bert":
        raise DataError(f"CTranslate2 does not convert the encoder of {config.model_type}; use the system under torch")
    spec = TransformerEncoderSpec(
        config.num_hidden_layers,
        config.num_attention_heads,
        pre_norm=False,
        activation=Activation.GELU,
        layernorm_embedding=True,
    )
    embeddings = encoder.embeddings
    # Every subword is of the first kind, so its vector goes along with that of the place.
    places = embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
    spec.position_encodings.encodings = _array(places)
    _norm(spec.layernorm_embedding, embeddings.LayerNorm)
    for described, layer in zip(spec.layer, encoder.encoder.layer, strict=True):
        attention = layer.attention
        parts = (attention.self.query, attention.self.key, attention.self.value)
        first = described.self_attention.linear[0]
        first.weight, first.bias = (
            np.concatenate([_array(getattr(part, name)) for part in parts]) for name in ("weight", "bias")
        )
        _linear(described.self_attention.linear[1], attention.output.dense)
        _norm(described.self_attention.layer_norm, attention.output.LayerNorm)
        _linear(described.ffn.linear_0, layer.intermediate.dense)
        _linear(described.ffn.linear_1, layer.output.dense)
        _norm(described.ffn.layer_norm, layer.output.LayerNorm)
    return spec


def _name_subwords(spec: Any, subwords: TextSubwords, start: int, rows: int) -> None:
    """Give the spec its vocabulary, row by row, and its marks."""
    texts = [subwords.tokenizer.id_to_token(number) or f"[UNUSED{number}]" for number in range(rows)]
    spec.register_source_vocabulary(texts)
    spec.register_target_vocabulary(texts)
    spec.config.bos_token = spec.config.decoder_start_token = texts[start]
    spec.config.eos_token = texts[subwords.end]
    spec.config.unk_token = texts[subwords.pad if subwords.unknown is None else subwords.unknown]
    spec.config.add_source_bos = spec.config.add_source_eos = False


def _convert(model: Any, subwords: TextSubwords, start: int) -> Any:
    """A pretrained network in CTranslate2's terms, where its converter knows the kind."""
    from ctranslate2.converters import transformers as converters

    name = type(model.config).__name__
    loader = converters._MODEL_LOADERS.get(name)
    if loader is None:
        raise DataError(f"CTranslate2 does not convert a {name.removesuffix('Config')}; use the system under torch")
    if not hasattr(model.config, "normalize_before"):
        # transformers 5 no longer says what the converter asks for: BART normalises after, mBART before.
        model.config.normalize_before = name == "MBartConfig"
    spec = loader.get_model_spec(model)
    _name_subwords(spec, subwords, start, model.get_input_embeddings().weight.shape[0])
    return spec


def _array(tensor: Any) -> Any:
    return tensor.detach().float().cpu().numpy()


def _norm(described: Any, norm: Any) -> None:
    described.gamma, described.beta = _array(norm.weight), _array(norm.bias)


def _linear(described: Any, linear: Any) -> None:
    described.weight, described.bias = _array(linear.weight), _array(linear.bias)


def _feed_forward(described: Any, layer: Any) -> None:
    _norm(described.layer_norm, layer.feed_norm)
    _linear(described.linear_0, layer.widen)
    _linear(described.linear_1, layer.narrow)
