"""The training task of a causal language model: all weights on pairs, or a LoRA adapter."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import nn

from errata.errors import DataError
from errata.files import replacing_folder
from errata.systems.evaluation import dev_scores, propose_whole
from errata.systems.lm.causal import Causal, load_causal
from errata.systems.prompted.local import BASE, LocalModel, add_adapter, save_adapter
from errata.systems.prompted.prompted import Prompted
from errata.systems.prompted.settings import PromptedSettings, write_settings
from errata.systems.prompted.template import Template, load_template
from errata.systems.prompted.training import (
    IGNORED,
    AnswerExamples,
    CausalLmData,
    CausalLmSettings,
    learn_tokenizer,
    pack_pairs,
    running_text,
)
from errata.training.digests import key_of
from errata.training.packed import pack_once
from errata.training.pairs import DevSentence, Example, load_dev, read_dev, read_examples, write_dev
from errata.training.task import Loss

if TYPE_CHECKING:
    from errata.training.settings import Recipe

PACKING = 1  # increase it when the same data gives other arrays
ADAPTER = "adapter"
DEV = "dev.jsonl"


class CausalLmTask:
    """A causal language model with its pairs."""

    Settings: ClassVar[type] = CausalLmSettings
    DataSettings: ClassVar[type] = CausalLmData
    backbone: ClassVar[tuple[str, ...]] = ()

    def __init__(self, recipe: Recipe, tokenizer: Any, template: Template, examples: AnswerExamples, dev: Path) -> None:
        self.recipe, self.tokenizer, self.template = recipe, tokenizer, template
        self.settings: CausalLmSettings = recipe.model
        self._examples = examples
        self.dev: list[DevSentence] = load_dev(dev)

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> CausalLmTask:
        settings: CausalLmSettings = recipe.model
        data: CausalLmData = recipe.data
        template = load_template(settings.template, recipe.start)
        asked = (settings.base.name, settings.base.pieces, settings.api, settings.max_pieces, template.as_dict())
        key = key_of(PACKING, recipe.digests(), recipe.language, asked, data.tokenise, data.dev_limit)
        kept = cache / f"causal-lm-{key}"
        if not kept.is_dir():
            with replacing_folder(kept) as beside:
                _tokenizer(recipe, template).save_pretrained(beside)
                dev = read_dev(data.dev, recipe.language, tokenise=data.tokenise)
                write_dev(dev[: data.dev_limit], beside / DEV)
        tokenizer = _read_tokenizer(kept)
        packed = pack_once(
            cache / f"causal-lm-pairs-{key}",
            lambda: pack_pairs(_pairs(recipe), tokenizer, template, settings, recipe.language),
        )
        return cls(recipe, tokenizer, template, AnswerExamples(packed, tokenizer.eos_token_id), kept / DEV)

    @property
    def train_examples(self) -> AnswerExamples:
        return self._examples

    def build_model(self) -> nn.Module:
        """The base model; if the recipe has an adapter, the base is frozen under it."""
        base = self.settings.base
        model: Any = load_causal(base.name).model if base.name is not None else self._scratch()
        if self.settings.lora is not None:
            model = add_adapter(model, **self.settings.lora.options())
        model.config.use_cache = False
        return model  # type: ignore[no-any-return]

    def _scratch(self) -> Any:
        from transformers import LlamaConfig, LlamaForCausalLM

        base = self.settings.base
        config = LlamaConfig(
            vocab_size=len(self.tokenizer),
            hidden_size=base.hidden,
            intermediate_size=4 * base.hidden,
            num_hidden_layers=base.layers,
            num_attention_heads=base.heads,
            max_position_embeddings=2 * self.settings.max_pieces,
            bos_token_id=None,
            eos_token_id=self.tokenizer.eos_token_id,
            pad_token_id=self.tokenizer.eos_token_id,
        )
        return LlamaForCausalLM(config)  # type: ignore[no-untyped-call]

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        """Cross-entropy of the answers."""
        labels = batch["labels"][:, 1:]
        logits = model(input_ids=batch["ids"], attention_mask=batch["mask"]).logits[:, :-1]
        n_answer = (labels != IGNORED).sum()
        total = nn.functional.cross_entropy(
            logits.float().flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum"
        )
        return Loss(total / n_answer.clamp(min=1), n_answer)

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """F0.5, precision and recall on dev, and the share of changed sentences; empty without a dev set."""
        if not self.dev:
            return {}
        proposals = propose_whole(self.corrector(model), [one.tokens for one in self.dev])
        return dev_scores(self.dev, proposals, self.recipe.language)

    def corrector(self, model: Any) -> Prompted:
        """The prompted system around a model in training."""
        described = self._described()
        local = LocalModel(Causal(model, self.tokenizer), described, self.template)
        return Prompted(local, described, self.template, language=self.recipe.language)

    def _described(self) -> PromptedSettings:
        settings = self.settings
        is_stored = settings.base.name is None or settings.lora is None
        return PromptedSettings(
            model=BASE if is_stored else str(settings.base.name),
            api=settings.api,
            template="template.toml",
            adapter=None if settings.lora is None else ADAPTER,
            journal=None,
            max_tokens=settings.max_tokens,
        )

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        """Save the adapter with the name of its base; a base without a name, or with trained weights, is saved too."""
        described = self._described()
        if self.settings.lora is not None:
            save_adapter(model, folder / ADAPTER)
        if described.model == BASE:
            base: Any = model if self.settings.lora is None else copy.deepcopy(model).unload()  # type: ignore[operator]
            base.save_pretrained(folder / BASE)
            self.tokenizer.save_pretrained(folder / BASE)
        (folder / "template.toml").write_text(self.template.as_toml(), encoding="utf-8")
        write_settings(folder, self.recipe.language, described, training)


def _pairs(recipe: Recipe) -> Iterator[Example]:
    return read_examples(recipe.data.train, recipe.language, tokenise=recipe.data.tokenise)


def _tokenizer(recipe: Recipe, template: Template) -> Any:
    settings: CausalLmSettings = recipe.model
    if settings.base.name is not None:
        return load_causal(settings.base.name).tokenizer
    texts = [template.prompt(running_text(tokens, recipe.language)) for tokens, _ in _pairs(recipe)]
    if not texts:
        raise DataError("no training pairs: the files are empty")
    return learn_tokenizer(texts, settings.base.pieces)


def _read_tokenizer(folder: Path) -> Any:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if tokenizer.eos_token_id is None:
        raise DataError("the base model's tokenizer has no end mark")
    return tokenizer
