"""Tokenised sentences as running text, for correctors that read nothing else, and their corrections as tokens again.

Test sets have their tokens apart: `I do n't know , he said .` A checker of running text would report every one of
those spaces. So it gets `I don't know, he said.`, and of its answer only changed words and signs are carried back to
the tokens of the set:

- a change of white space alone is none: whether `can not` or `cannot` was written, the set no longer says;
- curly quotation marks and apostrophes count as straight ones, and `…` as three full stops, unless the sentence has
  such signs itself;
- tokens that did not change stay as they are, and new ones are split as the set splits its own (`well-known` is one
  token in CoNLL-2014, three in W&I).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from benchmarks.everyday.outcomes import split_tokens
from rapidfuzz.distance import Levenshtein

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit, Tokens
from errata.text.spacing import join_words
from errata.text.words import Span, word_spans

_COMPOUND = re.compile(r"\w[-/]\w")
# Signs of typography, and what is typed in their place.
_TYPED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "…": "..."})
_TYPOGRAPHY = re.compile("[‘’“”…]")
# The quotation marks of the Penn Treebank, as people write them.
_QUOTES = {"``": '"', "''": '"', "`": "'"}


@dataclass(frozen=True, slots=True)
class RunningText:
    """A sentence as people write it, and where its tokens are in it."""

    tokens: Tokens
    text: str
    spans: tuple[Span, ...]


def write_running(tokens: Sequence[str]) -> RunningText:
    """The sentence without the spaces that only part its tokens.

    >>> write_running('He said " do n\\'t ! "'.split()).text
    'He said "don\\'t!"'
    """
    text, spans, glued, opened = "", [], True, set[str]()
    for token in tokens:
        written = _QUOTES.get(token, token)
        if written in ('"', "'"):
            opens = token.startswith("`") or (token != "''" and _opens(written, text, opened))
            opened ^= {written} if opens or written in opened else set()
            space, glues = opens, opens
        else:
            joined = join_words(["x", written, "x"])
            space, glues = joined[1] == " ", not joined.endswith(" x")
        text += " " if space and not glued else ""
        spans.append((len(text), len(text) + len(written)))
        text, glued = text + written, glues
    return RunningText(tuple(tokens), text, tuple(spans))


def _opens(mark: str, text: str, opened: set[str]) -> bool:
    """Whether a straight mark opens a quotation: none is open, and it is not that of `the students' books`."""
    return mark not in opened and not (mark == "'" and text.endswith("s"))


def keeps_compounds(sentences: Iterable[Tokens]) -> bool:
    """Whether `well-known` is one token in most places of the sentences."""
    n_whole = n_parted = 0
    for tokens in sentences:
        n_whole += sum(_COMPOUND.search(token) is not None for token in tokens)
        n_parted += tokens.count("-")
    return n_whole > n_parted


def carry_back(running: RunningText, corrected: str, *, compounds: bool) -> Tokens:
    """The tokens of the corrected sentence: those of the source, but for what was changed."""
    if not _TYPOGRAPHY.search(running.text):
        corrected = corrected.translate(_TYPED)
    tokens: list[str] = []
    position = 0
    for first, last, edits in _by_tokens(running, _find_changes(running.text, corrected), compounds):
        tokens += [*running.tokens[position:first], *_replace(running, first, last, edits, compounds)]
        position = last
    return (*tokens, *running.tokens[position:])


def _find_changes(text: str, corrected: str) -> Iterator[TextEdit]:
    """The runs of words and signs that differ, each with the space before it."""
    old, new = split_tokens(text), split_tokens(corrected)
    starts = [0, *accumulate(map(len, old))]
    for changed, run in groupby(Levenshtein.opcodes(old, new), key=lambda block: block.tag != "equal"):
        if changed:
            blocks = list(run)
            start, end = starts[blocks[0].src_start], starts[blocks[-1].src_end]
            replacement = "".join(new[blocks[0].dest_start : blocks[-1].dest_end])
            n_spaces = int(text[start:end][:1] == replacement[:1] == " ")
            yield TextEdit(start + n_spaces, end, replacement[n_spaces:])


def _by_tokens(
    running: RunningText, edits: Iterable[TextEdit], compounds: bool
) -> Iterator[tuple[int, int, list[TextEdit]]]:
    """The ranges of tokens that edits change, in order and apart, each with its edits."""
    first = last = 0
    together: list[TextEdit] = []
    for edit in edits:
        begin, end = _touched(running, edit, compounds)
        if together and begin >= last:
            yield first, last, together
            together = []
        first, last = (first, max(last, end)) if together else (begin, end)
        together.append(edit)
    if together:
        yield first, last, together


def _touched(running: RunningText, edit: TextEdit, compounds: bool) -> tuple[int, int]:
    """The tokens in an edit, and those that new text is written onto: `well known` becomes one with its hyphen."""
    spans = running.spans
    first = next((n for n, span in enumerate(spans) if span[1] > edit.start), len(spans))
    last = next((n for n in range(first, len(spans)) if spans[n][0] >= edit.end), len(spans))
    if first and edit.replacement.lstrip() == edit.replacement != "" and spans[first - 1][1] == edit.start:
        first -= _is_whole(running.tokens[first - 1], compounds)
    if last < len(spans) and edit.replacement and spans[last][0] == edit.end:
        last += _is_whole(running.tokens[last], compounds)
    return first, last


def _replace(running: RunningText, first: int, last: int, edits: Sequence[TextEdit], compounds: bool) -> list[str]:
    """What stands in the place of some tokens after the edits; the tokens themselves if only spaces changed."""
    spans = running.spans[first:last]
    start = min([edits[0].start, *(span[0] for span in spans)])
    end = max([edits[-1].end, *(span[1] for span in spans)])
    moved = [replace(edit, start=edit.start - start, end=edit.end - start) for edit in edits]
    written = running.text[start:end]
    words = _split(apply_text_edits(written, moved), compounds=compounds)
    return list(running.tokens[first:last]) if words == _split(written, compounds=compounds) else words


def _is_whole(token: str, compounds: bool) -> bool:
    return _split(token, compounds=compounds) == [token]


def _split(text: str, *, compounds: bool) -> list[str]:
    """The tokens of new text; with `compounds`, words with hyphens and strokes between them are one."""
    spans: list[Span] = []
    for start, end in word_spans(text):
        is_beside = bool(spans) and spans[-1][1] == start
        if compounds and is_beside and (text[start:end] in "-/" or text[start - 1] in "-/"):
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return [text[start:end] for start, end in spans]
