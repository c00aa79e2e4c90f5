"""Tags: one small edit each, typed; never strings woven into the text.

A sentence of n tokens has n + 1 slots: slot 0 stands before the first token, slot i + 1 is token i. A tag at a slot
says what becomes of that token and what is put after it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from errata.errors import DataError

# The label of slots whose edit the vocabulary cannot express: they take no part in the tag loss.
IGNORED = -100
# Words of one tag; LaserTagger's longest phrases are far shorter.
MAX_WORDS = 1000


class Op(Enum):
    """What a tag does; the value is its name in `tags.json`."""

    KEEP = "keep"
    DELETE = "delete"
    APPEND = "append"  # words after the token
    REPLACE = "replace"  # the token by words
    CASE = "case"  # capital, lower, upper, capital-1
    MERGE = "merge"  # with the next token, joined by "" or "-"
    SPLIT = "split"  # at hyphens
    INFLECT = "inflect"  # to the form with a Penn tag: number, verb form, degree
    SUFFIX = "suffix"  # cut a suffix, add another
    SPELL = "spell"  # the dictionary's best word


NEVER_EMPTY = (Op.APPEND.value, Op.REPLACE.value)  # their words become tokens
# How many words an operation takes, at least and at most; the others take none.
N_WORDS = {
    Op.APPEND: (1, MAX_WORDS),
    Op.REPLACE: (1, MAX_WORDS),
    Op.CASE: (1, 1),
    Op.MERGE: (1, 1),
    Op.INFLECT: (1, 1),
    Op.SUFFIX: (2, 2),
}


@dataclass(frozen=True, slots=True)
class Tag:
    """One operation with its arguments: `Tag(Op.APPEND, ("the",))`."""

    op: Op
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.op.value, *self.words))


KEEP = Tag(Op.KEEP)
DELETE = Tag(Op.DELETE)


class TagVocabulary:
    """The tags a model knows, in the order of its outputs; number 0 is keep, 1 is delete."""

    def __init__(self, tags: Iterable[Tag]) -> None:
        self.tags: tuple[Tag, ...] = tuple(tags)
        if self.tags[:2] != (KEEP, DELETE):
            raise DataError("a tag vocabulary begins with keep and delete")
        self.index: dict[Tag, int] = {tag: number for number, tag in enumerate(self.tags)}
        if len(self.index) < len(self.tags):
            raise DataError("a tag vocabulary names no tag twice")

    def __len__(self) -> int:
        return len(self.tags)

    def __iter__(self) -> Iterator[Tag]:
        return iter(self.tags)

    def __contains__(self, tag: object) -> bool:
        return tag in self.index

    def __getitem__(self, number: int) -> Tag:
        return self.tags[number]

    @classmethod
    def learn(cls, counts: Counter[Tag], size: int, min_count: int = 1) -> TagVocabulary:
        """Keep, delete and the most frequent others, `size` in all; grouped by operation, ties in a fixed order."""
        wanted = [tag for tag, count in counts.items() if count >= min_count and tag not in (KEEP, DELETE)]
        wanted.sort(key=lambda tag: (-counts[tag], tag.op.value, tag.words))
        order = {op: number for number, op in enumerate(Op)}
        chosen = sorted(wanted[: max(size - 2, 0)], key=lambda tag: order[tag.op])
        return cls((KEEP, DELETE, *chosen))

    def save(self, path: Path) -> None:
        path.write_text(format_tags(self.tags), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> TagVocabulary:
        try:
            return cls(parse_tags(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise DataError(f"{path}: cannot be read: {error.strerror}") from error
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise DataError(f"{path} is not a list of tags: {error}") from error


def format_tags(tags: Sequence[Tag]) -> str:
    """A JSON list with one tag a line: `["append", "the"]`."""
    lines = (json.dumps([tag.op.value, *tag.words], ensure_ascii=False) for tag in tags)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def parse_tags(text: str) -> Iterator[Tag]:
    """The tags of a JSON list; `ValueError` where one is no operation with the words it needs."""
    listed = json.loads(text)
    if not isinstance(listed, list) or not all(isinstance(entry, list) and entry for entry in listed):
        raise ValueError("it is no list of lists")
    for op, *words in listed:
        least, most = N_WORDS.get(Op(op), (0, 0))
        is_text = all(isinstance(word, str) and (word or op not in NEVER_EMPTY) for word in words)
        if not is_text or not least <= len(words) <= most:
            raise ValueError(f"{json.dumps([op, *words])} is no tag")
        yield Tag(Op(op), tuple(words))
