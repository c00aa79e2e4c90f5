"""The language model as a corrector, after Bryant and Briscoe (2018) and CWEB (2020).

The language model scores all one-word alternatives of a sentence. An alternative wins if its mean negative
log-probability per word is below `threshold` times the original's (τ in appendix C of CWEB: 0.96 asks for 4 % less). Of
several for one word, the best one counts. The winners are applied from left to right, never to two words in a row, and
a sentence that changed is scored again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Protocol

from errata.edits.apply import apply_edits
from errata.errors import UsageError
from errata.model import Edit, Tokens
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.systems.lm.causal import load_causal, own_model
from errata.systems.lm.confusions import confusion_edits
from errata.systems.lm.settings import LmSettings, read_settings
from errata.systems.manifest import Manifest
from errata.systems.tagger.decode import Change, Draft
from errata.text.spacing import join_words


class Scores(Protocol):
    """Total negative log-probabilities of sentences, and of their alternatives that have a chance."""

    def score_all(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[float, dict[str, float]]]: ...


class LanguageModelCorrector(TokenCorrector):
    """A causal language model that chooses among confusion sets."""

    kind: ClassVar[str] = "lm"

    def __init__(self, scorer: Scores, settings: LmSettings, *, language: str, threshold: float | None = None) -> None:
        self.scorer, self.settings, self.language = scorer, settings, language
        self.threshold = settings.threshold(None) if threshold is None else threshold
        self.max_tokens = settings.max_tokens

    @classmethod
    def load(
        cls,
        folder: Path,
        manifest: Manifest | None = None,
        *,
        domain: str | None = None,
        threshold: float | None = None,
        passes: int | None = None,
        device: str = "cpu",
    ) -> LanguageModelCorrector:
        """The corrector that a folder describes; its threshold is that of `domain` unless `threshold` is given."""
        language, settings = read_settings(folder, manifest)
        chosen = settings.threshold(domain) if threshold is None else threshold
        if not 0 < chosen <= 1:
            raise UsageError("a threshold is above 0 and at most 1")
        return cls.build(folder, language, replace(settings, passes=passes or settings.passes), chosen, device)

    @classmethod
    def build(
        cls, folder: Path, language: str, settings: LmSettings, threshold: float | None = None, device: str = "cpu"
    ) -> LanguageModelCorrector:
        """The corrector with these settings; a path in them starts at `folder`, which need not exist."""
        causal = load_causal(own_model(folder, settings.model), device, settings.precision)
        from errata.systems.lm.scoring import Scorer

        scorer = Scorer(causal, margin=settings.margin, lag=settings.lag)
        return cls(scorer, settings, language=language, threshold=threshold)

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of each sentence. Confidence is the corrected one's share in the sum of both probabilities."""
        drafts = [Draft(tuple(tokens)) for tokens in sentences]
        # Sentences of about the same length side by side: the scorer reads several at once.
        open_drafts = sorted((draft for draft in drafts if draft.tokens), key=lambda draft: len(draft.tokens))
        for _ in range(self.settings.passes):
            changes = self.changes([draft.tokens for draft in open_drafts])
            open_drafts = [draft for draft, some in zip(open_drafts, changes, strict=True) if draft.apply(some)]
        return [list(draft.edits()) for draft in drafts]

    def changes(self, sentences: Sequence[Tokens]) -> list[list[Change]]:
        """The changes of one pass: the best winner of each word, never for two words in a row."""
        edits = [{self.text(apply_edits(tokens, [edit])): edit for edit in self._edits(tokens)} for tokens in sentences]
        asked = [(self.text(tokens), list(some)) for tokens, some in zip(sentences, edits, strict=True)]
        scores = self.scorer.score_all(asked)
        return [
            self._choose(tokens, some, loss, losses)
            for tokens, some, (loss, losses) in zip(sentences, edits, scores, strict=True)
        ]

    def _choose(
        self, tokens: Tokens, edits: Mapping[str, Edit], loss: float, losses: Mapping[str, float]
    ) -> list[Change]:
        best: dict[int, tuple[float, str]] = {}
        for text, other in losses.items():
            edit = edits[text]
            n_words = len(tokens) - (not edit.replacement)
            ratio = (other / n_words) / max(loss / len(tokens), 1e-9)
            if ratio < self.threshold:
                best[edit.start] = min(best.get(edit.start, (math.inf, "")), (ratio, text))
        changes: list[Change] = []
        for place, (_, text) in sorted(best.items()):
            # The next word was scored beside the word that is replaced here; the next pass scores it again.
            if not changes or place > changes[-1].end:
                gain = min(max(loss - losses[text], -50.0), 50.0)
                changes.append(Change(place, place + 1, edits[text].replacement, 1 / (1 + math.exp(-gain))))
        return changes

    def _edits(self, tokens: Tokens) -> list[Edit]:
        return list(confusion_edits(tokens, self.language, self.settings.confusions))

    def text(self, tokens: Sequence[str]) -> str:
        """A sentence as the language model reads it: running text."""
        return "".join(tokens) if self.language == "zh" else join_words(tokens)
