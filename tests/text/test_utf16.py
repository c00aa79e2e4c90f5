from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from errata.text.utf16 import Utf16Offsets, replace_lone_surrogates

TEXTS = st.text(st.sampled_from("ab中é😀𠮷\u200d\n"), max_size=30)


@given(TEXTS, st.data())
def test_offsets_are_those_of_the_encoding(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text)))
    assert Utf16Offsets(text)[position] == len(text[:position].encode("utf-16-le")) // 2


def test_half_a_character_is_replaced_and_keeps_its_place() -> None:
    assert replace_lone_surrogates("a\ud800b😀\udc00") == "a\ufffdb😀\ufffd"
