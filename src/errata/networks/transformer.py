"""Our own small Transformer encoder, for training from scratch: pre-norm, GELU, learned or rotary positions.

It is called as Hugging Face's encoders are (`inputs_embeds` or `input_ids`, `attention_mask`, `last_hidden_state`,
`get_input_embeddings`), so systems treat both alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """The sizes of an encoder; `positions` is the longest input."""

    vocabulary: int
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    positions: int
    position_kind: Literal["learned", "rotary"] = "learned"
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if self.hidden % self.heads or (self.position_kind == "rotary" and self.hidden // self.heads % 2):
            raise ValueError(f"hidden ({self.hidden}) must divide into {self.heads} heads, of even width for rotary")


class Encoded(NamedTuple):
    """States (sentences, subwords, hidden) after the last layer and, if asked for, before and after each layer."""

    last_hidden_state: torch.Tensor
    hidden_states: tuple[torch.Tensor, ...] | None = None


class Transformer(nn.Module):
    """A stack of pre-norm layers between an embedding and a final norm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.hidden)
        is_learned = config.position_kind == "learned"
        self.positions = nn.Embedding(config.positions, config.hidden) if is_learned else None
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.hidden)
        self.apply(initialise_weights)

    def get_input_embeddings(self) -> nn.Module:
        return self.embedding

    def forward(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        inputs_embeds: torch.Tensor | None = None,
        output_hidden_states: bool = False,
    ) -> Encoded:
        """States of subwords (identifiers or embeddings); `attention_mask` (sentences, subwords) is 0 at padding."""
        if inputs_embeds is None:
            inputs_embeds = self.embedding(input_ids)
        places = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device)
        angles = None
        if self.positions is not None:
            inputs_embeds = inputs_embeds + self.positions(places)
        else:
            angles = _rotary_angles(places, self.config.hidden // self.config.heads)
        mask = (
            None if attention_mask is None else attention_mask[:, None, None, :].bool()
        )  # (sentences, 1, 1, subwords)
        states = self.dropout(inputs_embeds)
        seen = [states]
        for layer in self.layers:
            states = layer(states, mask, angles)
            seen.append(states)
        return Encoded(self.norm(states), tuple(seen) if output_hidden_states else None)


class _Layer(nn.Module):
    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.heads, self.rate = config.heads, config.dropout
        self.attention_norm = nn.LayerNorm(config.hidden)
        self.query_key_value = nn.Linear(config.hidden, 3 * config.hidden)
        self.project = nn.Linear(config.hidden, config.hidden)
        self.feed_norm = nn.LayerNorm(config.hidden)
        self.widen = nn.Linear(config.hidden, config.feed_forward)
        self.narrow = nn.Linear(config.feed_forward, config.hidden)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, states: torch.Tensor, mask: torch.Tensor | None, angles: tuple[torch.Tensor, torch.Tensor] | None
    ) -> torch.Tensor:
        states = states + self.dropout(self._attend(self.attention_norm(states), mask, angles))
        widened = functional.gelu(self.widen(self.feed_norm(states)))
        return states + self.dropout(self.narrow(widened))  # type: ignore[no-any-return]

    def _attend(
        self, states: torch.Tensor, mask: torch.Tensor | None, angles: tuple[torch.Tensor, torch.Tensor] | None
    ) -> torch.Tensor:
        sentences, subwords, hidden = states.shape
        split = self.query_key_value(states).view(sentences, subwords, 3, self.heads, hidden // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)  # each (sentences, heads, subwords, width)
        if angles is not None:
            query, key = _rotate(query, angles), _rotate(key, angles)
        rate = self.rate if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=rate)
        return self.project(mixed.transpose(1, 2).reshape(sentences, subwords, hidden))  # type: ignore[no-any-return]


def _rotary_angles(places: torch.Tensor, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines (subwords, width / 2) of rotary position embedding (Su et al., 2021)."""
    frequencies = 10_000.0 ** (-torch.arange(0, width, 2, device=places.device) / width)
    angles = places[:, None] * frequencies
    return angles.cos(), angles.sin()


def _rotate(vectors: torch.Tensor, angles: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    cosine, sine = (part.to(vectors.dtype) for part in angles)
    first, second = vectors.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)


def initialise_weights(module: nn.Module) -> None:
    """BERT's initialisation."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)
