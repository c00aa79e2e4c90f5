"""The British English word list that decides what counts as a spelling error.

ERRANT's types depend on exactly this list (en_GB-large of 2020.12.07), which no other package carries; it is read as
data from the installed `errant` distribution, none of whose code runs.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from errata.errors import DataError


@cache
def load_words() -> frozenset[str]:
    """All words of the list; "cat" is in it, "Cat" is not."""
    package = find_spec("errant")
    if package is None or not package.submodule_search_locations:
        raise DataError("the English word list is not installed; run: pip install errant==3.0.2")
    path = Path(package.submodule_search_locations[0]) / "en" / "resources" / "en_GB-large.txt"
    return frozenset(path.read_text(encoding="utf-8").split())
