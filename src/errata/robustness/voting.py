"""A corrector that asks another one several times, with other words around the errors, and makes what most agree on.

It needs no training and works with any corrector, but takes as many times longer as there are variants. Variants come
from a list of words that may stand for each other, or from a function of yours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from errata.edits.carrying import Change, carry_edit, find_changes
from errata.errors import DataError, UnknownName, UsageError
from errata.model import Correction, Edit, TextEdit, Tokens
from errata.robustness.evaluation import Corrector
from errata.text.spacing import LAYOUTS

# The variants of a sentence.
MakeVariants = Callable[[str], Sequence[str]]

# Words of a row may stand for each other nearly everywhere: names, days, colours, things that are counted alike.
# None begins with a vowel where another does not, so that "a" and "an" stay right.
WORD_GROUPS: dict[str, tuple[str, ...]] = {
    "en": (
        "John David Peter Mark Tom",
        "Mary Susan Linda Karen Betty",
        "London Paris Berlin Tokyo Madrid",
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        "January March May June July",
        "red blue green black white",
        "two three four five six seven",
        "football tennis basketball hockey golf chess",
        "dog cat horse rabbit",
        "dogs cats horses rabbits",
        "mother father sister brother",
        "friend teacher neighbour colleague",
        "friends teachers neighbours colleagues",
        "book letter newspaper poem",
        "books letters newspapers poems",
        "house garden room kitchen",
        "school college church hospital",
        "good bad strange normal",
        "big small new nice",
        "very really quite rather",
        "today yesterday tomorrow",
        "morning day week",
    ),
    "zh": (
        "一 两 三",
        "爸爸 妈妈 哥哥 姐姐",
        "今天 昨天 明天",
        "北京 上海 广州",
        "红 蓝 绿 白",
        "猫 狗 马",
        "很 非常 十分",
    ),
}


def substitute_words(language: str = "en", n: int = 4, groups: Sequence[str] | None = None) -> MakeVariants:
    """What makes up to `n` variants of a sentence, each with one word replaced by another of its group.

    Every word of the sentence has its turn before one is replaced a second time. `groups` are lines of words.

    >>> substitute_words("en", 2)("John has a red car .")
    ['David has a red car .', 'John has a blue car .']
    """
    if n < 1:
        raise UsageError(f"a sentence gets one variant or more, not {n}")
    if groups is None and language not in WORD_GROUPS:
        raise UnknownName("language", language, WORD_GROUPS)
    table = _make_table(WORD_GROUPS[language] if groups is None else groups)
    longest = max(map(len, table), default=0) if language == "zh" else 0

    def make(text: str) -> list[str]:
        spans = _find_characters(text, table, longest) if longest else LAYOUTS[language].spans(text)
        words = [(start, end) for start, end in spans if text[start:end] in table]
        turns = (
            text[:start] + others[turn] + text[end:]
            for turn in range(max((len(table[text[start:end]]) for start, end in words), default=0))
            for start, end in words
            if turn < len(others := table[text[start:end]])
        )
        return list(islice(turns, n))

    return make


def _make_table(groups: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Each word with those that may stand for it, the next of its group first."""
    table: dict[str, tuple[str, ...]] = {}
    for group in groups:
        words = group.split()
        for place, word in enumerate(words):
            table[word] = (*words[place + 1 :], *words[:place])
    return table


def _find_characters(text: str, table: Mapping[str, object], longest: int) -> Iterator[tuple[int, int]]:
    """Where words of the table are in text without spaces, the longest first."""
    place = 0
    while place < len(text):
        size = next((size for size in range(longest, 0, -1) if text[place : place + size] in table), 1)
        yield place, min(len(text), place + size)
        place += size


class Voting:
    """A `Corrector` that makes the edits which more than half of a sentence and its variants get.

    A variant in which the words of an edit were changed has no vote about that edit. `layout` is how texts are cut into
    tokens: "en" and "zh" for running text, "tokenised" where spaces separate tokens.
    """

    def __init__(self, corrector: Corrector, make_variants: MakeVariants, *, layout: str = "en") -> None:
        if layout not in LAYOUTS:
            raise UnknownName("layout", layout, LAYOUTS)
        self._corrector, self._make_variants, self._layout = corrector, make_variants, LAYOUTS[layout]
        self.name = f"voting({getattr(corrector, 'name', type(corrector).__name__)})"

    def correct(self, sentences: Sequence[str], /) -> list[Correction]:
        """One correction per sentence, in order; all variants are corrected together."""
        groups = [[text, *self._make_variants(text)] for text in sentences]
        asked = [text for group in groups for text in group]
        answers: Sequence[Correction | str] = self._corrector.correct(asked)
        if len(answers) != len(asked):
            raise DataError(f"{self.name}: {len(answers)} corrections of {len(asked)} sentences")
        stream = iter(answers)
        return [self._vote([(text, _target(next(stream))) for text in group]) for group in groups]

    def _vote(self, pairs: Sequence[tuple[str, str]]) -> Correction:
        """The correction of the first text; the other pairs are its variants with their targets."""
        text = pairs[0][0]
        spans = self._layout.spans(text)
        voters = [(self._split(source), self._split(target)) for source, target in pairs]
        edits = count_votes(voters)
        placed = (self._layout.place(text, spans, one.start, one.end, one.replacement, None) for one in edits)
        return Correction(text, tuple(_without_clashes(TextEdit(*place) for place in placed)))

    def _split(self, text: str) -> Tokens:
        return tuple(text[start:end] for start, end in self._layout.spans(text))


def _target(answer: Correction | str) -> str:
    return answer if isinstance(answer, str) else answer.target


def _without_clashes(edits: Iterator[TextEdit]) -> Iterator[TextEdit]:
    """The edits in order, without those that begin inside the one before: they wanted the same space."""
    position = 0
    for edit in edits:
        if edit.start >= position:
            yield edit
            position = edit.end


def count_votes(voters: Sequence[tuple[Tokens, Tokens]]) -> list[Edit]:
    """The edits of the first source that more than half of those with a vote make, in order, without overlaps.

    `voters` are sources with their targets; the first is the sentence itself, the others are variants of it.
    """
    original = voters[0][0]
    changes = [find_changes(original, source) for source, _ in voters]
    ballots = [_carry_back(source, target, original) for source, target in voters]
    votes = Counter(edit for ballot in ballots for edit in ballot)
    shares = {edit: count / _count_voters(edit, changes) for edit, count in votes.items()}
    chosen: list[Edit] = []
    for edit in sorted((one for one in shares if shares[one] > 1 / 2), key=lambda one: (-shares[one], one.start)):
        if not any(_clash(edit, other) for other in chosen):
            chosen.append(edit)
    return sorted(chosen, key=lambda one: (one.start, one.end))


def _carry_back(source: Tokens, target: Tokens, original: Tokens) -> set[Edit]:
    """The edits of a variant over the tokens of the original; those of perturbed words are left out."""
    changes = find_changes(source, original)
    edits = (Edit(one.start, one.end, target[one.new_start : one.new_end]) for one in find_changes(source, target))
    return {carried for edit in edits if (carried := carry_edit(edit, changes)) is not None}


def _count_voters(edit: Edit, changes: Sequence[Sequence[Change]]) -> int:
    """How many have a vote about an edit: the sentence, and the variants in which its words were not changed."""
    return sum(carry_edit(edit, one) is not None for one in changes)


def _clash(edit: Edit, other: Edit) -> bool:
    """Whether two edits cannot both be made: they overlap, or insert at the same place."""
    if edit.start == edit.end and other.start == other.end:
        return edit.start == other.start
    return edit.start < other.end and other.start < edit.end
