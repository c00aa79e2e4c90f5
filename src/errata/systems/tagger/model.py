"""The network: an encoder, a tag for every slot from its first subword, and where errors are.

The factored head scores a tag as its operation plus its word (PIE's factorisation): append and replace share one word
table, which begins as the encoder's embeddings of the words, so a word seen with one operation is known to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import nn

from errata.networks.subwords import N_CASES, Subwords
from errata.systems.tagger.decoding import GATE
from errata.systems.tagger.factored import WORD_OPS, phrases_of, runs_of
from errata.systems.tagger.tags import Tag, TagVocabulary

# A slot is done early when its probability of error there is smaller (`errata export --exit-below`).
EXIT_BELOW = 0.02


class SlotAnswers(NamedTuple):
    """What decoding needs of a slot: the probability of keep, the best other tag with its probability, of an error.

    Each is (sentences, slots). Taking the best inside the network spares 5,000 numbers a slot on the way out.
    """

    keep: torch.Tensor
    best: torch.Tensor
    tag: torch.Tensor
    error: torch.Tensor


class Scores(NamedTuple):
    """Tag scores (sentences, slots, tags); error scores (sentences, slots), and those of the early exit."""

    tags: torch.Tensor
    errors: torch.Tensor | None
    early: torch.Tensor | None


class TaggerModel(nn.Module):
    """Encoder with a tag head and, for inventories that have one, a detection head.

    `early_exit` puts a second detection head after that many layers: a slot in which it sees no error is done there,
    and so are sentences without other slots, which most of running text is.
    """

    exit_below: torch.Tensor

    def __init__(
        self,
        encoder: nn.Module,
        hidden: int,
        tags: TagVocabulary,
        *,
        has_detection: bool,
        has_cases: bool = False,
        is_factored: bool = False,
        early_exit: int | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.encoder, self.early_exit = encoder, early_exit
        self.cases = nn.Embedding(N_CASES, hidden) if has_cases else None
        self.dropout = nn.Dropout(dropout)
        self.tags: nn.Module = FactoredHead(hidden, tags.tags) if is_factored else nn.Linear(hidden, len(tags))
        self.errors = nn.Linear(hidden, 1) if has_detection else None
        self.early: nn.Linear | None = None
        if early_exit is not None:
            self.early = nn.Linear(hidden, 1)
            self.register_buffer("exit_below", torch.tensor(EXIT_BELOW))
        if self.cases is not None:
            nn.init.zeros_(self.cases.weight)  # the pretrained encoder starts out as it was

    @property
    def embeddings(self) -> nn.Embedding:
        """The encoder's table of subwords."""
        table: nn.Embedding = self.encoder.get_input_embeddings()  # type: ignore[operator]
        return table

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor, first: torch.Tensor) -> Scores:
        """The scores of every slot."""
        slots, early = self.slots(ids, mask, cases, first)
        slots = self.dropout(slots)
        return Scores(self.tags(slots), None if self.errors is None else self.errors(slots).squeeze(-1), early)

    def slots(
        self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor, first: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The encoder's states at the first subword of every slot (sentences, slots, hidden); early error scores."""
        embedded = self.embeddings(ids)  # (sentences, subwords, hidden)
        if self.cases is not None:
            embedded = embedded + self.cases(cases)
        index = first.unsqueeze(-1).expand(-1, -1, embedded.shape[-1])
        if self.early is None or self.early_exit is None:
            states = self.encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
            return states.gather(1, index), None
        encoded = self.encoder(inputs_embeds=embedded, attention_mask=mask, output_hidden_states=True)
        seen = encoded.hidden_states[self.early_exit].gather(1, index)
        return encoded.last_hidden_state.gather(1, index), self.early(seen).squeeze(-1)

    def answers(self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor, first: torch.Tensor) -> SlotAnswers:
        """What decoding needs, from the same inputs as `forward`.

        Where detection sees next to no error, tags are not even scored: that is most of running text, and scoring
        thousands of tags costs as much as a layer of the encoder.
        """
        slots, early = self.slots(ids, mask, cases, first)
        if self.errors is None:
            keep, best, tag = _best(self.tags(slots))
            return SlotAnswers(keep, best, tag, 1 - keep)
        error = self.errors(slots).squeeze(-1).sigmoid()
        if early is not None:
            error = error.masked_fill(early.sigmoid() < self.exit_below, 0.0)
        is_open = error >= GATE
        # The first slot is scored in any case, and then forgotten: an empty batch would be special in every kernel.
        is_first = torch.arange(is_open.numel(), device=is_open.device) == 0
        chosen = (is_open.flatten() | is_first).nonzero().squeeze(-1)
        scored = _best(self.tags(slots.flatten(0, 1)[chosen]))
        filled = (torch.ones_like(error), torch.zeros_like(error), torch.zeros_like(first))
        keep, best, tag = (
            torch.where(is_open, whole.flatten().index_put((chosen,), part.to(whole.dtype)).view_as(error), whole)
            for whole, part in zip(filled, scored, strict=True)
        )
        return SlotAnswers(keep, best, tag, error)


def _best(scores: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The probability of keep, of the best other tag, and that tag."""
    shares = scores.softmax(-1)
    best, tag = shares[..., 1:].max(-1)
    return shares[..., 0], best, tag + 1


class FactoredHead(nn.Module):
    """A tag's score: its own bias, plus the agreement of the slot with the tag's words under the tag's operation."""

    def __init__(self, hidden: int, tags: Sequence[Tag]) -> None:
        super().__init__()
        self.phrases = phrases_of(tags)
        self.words = nn.Parameter(torch.randn(len(self.phrases), hidden) * hidden**-0.5)
        self.bias = nn.Parameter(torch.zeros(len(tags)))
        self.plain = nn.Linear(hidden, sum(tag.op not in WORD_OPS for tag in tags), bias=False)
        self.project = nn.ModuleDict({op.value: nn.Linear(hidden, hidden) for op in WORD_OPS})
        # Runs of tags that are scored together, in the order of the vocabulary: (operation, how many).
        self.runs: list[tuple[str | None, int]] = []
        for op, rows in runs_of(tags):
            self.runs.append((op and op.value, len(rows)))
            if op is not None:
                self.register_buffer(f"rows_{len(self.runs) - 1}", torch.tensor(rows), persistent=False)

    @torch.no_grad()
    def start_from(self, embeddings: torch.Tensor, subwords: Subwords) -> None:
        """Begin with the mean embedding of each phrase's subwords."""
        for row, phrase in enumerate(self.phrases):
            ids = [number for word in phrase for number in subwords.word(word)[0]]
            self.words[row] = embeddings[ids].mean(0)
        self.words.mul_(self.words.shape[1] ** -0.5 / self.words.std().clamp(min=1e-6))

    def forward(self, slots: torch.Tensor) -> torch.Tensor:
        """Scores (sentences, slots, tags)."""
        plain, used, parts = self.plain(slots), 0, []
        for run, (op, length) in enumerate(self.runs):
            if op is None:
                parts.append(plain[..., used : used + length])
                used += length
            else:
                rows = getattr(self, f"rows_{run}")
                parts.append(self.project[op](slots) @ self.words[rows].T)
        return torch.cat(parts, -1) + self.bias
