"""The programs that are compared: errata's pipeline, Harper, and lingotweaker, a port of LanguageTool's rules.

Harper and lingotweaker report findings with suggestions; the first suggestion of each is taken, from the left, and a
finding that overlaps one before it is left out. Both are asked as a British and as an American writer, because the set
is written in both: what only one of the two is told is a matter of spelling and counts for neither. Advice on style
is left out too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from errata.errors import MissingExtra
from errata.model import TextEdit
from errata.pipeline.load import load_corrector

Check = Callable[[Sequence[str]], list[str]]
# Findings that are about style alone, as the two programs call them.
HARPER_STYLE = frozenset({"Enhancement", "Readability", "Style"})
LINGOTWEAKER_STYLE = frozenset({"style", "locale-violation"})


def open_errata(model: str, preset: str) -> Check:
    """errata's pipeline with the preset of a model."""
    corrector = load_corrector(model, preset=preset)
    return lambda texts: [correction.target for correction in corrector.correct(texts)]


def open_harper() -> Check:
    """Harper; `MissingExtra` where it is not installed."""
    try:
        import harper
    except ImportError as error:
        raise MissingExtra("harper-py", "bench") from error
    linters = [harper.Linter(dialect) for dialect in (harper.Dialect.BRITISH, harper.Dialect.AMERICAN)]

    def find(linter: Any, text: str) -> list[TextEdit]:
        lints = (lint for lint in linter.lint(text) if lint.suggestions and lint.lint_kind not in HARPER_STYLE)
        return [_harper_edit(text, lint) for lint in lints]

    return lambda texts: [_apply_common(text, [find(linter, text) for linter in linters]) for text in texts]


def _harper_edit(text: str, lint: Any) -> TextEdit:
    """The edit of a lint's first suggestion."""
    suggestion, start, end = lint.suggestions[0], lint.span.start, lint.span.end
    if suggestion.kind.name == "INSERT_AFTER":
        return TextEdit(end, end, suggestion.replacement_text)
    return TextEdit(start, end, suggestion.replacement_text)


def open_lingotweaker() -> Check:
    """lingotweaker; `MissingExtra` where it is not installed."""
    try:
        import lt_py
    except ImportError as error:
        raise MissingExtra("lingotweaker", "bench") from error
    engines = [lt_py.Engine("en", variant=variant) for variant in ("en-GB", "en-US")]

    def find(engine: Any, text: str) -> list[TextEdit]:
        matches = (match for match in engine.check(text) if match["issue_type"] not in LINGOTWEAKER_STYLE)
        return [_lingotweaker_edit(text, match) for match in matches if match["suggestions"]]

    return lambda texts: [_apply_common(text, [find(engine, text) for engine in engines]) for text in texts]


def _lingotweaker_edit(text: str, match: dict[str, Any]) -> TextEdit:
    """The edit of a match's first suggestion; offsets are bytes."""
    data, first, last = text.encode(), match["offset"], match["offset"] + match["length"]
    return TextEdit(len(data[:first].decode()), len(data[:last].decode()), match["suggestions"][0])


def _apply_common(text: str, found: Sequence[Iterable[TextEdit]]) -> str:
    """The text with the first list's edits at places that all lists have."""
    ours, *others = ([(edit.start, edit.end, edit.replacement) for edit in edits] for edits in found)
    places = [{(start, end) for start, end, _ in edits} for edits in others]
    parts, position = [], 0
    for start, end, replacement in sorted(ours):
        if start >= position and all((start, end) in places_of for places_of in places):
            parts += [text[position:start], replacement]
            position = end
    return "".join([*parts, text[position:]])


PEERS: dict[str, Callable[[], Check]] = {"harper": open_harper, "lingotweaker": open_lingotweaker}


def open_peers(names: Iterable[str]) -> Iterator[tuple[str, Check]]:
    """Each peer with its name, opened when its turn comes; one that is not installed is told and left out."""
    for name in names:
        try:
            check = PEERS[name]()
        except MissingExtra as error:
            print(f"without {name}: {error}", file=sys.stderr)
        else:
            yield name, check
