"""Where the names of points stand in a plot, so that none lies on another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

# Pixels of a character and of a line of names, and between a point and its name.
CHARACTER, LINE, GAP = 6.4, 9.0, 6.0
RADIUS = 4.0  # of a point


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def contains(self, other: Box) -> bool:
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


def place_names(points: Sequence[tuple[str, float, float]], frame: Box) -> list[Box | None]:
    """A place for each name: right, left, above or below its point; None where all of these are taken.

    Names of points that come first have the first choice. A name never leaves the frame.
    """
    taken = [Box(left - RADIUS, top - RADIUS, left + RADIUS, top + RADIUS) for _, left, top in points]
    found: list[Box | None] = []
    for number, (name, left, top) in enumerate(points):
        others = [box for place, box in enumerate(taken) if place != number]
        place = next(
            (box for box in _list_places(name, left, top) if frame.contains(box) and _is_free(box, others)), None
        )
        found.append(place)
        if place is not None:
            taken.append(place)
    return found


def _list_places(name: str, left: float, top: float) -> Iterator[Box]:
    width, half = CHARACTER * len(name), LINE / 2
    yield Box(left + GAP, top - half, left + GAP + width, top + half)
    yield Box(left - GAP - width, top - half, left - GAP, top + half)
    for middle in (top - GAP - half, top + GAP + half):
        yield Box(left - width / 2, middle - half, left + width / 2, middle + half)
    for middle in (top - GAP - half, top + GAP + half):
        yield Box(left, middle - half, left + width, middle + half)
        yield Box(left - width, middle - half, left, middle + half)


def _is_free(box: Box, others: Iterable[Box]) -> bool:
    return not any(box.meets(other) for other in others)
