"""Appraise's XML: rankings of up to five corrections of a sentence, expanded to pairs.

    <ranking-item src-id="135" user="annotator01">
      <translation rank="3" system="CAMB"/>
      <translation rank="1" system="IITB INPUT UFC"/>
    </ranking-item>

A smaller rank is better. Systems named together made the same correction: each of them has the rank, and each two of
them are tied. The expansion of GJG15's file gives the 109,098 pairs that its authors count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from xml.parsers import expat

from errata.errors import FormatError
from errata.formats.files import PathLike, display_name, read_lines
from errata.meta_eval.base import Judgement

ITEM, CHOICE = "ranking-item", "translation"


@dataclass(frozen=True, slots=True)
class RankingItem:
    """One screen of an annotator: a sentence by its number in the file, and groups of systems with their ranks."""

    line: int
    number: int
    groups: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def ranks(self) -> list[tuple[str, int]]:
        return [(system, rank) for systems, rank in self.groups for system in systems]


def read_rankings(path: PathLike) -> list[RankingItem]:
    """The ranking items of a file; one without any is a `FormatError`."""
    return parse_rankings("".join(read_lines(path)), display_name(path))


def parse_rankings(text: str, origin: str = "<judgements>") -> list[RankingItem]:
    """The ranking items of XML text."""
    items: list[RankingItem] = []
    begun: list[tuple[int, int, list[tuple[tuple[str, ...], int]]]] = []
    parser = expat.ParserCreate()

    def whole(attributes: Mapping[str, str], name: str, tag: str) -> int:
        line = parser.CurrentLineNumber
        if name not in attributes:
            raise FormatError(origin, line, f"<{tag}> has no {name}")
        try:
            return int(attributes[name])
        except ValueError:
            raise FormatError(origin, line, f"{name} is a whole number, not {attributes[name]!r}") from None

    def start(tag: str, attributes: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if tag == ITEM:
            begun.append((line, whole(attributes, "src-id", tag), []))
        elif tag == CHOICE:
            if not begun:
                raise FormatError(origin, line, f"<{CHOICE}> stands outside of <{ITEM}>")
            systems = tuple(attributes.get("system", "").split())
            if not systems:
                raise FormatError(origin, line, f"<{CHOICE}> names no system")
            begun[-1][2].append((systems, whole(attributes, "rank", tag)))

    def end(tag: str) -> None:
        if tag == ITEM:
            line, number, groups = begun.pop()
            item = RankingItem(line, number, tuple(groups))
            named = [system for system, _ in item.ranks]
            if twice := next((system for system in named if named.count(system) > 1), None):
                raise FormatError(origin, line, f"{twice} is ranked twice")
            items.append(item)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise FormatError(origin, error.lineno, f"not XML: {expat.errors.messages[error.code]}") from error
    if not items:
        raise FormatError(origin, None, f"there are no judgements: no <{ITEM}>")
    return items


def list_systems(items: Iterable[RankingItem]) -> list[str]:
    """The systems that are ranked, in alphabetical order."""
    return sorted({system for item in items for system, _ in item.ranks})


def expand_pairs(
    items: Iterable[RankingItem], places: Mapping[int, int], outputs: Mapping[str, Sequence[str]], origin: str
) -> Iterator[Judgement]:
    """A judgement for each two systems of an item; `places` finds the sentence of a number.

    Systems that are named together must have the same output, or the outputs are not those that people saw.
    """
    for item in items:
        if item.number not in places:
            raise FormatError(origin, item.line, f"there is no sentence {item.number}")
        place = places[item.number]
        for systems, _ in item.groups:
            if len({outputs[system][place] for system in systems}) > 1:
                raise FormatError(
                    origin,
                    item.line,
                    f"{' and '.join(systems)} are ranked as one correction, but their outputs differ in sentence "
                    f"{item.number}: these are not the outputs that were judged",
                )
        for (first, rank), (second, other) in combinations(item.ranks, 2):
            yield Judgement(place, first, second, (rank < other) - (rank > other))
