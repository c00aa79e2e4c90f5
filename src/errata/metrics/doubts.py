"""Signs that a file is not what it was given as: another corpus, shifted lines, detokenised text, exchanged files.

Such a file gets a low score, which looks like a bad system. Every check reads the lines once and says what it saw; none
of them changes a score. The measurements are on some 80 real outputs and references over CoNLL-2014, BEA-2019 dev,
GMEG, JFLEG, RobustGEC and MuCGEC dev, the worst systems of 2014 and free rewriting among them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from errata.edits.languages import LANGUAGES
from errata.edits.texts import source_text, target_text
from errata.errors import DataError, UsageError
from errata.model import Annotation
from errata.text.language import find_language
from errata.text.tokens import split_characters

if TYPE_CHECKING:
    from errata.metrics.base import Item  # it needs numpy, these checks do not

# Fewer lines than these prove nothing.
MIN_LINES = 3
# The share of lines that must show it. Punctuation is spaced otherwise than in the source in at most 0.2 % of the lines
# of real outputs.
MOST = 0.5
# The median share of words (Chinese: characters) that an output has in common with its source, of the shorter of the
# two. Files of other corpora have 0.11 to 0.24, the freest real rewriting 0.89.
MIN_OVERLAP = 0.3
# Lines that are the source of a line so many further on, always as many. By chance a real output has at most 2.
MIN_SHIFTED, SHIFTED_SHARE = 3, 0.01
# Lines that equal the same reference, of those it corrects. Real systems reach 0.29; few lines may all be right.
COPIED_SHARE, MIN_COPIED = 0.95, 20
# Lines in which correct words become misspelt ones. Systems do the contrary: 0 to 40 lines against 1 to 897, and where
# the contrary is rare, at most 8 against 5. Exchanged files have 18 to 606, never half of the lines.
MIN_BROKEN, BROKEN_RATIO = 15, 3
# Chinese words have fewer characters than this, on average.
LONG_WORD = 3
# Letters by which a misspelt word differs from the right one.
TYPO = 2

_FREE_PUNCTUATION = re.compile(r"(?:^|(?<=\s))[.,;:!?](?=\s|$)")
_STUCK_PUNCTUATION = re.compile(r"\w[.,;:!?](?=\s|$)")
_WORD = re.compile(r"\w+")
_PLAIN_WORD = re.compile(r"\b[a-z]{3,}\b")
_OPERATION = re.compile(r"[MRSUW](?::|$)")
Check = Callable[[Sequence[str], Sequence[str]], str | None]


def check_language(name: str, sources: Iterable[str], wanted: str, tool: str, remedy: str) -> None:
    """Refuse sources in the other language: `UsageError` saying what to use instead."""
    found = find_language(sources)
    if found and found != wanted:
        raise UsageError(f"{name} is {LANGUAGES[found].name}, {tool} is for {LANGUAGES[wanted].name}: {remedy}")


def find_doubts(sources: Sequence[str], outputs: Sequence[str], *, are_raw: bool = False) -> list[str]:
    """What speaks against `outputs` being the corrections of `sources`, a sentence each.

    `are_raw`: they will be tokenised, so that spaces do not matter.
    """
    if len(outputs) < MIN_LINES:
        return []
    is_chinese = find_language(sources) == "zh"
    checks: list[Check] = [_doubt_order, partial(_doubt_corpus, is_chinese=is_chinese)]
    for check in checks:
        if doubt := check(sources, outputs):
            return [doubt]  # whatever else is odd comes from that
    checks = [] if is_chinese else [_doubt_direction]
    if not are_raw:
        checks.insert(0, _doubt_segmentation if is_chinese else _doubt_spacing)
    return [doubt for check in checks if (doubt := check(sources, outputs))]


def _doubt_order(sources: Sequence[str], outputs: Sequence[str]) -> str | None:
    """Lines that are the source of another line."""
    keys = [_letters(text) for text in sources]
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    offsets: Counter[int] = Counter()
    firsts: dict[int, int] = {}
    for place, text in enumerate(outputs):
        key = _letters(text)
        if key and key != keys[place]:
            for other in places.get(key, ()):
                offsets[other - place] += 1
                firsts.setdefault(other - place, place)
    if not offsets:
        return None
    offset, count = offsets.most_common(1)[0]
    if count < max(MIN_SHIFTED, SHIFTED_SHARE * len(outputs)):
        return None
    line = firsts[offset] + 1
    where, fault = ("further down", "missing") if offset > 0 else ("further up", "too many")
    return (
        f"{count} of its lines are the source of {_lines(abs(offset))} {where}; "
        f"the first is line {line}, the source of line {line + offset}: is a line {fault}?"
    )


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count} lines"


def _doubt_segmentation(sources: Sequence[str], outputs: Sequence[str]) -> str | None:
    """Chinese without spaces beside segmented sources."""
    segmented = [output for source, output in zip(sources, outputs, strict=True) if _is_segmented(source)]
    joined = sum(len(output.split()) == 1 for output in segmented)
    if joined < MIN_LINES or joined < MOST * len(segmented):
        return None
    return (
        f"{_percent(joined, len(segmented))} of its lines have no spaces, the sources are words between spaces: "
        "segment it as the sources are"
    )


def _is_segmented(text: str) -> bool:
    """Whether spaces stand between Chinese words, and not only around a name here and there."""
    words = text.split()
    return len(words) > 2 and sum(map(len, words)) <= LONG_WORD * len(words)


def _doubt_corpus(sources: Sequence[str], outputs: Sequence[str], *, is_chinese: bool) -> str | None:
    """Lines that have hardly a word in common with their sources."""
    split: Callable[[str], Iterable[str]] = split_characters if is_chinese else _WORD.findall
    pairs = ((set(split(one.lower())), set(split(other.lower()))) for one, other in zip(sources, outputs, strict=True))
    shares = [len(words & others) / min(len(words), len(others)) for words, others in pairs if words and others]
    if len(shares) < MIN_LINES or median(shares) >= MIN_OVERLAP:
        return None
    units = "characters" if is_chinese else "words"
    return (
        f"half of its lines share at most {100 * median(shares):.0f} % of their {units} with the source: "
        "is it the output for these sources?"
    )


def _doubt_spacing(sources: Sequence[str], outputs: Sequence[str]) -> str | None:
    """Punctuation that stands apart on one side and not on the other."""
    pairs = Counter(zip(map(_is_tokenised, sources), map(_is_tokenised, outputs), strict=True))
    for is_tokenised, seems, remedy in (
        (True, "detokenised", "tokenise it as the sources are, or give raw texts on every side and --tokenise"),
        (False, "tokenised, unlike the sources", "detokenise it, or tokenise the sources and references too"),
    ):
        n_odd = pairs[is_tokenised, not is_tokenised]
        n_clear = sum(count for (source, _), count in pairs.items() if source is is_tokenised)
        if n_odd >= MIN_LINES and n_odd >= MOST * n_clear:
            place = "sticks to the word before" if is_tokenised else "stands by itself"
            return (
                f"in {_percent(n_odd, n_clear)} of its lines punctuation {place}, not so in the source: "
                f"it seems {seems}; {remedy}"
            )
    return None


def _is_tokenised(text: str) -> bool | None:
    """Whether punctuation stands by itself; None where there is none, or both."""
    is_free, is_stuck = bool(_FREE_PUNCTUATION.search(text)), bool(_STUCK_PUNCTUATION.search(text))
    return None if is_free == is_stuck else is_free


def _doubt_direction(sources: Sequence[str], outputs: Sequence[str]) -> str | None:
    """English in which correct words become misspelt: source and hypothesis seem exchanged."""
    mended = broken = 0
    example = None
    for source, output in zip(sources, outputs, strict=True):
        if source == output:
            continue
        old, new = set(_PLAIN_WORD.findall(source)), set(_PLAIN_WORD.findall(output))
        mended += any(_misspellings(old - new, new - old))
        found = next(_misspellings(new - old, old - new), None)
        broken += found is not None
        example = example or found
    if not max(MIN_BROKEN, BROKEN_RATIO * mended) <= broken <= MOST * len(outputs) or example is None:
        return None
    return (
        f"it misspells words that the source has right in {broken} lines ({example[1]} → {example[0]}), "
        f"the contrary happens in {mended}: are the source and this file exchanged?"
    )


def _misspellings(words: set[str], others: set[str]) -> Iterator[tuple[str, str]]:
    """Those of `words` that no dictionary has, each with one of `others` that is nearly the same and right."""
    from rapidfuzz.distance import Levenshtein

    from errata.edits.en.lexicon import load_words

    known = load_words() if words and others else frozenset()
    for word in sorted(words - known if others else ()):
        near = (one for one in sorted(others & known) if Levenshtein.distance(word, one, score_cutoff=TYPO) <= TYPO)
        if (right := next(near, None)) is not None:
            yield word, right


def find_item_doubts(items: Sequence[Item], *, are_raw: bool = False) -> list[str]:
    """What speaks against the hypotheses of the items being corrections of their sources, or a system's own."""
    texts = [item.hypothesis for item in items if isinstance(item.hypothesis, str)]
    doubts = []
    if len(texts) == len(items):
        doubts += find_doubts([source_text(item.source) for item in items], texts, are_raw=are_raw)
    if copied := find_copied_reference(items):
        doubts.append(copied)
    return doubts


