"""Which target words each source token becomes: token alignment for tagging, self-contained and quick.

Levenshtein distance over tokens in which substituting is cheap between forms of one word and between words that look
alike, so that `go → went` and `teh → the` are aligned rather than deleted and inserted. A token may be split in two
(`alot → a lot`), and two may merge into one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from errata.model import Edit, Tokens

Related = Callable[[str, str], bool]

GAP = 1.0  # deleting or inserting a token
CASE_ONLY = 0.05
SAME_LEXEME = 0.3  # also for the same letters in another order
JOINED = 0.3  # merging two tokens into one word, or splitting one in two
# Substituting unlike words stays a little cheaper than deleting and inserting, so replacements are found as such.
UNLIKE = 1.9

# What a source token becomes: how many tokens it spans (2: merged with the next), and the target words.
Chunk = tuple[int, Tokens]


def substitution_cost(word: str, target: str, related: Related | None = None) -> float:
    """How far two tokens are apart, 0 (equal) to `UNLIKE`."""
    if word == target:
        return 0.0
    if word.lower() == target.lower():
        return CASE_ONLY
    if related is not None and related(word, target):
        return SAME_LEXEME
    shorter, longer = sorted((len(word), len(target)))
    if longer == 1 or word[:1].isalnum() != target[:1].isalnum():
        return UNLIKE
    if shorter == longer > 2 and sorted(word) == sorted(target):
        return SAME_LEXEME
    start = 0
    while start < shorter and word[start] == target[start]:
        start += 1
    end = 0
    while end < shorter - start and word[-1 - end] == target[-1 - end]:
        end += 1
    return UNLIKE * (1 - (start + end) / longer)


def align(
    source: Sequence[str], target: Sequence[str], *, related: Related | None = None, merges: bool = False
) -> tuple[Tokens, list[Chunk]]:
    """Words inserted before the source, then the chunks of its tokens in order; together they make the target.

    >>> align(["I", "go"], ["Yesterday", "I", "have", "gone"])
    (('Yesterday',), [(1, ('I', 'have')), (1, ('gone',))])
    """
    n, m = len(source), len(target)
    first = 0
    while first < min(n, m) and source[first] == target[first]:
        first += 1
    last = 0
    while last < min(n, m) - first and source[-1 - last] == target[-1 - last]:
        last += 1
    head, chunks = _align_core(source[first : n - last], target[first : m - last], related, merges)
    before: list[Chunk] = [(1, (word,)) for word in source[:first]]
    after: list[Chunk] = [(1, (word,)) for word in source[n - last :]]
    if before and head:
        before[-1] = (1, before[-1][1] + head)
        head = ()
    return head, [*before, *chunks, *after]


def _align_core(
    source: Sequence[str], target: Sequence[str], related: Related | None, merges: bool
) -> tuple[Tokens, list[Chunk]]:
    n, m = len(source), len(target)
    if not n or not m:
        return tuple(target), [(1, ())] * n
    # cost[i][j]: cheapest way from the first i source tokens to the first j target words; step: (tokens, words).
    cost = [[GAP * j for j in range(m + 1)]]
    steps: list[list[tuple[int, int]]] = [[(0, 1)] * (m + 1)]
    for i in range(1, n + 1):
        above, row = cost[i - 1], [GAP * i]
        step_row = [(1, 0)]
        word = source[i - 1]
        merged = _joined(source[i - 2], word) if merges and i > 1 else ()
        for j in range(1, m + 1):
            best, step = above[j - 1] + substitution_cost(word, target[j - 1], related), (1, 1)
            if above[j] + GAP < best:
                best, step = above[j] + GAP, (1, 0)
            if row[j - 1] + GAP <= best:
                best, step = row[j - 1] + GAP, (0, 1)
            if merged and target[j - 1] in merged and cost[i - 2][j - 1] + JOINED < best:
                best, step = cost[i - 2][j - 1] + JOINED, (2, 1)
            if j > 1 and above[j - 2] + JOINED < best and word in _joined(target[j - 2], target[j - 1]):
                best, step = above[j - 2] + JOINED, (1, 2)
            row.append(best)
            step_row.append(step)
        cost.append(row)
        steps.append(step_row)
    chunks: list[Chunk] = []
    inserted: Tokens = ()
    i, j = n, m
    while i or j:
        tokens, words = steps[i][j]
        if tokens:
            chunks.append((tokens, tuple(target[j - words : j]) + inserted))
            inserted = ()
        else:
            inserted = (target[j - 1], *inserted)
        i, j = i - tokens, j - words
    return inserted, chunks[::-1]


def _joined(left: str, right: str) -> tuple[str, str]:
    return left + right, f"{left}-{right}"


def pair_edits(source: Sequence[str], target: Sequence[str], related: Related | None = None) -> tuple[Edit, ...]:
    """The edits from a source to its target, one for each run of tokens that differ."""
    head, chunks = align(source, target, related=related)
    edits = [Edit(0, 0, head)] if head else []
    position = 0
    for width, words in chunks:
        span = (position, position + width)
        position += width
        if words == tuple(source[slice(*span)]):
            continue
        if words[:1] == (source[span[0]],):
            span, words = (span[0] + 1, span[1]), words[1:]
        if edits and edits[-1].end == span[0]:
            edits[-1] = Edit(edits[-1].start, span[1], edits[-1].replacement + words)
        else:
            edits.append(Edit(*span, words))
    return tuple(edits)
