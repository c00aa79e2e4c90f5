"""Pretrained encoder-decoders of Hugging Face (BART, T5 …) behind the interface of our own network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn

from errata.errors import DataError
from errata.networks.encoder import SPARE_ROWS, _first_line, read_pretrained
from errata.systems.seq2seq.network import Session


class Pretrained(nn.Module):
    """A model of transformers."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.config = model.config

    @property
    def decoder_start(self) -> int:
        """The subword decoding begins with."""
        start = self.config.decoder_start_token_id
        if start is None:
            raise DataError(f"the configuration of {self.config.model_type} names no decoder_start_token_id")
        return int(start)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, decoder_ids: torch.Tensor) -> torch.Tensor:
        answer = self.model(input_ids=ids, attention_mask=mask, decoder_input_ids=decoder_ids, use_cache=False)
        return answer.logits  # type: ignore[no-any-return]

    def begin(self, ids: torch.Tensor, mask: torch.Tensor, beam: int) -> Session:
        return _Cached(self.model, ids, mask, beam)


class _Cached:
    def __init__(self, model: Any, ids: torch.Tensor, mask: torch.Tensor, beam: int) -> None:
        from transformers.modeling_outputs import BaseModelOutput

        self.model, self.past = model, None
        states = model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
        self._wrap = BaseModelOutput
        self.states, self.mask = states.repeat_interleave(beam, 0), mask.repeat_interleave(beam, 0)

    def step(self, subwords: torch.Tensor) -> torch.Tensor:
        answer = self.model(
            encoder_outputs=self._wrap(last_hidden_state=self.states),
            attention_mask=self.mask,
            decoder_input_ids=subwords[:, None],
            past_key_values=self.past,
            use_cache=True,
        )
        self.past = answer.past_key_values
        return answer.logits[:, -1]  # type: ignore[no-any-return]

    def select(self, rows: torch.Tensor) -> None:
        if self.past is not None:
            self.past.reorder_cache(rows)
        if len(rows) != len(self.mask):
            self.states, self.mask = self.states[rows], self.mask[rows]


def load_pretrained(name: str, n_subwords: int, positions: int) -> Pretrained:
    """A pretrained encoder-decoder; it must fit a tokenizer of `n_subwords` and texts of `positions` subwords."""
    from transformers import AutoModelForSeq2SeqLM

    model = read_pretrained(AutoModelForSeq2SeqLM, name, "no encoder-decoder")
    rows = model.get_input_embeddings().weight.shape[0]
    if not n_subwords <= rows <= n_subwords + SPARE_ROWS:
        raise DataError(
            f"backbone {name!r} does not fit its tokenizer: {n_subwords} subwords, {rows} rows of embeddings"
        )
    longest = getattr(model.config, "max_position_embeddings", None)
    if longest is not None and positions > longest:
        raise DataError(f"backbone {name!r} takes {longest} subwords, backbone.positions asks for {positions}")
    return Pretrained(model)


def empty_network(config: dict[str, Any], origin: Path) -> Pretrained:
    """The network a configuration describes, with random weights."""
    from transformers import AutoConfig, AutoModelForSeq2SeqLM

    try:
        return Pretrained(AutoModelForSeq2SeqLM.from_config(AutoConfig.for_model(**config)))  # type: ignore[no-untyped-call]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{origin} does not describe an encoder-decoder: {_first_line(error)}") from error
