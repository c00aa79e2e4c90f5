"""The cost of a prompted model, and how many of its answers were no corrections."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from errata.systems.prompted.journal import Answer
from errata.systems.prompted.settings import Prices


@dataclass(slots=True)
class Tally:
    """Counts since the model was loaded; answers from the journal cost nothing."""

    n_answers: int = 0
    n_journal: int = 0
    n_retries: int = 0
    n_prompt: int = 0
    n_answer: int = 0
    rejected: Counter[str] = field(default_factory=Counter)

    def count(self, answer: Answer) -> None:
        self.n_answers += 1
        self.n_prompt += answer.n_prompt
        self.n_answer += answer.n_answer

    def cost(self, prices: Prices) -> float:
        """The cost so far, in the currency of the prices."""
        return (self.n_prompt * prices.input + self.n_answer * prices.output) / 1e6

    def line(self, prices: Prices) -> str:
        """All counts in one line."""
        said = f"{self.n_answers} answers, {self.n_journal} more from the journal, {self.n_retries} retries; "
        said += f"{self.n_prompt} + {self.n_answer} tokens"
        if prices != Prices():
            said += f", cost {self.cost(prices):.4f}"
        if self.rejected:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(self.rejected.items()))
            said += f"; left unchanged: {reasons}"
        return said
