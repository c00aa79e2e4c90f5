"""Variants of sentences: candidates are drawn, checked together, and kept until there are enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

from errata.model import AnnotatedSentence, Annotation, RobustCase, Sample, Sentence
from errata.synth.perturb.checks import FAITHFULNESS, GRAMMAR, SCORE, Thresholds, is_faithful, is_grammatical
from errata.synth.perturb.drawing import EQUAL, Candidate, draw_candidates
from errata.synth.perturb.originals import Original, prepare
from errata.synth.perturb.proposers import Proposer
from errata.synth.perturb.texts import Text, Tongue
from errata.text.tokens import join_tokens

# Candidates that are checked for each variant that is still missing; then more, so many times.
AT_ONCE, ROUNDS = 2, 6


@dataclass(frozen=True, slots=True)
class PerturbOptions:
    """What is made: so many `variants` of a sentence, by `shares` of actions, `margin` tokens away from errors."""

    variants: int = 5
    shares: Mapping[str, float] = field(default_factory=lambda: EQUAL)
    margin: int = 1
    seed: int = 0
    tokenise: bool = False


@dataclass(slots=True)
class Tally:
    """What came of a run; `left_out` counts sentences by reason, `rejected` candidates by action and check."""

    n_sentences: int = 0
    n_candidates: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Sentences by their number of variants.
    by_variants: Counter[int] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.n_sentences += other.n_sentences
        self.n_candidates += other.n_candidates
        for name in ("left_out", "variants", "rejected", "by_variants"):
            getattr(self, name).update(getattr(other, name))


@dataclass(frozen=True, slots=True)
class Varied:
    """A sentence and its variants; `candidates` say how each of them came about."""

    original: AnnotatedSentence
    variants: tuple[AnnotatedSentence, ...]
    candidates: tuple[Candidate, ...]

    @property
    def samples(self) -> tuple[AnnotatedSentence, ...]:
        return (self.original, *self.variants)

    def as_case(self) -> RobustCase:
        """The case, with the targets of the first annotator."""
        original, *variants = (
            Sample(join_tokens(one.sentence.tokens), one.annotations[0].target or "") for one in self.samples
        )
        return RobustCase(original, tuple(variants))


class Perturber:
    """Makes variants of sentences of one language."""

    def __init__(
        self, tongue: Tongue, proposer: Proposer, thresholds: Thresholds, options: PerturbOptions, n_learnt: int = 0
    ) -> None:
        self.tongue, self.proposer, self.thresholds, self.options = tongue, proposer, thresholds, options
        self._n_learnt = n_learnt

    def perturb(self, sentences: Sequence[tuple[int, AnnotatedSentence]]) -> tuple[list[Varied], Tally]:
        """The sentences with their variants; those that have none are left out. Each comes with its number."""
        tally = Tally(len(sentences))
        works = []
        for original in prepare(sentences, self.tongue, tokenise=self.options.tokenise):
            if isinstance(original, str):
                tally.left_out[original] += 1
            else:
                works.append(_Work(original, self.draw(original, self.options.shares)))
        for _ in range(ROUNDS):
            self._check([one for one in works if len(one.kept) < self.options.variants], tally)
        varied = []
        for work in works:
            tally.by_variants[len(work.kept)] += 1
            tally.variants.update(candidate.site.action for candidate, _, _ in work.kept)
            if work.kept:
                varied.append(_finish(work))
        return varied, tally

    def draw(self, original: Original, shares: Mapping[str, float]) -> Iterator[Candidate]:
        """The candidates of a sentence, in the order in which they are tried."""
        sites = original.find_sites(self.tongue, self.options.margin, shares)
        proposals = self.proposer.propose(original.targets[0], sites)
        # A string, not a tuple: its random numbers do not depend on the process.
        rng = Random(f"{self.options.seed} {original.index}")
        return draw_candidates(original, sites, proposals, self.tongue, shares, rng)

    def _check(self, works: Sequence[_Work], tally: Tally) -> None:
        """One round: the next candidates of each sentence, parsed together."""
        drawn = [list(islice(work.candidates, AT_ONCE * (self.options.variants - len(work.kept)))) for work in works]
        changed = [
            [work.original.perturb(candidate.perturbation) for candidate in candidates]
            for work, candidates in zip(works, drawn, strict=True)
        ]
        distinct = dict.fromkeys(
            tokens for pairs in changed for source, targets in pairs for tokens in (source, *targets)
        )
        texts = dict(zip(distinct, self.tongue.analyse(list(distinct)), strict=True))
        for work, candidates, pairs in zip(works, drawn, changed, strict=True):
            passed = []
            for candidate, (source, targets) in zip(candidates, pairs, strict=True):
                tally.n_candidates += 1
                found = (candidate, texts[source], [texts[target] for target in targets])
                if check := self._first_failure(work.original, *found):
                    tally.rejected[candidate.site.action, check] += 1
                else:
                    passed.append(found)
            self._score(work, passed, tally)

    def _first_failure(self, original: Original, candidate: Candidate, source: Text, targets: list[Text]) -> str:
        if not is_faithful(original, candidate.perturbation, source, targets, self.tongue):
            return FAITHFULNESS
        is_right = is_grammatical(original.targets[0], candidate.site, targets[0], self.tongue)
        return "" if is_right else GRAMMAR

    def _score(self, work: _Work, candidates: list[tuple[Candidate, Text, list[Text]]], tally: Tally) -> None:
        differences = self.differences(work.original, [candidate for candidate, _, _ in candidates])
        for kept, difference in zip(candidates, differences, strict=True):
            action = kept[0].site.action
            if not self.thresholds.allow(action, difference):
                tally.rejected[action, SCORE] += 1
            elif len(work.kept) < self.options.variants:
                work.kept.append(kept)
            else:
                tally.n_candidates -= 1  # there are enough: nobody judged it

    def differences(self, original: Original, candidates: Sequence[Candidate]) -> list[float]:
        """How much more probable the first target becomes by each candidate."""
        pairs = [(candidate.site, candidate.in_target) for candidate in candidates]
        return self.proposer.differences(original.targets[0], pairs, is_learnt=original.index < self._n_learnt)


@dataclass(slots=True)
class _Work:
    """A sentence that variants are sought for."""

    original: Original
    candidates: Iterator[Candidate]
    kept: list[tuple[Candidate, Text, list[Text]]] = field(default_factory=list)


def _finish(work: _Work) -> Varied:
    original = work.original.annotated
    variants = tuple(
        _make_variant(work.original, candidate, source, targets, number)
        for number, (candidate, source, targets) in enumerate(work.kept, 1)
    )
    first = replace(original, meta={**original.meta, "sample": "O"})
    return Varied(first, variants, tuple(candidate for candidate, _, _ in work.kept))


def _make_variant(
    original: Original, candidate: Candidate, source: Text, targets: Sequence[Text], number: int
) -> AnnotatedSentence:
    annotations = tuple(
        Annotation(
            one.annotator,
            original.carry(one.edits, candidate.perturbation),
            target=join_tokens(target.tokens, like=source.tokens),
        )
        for one, target in zip(original.annotated.annotations, targets, strict=True)
    )
    change = candidate.perturbation
    meta: dict[str, Any] = {**original.annotated.meta, "sample": f"A{number}"}
    meta["perturbation"] = {
        "action": change.action, "start": change.start, "end": change.end, "words": list(change.words)
    }  # fmt: skip
    sentence = Sentence(source.tokens, id=original.annotated.sentence.id)
    return AnnotatedSentence(sentence, annotations, original.annotated.labels, meta)
