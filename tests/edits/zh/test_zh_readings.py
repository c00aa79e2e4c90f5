from __future__ import annotations

import pypinyin
import pytest

from errata.edits.zh.readings import _table, toneless_readings


@pytest.mark.parametrize(
    ("token", "readings"),
    [("行", {"xing", "hang", "heng"}), ("女", {"nv", "ru"}), ("𠮷", {"𠮷"}), ("x", {"x"}), ("银行", {"yin hang"})],
)
def test_readings(token: str, readings: set[str]) -> None:
    assert toneless_readings([token]) == [readings]


def test_every_character_is_read_as_pypinyin_reads_it() -> None:
    characters = [chr(point) for point in (*_table(), *range(0x4E00, 0xA000))]
    listed = pypinyin.pinyin(characters, style=pypinyin.Style.NORMAL, heteronym=True)
    assert toneless_readings(characters) == [frozenset(one) for one in listed]
