"""The two principles of RobustGEC as checks of a candidate: its errors are the same, and it has no new one.

**Faithfulness**: from the perturbed source to each perturbed target, the same edits with the same types are extracted
as before, moved by the words that were put in or taken out; and `errata robust` would find them corrected alike.

**Grammar**: every other word keeps its tag, its head and its relation; a new word gets the tag that its place asks for.
In English, errata's rules for everyday slips find nothing new (`a hour`).

**Score**: the perturbed target is no worse to the proposer than like perturbations that give correct text. Of clean
text, the reverse of a perturbation leads to what a person wrote: replacing the new word by theirs, deleting what they
did not write, inserting what they did. `Thresholds` are a quantile of these differences of log-probability, for each
action; a candidate whose own difference is lower is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from errata.edits.carrying import DELETE, INSERT, SUBSTITUTE, is_same_correction
from errata.synth.perturb.originals import Original
from errata.synth.perturb.texts import REVERSE, Perturbation, Site, Text, Tongue, Word

FAITHFULNESS, GRAMMAR, SCORE = "faithfulness", "grammar", "score"
CHECKS = (FAITHFULNESS, GRAMMAR, SCORE)
# Below this share of the changes that lead to what people wrote, a change is taken for an error. A first
# guess, with which 9 of 10 variants of W&I dev were good (docs/perturb.md); no other was compared.
QUANTILE = 0.3
# Fewer differences than these say nothing about a quantile.
FEWEST = 12


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least difference of log-probability that each action may make; an action that is not there is not checked."""

    least: Mapping[str, float]

    @classmethod
    def learn(cls, differences: Iterable[tuple[str, float]]) -> Thresholds:
        """From perturbations of clean text, as pairs of an action and its difference."""
        known = list(differences)
        least: dict[str, float] = {}
        # Deleting is the reverse of inserting: only insertions that pass for human tell what it should gain.
        for action in (INSERT, SUBSTITUTE, DELETE):
            reverse = REVERSE[action]
            values = [-value for name, value in known if name == reverse and value >= least.get(reverse, value)]
            if len(values) >= FEWEST:
                least[action] = _quantile(values, QUANTILE)
        if SUBSTITUTE in least:
            # A word that is as probable as the one a person wrote is good enough, however bad the others are.
            least[SUBSTITUTE] = min(least[SUBSTITUTE], 0.0)
        return cls(least)

    def allow(self, action: str, difference: float) -> bool:
        return action not in self.least or difference >= self.least[action]


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def is_faithful(
    original: Original, perturbation: Perturbation, source: Text, targets: Sequence[Text], tongue: Tongue
) -> bool:
    """Whether each annotator makes the same edits as before, with the same types."""
    for edits, before, after in zip(original.edits, original.targets, targets, strict=True):
        if tongue.edits(source, after) != original.carry(edits, perturbation):
            return False
        if not is_same_correction(original.source.tokens, before.tokens, source.tokens, after.tokens):
            return False
    return True


def is_grammatical(text: Text, site: Site, variant: Text, tongue: Tongue) -> bool:
    """Whether all is as before but for the site, whose new word has the tag that was asked for."""
    n_new = len(variant.words) - len(text.words) + site.last - site.first
    if n_new != (1 if site.action in (SUBSTITUTE, INSERT) else 0):
        return False

    def place(number: int) -> int:
        """The number of a word in the variant."""
        return number + n_new - (site.last - site.first) if number >= site.last else number

    for number, word in enumerate(text.words):
        if not site.first <= number < site.last and not _is_same(word, variant.words[place(number)], place):
            return False
    if not n_new:
        return tongue.is_faultless(text, variant)
    new = variant.words[site.first]
    if site.action == INSERT:
        is_placed = new.tag == site.tag and (not new.dep or new.head == place(site.head))
    else:
        is_placed = _is_same(text.words[site.first], new, place, is_new=True)
    return is_placed and tongue.is_faultless(text, variant)


def _is_same(word: Word, other: Word, place: Callable[[int], int], *, is_new: bool = False) -> bool:
    """Whether two words have the same grammar; a new word may have any text."""
    return (
        (is_new or word.text == other.text)
        and (word.tag, word.dep) == (other.tag, other.dep)
        and place(word.head) == other.head
    )
