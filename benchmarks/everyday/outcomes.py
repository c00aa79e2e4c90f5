"""What became of a sentence: the one word that a correction of it is counted under.

A sentence with errors is

- **right** when the output is one of its accepted corrections;
- **untouched** when the output is the sentence itself;
- **partly** corrected when the output has some edits of an accepted correction, whole, and no others: an error is left,
  and nothing else has changed;
- **worse** in every other case: the output has an edit, or half of one, that the accepted corrections do not have.

A correct sentence is **kept** or **changed**; each change is a false alarm.

A sentence that is worse or changed is also *reversed* when a negation appeared or vanished against every accepted
correction, or a word became its opposite. `errata.edits.negation` decides that.

The edits of an accepted correction are the runs of tokens in which it differs from the sentence, where a token has the
space before it. A run of words that are replaced one for one makes an edit of each. Curly quotation marks and
apostrophes count as straight ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations, groupby

from benchmarks.everyday.sentences import EverydaySentence
from rapidfuzz.distance import Levenshtein, Opcode

from errata.edits.apply import apply_edits
from errata.edits.negation import keeps_negation
from errata.model import Edit, TextEdit, Tokens

_STRAIGHT = str.maketrans("‘’“”", "''\"\"")
# A word with its hyphens and apostrophes, or one other character, and the space before either.
_TOKEN = re.compile(r"\s*(?:\w+(?:['-]\w+)*(?:'(?!\w))?|[^\w\s])")


class Outcome(StrEnum):
    """What became of a sentence."""

    RIGHT = "right"
    UNTOUCHED = "untouched"
    PARTLY = "partly"
    WORSE = "worse"
    KEPT = "kept"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a checker made of a sentence."""

    sentence: EverydaySentence
    output: str

    @property
    def outcome(self) -> Outcome:
        source, output = straighten(self.sentence.source), straighten(self.output)
        accepted = [straighten(text) for text in self.sentence.accepted]
        if self.sentence.is_correct:
            return Outcome.KEPT if output == source else Outcome.CHANGED
        if output in accepted:
            return Outcome.RIGHT
        if output == source:
            return Outcome.UNTOUCHED
        return Outcome.PARTLY if any(is_partly(source, output, text) for text in accepted) else Outcome.WORSE

    @property
    def is_reversed(self) -> bool:
        """Whether the output says no where every accepted correction says yes, or the other way round."""
        if self.outcome not in (Outcome.WORSE, Outcome.CHANGED):
            return False
        whole = (TextEdit(0, len(text), self.output) for text in self.sentence.accepted)
        return not any(map(keeps_negation, self.sentence.accepted, whole))


@dataclass(slots=True)
class Tally:
    """How many sentences had each outcome."""

    right: int = 0
    untouched: int = 0
    partly: int = 0
    worse: int = 0
    kept: int = 0
    changed: int = 0
    reversed: int = 0

    @property
    def wrong(self) -> int:
        """Sentences with errors."""
        return self.right + self.untouched + self.partly + self.worse

    @property
    def correct(self) -> int:
        """Sentences without errors."""
        return self.kept + self.changed

    @property
    def share_right(self) -> float:
        """The part of the sentences with errors that came out right."""
        return self.right / self.wrong if self.wrong else 0.0


def count(answers: Iterable[Answer]) -> Tally:
    """The tally of some answers."""
    tally = Tally()
    for answer in answers:
        setattr(tally, answer.outcome, getattr(tally, answer.outcome) + 1)
        tally.reversed += answer.is_reversed
    return tally


def straighten(text: str) -> str:
    """The text with straight quotation marks and apostrophes."""
    return text.strip().translate(_STRAIGHT)


def is_partly(source: str, output: str, target: str) -> bool:
    """Whether the output has some edits of the target, but not all of them, and no others.

    >>> is_partly("I seen it alot.", "I saw it alot.", "I saw it a lot.")
    True
    >>> is_partly("I seen it alot.", "I seen it lot.", "I saw it a lot.")
    False
    """
    tokens, wanted = split_tokens(source), split_tokens(output)
    edits = find_edits(tokens, split_tokens(target))
    parts = chain.from_iterable(combinations(edits, size) for size in range(1, len(edits)))
    return any(apply_edits(tokens, part) == wanted for part in parts)


def split_tokens(text: str) -> Tokens:
    """Words and other characters, each with the space before it."""
    return tuple(_TOKEN.findall(text))


def find_edits(source: Tokens, target: Tokens) -> list[Edit]:
    """The edits from one to the other: each run of tokens that differ, or each word of a run replaced one for one."""
    blocks = Levenshtein.opcodes(source, target)
    runs = [list(run) for changed, run in groupby(blocks, key=lambda block: block.tag != "equal") if changed]
    return [edit for run in runs for edit in _split_run(source, target, run)]


def _split_run(source: Tokens, target: Tokens, run: Sequence[Opcode]) -> list[Edit]:
    first, last = run[0], run[-1]
    old = source[first.src_start : last.src_end]
    new = target[first.dest_start : last.dest_end]
    if len(old) == len(new) and all(token[-1].isalnum() for token in (*old, *new)):
        return [Edit(first.src_start + n, first.src_start + n + 1, (word,)) for n, word in enumerate(new)]
    return [Edit(first.src_start, last.src_end, new)]
