"""From an answer's subwords to edits: is it a correction at all, what does it change, and how sure is that?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import exp

import numpy as np

from errata.edits.pairing import pair_edits
from errata.model import Edit, Tokens
from errata.systems.base import ProposedEdit
from errata.systems.seq2seq.subwords import Spelt
from errata.text.words import Span

ENDS = frozenset("。！？!?…")
CLOSES = frozenset("”’」』）)》")
# A phrase of up to LOOP_WIDTH tokens written LOOPS times in a row, more often than in the source, is a loop.
LOOPS, LOOP_WIDTH = 4, 8


def find_fault(answer: Spelt | None, tokens: Sequence[str]) -> str | None:
    """Why an answer is no correction: `unreadable`, `empty` or `repeated`; None if it may be one."""
    if answer is None:
        return "unreadable"
    if not answer.tokens:
        return "empty"
    for width in range(1, LOOP_WIDTH + 1):
        repeats = longest_loop(answer.tokens, width)
        if repeats >= LOOPS and repeats > longest_loop(tokens, width):
            return "repeated"
    return None


def longest_loop(tokens: Sequence[str], width: int) -> int:
    """How many times in a row some phrase of `width` tokens stands."""
    best = run = 0
    for place in range(width, len(tokens)):
        run = run + 1 if tokens[place] == tokens[place - width] else 0
        best = max(best, run)
    return best // width + 1 if tokens else 0


def propose_edits(tokens: Tokens, answer: Spelt, chances: np.ndarray) -> list[ProposedEdit]:
    """The edits that make the answer from the source; `chances` are its subwords' log-probabilities, the end's last.

    An edit's confidence is the geometric mean of the probabilities of the subwords it writes and of the one after a
    deletion, which is where a decoder decides to leave something out.
    """
    edits = pair_edits(tokens, answer.tokens)
    return [ProposedEdit(edit, _confidence(place, answer, chances)) for edit, place in _places(edits)]


def _places(edits: Sequence[Edit]) -> Iterator[tuple[Edit, Span]]:
    """Each edit with the range of answer tokens it writes."""
    shift = 0
    for edit in edits:
        start = edit.start + shift
        yield edit, (start, start + len(edit.replacement))
        shift += len(edit.replacement) - (edit.end - edit.start)


def _confidence(place: Span, answer: Spelt, chances: np.ndarray) -> float:
    first, last = place
    if first == last:
        written = answer.ranges[first] if first < len(answer.ranges) else (len(chances) - 1, len(chances))
        involved = chances[written[0] : written[0] + 1]
    else:
        involved = chances[answer.ranges[first][0] : answer.ranges[last - 1][1]]
    return min(1.0, exp(float(np.mean(involved)))) if len(involved) else 0.0


def split_sentences(tokens: Sequence[str]) -> list[Span]:
    """Ranges of the sentences in a Chinese text: cut after 。！？…… and the quotes that close it."""
    cuts = [0]
    for place, (token, following) in enumerate(pairwise((*tokens, "")), 1):
        ended = token in ENDS or (token in CLOSES and _ends_quoted(tokens, place - 1))
        if ended and following not in ENDS and following not in CLOSES:
            cuts.append(place)
    if cuts[-1] != len(tokens):
        cuts.append(len(tokens))
    return list(pairwise(cuts))


def _ends_quoted(tokens: Sequence[str], place: int) -> bool:
    """Whether the closing marks up to `place` follow the end of a sentence."""
    while place >= 0 and tokens[place] in CLOSES:
        place -= 1
    return place >= 0 and tokens[place] in ENDS
