"""How Chinese tokens are read: all toneless readings of a character, the usual one of a word.

Characters come from pypinyin's table alone: importing the package reads its phrases too, which takes ten times as long
and says nothing about single characters. The tests hold the two together for every character of the table.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

_TONES = str.maketrans("", "", "\u0300\u0301\u0304\u030c")  # grave, acute, macron, caron; ü and ê keep their marks


def toneless_readings(tokens: Sequence[str]) -> list[frozenset[str]]:
    """The readings of each token: all of a character (`行` → `xing`, `hang`, `heng`), the usual one of a word."""
    return [_character(token) if len(token) == 1 else _word(token) for token in tokens]


def _character(character: str) -> frozenset[str]:
    listed = _table().get(ord(character), character)
    bare = unicodedata.normalize("NFC", unicodedata.normalize("NFD", listed).translate(_TONES))
    return frozenset(bare.replace("ü", "v").split(","))


def _word(word: str) -> frozenset[str]:
    from pypinyin import lazy_pinyin

    return frozenset({" ".join(lazy_pinyin(word))})


@cache
def _table() -> dict[int, str]:
    """Code point → readings with tones, separated by commas."""
    package = find_spec("pypinyin")
    assert package is not None and package.submodule_search_locations
    spec = spec_from_file_location("pypinyin_characters", Path(package.submodule_search_locations[0], "pinyin_dict.py"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    table: dict[int, str] = module.pinyin_dict
    return table
