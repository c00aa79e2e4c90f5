"""Words of the corpus itself as proposals: no neural network, nothing to download.

A word may stand for another of its fine tag if both of its neighbours were seen beside it elsewhere in the corpus, or
if a list of groups (`groups.toml`) has the two together. Verbs come from the groups alone: neighbours do not tell what
a verb asks for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import ClassVar

from errata.edits.carrying import DELETE, INSERT, SUBSTITUTE
from errata.errors import UsageError
from errata.model import Tokens
from errata.synth.perturb.counts import EDGE, WordCounts, find_mates, read_groups
from errata.synth.perturb.texts import Perturbation, Proposal, Site, Text
from errata.text.english_words import FUNCTION_WORDS
from errata.text.tokens import split_characters

# Words that a group vouches for, against those that were only seen between the same neighbours.
VOUCHED = 3.0
# An insertion was seen this often before the word that it would stand before; twice may be one text.
SEEN = 3
# So many neighbours with a meaning of their own (no function words) two words share at least. Words that share `the`
# and `of` alone are of the same kind, but do not mean things of the same kind.
SHARED = 3
_LEARNT_KINDS = frozenset({"noun", "adjective"})


class WordsProposer:
    """Words of the same tag, by frequency and shared neighbours."""

    name: ClassVar[str] = "words"

    def __init__(self, language: str, counts: WordCounts, model: str | None = None, device: str = "cpu") -> None:
        if model is not None:
            raise UsageError("the proposer words has no model: leave --model out, or choose lm or encoder")
        self.language, self.counts = language, counts

    def propose(self, text: Text, sites: Sequence[Site]) -> list[list[Proposal]]:
        return [sorted(self._propose(text, site), key=lambda one: (-one.weight, one.words)) for site in sites]

    def _propose(self, text: Text, site: Site) -> Iterator[Proposal]:
        if site.action == DELETE:
            yield Proposal((), 1.0)
            return
        vouched = self._vouched(text, site)
        for word in vouched:
            yield Proposal(self._tokens(word), VOUCHED)
        if self.language == "en":
            for word, weight in self._learnt(text, site):
                if word not in vouched:
                    yield Proposal((word,), weight)

    def _vouched(self, text: Text, site: Site) -> tuple[str, ...]:
        if site.action == INSERT:
            if site.kind == "before_adjective" and self.language == "en" and not self._is_gradable(text, site):
                return ()
            return tuple(word for [word] in read_groups(self.language).get(site.kind, ()))
        word = text.words[site.first]
        kinds = ("object", "clause") if site.kind == "verb" else (site.kind,)
        found = (find_mates(self.language, kind, word.text, word.lemma, word.tag) for kind in kinds)
        return tuple(dict.fromkeys(mate for mates in found for mate in mates))

    def _is_gradable(self, text: Text, site: Site) -> bool:
        return bool(self.counts.gradable[text.words[site.head].text.lower()])

    def _learnt(self, text: Text, site: Site) -> Iterator[tuple[str, float]]:
        """Words of the right tag that were seen between the neighbours of the site, with their weights."""
        left = text.words[site.first - 1].text.lower() if site.first else EDGE
        right = text.words[site.last].text.lower() if site.last < len(text.words) else EDGE
        counts = self.counts
        for word in counts.preceding(right) if site.action == INSERT else counts.followers(left):
            n_left, n_right = counts.pairs[left, word], counts.pairs[word, right]
            is_tagged = 2 * counts.by_tag[site.tag][word] > counts.words[word]
            if not is_tagged or not word.isalpha() or word in FUNCTION_WORDS:
                continue
            if site.action == INSERT:
                if n_right >= SEEN:
                    yield word, math.log1p(n_right)
            elif n_left and n_right and site.kind in _LEARNT_KINDS and self._is_alike(text, site, word, left):
                yield word, math.log1p(min(n_left, n_right))

    def _is_alike(self, text: Text, site: Site, word: str, left: str) -> bool:
        """Whether a word keeps the company of the one it would replace."""
        old = text.words[site.first]
        if self.counts.lemmas.get(word) in (old.lemma, old.text):
            return False
        if site.tag == "NN" and left in ("a", "an") and not self.counts.countable[word]:
            return False
        return self.counts.shared_neighbours(old.text.lower(), word) >= SHARED

    def _tokens(self, word: str) -> Tokens:
        return split_characters(word) if self.language == "zh" else (word,)

    def differences(
        self, text: Text, perturbations: Sequence[tuple[Site, Perturbation]], *, is_learnt: bool
    ) -> list[float]:
        words = [word.text.lower() for word in text.words]
        found = []
        for site, perturbation in perturbations:
            new = "".join(perturbation.words).lower() if self.language == "zh" else " ".join(perturbation.words).lower()
            if site.action == SUBSTITUTE and new in map(str.lower, self._vouched(text, site)):
                found.append(0.0)  # a list says that they are as good as each other
            else:
                given = [new] if new else []
                found.append(self.counts.difference(words, site.first, site.last, given, is_learnt=is_learnt))
        return found
