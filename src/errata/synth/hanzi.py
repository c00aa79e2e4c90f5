"""Compile the Chinese tables: readings from pypinyin, look-alikes and synonyms from the user's lists.

Needs pypinyin; corrupting text does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from errata.errors import FormatError
from errata.formats.files import display_name, read_lines
from errata.synth.chinese import is_han
from errata.synth.tables import ChineseTables

MAX_WORDS = 60_000
# Common characters and words only: errors with rare ones are rare.
MAX_CHARACTERS = 4_000
MAX_HOMOPHONE_WORDS = 40_000
MAX_ALIKE = 20
MAX_WORD_SOUNDS = 6
MAX_SYNONYMS = 8
# Sounds that learners and speakers of southern dialects mix up.
_FUZZY = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^zh", "z"), (r"^ch", "c"), (r"^sh", "s"), (r"^n", "l"), (r"^r", "l"), (r"^h(?=u)", "f"), (r"ng$", "n"),
    )
]  # fmt: skip


def compile_chinese(
    counts: Mapping[str, int], *, glyphs: Iterable[Path] = (), synonyms: Iterable[Path] = ()
) -> ChineseTables:
    """The tables for the words and characters in `counts`."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    single = [(c, n) for c, n in ranked if is_han(c)]
    words = [(w, n) for w, n in ranked if 2 <= len(w) <= ChineseTables.LONGEST_WORD and all(map(is_han, w))][:MAX_WORDS]
    frequency = dict(single + words)
    common = [c for c, _ in single[:MAX_CHARACTERS]]
    same, near = sound_tables(common)
    alike: dict[str, dict[str, None]] = {}
    for path in glyphs:
        for character, others in read_characters(path):
            alike.setdefault(character, {}).update(dict.fromkeys(others))
    known = set(common)
    return ChineseTables(
        frequency,
        same,
        near,
        {
            c: top
            for c, others in alike.items()
            if c in known and (top := _top((o for o in others if o in known and o != c), frequency))
        },
        homophones([word for word, _ in words[:MAX_HOMOPHONE_WORDS]]),
        _synonyms(synonyms, frequency),
    )


def sound_tables(characters: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Characters of the same sound without tone, and of nearly the same; common ones first, as they come."""
    from pypinyin import Style, pinyin

    readings = {c: pinyin(c, style=Style.NORMAL, heteronym=True)[0] for c in characters}
    exact, fuzzy = _by_sound(readings, str), _by_sound(readings, _blur)
    same = {c: _others(c, readings[c], exact, str) for c in characters}
    near = {c: _others(c, readings[c], fuzzy, _blur, without=same[c]) for c in characters}
    return {c: o for c, o in same.items() if o}, {c: o for c, o in near.items() if o}


def homophones(words: list[str]) -> dict[str, list[str]]:
    """Words of the same length and sound without tone, the most common ones."""
    from pypinyin import lazy_pinyin

    by_sound: dict[str, list[str]] = {}
    for word in words:
        by_sound.setdefault(" ".join(lazy_pinyin(word)), []).append(word)
    return {
        word: [other for other in group if other != word and len(other) == len(word)][:MAX_WORD_SOUNDS]
        for group in by_sound.values()
        if len(group) > 1
        for word in group
    }


def read_characters(path: Path) -> Iterator[tuple[str, str]]:
    """(character, characters it is confused with) from lists or JSON.

    A list has a line for each character, which comes first and is set off by a tab, comma, colon or space; JSON maps
    each to a list, a string, or lists by kind (all of them are taken, except sounds under `yj`).
    """
    name = display_name(path)
    if ".json" in path.name:
        try:
            data = json.loads("".join(read_lines(path)))
        except ValueError as error:
            raise FormatError(name, None, f"not JSON: {error}") from error
        for character, others in data.items():
            if isinstance(others, dict):
                others = [o for kind, listed in others.items() if kind != "yj" for o in listed]
            yield character, "".join(filter(is_han, "".join(others)))
        return
    for line in read_lines(path):
        line = line.removeprefix("\ufeff").strip()
        if line and is_han(line[0]) and len(line) > 1 and not is_han(line[1]):
            yield line[0], "".join(filter(is_han, line[2:]))


def _synonyms(paths: Iterable[Path], frequency: Mapping[str, int]) -> dict[str, list[str]]:
    """Word → words of its groups, from lines `code= word word …` (Cilin) or plain groups."""
    found: dict[str, dict[str, None]] = {}
    for path in paths:
        for line in read_lines(path):
            head, *group = line.removeprefix("\ufeff").split()
            if head.endswith(("#", "@")):  # Cilin: related but not alike, or alone
                continue
            if not head.endswith("="):
                group = [head, *group]
            group = [word for word in group if word in frequency]
            for word in group:
                found.setdefault(word, {}).update((other, None) for other in group if other != word)
    return {
        word: sorted(others, key=lambda o: (-frequency[o], o))[:MAX_SYNONYMS]
        for word, others in found.items()
        if others
    }


def _blur(syllable: str) -> str:
    for pattern, replacement in _FUZZY:
        syllable = pattern.sub(replacement, syllable)
    return syllable


def _by_sound(readings: Mapping[str, list[str]], key: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for character, syllables in readings.items():
        for sound in {key(s) for s in syllables}:
            found.setdefault(sound, []).append(character)
    return found


def _others(
    character: str,
    syllables: list[str],
    by_sound: Mapping[str, list[str]],
    key: Callable[[str], str],
    *,
    without: str = "",
) -> str:
    others: dict[str, None] = {}
    for sound in {key(s): None for s in syllables}:
        others.update((o, None) for o in by_sound[sound] if o != character and o not in without)
    return "".join(list(others)[:MAX_ALIKE])


def _top(characters: Iterable[str], frequency: Mapping[str, int]) -> str:
    return "".join(sorted(set(characters), key=lambda c: (-frequency.get(c, 0), c))[:MAX_ALIKE])
