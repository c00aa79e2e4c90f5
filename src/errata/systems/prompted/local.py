"""A prompted model in this process: greedy generation with transformers, with or without a LoRA adapter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from errata.errors import DataError, MissingExtra
from errata.networks.weights import place_model
from errata.places import inside
from errata.systems.lm.causal import Causal, load_causal, own_model
from errata.systems.prompted.journal import Answer
from errata.systems.prompted.settings import PromptedSettings
from errata.systems.prompted.template import Template

BASE = "base"  # the folder of a base model that was trained from scratch
# An answer may have GROWTH times the subwords of its sentence, and EXTRA; a longer one is no correction.
GROWTH, EXTRA = 2, 16


def prompt_pieces(tokenizer: Any, template: Template, api: str, sentence: str) -> list[int]:
    """The subwords of a prompt, the same in training and in generation."""
    if api == "chat":
        if not tokenizer.chat_template:
            raise DataError("the model's tokenizer has no chat template: set api to completions")
        said = tokenizer.apply_chat_template(template.messages(sentence), add_generation_prompt=True, return_dict=False)
        return [int(piece) for piece in said]
    start = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    return [*start, *tokenizer.encode(template.prompt(sentence), add_special_tokens=False)]


class LocalModel:
    """A causal language model that answers prompts."""

    n_retries = 0

    def __init__(self, causal: Causal, settings: PromptedSettings, template: Template) -> None:
        self.model, self.tokenizer = causal
        self.settings, self.template = settings, template
        if self.tokenizer.eos_token_id is None:
            raise DataError(f"{settings.model}: the tokenizer has no end mark")

    @classmethod
    def load(cls, folder: Path, settings: PromptedSettings, template: Template, device: str) -> LocalModel:
        """The model that a folder names or contains, with its adapter."""
        causal = load_causal(own_model(folder, settings.model), device)
        if settings.adapter is not None:
            adapter = inside(folder, settings.adapter, "adapter")
            causal = Causal(place_model(load_adapter(causal.model, adapter), device), causal.tokenizer)
        return cls(causal, settings, template)

    @torch.inference_mode()
    def ask(self, sentences: Sequence[str], done: Callable[[int, Answer], None]) -> None:
        """Answer all sentences, in batches of similar length, and call `done(number, answer)` for each answer."""
        prompts = [prompt_pieces(self.tokenizer, self.template, self.settings.api, one) for one in sentences]
        order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
        for start in range(0, len(order), self.settings.batch):
            batch = order[start : start + self.settings.batch]
            answers = self._generate([prompts[i] for i in batch], [sentences[i] for i in batch])
            for number, answer in zip(batch, answers, strict=True):
                done(number, answer)

    def _generate(self, prompts: Sequence[list[int]], sentences: Sequence[str]) -> list[Answer]:
        width, end = max(map(len, prompts)), self.tokenizer.eos_token_id
        device = next(self.model.parameters()).device
        # Padding is on the left, so all answers begin in the same column.
        ids = torch.tensor([[end] * (width - len(one)) + one for one in prompts], device=device)
        mask = torch.tensor([[0] * (width - len(one)) + [1] * len(one) for one in prompts], device=device)
        longest = max(len(self.tokenizer.encode(one, add_special_tokens=False)) for one in sentences)
        limit = min(self.settings.max_answer_tokens, GROWTH * longest + EXTRA)
        made = self.model.generate(
            input_ids=ids,
            attention_mask=mask,
            max_new_tokens=limit,
            do_sample=False,
            temperature=None,
            top_p=None,
            top_k=None,
            pad_token_id=end,
        )
        answers = []
        for prompt, row in zip(prompts, made[:, width:].tolist(), strict=True):
            n_pieces = row.index(end) if end in row else len(row)
            text = self.tokenizer.decode(row[:n_pieces], skip_special_tokens=True)
            answers.append(Answer(text, end in row, len(prompt), n_pieces))
        return answers


def add_adapter(model: Any, **options: Any) -> Any:
    """The model with a new LoRA adapter; its own weights are frozen."""
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError as error:
        raise MissingExtra("peft", "train") from error
    try:
        return get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **options))
    except ValueError as error:
        raise DataError(f"no LoRA adapter fits the model: {str(error).splitlines()[0]}") from error


def save_adapter(model: Any, folder: Path) -> None:
    """Write the adapter alone, in peft's format, so that other programs can read it."""
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)  # peft's empty model card


def load_adapter(model: Any, folder: Path) -> Any:
    """The model with the adapter of a folder; `DataError` if a weight is missing, left over or of another shape."""
    try:
        from peft import (
            LoraConfig,
            PeftConfig,
            get_peft_model,
            get_peft_model_state_dict,
            set_peft_model_state_dict,
        )
    except ImportError as error:
        raise MissingExtra("peft", "train") from error
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        config = PeftConfig.from_pretrained(str(folder))
        weights = load_file(folder / "adapter_model.safetensors")
    except (OSError, ValueError, SafetensorError) as error:
        raise DataError(f"{folder} is not a readable adapter: {str(error).splitlines()[0]}") from error
    # Other adapters, and LoRA for Megatron, can name modules or repositories whose code peft would run.
    if type(config) is not LoraConfig or config.megatron_config is not None:
        raise DataError(f"{folder} is not a plain LoRA adapter: errata loads no other kind")
    config.inference_mode = True
    adapted = get_peft_model(model, config)
    own = {name: tuple(value.shape) for name, value in get_peft_model_state_dict(adapted).items()}
    given = {name: tuple(value.shape) for name, value in weights.items()}
    if own != given:
        odd = sorted(name for name in own.keys() | given.keys() if own.get(name) != given.get(name))
        raise DataError(f"{folder} does not fit the model: {odd[0]} ({len(odd)} weights in all)")
    set_peft_model_state_dict(adapted, weights)
    return adapted
