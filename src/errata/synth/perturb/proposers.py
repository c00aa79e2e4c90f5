"""What a proposer is: it says which words may stand at a place, and how much worse a text is with them.

Adding one is a class and its line in `PROPOSERS`, or an entry point in the group `errata.proposers`. Those that need a
network live with the systems they share it with, and are imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from errata.registry import lookup
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.texts import Perturbation, Proposal, Site, Text

PLUGINS = "errata.proposers"
PROPOSERS: dict[str, str] = {
    "words": "errata.synth.perturb.words:WordsProposer",
    "lm": "errata.systems.lm.proposer:CausalProposer",
    "encoder": "errata.systems.encoder.proposer:MaskedProposer",
}


class Proposer(Protocol):
    """Proposes words for places, and judges texts by them.

    It is made from the language, the words of the corpus, the name or folder of a model (None: the default) and the
    device that the model runs on.
    """

    name: ClassVar[str]

    def __init__(self, language: str, counts: WordCounts, model: str | None, device: str) -> None: ...

    def propose(self, text: Text, sites: Sequence[Site]) -> list[list[Proposal]]:
        """The words that may stand at each site, the most probable first; a deletion needs none."""
        ...

    def differences(
        self, text: Text, perturbations: Sequence[tuple[Site, Perturbation]], *, is_learnt: bool
    ) -> list[float]:
        """Log-probability of the text after each perturbation, minus that of the text, in nats.

        `is_learnt` says that the text is one of those that `counts` were learnt from.
        """
        ...


def make_proposer(name: str, counts: WordCounts, model: str | None = None, device: str = "cpu") -> Proposer:
    """The proposer of this name."""
    found: type[Proposer] = lookup("proposer", PROPOSERS, name, group=PLUGINS)
    return found(counts.language, counts, model, device)
