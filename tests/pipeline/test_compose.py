from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.pipeline.compose import compose, made_spans, source_span


@st.composite
def texts_with_two_rounds(draw: st.DrawFn) -> tuple[str, list[TextEdit], list[TextEdit]]:
    text = draw(st.text("abc ", max_size=20))
    first = draw(edits_of(text))
    return text, first, draw(edits_of(apply_text_edits(text, first)))


def edits_of(text: str) -> st.SearchStrategy[list[TextEdit]]:
    @st.composite
    def make(draw: st.DrawFn) -> list[TextEdit]:
        found: list[TextEdit] = []
        position = 0
        for _ in range(draw(st.integers(0, 4))):
            if position > len(text):
                break
            start = draw(st.integers(position, len(text)))
            end = draw(st.integers(start, min(len(text), start + 4)))
            replacement = draw(st.text("xyz ", max_size=4))
            if text[start:end] != replacement:
                found.append(TextEdit(start, end, replacement, confidence=draw(st.sampled_from([None, 0.5, 0.9]))))
                position = end + 1
        return found

    return make()


@given(texts_with_two_rounds())
def test_two_rounds_as_one_give_the_same_text(drawn: tuple[str, list[TextEdit], list[TextEdit]]) -> None:
    text, first, second = drawn
    both = compose(text, first, second)
    assert apply_text_edits(text, both) == apply_text_edits(apply_text_edits(text, first), second)
    assert all(a.end <= b.start for a, b in pairwise(both))
    assert all(text[edit.start : edit.end] != edit.replacement for edit in both)


@given(texts_with_two_rounds())
def test_replacements_stand_where_they_are_said_to(drawn: tuple[str, list[TextEdit], list[TextEdit]]) -> None:
    text, first, _ = drawn
    made = apply_text_edits(text, first)
    assert [made[start:end] for start, end in made_spans(first)] == [edit.replacement for edit in first]


def test_edits_apart_keep_their_types() -> None:
    first, second = [TextEdit(0, 1, "xx", "R:NOUN", 0.9)], [TextEdit(3, 4, "y", "R:VERB", 0.5)]
    assert compose("ab c", first, second) == [first[0], TextEdit(2, 3, "y", "R:VERB", 0.5)]


@given(texts_with_two_rounds())
def test_every_place_stands_for_a_part_of_the_text(drawn: tuple[str, list[TextEdit], list[TextEdit]]) -> None:
    text, first, _ = drawn
    made = apply_text_edits(text, first)
    for start in range(len(made) + 1):
        for end in range(start, len(made) + 1):
            a, b = source_span(first, (start, end))
            assert 0 <= a <= b <= len(text)
    assert source_span(first, (0, len(made))) == (0, len(text)) or first
