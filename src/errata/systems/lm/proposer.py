"""A causal language model as a proposer of perturbations: what it expects at a place, and how it likes the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import torch

from errata.edits.carrying import DELETE
from errata.errors import UsageError
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.texts import Perturbation, Proposal, Site, Text
from errata.systems.lm.causal import DEFAULT_ENGLISH, load_causal
from errata.systems.lm.scoring import Scorer
from errata.text.spacing import join_words
from errata.text.tokens import split_characters

# Subwords that are looked at for each place, the most probable first: those of the right form are fewer.
LOOKED_AT = 300
# Words that are proposed for a place. They fit what stands before it; the checks look at the whole sentence.
PROPOSED = 12
# All candidates are scored in full: the first subword alone says little about a whole sentence.
NO_MARGIN = float("inf")


class CausalProposer:
    """Words of the corpus that a causal language model finds probable after what stands before them."""

    name: ClassVar[str] = "lm"

    def __init__(self, language: str, counts: WordCounts, model: str | None = None, device: str = "cpu") -> None:
        if model is None and language != "en":
            raise UsageError("the proposer lm has a default model for English alone: name one with --model")
        torch.set_num_threads(1)  # sums of floats depend on their number, and variants must not
        self.language, self.counts = language, counts
        self._scorer = Scorer(load_causal(model or DEFAULT_ENGLISH, device), margin=NO_MARGIN)
        self._pieces = _read_words(self._scorer.tokenizer, language)

    def propose(self, text: Text, sites: Sequence[Site]) -> list[list[Proposal]]:
        places = sorted({site.first for site in sites if site.action != DELETE})
        expected = dict(zip(places, self._expect(text, places), strict=True))
        return [self._choose(text, site, expected) for site in sites]

    def _choose(self, text: Text, site: Site, expected: dict[int, list[tuple[str, float]]]) -> list[Proposal]:
        if site.action == DELETE:
            return [Proposal((), 1.0)]
        old = text.words[site.first] if site.first < site.last else None
        found = []
        for word, share in expected[site.first]:
            is_other = old is None or (word not in (old.text.lower(), old.lemma) and self._lemma(word) != old.lemma)
            if is_other and self._may_be(word, site.tag):
                found.append(Proposal(split_characters(word) if self.language == "zh" else (word,), share))
        return found[:PROPOSED]

    def _lemma(self, word: str) -> str:
        return self.counts.lemmas.get(word, word)

    def _may_be(self, word: str, tag: str) -> bool:
        """Whether a word has a tag most of the time. Of words that the corpus does not have, nobody knows."""
        return 2 * self.counts.by_tag[tag][word] > self.counts.words[word]

    @torch.inference_mode()
    def _expect(self, text: Text, places: Sequence[int]) -> list[list[tuple[str, float]]]:
        """For each place the words that the model expects there, with their probabilities."""
        if not places:
            return []
        scorer, words = self._scorer, [word.text for word in text.words]
        pieces = scorer.pieces(self._write(words))
        logits = scorer.model(torch.tensor([pieces], device=scorer.device)).logits[0].float()
        expected = []
        for place in places:
            # The subwords of the words before, which are the beginning of those of the sentence.
            before = scorer.pieces(self._write(words[:place]))
            at = len(before) if pieces[: len(before)] == before else None
            row = logits[at - 1] if at is not None else scorer.model(
                torch.tensor([before], device=scorer.device)
            ).logits[0, -1].float()  # fmt: skip
            shares, numbers = row.softmax(-1).topk(min(LOOKED_AT, row.shape[-1]))
            pairs = zip(numbers.tolist(), shares.tolist(), strict=True)
            expected.append([(self._pieces[number], share) for number, share in pairs if number in self._pieces])
        return expected

    def differences(
        self, text: Text, perturbations: Sequence[tuple[Site, Perturbation]], *, is_learnt: bool
    ) -> list[float]:
        if not perturbations:
            return []
        original = self._write(text.tokens)
        variants = [self._write(perturbation.apply(text.tokens)) for _, perturbation in perturbations]
        loss, losses = self._scorer.score(original, variants)
        return [loss - losses[variant] for variant in variants]

    def _write(self, tokens: Sequence[str]) -> str:
        return "".join(tokens) if self.language == "zh" else join_words(tokens)


def _read_words(tokenizer: Any, language: str) -> dict[int, str]:
    """The subwords of a tokenizer that are whole words in lower case: number → word."""
    found: dict[int, str] = {}
    for number in range(len(tokenizer)):
        text = tokenizer.decode([number])
        if language == "zh":
            if text and all("\u4e00" <= character <= "\u9fff" for character in text):
                found[number] = text
        elif text[:1] == " " and text[1:].isalpha() and text[1:].islower() and text.isascii() and len(text) > 2:
            found[number] = text[1:]
    return found
