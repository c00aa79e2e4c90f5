"""Compile the English tables: inflections from lemminflect, misspellings and confusable words from the user's lists.

Needs lemminflect and rapidfuzz; corrupting text needs neither.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from errata.errors import FormatError
from errata.formats.files import display_name, read_lines
from errata.synth.tables import MISSING, PARADIGM_TAGS, EnglishTables
from errata.synth.typing import learn_spelling

# `wrong->right, other right,` (codespell, Wikipedia) or `wrong,right,other` (typos).
# Letter patterns seen less often than this in the misspellings are chance.
MIN_PATTERN = 2
MAX_WORDS = 60_000
# Between confusable words: `accept -> except; 10`, `abated; abates; 100`, `their there`.
_BETWEEN = re.compile(r"\s*(?:;|->|\s)\s*")


def compile_english(
    counts: Mapping[str, int],
    *,
    misspellings: Iterable[Path] = (),
    confusables: Iterable[Path] = (),
    misspelt: Mapping[tuple[str, str], int] | None = None,
) -> EnglishTables:
    """The tables for the words in `counts` (lower case); `misspelt` are (right, wrong) pairs seen in a corpus."""
    frequency = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_WORDS])
    listed: Counter[tuple[str, str]] = Counter()
    for path in misspellings:
        listed.update(read_misspellings(path))
    by_word: dict[str, list[str]] = {}
    for right, wrong in sorted(listed):
        if right in frequency and wrong not in frequency:
            by_word.setdefault(right, []).append(wrong)
    alike: dict[str, list[str]] = {}
    for path in confusables:
        for one, other in read_confusables(path):
            if one in frequency and other in frequency:
                alike.setdefault(one, []).append(other)
                alike.setdefault(other, []).append(one)
    channel = Counter(misspelt or {})
    channel.update({pair: 1 for pair in listed if pair[0] in frequency and " " not in pair[1]})
    return EnglishTables(
        frequency,
        compile_paradigms(frequency),
        by_word,
        {word: sorted(set(others)) for word, others in sorted(alike.items())},
        learn_spelling(channel, MIN_PATTERN),
    )


def compile_paradigms(words: Iterable[str]) -> dict[str, list[str]]:
    """The paradigms of all lemmas the words can belong to, as `EnglishTables` keeps them."""
    from lemminflect import getAllInflections, getAllLemmas

    lemmas = {
        (part, lemma)
        for word in words
        if word.isalpha()
        for part, found in getAllLemmas(word).items()
        if part in PARADIGM_TAGS
        for lemma in found
        if lemma.isalpha() and lemma.islower()
    }
    paradigms: dict[str, list[str]] = {part: [] for part in PARADIGM_TAGS}
    for part, lemma in sorted(lemmas):
        inflections = getAllInflections(lemma, upos=part)
        forms = [inflections.get(tag, (MISSING,))[0] for tag in PARADIGM_TAGS[part]]
        if len({form for form in forms if form != MISSING}) > 1 and not any(" " in form for form in forms):
            paradigms[part].append(" ".join(forms))
    return paradigms


def is_common_word(word: str) -> bool:
    """Whether the lexicon has a word, written in lower case, that is not (only) a name."""
    from lemminflect import getAllLemmas

    return word.isalpha() and word.islower() and any(part in PARADIGM_TAGS for part in getAllLemmas(word))


def read_misspellings(path: Path) -> Iterator[tuple[str, str]]:
    """(right, wrong) pairs from lines `wrong->right, …` or `wrong,right,…`."""
    for number, line in enumerate(read_lines(path), 1):
        line = line.strip().removeprefix("\ufeff")
        if not line or line.startswith("#"):
            continue
        wrong, *rest = line.split("->", 1) if "->" in line else line.split(",", 1)
        if not rest:
            raise FormatError(display_name(path), number, "expected `wrong->right` or `wrong,right`")
        for right in rest[0].split(","):
            if right.strip():
                yield right.strip().lower(), wrong.strip().lower()


def read_confusables(path: Path) -> Iterator[tuple[str, str]]:
    """Pairs of words from lines `word; word; anything` (LanguageTool's confusion sets) or `word word`."""
    for number, line in enumerate(read_lines(path), 1):
        line = line.partition("#")[0].strip().removeprefix("\ufeff")
        if not line:
            continue
        parts = [part.strip().partition("|")[0] for part in _BETWEEN.split(line)]
        if len(parts) < 2:
            raise FormatError(display_name(path), number, "expected `word; word`")
        yield parts[0].lower(), parts[1].lower()


def read_frequencies(path: Path) -> Counter[str]:
    """Word counts from lines `word count …`."""
    counts: Counter[str] = Counter()
    for number, line in enumerate(read_lines(path), 1):
        fields = line.removeprefix("\ufeff").split()
        if not fields:
            continue
        if len(fields) < 2 or not fields[1].isdigit():
            raise FormatError(display_name(path), number, "expected `word count`")
        counts[fields[0]] += int(fields[1])
    return counts
