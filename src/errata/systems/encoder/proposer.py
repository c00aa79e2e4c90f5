"""A masked language model as a proposer of perturbations: which words of the corpus it expects behind a mask."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import torch

from errata.edits.carrying import DELETE
from errata.errors import UsageError
from errata.model import Tokens
from errata.networks.encoder import find_pretrained, load_pretrained, load_tokenizer, longest_input, read_pretrained
from errata.networks.subwords import Subwords
from errata.networks.tokenizer import mark_id
from errata.networks.weights import load_weights, place_model
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.texts import Perturbation, Proposal, Site, Text
from errata.systems.encoder.model import MaskedLanguageModel
from errata.systems.encoder.saved import HEAD
from errata.text.tokens import split_characters

# Words of the right tag that are compared for a place, the most frequent of the corpus; and those that are proposed.
COMPARED, PROPOSED = 2000, 12
# Tokens on each side of a change whose probability is compared. Those further away change little, and cost a pass each.
WINDOW = 2
# Inputs of the network at once.
BATCH = 32
# Subwords of an input where nothing limits them.
UNLIMITED = 512

# (inputs, positions) of subwords and which of them count → (inputs, positions, subwords) log-probabilities.
Network = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class MaskedProposer:
    """Words of the corpus that a masked language model finds probable between what stands before and after them."""

    name: ClassVar[str] = "encoder"

    def __init__(self, language: str, counts: WordCounts, model: str | None = None, device: str = "cpu") -> None:
        if model is None:
            raise UsageError("the proposer encoder needs a masked language model: name its folder with --model")
        torch.set_num_threads(1)  # sums of floats depend on their number, and variants must not
        self.language, self.counts, self._device = language, counts, device
        self._network, self._subwords, self._mask = _load(model, device)
        self._known: dict[tuple[str, int], list[Tokens]] = {}

    def propose(self, text: Text, sites: Sequence[Site]) -> list[list[Proposal]]:
        return [self._propose(text, site) for site in sites]

    def _propose(self, text: Text, site: Site) -> list[Proposal]:
        if site.action == DELETE:
            return [Proposal((), 1.0)]
        old = text.tokens[site.start : site.end]
        size = len(old) or (1 if self.language == "en" else 2)
        words = [words for words in self._words(site.tag, size) if words != old]
        if not words or not self._fits(text.tokens):
            return []
        line = self._cut((*text.tokens[: site.start], *[None] * size, *text.tokens[site.end :]))
        places = [place for place, number in enumerate(line) if number == self._mask]
        [shares] = self._ask([line])
        numbers = torch.tensor([[self._subwords.word(token)[0][0] for token in one] for one in words])
        rows = shares[places]  # (masks, subwords)
        scores = rows.gather(1, numbers.T.to(rows.device)).sum(0)  # (words,)
        best = scores.topk(min(PROPOSED, len(words)))
        return [
            Proposal(words[at], math.exp(score))
            for score, at in zip(best.values.tolist(), best.indices.tolist(), strict=True)
        ]

    def _words(self, tag: str, size: int) -> list[Tokens]:
        """The most frequent words of the corpus with a tag, of `size` tokens that are one subword each."""
        if (tag, size) not in self._known:
            found = (self._tokens(word) for word, _ in self.counts.by_tag[tag].most_common() if self._is(word, tag))
            fit = (tokens for tokens in found if len(tokens) == size and self._is_plain(tokens))
            self._known[tag, size] = list(islice(fit, COMPARED))
        return self._known[tag, size]

    def _is(self, word: str, tag: str) -> bool:
        return 2 * self.counts.by_tag[tag][word] > self.counts.words[word.lower()]

    def _is_plain(self, tokens: Tokens) -> bool:
        return all(token.isalpha() and len(self._subwords.word(token)[0]) == 1 for token in tokens)

    def _tokens(self, word: str) -> Tokens:
        return split_characters(word) if self.language == "zh" else (word,)

    def differences(
        self, text: Text, perturbations: Sequence[tuple[Site, Perturbation]], *, is_learnt: bool
    ) -> list[float]:
        if not self._fits(text.tokens):
            return [-math.inf] * len(perturbations)
        asked: list[tuple[Tokens, int, int]] = []
        for _, change in perturbations:
            asked.append((text.tokens, change.start, change.end))
            asked.append((change.apply(text.tokens), change.start, change.start + len(change.words)))
        scores = self._score(asked)
        return [after - before for before, after in zip(scores[::2], scores[1::2], strict=True)]

    def _score(self, asked: Sequence[tuple[Tokens, int, int]]) -> list[float]:
        """Log-probability of the tokens [start, end) and those beside them, each with all others in sight."""
        lines: list[list[int]] = []
        wanted: list[tuple[int, list[int], list[int]]] = []  # which text, places of the masks, what is behind them
        for number, (tokens, start, end) in enumerate(asked):
            for place in range(max(0, start - WINDOW), min(len(tokens), end + WINDOW)):
                pieces = self._subwords.word(tokens[place])[0]
                before = 1 + sum(len(self._subwords.word(token)[0]) for token in tokens[:place])
                line = self._cut(tokens)
                places = list(range(before, before + len(pieces)))
                line[before : before + len(pieces)] = [self._mask] * len(pieces)
                lines.append(line)
                wanted.append((number, places, pieces))
        totals = [0.0] * len(asked)
        for (number, places, pieces), shares in zip(wanted, self._ask(lines), strict=True):
            totals[number] += float(shares[places, pieces].sum())
        return totals

    def _cut(self, tokens: Sequence[str | None]) -> list[int]:
        """The subwords of tokens, of which None is a mask."""
        pieces = [[self._mask] if token is None else self._subwords.word(token)[0] for token in tokens]
        return [self._subwords.start, *(number for some in pieces for number in some), self._subwords.end]

    def _fits(self, tokens: Tokens) -> bool:
        """Whether the network can read a text; a perturbation may make it a little longer."""
        return len(self._cut(tokens)) + WINDOW <= self._subwords.max_positions

    @torch.inference_mode()
    def _ask(self, lines: Sequence[list[int]]) -> list[torch.Tensor]:
        """Log-probabilities (positions, subwords) of each line."""
        answers: list[torch.Tensor] = []
        for start in range(0, len(lines), BATCH):
            batch = lines[start : start + BATCH]
            longest = max(map(len, batch))
            ids = torch.tensor([line + [self._subwords.pad] * (longest - len(line)) for line in batch])
            mask = torch.tensor([[1] * len(line) + [0] * (longest - len(line)) for line in batch])
            answers += self._network(ids.to(self._device), mask.to(self._device)).cpu()
        return answers


def _load(name: str, device: str) -> tuple[Network, Subwords, int]:
    """The network of a masked language model, its subwords, and the number of its mask."""
    place = find_pretrained(name)
    if isinstance(place, Path) and (place / HEAD).is_file():
        return _load_own(place, device)
    from transformers import AutoModelForMaskedLM

    fault = "is no masked language model"
    model = place_model(read_pretrained(AutoModelForMaskedLM, name, fault), device)
    tokenizer = load_tokenizer(name)

    def ask(ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = model(input_ids=ids, attention_mask=mask).logits
        return logits.float().log_softmax(-1)

    return ask, *_read_subwords(tokenizer, model.config, name)


def _load_own(folder: Path, device: str) -> tuple[Network, Subwords, int]:
    """An encoder that errata has trained, with its head."""
    name = str(folder.absolute())
    tokenizer = load_tokenizer(name)
    encoder, hidden = load_pretrained(name, tokenizer.get_vocab_size(), positions=1)
    model = MaskedLanguageModel(encoder, hidden)
    load_weights(model.head, folder / HEAD)
    model = place_model(model, device)

    def ask(ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = model.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        scores: torch.Tensor = model.head(states, model.embeddings.weight)
        return scores.float().log_softmax(-1)

    config: Any = encoder.config
    return ask, *_read_subwords(tokenizer, config, str(folder))


def _read_subwords(tokenizer: Any, config: Any, name: str) -> tuple[Subwords, int]:
    subwords = Subwords(tokenizer, longest_input(config) or UNLIMITED, f"the tokenizer of {name}")
    return subwords, mark_id(tokenizer, "[MASK]", "<mask>", origin=f"the tokenizer of {name}")
