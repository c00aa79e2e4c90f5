"""A document in pieces: sentence by sentence gives what the corrector gives for the whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_corrector import TABLES, load_table

from errata.web.documents import Piece, split_document
from errata.web.service import move_edit

WORDS = [*TABLES["en"], "Mr.", "I", "He", "said", "(We", "go)", '"Go', 'go."', "e.g.", "3.5", "好", "😀", "don't"]
TOKENS = st.sampled_from([*WORDS, ".", "!", "?", "...", ",", ". ", "? ", "\n", "\r\n", "\u2028", " ", "\t"])
TEXTS = st.lists(TOKENS, max_size=25).map(" ".join) | st.lists(TOKENS, max_size=15).map("".join)


@given(TEXTS)
def test_sentences_alone_are_corrected_as_in_their_document(text: str) -> None:
    corrector = load_table("en")
    found = [
        move_edit(edit, piece.start)
        for piece in split_document(text, "en")
        for edit in corrector.correct([text[piece.start : piece.end]])[0].edits
    ]
    assert found == list(corrector.correct([text])[0].edits)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \n", []),
        ("We go. He too.", [(0, 6, "en"), (7, 14, "en")]),
        ("We go.\n他做家。好！\n123", [(0, 6, "en"), (7, 11, "zh"), (11, 13, "zh"), (14, 17, "zh")]),
        ("We go there today.\r\n123", [(0, 18, "en"), (20, 23, "en")]),
    ],
)
def test_every_paragraph_has_its_language(text: str, pieces: list[tuple[int, int, str]]) -> None:
    assert split_document(text, "auto") == [Piece(*piece) for piece in pieces]
