"""MPNet's encoder (Song et al., 2020): BERT with a bias for the distance of two subwords, which all layers share.

Weights have the names they have in transformers, and answers are the same. Attention is one fused step here, which
doubles the speed of training.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from errata.networks.transformer import Encoded, initialise_weights

# Distances from this one on share the last bucket.
MAX_DISTANCE = 128


class MPNet(nn.Module):
    """An encoder with the sizes of a `MPNetConfig` of transformers."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config
        self.embeddings, self.encoder = _Embeddings(config), _Layers(config)

    def get_input_embeddings(self) -> nn.Module:
        return self.embeddings.word_embeddings

    def forward(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        inputs_embeds: torch.Tensor | None = None,
        output_hidden_states: bool = False,
    ) -> Encoded:
        """States of subwords (identifiers or embeddings); `attention_mask` (sentences, subwords) is 0 at padding."""
        if inputs_embeds is None:
            inputs_embeds = self.embeddings.word_embeddings(input_ids)
        states = self.embeddings(inputs_embeds)
        bias = self.encoder.bias(states.shape[1]).to(states.dtype)
        if attention_mask is not None:
            is_padding = attention_mask[:, None, None, :] == 0  # (sentences, 1, 1, subwords)
            bias = bias.masked_fill(is_padding, torch.finfo(bias.dtype).min)
        seen = [states]
        for layer in self.encoder.layer:
            states = layer(states, bias)
            seen.append(states)
        return Encoded(states, tuple(seen) if output_hidden_states else None)


class _Embeddings(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        pad = config.pad_token_id
        self.first_position = pad + 1
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=pad)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size, padding_idx=pad)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, embedded: torch.Tensor) -> torch.Tensor:
        places = torch.arange(embedded.shape[1], device=embedded.device) + self.first_position
        return self.dropout(self.LayerNorm(embedded + self.position_embeddings(places)))  # type: ignore[no-any-return]


class _Layers(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.layer = nn.ModuleList(_Layer(config) for _ in range(config.num_hidden_layers))
        self.relative_attention_bias = nn.Embedding(config.relative_attention_num_buckets, config.num_attention_heads)

    def bias(self, length: int) -> torch.Tensor:
        """What is added to the attention of each subword to each (1, heads, subwords, subwords)."""
        places = torch.arange(length, device=self.relative_attention_bias.weight.device)
        buckets = bucket(places[None, :] - places[:, None], self.relative_attention_bias.num_embeddings)
        return self.relative_attention_bias(buckets).permute(2, 0, 1)[None]  # type: ignore[no-any-return]


class _Layer(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.attention, self.intermediate, self.output = _Attention(config), _Widen(config), _Narrow(config)

    def forward(self, states: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        states = self.attention(states, bias)
        return self.output(functional.gelu(self.intermediate.dense(states)), states)  # type: ignore[no-any-return]


class _Attention(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.attn = _Maps(config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.heads, self.rate = config.num_attention_heads, config.attention_probs_dropout_prob

    def forward(self, states: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        sentences, subwords, hidden = states.shape
        query, key, value = (
            project(states).view(sentences, subwords, self.heads, hidden // self.heads).transpose(1, 2)
            for project in (self.attn.q, self.attn.k, self.attn.v)
        )  # each (sentences, heads, subwords, width)
        rate = self.rate if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=bias.to(query.dtype), dropout_p=rate
        )
        projected = self.attn.o(mixed.transpose(1, 2).reshape(sentences, subwords, hidden))
        return self.LayerNorm(self.dropout(projected) + states)  # type: ignore[no-any-return]


class _Maps(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(hidden, hidden) for _ in range(4))


class _Widen(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intermediate_size)


class _Narrow(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(config.intermediate_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, widened: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        return self.LayerNorm(self.dropout(self.dense(widened)) + states)  # type: ignore[no-any-return]


# Attention to the favoured distance at the start, as a logarithm: two thirds of it among 200 subwords.
LOCAL = 6.0
# The distances that the first heads of a new encoder favour; the others begin without favour.
NEAR = ((-1,), (1,), (-2,), (2,), (-1, -2, -3, -4), (1, 2, 3, 4))


@torch.no_grad()
def initialise(network: MPNet) -> MPNet:
    """The network with BERT's random weights, and heads that look at neighbours from the first step.

    An encoder that starts without them spends thousands of steps on the frequencies of single subwords before its
    heads find what stands next to a hidden one.
    """
    network.apply(initialise_weights)
    table = network.encoder.relative_attention_bias
    nn.init.zeros_(table.weight)
    for head, distances in zip(range(table.embedding_dim), NEAR, strict=False):
        table.weight[bucket(torch.tensor(distances), table.num_embeddings), head] = LOCAL
    return network


def bucket(distances: torch.Tensor, n_buckets: int) -> torch.Tensor:
    """The bucket of each distance (of the one looked at from the one that looks): one half for each direction.

    Of each half, one half are the nearest distances one by one; the others are as wide as their distance is large.
    """
    half = n_buckets // 2
    exact = half // 2
    far = distances.abs().clamp(min=1)
    shares = torch.log(far.float() / exact) / math.log(MAX_DISTANCE / exact)
    wide = (exact + (shares * (half - exact)).long()).clamp(max=half - 1)
    return half * (distances > 0) + torch.where(distances.abs() < exact, distances.abs(), wide)
