"""Clean sentences of the newest files of a repository, to make errors in."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from benchmarks.models.histories.markup import NOISE, is_english, outside_code, sentences, words_of
from benchmarks.models.histories.repositories import Repository, snapshot
from benchmarks.models.pairs import is_spelt

SHORTEST, LONGEST = 8, 60  # words of a sentence


def read_prose(repository: Repository, known: Collection[str], seen: set[str], most: int) -> Iterator[str]:
    """Sentences that were not seen before, `most` of them; they are put into `seen`."""
    count = 0
    for sentence in islice(_clean(repository, known, seen), most):
        count += 1
        yield sentence
    print(f"{repository.name}: {count:,} sentences", file=sys.stderr, flush=True)


def _clean(repository: Repository, known: Collection[str], seen: set[str]) -> Iterator[str]:
    for path, lines in snapshot(repository):
        for sentence in clean_sentences(outside_code(lines, is_indented=path.endswith(".xhtml")), known):
            if sentence not in seen:
                seen.add(sentence)
                yield sentence


def clean_sentences(lines: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """Whole sentences without code, markup and unknown words."""
    for sentence in sentences(lines):
        if NOISE.search(sentence) or "`" in sentence or not SHORTEST <= sentence.count(" ") + 1 <= LONGEST:
            continue
        if sentence.count('"') % 2 or sentence.count("(") != sentence.count(")"):
            continue
        if is_spelt(words_of(sentence), known) and is_english(sentence, known):
            yield sentence
