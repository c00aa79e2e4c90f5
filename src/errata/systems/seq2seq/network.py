"""Our own small encoder-decoder: a pre-norm decoder beside an encoder, one embedding for everything, a cache.

The encoder is ours and trained from scratch, or that of a tagger, which has learnt to see errors.

A network here is anything that gives the logits of a whole target (`forward`, for training and scoring) and of one
subword after the other (`begin`); `huggingface.Pretrained` is the other one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import nn
from torch.nn import functional

from errata.networks.transformer import Transformer, TransformerConfig

KeyValue = tuple[torch.Tensor, torch.Tensor]  # each (rows, heads, subwords, width)


class Session(Protocol):
    """Decoding in progress: rows are the beams of each sentence, sentence after sentence."""

    def step(self, subwords: torch.Tensor) -> torch.Tensor:
        """The logits (rows, vocabulary) of what follows after `subwords` (rows,) too."""
        ...

    def select(self, rows: torch.Tensor) -> None:
        """Go on with these rows, in this order; a row may be taken several times."""
        ...


class Network(Protocol):
    """What decoding needs of a model."""

    def __call__(self, ids: torch.Tensor, mask: torch.Tensor, decoder_ids: torch.Tensor) -> torch.Tensor: ...

    def begin(self, ids: torch.Tensor, mask: torch.Tensor, beam: int) -> Session: ...


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """The sizes of an encoder-decoder; `positions` is the longest input and output."""

    vocabulary: int
    hidden: int
    encoder_layers: int
    decoder_layers: int
    heads: int
    feed_forward: int
    positions: int
    dropout: float = 0.1


class EncoderDecoder(nn.Module):
    """An encoder and a decoder with one embedding for source, target and output.

    `encoder` is called as Hugging Face's are; without one it is ours, freshly initialised.
    """

    def __init__(self, config: NetworkConfig, encoder: nn.Module | None = None) -> None:
        super().__init__()
        self.config, self.is_borrowed = config, encoder is not None
        self.encoder = encoder or Transformer(
            TransformerConfig(
                vocabulary=config.vocabulary,
                hidden=config.hidden,
                layers=config.encoder_layers,
                heads=config.heads,
                feed_forward=config.feed_forward,
                positions=config.positions,
                dropout=config.dropout,
            )
        )
        self.positions = nn.Embedding(config.positions, config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.norm = nn.LayerNorm(config.hidden)
        for module in (self.positions, *self.layers.modules()):
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, decoder_ids: torch.Tensor) -> torch.Tensor:
        """Logits (sentences, target subwords, vocabulary) of the subword after each of `decoder_ids`."""
        memory = self.read(ids, mask)
        states = self._embed(decoder_ids, 0)
        crossed = mask[:, None, None, :].bool()
        for layer in self.layers:
            assert isinstance(layer, DecoderLayer)
            states, _ = layer(states, layer.remember(memory), crossed, None)
        return self._logits(states)

    def begin(self, ids: torch.Tensor, mask: torch.Tensor, beam: int) -> Session:
        return _Cached(self, ids, mask, beam)

    @property
    def embedding(self) -> nn.Embedding:
        """The table of subwords."""
        table: nn.Embedding = self.encoder.get_input_embeddings()  # type: ignore[operator]
        return table

    def read(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The states (sentences, source subwords, hidden) of sources."""
        states: torch.Tensor = self.encoder(inputs_embeds=self.embedding(ids), attention_mask=mask).last_hidden_state
        return states

    def _embed(self, ids: torch.Tensor, first: int) -> torch.Tensor:
        places = torch.arange(first, first + ids.shape[1], device=ids.device)
        return self.dropout(self.embedding(ids) + self.positions(places))  # type: ignore[no-any-return]

    def _logits(self, states: torch.Tensor) -> torch.Tensor:
        return functional.linear(self.norm(states), self.embedding.weight)


class DecoderLayer(nn.Module):
    """Attention to what was written, attention to the source, and a feed-forward step."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        hidden = config.hidden
        self.heads, self.rate = config.heads, config.dropout
        self.self_norm = nn.LayerNorm(hidden)
        self.query_key_value = nn.Linear(hidden, 3 * hidden)
        self.self_project = nn.Linear(hidden, hidden)
        self.cross_norm = nn.LayerNorm(hidden)
        self.query = nn.Linear(hidden, hidden)
        self.key_value = nn.Linear(hidden, 2 * hidden)
        self.cross_project = nn.Linear(hidden, hidden)
        self.feed_norm = nn.LayerNorm(hidden)
        self.widen = nn.Linear(hidden, config.feed_forward)
        self.narrow = nn.Linear(config.feed_forward, hidden)
        self.dropout = nn.Dropout(config.dropout)

    def remember(self, memory: torch.Tensor) -> KeyValue:
        """Keys and values of the source."""
        key, value = self._split(self.key_value(memory), 2)
        return key, value

    def forward(
        self, states: torch.Tensor, crossing: KeyValue, mask: torch.Tensor, past: KeyValue | None
    ) -> tuple[torch.Tensor, KeyValue]:
        """New states, and the keys and values written so far; `past` are those before `states`, of one subword then."""
        query, key, value = self._split(self.query_key_value(self.self_norm(states)), 3)
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        written = self._mix(query, key, value, None, is_causal=past is None)
        states = states + self.dropout(self.self_project(written))
        (query,) = self._split(self.query(self.cross_norm(states)), 1)
        states = states + self.dropout(self.cross_project(self._mix(query, *crossing, mask)))
        widened = functional.gelu(self.widen(self.feed_norm(states)))
        return states + self.dropout(self.narrow(widened)), (key, value)

    def _split(self, states: torch.Tensor, parts: int) -> tuple[torch.Tensor, ...]:
        rows, subwords, width = states.shape
        split = states.view(rows, subwords, parts, self.heads, width // parts // self.heads)
        return split.permute(2, 0, 3, 1, 4).unbind()  # each (rows, heads, subwords, width)

    def _mix(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        mask: torch.Tensor | None,
        is_causal: bool = False,
    ) -> torch.Tensor:
        rate = self.rate if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=rate, is_causal=is_causal
        )
        return mixed.transpose(1, 2).flatten(2)


class _Cached:
    def __init__(self, network: EncoderDecoder, ids: torch.Tensor, mask: torch.Tensor, beam: int) -> None:
        self.network, self.length = network, 0
        memory = network.read(ids, mask)
        self.mask = mask[:, None, None, :].bool().repeat_interleave(beam, 0)
        remembered = (layer.remember(memory) for layer in network.layers)  # type: ignore[operator]
        self.crossing = [(k.repeat_interleave(beam, 0), v.repeat_interleave(beam, 0)) for k, v in remembered]
        self.past: list[KeyValue | None] = [None] * len(network.layers)

    def step(self, subwords: torch.Tensor) -> torch.Tensor:
        states = self.network._embed(subwords[:, None], self.length)
        for number, layer in enumerate(self.network.layers):
            states, self.past[number] = layer(states, self.crossing[number], self.mask, self.past[number])
        self.length += 1
        return self.network._logits(states)[:, -1]

    def select(self, rows: torch.Tensor) -> None:
        self.past = [None if past is None else (past[0][rows], past[1][rows]) for past in self.past]
        if len(rows) != len(self.mask):  # beams of one sentence share its memory; only leaving sentences change it
            self.mask = self.mask[rows]
            self.crossing = [(key[rows], value[rows]) for key, value in self.crossing]