def find_copied_reference(items: Sequence[Item]) -> str | None:
    """Whether the hypothesis is one of the references in nearly all sentences that this reference corrects."""
    columns: list[list[bool]] = []
    for item in items:
        source, hypothesis = _text(item, Annotation()), _text(item, item.hypothesis)
        for place, reference in enumerate(item.references):
            if place == len(columns):
                columns.append([])
            text = _text(item, reference)
            if text is not None and text != source:
                columns[place].append(text == hypothesis)
    for place, column in enumerate(columns, 1):
        if len(column) >= MIN_COPIED and sum(column) >= COPIED_SHARE * len(column):
            which = f"reference {place}" if len(columns) > 1 else "the reference"
            return f"it equals {which} in {sum(column)} of {len(column)} corrected sentences: is it the reference file?"
    return None


def _text(item: Item, side: str | Annotation) -> str | None:
    """The letters of a side; None where its edits cannot be applied (those of several alignments)."""
    if isinstance(side, str):
        return "".join(side.split())
    with suppress(DataError):
        return "".join(target_text(item.source, side).split())
    return None


def find_foreign_types(items: Sequence[Item]) -> str | None:
    """Gold types that no edit of the hypothesis can have, since the two use different sets of types."""
    gold = _count_types(side for item in items for side in item.references)
    found = _count_types(item.hypothesis for item in items)
    # No types: the edits are still to be extracted, and get types with operations.
    if not gold or _has_operations(gold) == _has_operations(found):
        return None
    few, own = (", ".join(name for name, _ in types.most_common(3)) for types in (gold, found))
    hypothesis = f"the hypothesis ({own} …)" if own else "those that edits of texts get"
    return f"the gold has error types of another kind ({few} …) than {hypothesis}"


def _count_types(sides: Iterable[str | Annotation]) -> Counter[str]:
    annotations = (side for side in sides if isinstance(side, Annotation))
    return Counter(edit.type for one in annotations for edit in one.edits if edit.type != "UNK")


def _has_operations(types: Counter[str]) -> bool:
    """Whether most types begin with what is done, as ERRANT's and ChERRANT's do."""
    return sum(count for name, count in types.items() if _OPERATION.match(name)) >= MOST * types.total()


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %"
