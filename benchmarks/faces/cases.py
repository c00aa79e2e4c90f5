"""Random documents with random options, in groups that share their options."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.fidelity.documents import make_document

MARKUPS = ("text", "none", "markdown")
PRESETS = ("careful", "balanced", "eager")
# Words and phrases of the documents, so that protecting them matters: some stand across emphasis (`**Big** Foo`).
PROTECTED = ("informations", "in the same opinion", "goed", "there house", "老师门", "觉的", "importent", "He go")
LANGUAGES = ("auto", "auto", "auto", "en", "zh")
SENTENCES = (
    "She go to school with **there house** every day.",
    "**He** go home, and they *has* a apple.",
    "这个问题非常重要，我门应该因该努力。She dont want it. 他跑的很快。",
    "I has an [informations](https://exmaple.com/they_has) about it.",
    "This is a sentence that was wrapped by an editor who go on\nin the next line, as e-mails does.",
    "Ich gehe nach Hause. He go home. 私は学生です。",
)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a user can choose on every face."""

    markup: str
    preset: str
    language: str
    min_confidence: float
    words: tuple[str, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that are corrected with the same choices."""

    choices: Choices
    documents: tuple[str, ...]


def make_groups(n_documents: int, size: int, seed: int) -> Iterator[Group]:
    """`n_documents` documents in groups of `size`, the same for the same seed."""
    rng = random.Random(seed)
    for start in range(0, n_documents, size):
        # Every third group is one that LanguageTool's interface can express.
        is_plain = start // size % 3 == 2
        choices = Choices(
            markup="text" if is_plain else rng.choice(MARKUPS),
            preset=rng.choice(PRESETS[is_plain:]),
            language=rng.choice(LANGUAGES),
            min_confidence=0.0 if is_plain else rng.choice((0.0, 0.0, 0.5, 0.8)),
            words=() if is_plain else tuple(rng.sample(PROTECTED, rng.randrange(3))),
            terms=() if is_plain else tuple(rng.sample(PROTECTED, rng.randrange(3))),
        )
        numbers = range(start, min(start + size, n_documents))
        yield Group(choices, tuple(_document(seed + number, rng) for number in numbers))


def _document(seed: int, rng: random.Random) -> str:
    text = make_document(seed).text
    mixed = rng.sample(SENTENCES, rng.randrange(1, 4))
    # Neither a lone surrogate nor NUL can stand in the file of a command line.
    clean = text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "")
    return rng.choice(("", "\ufeff")) * (rng.random() < 0.1) + "\n\n".join([*mixed, clean])
