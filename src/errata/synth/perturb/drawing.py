"""Candidates of a sentence, drawn by action, then place, then word: the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from errata.errors import UnknownName, UsageError
from errata.synth.perturb.originals import Original
from errata.synth.perturb.texts import ACTIONS, Perturbation, Proposal, Site, Tongue

# The synthetic perturbations of the RobustGEC paper (appendix B) are substitutions, insertions and deletions with equal
# probability. There are fewer places to delete or insert at, so substitutions prevail all the same.
EQUAL: Mapping[str, float] = dict.fromkeys(ACTIONS, 1.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A perturbation of the source, with its site in the first target."""

    site: Site
    perturbation: Perturbation

    @property
    def in_target(self) -> Perturbation:
        return Perturbation(self.site.action, self.site.start, self.site.end, self.perturbation.words)


def parse_shares(text: str) -> dict[str, float]:
    """Shares of actions: `substitute=3,insert=1`; an action without a number has the share 1.

    >>> parse_shares("substitute=2,delete")
    {'substitute': 2.0, 'delete': 1.0}
    """
    shares: dict[str, float] = {}
    for entry in filter(None, text.replace(",", " ").split()):
        name, equals, number = entry.partition("=")
        if name not in ACTIONS:
            raise UnknownName("action", name, ACTIONS)
        try:
            share = float(number) if equals else 1.0
        except ValueError:
            share = -1.0
        if not 0 < share < float("inf"):
            raise UsageError(f"the share of {name} is a number above 0, not {number!r}")
        shares[name] = share
    if not shares:
        raise UsageError(f"name at least one action ({', '.join(ACTIONS)})")
    return shares


def draw_candidates(
    original: Original,
    sites: Sequence[Site],
    proposals: Sequence[Sequence[Proposal]],
    tongue: Tongue,
    shares: Mapping[str, float],
    rng: Random,
) -> Iterator[Candidate]:
    """All candidates, in the order in which they are tried; each once."""
    left: dict[str, dict[Site, list[Proposal]]] = {}
    for site, words in zip(sites, proposals, strict=True):
        fit = [one for one in words if tongue.is_fit(original.targets[0], site, one.words)]
        if fit:
            left.setdefault(site.action, {})[site] = fit
    while left:
        [action] = rng.choices(list(left), [shares[name] for name in left])
        site = rng.choice(list(left[action]))
        options = left[action][site]
        [place] = rng.choices(range(len(options)), [one.weight for one in options])
        proposal = options.pop(place)
        if not options:
            del left[action][site]
            if not left[action]:
                del left[action]
        span = original.source_span(site)
        assert span is not None, "sites are outside of edits"
        yield Candidate(site, Perturbation(action, *span, proposal.words))
