"""The sections `model:` and `data:` of a recipe for causal language models, and the examples made from its data."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.systems.prompted.local import prompt_pieces
from errata.systems.prompted.template import Template
from errata.text.spacing import join_words
from errata.training.packed import Packed, padded, ragged
from errata.training.pairs import Example

log = logging.getLogger(__name__)

END = "<|endoftext|>"
IGNORED = -100  # torch's label for places without loss


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class BaseSettings:
    """`base:`: the `name` of a pretrained model, or the sizes of a small LLaMA with `pieces` subwords."""

    name: str | None = None
    layers: int = 2
    hidden: int = 64
    heads: int = 4
    pieces: int = 600

    def __post_init__(self) -> None:
        _require(self.hidden % self.heads == 0 and self.layers > 0, "hidden is a multiple of heads, layers above 0")
        _require(self.pieces > 257, "pieces is above 257: 256 bytes and the end mark")


@dataclass(frozen=True, slots=True)
class LoraSettings:
    """`lora:`: an adapter of `rank` for the layers `targets`; the layers `whole` are trained without an adapter."""

    rank: int = 8
    alpha: float = 16.0
    dropout: float = 0.0
    targets: tuple[str, ...] = ("all-linear",)
    whole: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _require(self.rank > 0 and self.alpha > 0 and 0 <= self.dropout < 1, "rank and alpha are above 0, dropout < 1")

    def options(self) -> dict[str, Any]:
        """The options of peft's `LoraConfig`."""
        is_all = self.targets == ("all-linear",)
        return {
            "r": self.rank,
            "lora_alpha": self.alpha,
            "lora_dropout": self.dropout,
            "target_modules": "all-linear" if is_all else list(self.targets),
            "modules_to_save": list(self.whole) or None,
        }


@dataclass(frozen=True, slots=True)
class CausalLmSettings:
    """A base model, its adapter (null trains all weights), and the form of prompts.

    `max_pieces` limits the subwords of a prompt with its answer, `max_tokens` the tokens of a segment.
    """

    base: BaseSettings
    lora: LoraSettings | None = None
    template: str = "en-instruction"
    api: Literal["chat", "completions"] = "completions"
    max_pieces: int = 512
    max_tokens: int = 200


@dataclass(frozen=True, slots=True)
class CausalLmData:
    """Files of pairs, in any format that errata reads; `tokenise` cuts raw English text into words."""

    train: tuple[Path, ...]
    dev: tuple[Path, ...] = ()
    tokenise: bool = False
    dev_limit: int | None = None


def running_text(tokens: Sequence[str], language: str) -> str:
    return "".join(tokens) if language == "zh" else join_words(tokens)


def learn_tokenizer(texts: Iterable[str], size: int) -> Any:
    """A byte-level tokenizer for a model trained from scratch."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    learner.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    learner.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=learner, eos_token=END)  # type: ignore[no-untyped-call]


def pack_pairs(
    pairs: Iterable[Example], tokenizer: Any, template: Template, settings: CausalLmSettings, language: str
) -> Mapping[str, np.ndarray]:
    """Prompts with their answers as arrays, and the places where the answers begin."""
    rows, starts, too_long = [], [], 0
    for tokens, edits in pairs:
        source, target = running_text(tokens, language), running_text(apply_edits(tokens, edits), language)
        prompt = prompt_pieces(tokenizer, template, settings.api, source)
        answer = tokenizer.encode(template.answer.replace("{sentence}", target), add_special_tokens=False)
        row = [*prompt, *answer, tokenizer.eos_token_id]
        if len(row) > settings.max_pieces:
            too_long += 1
            continue
        rows.append(np.asarray(row, np.int32))
        starts.append(len(prompt))
    if too_long:
        log.warning("%d pairs with more than max_pieces (%d) subwords are left out", too_long, settings.max_pieces)
    if not rows:
        raise DataError("no training pairs are left: the files are empty or max_pieces is too small")
    ids, offsets = ragged(rows, np.int32)
    return {"ids": ids, "offsets": offsets, "starts": np.asarray(starts, np.int32)}


class AnswerExamples:
    """Packed prompts with their answers; only the answers count for the loss."""

    def __init__(self, packed: Packed, pad: int) -> None:
        self._packed, self._pad = packed, pad

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self._packed["offsets"])

    def __len__(self) -> int:
        return len(self._packed["starts"])

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`ids`, `mask` and `labels`, each (sentences, subwords); prompts and padding have no label."""
        chosen = np.asarray(indices)
        ids = padded(self._packed["ids"], self._packed["offsets"], chosen, self._pad)
        lengths, places = self.lengths[chosen][:, None], np.arange(ids.shape[1])[None]
        is_answer = (places >= self._packed["starts"][chosen][:, None]) & (places < lengths)
        return {
            "ids": ids,
            "mask": (places < lengths).astype(np.int64),
            "labels": np.where(is_answer, ids, IGNORED),
        }
