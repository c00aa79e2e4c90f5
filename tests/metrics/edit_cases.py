"""Sentences with edits, made by hand or drawn by hypothesis, for tests of edit metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from errata.metrics.base import Item
from errata.model import Annotation, Edit, Sentence

SOURCE = Sentence(("a", "b", "c", "d", "e"))
TYPES = ("R:NOUN", "M:DET", "U:PREP", "UNK")


def edit(start: int, end: int, text: str = "", type_: str = "R:NOUN") -> Edit:
    return Edit(start, end, tuple(text.split()), type_)


def item(hypothesis: Iterable[Edit], *references: Iterable[Edit]) -> Item:
    """An item over SOURCE; references are annotators 0, 1, …"""
    annotated = tuple(Annotation(str(place), tuple(edits)) for place, edits in enumerate(references))
    return Item(SOURCE, Annotation(edits=tuple(hypothesis)), annotated)


def _make_edit(start: int, length: int, text: str, type_: str) -> Edit:
    return edit(start, min(start + length, len(SOURCE)), text, type_)


edits = st.builds(
    _make_edit, st.integers(0, 4), st.integers(0, 2), st.sampled_from(["", "x", "y", "x y"]), st.sampled_from(TYPES)
)
edit_lists = st.lists(edits, max_size=3)
items = st.builds(lambda hyp, refs: item(hyp, *refs), edit_lists, st.lists(edit_lists, max_size=3))
corpora: st.SearchStrategy[Sequence[Item]] = st.lists(items, min_size=1, max_size=6)
