"""Texts that make careless code slow: one short piece, again and again."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass

# Every mark of ASCII by itself and after a letter, then what has meant something to one of our parsers.
REPEATS: tuple[str, ...] = (
    *"a1中 \n\té\u0301\u200d",
    *string.punctuation,
    *(f"a{mark}" for mark in string.punctuation),
    *(f"{mark}a" for mark in "/'`[($\\|<#@_*>"),
    *(" a", "a ", "1.", "1,", "a1", "a\n", "\n\n", "- ", "* ", "> ", "# ", "| ", "|\n", ". ", ".A ", "! ", "。", "a中"),
    *(
        "a\u0301",
        "e\u0301a",
        "👩\u200d",
        "ab",
        "a.b-",
        "a-b.",
        "a@b.",
        "n't",
        "a n't",
        "www.",
        "a://",
        "http://",
        "~/",
        "./",
    ),
    *(
        "\\(",
        "\\[",
        "$$",
        "{{",
        "{%",
        "[[",
        "[^",
        "![",
        "](",
        "[a](",
        "[a]",
        "<a ",
        "</",
        "<!--",
        "<?",
        "``a`",
        "**a *b",
    ),
    *(", a", ",  ", "A 1 ", "S a\n", "<think>", "->", "; ", '{"', "cannot", "\r", "\r\n", " \n", "\n ", "\u2028"),
)
# What keeps a match from ending well.
SUFFIXES: tuple[str, ...] = ("", "\x00")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make a text of any length."""

    repeat: str
    prefix: str = ""
    suffix: str = ""

    def make(self, length: int) -> str:
        room = max(0, length - len(self.prefix) - len(self.suffix))
        whole = self.repeat * (room // len(self.repeat) + 1) if self.repeat else ""
        return (self.prefix + whole[:room] + self.suffix)[:length]

    def __str__(self) -> str:
        return " + ".join(repr(part) for part in (self.prefix, f"{self.repeat}…", self.suffix) if part)


def recipes() -> Iterator[Recipe]:
    """Every repeat with every suffix."""
    return (Recipe(repeat, suffix=suffix) for repeat in REPEATS for suffix in SUFFIXES)
