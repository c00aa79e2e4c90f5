"""A model that decides about a sentence by the mean of what it says of the sentence and of variants of it.

Where voting counts finished edits, this averages probabilities before anything is decided: an edit that the model is
nearly sure of in every variant is made, though some variants alone would not get it. It needs no training, but a model
that gives probabilities to tokens, and takes as many times longer as there are variants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from errata.model import Tokens
from errata.pipeline.sentences import SentenceCorrector
from errata.robustness.voting import MakeVariants
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.text.tokens import split_characters


def average_over(corrector: SentenceCorrector, make_variants: MakeVariants) -> SentenceCorrector:
    """The corrector with the same presets and rules, whose model averages over the variants of each sentence."""
    return corrector.around(Averaging(corrector.base, make_variants), f"averaging({corrector.name})")


class Averaging(TokenCorrector):
    """A model around another one: what that says is averaged over the variants that a function makes."""

    kind: ClassVar[str] = "averaging"

    def __init__(self, model: TokenCorrector, make_variants: MakeVariants) -> None:
        self.model, self._make_variants = model, make_variants
        self.language, self.max_tokens = model.language, model.max_tokens

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of each sentence, in order."""
        return self.model.propose_together([[tokens, *self._variants(tokens)] for tokens in sentences])

    def with_decoding(self, **options: Any) -> Averaging:
        """The same with other decoding options of the model."""
        return Averaging(self.model.with_decoding(**options), self._make_variants)

    def _variants(self, tokens: Tokens) -> list[Tokens]:
        """The variants of a sentence that the model has room for."""
        is_chinese = self.language == "zh"
        texts = self._make_variants(("" if is_chinese else " ").join(tokens))
        variants = (split_characters(text) if is_chinese else tuple(text.split()) for text in texts)
        return [variant for variant in variants if 0 < len(variant) <= self.max_tokens]
