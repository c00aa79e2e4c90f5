"""Ballots: a source with every edit its systems propose, each once, and who proposes it.

The edits of all systems are found by one extractor from what they made of the text, so that systems of different kinds
agree on what an edit is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from errata.edits.base import get_extractor
from errata.model import Edit, Tokens, correction

WORD_ORDER = ("R:WO", "W")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edit, the numbers of the systems that propose it, and whether it looks like correcting a spelling."""

    edit: Edit
    systems: tuple[int, ...]
    is_spelling: bool = False

    @property
    def is_word_order(self) -> bool:
        return self.edit.type in WORD_ORDER


@dataclass(frozen=True, slots=True)
class Ballot:
    """What is voted on in one sentence; candidates are in the order of their spans."""

    tokens: Tokens
    candidates: tuple[Candidate, ...]


class BallotBox:
    """Holds ballots in a language; keeps the extractor, which takes a while to load.

    English texts are tokens separated by spaces; Chinese ones are cut into characters, or at spaces if `segmented`.
    """

    def __init__(self, language: str, *, segmented: bool = False, workers: int = 1) -> None:
        options = {"strategy": "first", "segmented": segmented} if language == "zh" else {}
        self._extractor = get_extractor(language, workers=workers, **options)
        self._is_spelling = spelling_judge(language)

    def hold(self, pairs: Iterable[tuple[str, Sequence[str]]]) -> Iterator[Ballot]:
        """A ballot for each source and what every system made of it."""
        for sentence in self._extractor.annotate(pairs):
            proposals = [one.edits for one in sentence.annotations]
            yield make_ballot(sentence.sentence.tokens, proposals, self._is_spelling)

    def references(self, pairs: Iterable[tuple[str, Sequence[str]]]) -> list[list[tuple[Edit, ...]]]:
        """The edits of each reference of each source."""
        return [[one.edits for one in sentence.annotations] for sentence in self._extractor.annotate(pairs)]


def make_ballot(
    tokens: Tokens, proposals: Sequence[Sequence[Edit]], is_spelling: Callable[[Tokens, Edit], bool]
) -> Ballot:
    """The ballot on the edits of systems 0, 1, …; edits are the same if span and replacement are."""
    supporters: dict[tuple[int, int, Tokens], dict[int, Edit]] = {}
    for system, edits in enumerate(proposals):
        for edit in edits:
            supporters.setdefault(correction(edit), {}).setdefault(system, edit)
    candidates = []
    for _, who in sorted(supporters.items()):
        edit = next(iter(who.values()))
        candidates.append(Candidate(edit, tuple(who), is_spelling(tokens, edit)))
    return Ballot(tokens, tuple(candidates))


def spelling_judge(language: str) -> Callable[[Tokens, Edit], bool]:
    """What tells spelling edits: ERRANT's type in English, the sound of characters in Chinese."""
    if language != "zh":
        return lambda tokens, edit: edit.type == "R:SPELL"
    from errata.edits.zh.features import TokenTable
    from errata.edits.zh.lexicon import Lexicon

    table = TokenTable(Lexicon())

    def sounds_alike(tokens: Tokens, edit: Edit) -> bool:
        old = tokens[edit.start : edit.end]
        if edit.type != "S" or len(old) != len(edit.replacement):
            return False
        return all(a == b or table.is_alike(a, b) for a, b in zip(old, edit.replacement, strict=True))

    return sounds_alike
