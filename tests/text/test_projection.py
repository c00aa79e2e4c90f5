from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.text.projection import Part, Projection, Role, trim_edit


def marked(text: str) -> list[Part]:
    """`He [**]go[**] home`: markup in brackets; `[`x`=y]` reads `y`."""
    parts: list[Part] = []
    for piece in text.replace("]", "[").split("["):
        markup, _, reads = piece.partition("=")
        parts.append(Part(markup, True, reads) if len(parts) % 2 else Part(piece))
    return parts


@pytest.mark.parametrize(
    ("text", "old", "new", "corrected"),
    [
        ("He [**]go[**] home", "go", "goes", "He **goes** home"),
        ("He [**]go[**] home", "He go", "She goes", None),
        ("He [**]go[**] home", "He go", "He goes", "He **goes** home"),
        ("Use [`x`=x] now", "x", "y", None),
        ("Use [`x`=x] now", "x now", "x today", "Use `x` today"),
        ("Use [`x`=x] now", "x now", "x is now", "Use `x` is now"),
        ("Use [`x`=x] now", "x", "xs", None),
        ("Use [`x`=x] now", "x", "ax", None),
        ("Use [`x`=x]", "x", "s x", "Use s `x`"),
        ("in [*]the[*] end", " the", "", None),
        ("importan[*]t[*] it", "important", "importance", "importan*ce* it"),
        ("im[*]p[*]ortant", "important", "unimportant", "unim*p*ortant"),
        ("i[*]m[*]portant", "important", "big", None),
        ("He go[<b>] home", "go", "goes", "He goes<b> home"),
    ],
)
def test_replacements_keep_to_prose(text: str, old: str, new: str, corrected: str | None) -> None:
    view = Projection.of(marked(text))
    start = view.text.index(old)
    edits = view.to_original([TextEdit(start, start + len(old), new, "R", 0.5)])
    assert [edit.type for edit in edits] == ([] if corrected is None else ["R"])
    assert apply_text_edits(view.original, edits) == (corrected or view.original)


@pytest.mark.parametrize(
    ("text", "after", "insert", "corrected"),
    [
        ("I [**]go[**] home", "I go", " back", "I **go back** home"),
        ("[- ]Good man", "", "A ", "- A Good man"),
        ("One.\n[- ]好人", "One.\n", "真", "One.\n- 真好人"),
        ("see [the docs](u)", "see", " all", "see all the docs(u)"),
        ("word[**](note)[**]", "word", " x ", "word x **(note)**"),
        ("Use [`x`=x]", "Use x", ".", None),
        ("Use [`x`=x]\n", "Use x", ".", "Use `x`.\n"),
        ("Use [`xy`=xy]\n", "Use x", "z", None),
        ("[`x`=x][`y`=y]", "x", "z", None),
    ],
)
def test_insertions_stay_with_the_prose_they_continue(
    text: str, after: str, insert: str, corrected: str | None
) -> None:
    view = Projection.of(marked(text))
    place = len(after)
    assert view.text.startswith(after)
    edits = view.to_original([TextEdit(place, place, insert)])
    assert apply_text_edits(view.original, edits) == (corrected or view.original)


@pytest.mark.parametrize(
    ("text", "read", "original"),
    [
        ("He [**]go[**] home. Yes.", "He go home.", "He **go** home."),
        ("[<p>=\n]He go[</p>=\n]", "He go", "He go"),
        ("Use [`x`=x]. Yes.", "Use x.", "Use `x`."),
        ("Use [`x`=x][`y`=y]", "xy", ""),
        ("One. [**]Two.[**] Three.", "Two.", "Two."),
    ],
)
def test_where_what_is_read_lies(text: str, read: str, original: str) -> None:
    view = Projection.of(marked(text))
    start = view.text.index(read)
    assert view.original[slice(*view.original_span(start, start + len(read)))] == original


parts = st.lists(
    st.builds(
        Part, st.text("ab \n", max_size=4), st.booleans(), st.text("xy", max_size=2), st.sampled_from(list(Role))
    ),
    max_size=8,
)


@settings(deadline=None)
@given(parts, st.data())
def test_edits_come_back_in_order_and_leave_markup_alone(parts: list[Part], data: st.DataObject) -> None:
    view = Projection.of(parts)
    assert view.original == "".join(part.text for part in parts)
    assert view.text == "".join(part.reads if part.is_markup else part.text for part in parts)
    bounds = sorted(data.draw(st.lists(st.integers(0, len(view.text)), max_size=8, unique=True)))
    edits = [TextEdit(start, end, data.draw(st.text("ab ,", max_size=3))) for start, end in list(pairwise(bounds))[::2]]
    placed = view.to_original(edits)
    assert all(a.end <= b.start for a, b in pairwise(placed))
    corrected = apply_text_edits(view.original, placed)
    touched = [False] * len(view.original)
    for edit in placed:
        touched[edit.start : edit.end] = [True] * (edit.end - edit.start)
    position = 0
    for part in parts:
        if part.is_markup:
            assert not any(touched[position : position + len(part.text)])
            assert part.text in corrected
        position += len(part.text)


@settings(deadline=None)
@given(st.text("ab ", max_size=8), st.text("ab ", max_size=8), st.text("ab ", max_size=3))
def test_a_trimmed_edit_does_the_same(old: str, new: str, around: str) -> None:
    text = around + old + around
    edit = TextEdit(len(around), len(around) + len(old), new)
    trimmed = trim_edit(text, edit)
    assert apply_text_edits(text, [trimmed]) == apply_text_edits(text, [edit])
    assert edit.start <= trimmed.start and trimmed.end <= edit.end


def element(text: str, n_opening: int = 2) -> list[Part]:
    """`see |**good|** men`: the markup after each bar opens an element and closes it by turns."""
    first, *rest = text.split("|")
    found = [Part(first)]
    for number, piece in enumerate(rest):
        role = Role.CLOSES if number % 2 else Role.OPENS
        found += Part(piece[:n_opening], True, "", role), Part(piece[n_opening:])
    return found


@pytest.mark.parametrize(
    ("text", "after", "insert", "corrected"),
    [
        ("see |**the docs|** however", "see the docs", ",", "see **the docs**, however"),
        ("see |**the docs|**", "see the docs", ",", "see **the docs**,"),
        ("|**Good|**|**men|**", "Good", ",", "**Good**,**men**"),
        ("see |**the docs|** now", "see the docs", " here", "see **the docs here** now"),
        ("see |**the docs|** now", "see the", ",", None),
        ("|**docs|** now", "", '"', None),
        ("see |**docs|** now", "see ", '"', 'see "**docs** now'),
        ("|**do nt|** go", "do n", "'", "**do n't** go"),
        ("word|**(note)|** now", "word", ",", "word,**(note)** now"),
    ],
)
def test_punctuation_stays_outside_elements(text: str, after: str, insert: str, corrected: str | None) -> None:
    view = Projection.of(element(text))
    assert view.text.startswith(after)
    edits = view.to_original([TextEdit(len(after), len(after), insert)])
    assert apply_text_edits(view.original, edits) == (corrected or view.original)


@pytest.mark.parametrize(
    ("text", "old", "new", "corrected"),
    [
        ("see |**the docs|** however", "docs", "docs,", "see **the docs**, however"),
        ("see |**the docs|** however", "docs", "pages,", None),
        ("|**Note:|** that", ":", "", None),
        ("|**One, two|** that", ", two", " two", "**One two** that"),
        ("|**One, two|** that", ",", "", "**One two** that"),
        ("|**user friendly|** one", "user friendly", "user-friendly", "**user-friendly** one"),
        ("|**two dog|** ran", "dog", "dogs", "**two dogs** ran"),
    ],
)
def test_elements_keep_the_punctuation_at_their_ends(text: str, old: str, new: str, corrected: str | None) -> None:
    view = Projection.of(element(text))
    start = view.text.index(old)
    edits = view.to_original([TextEdit(start, start + len(old), new)])
    assert apply_text_edits(view.original, edits) == (corrected or view.original)


@given(
    st.lists(st.tuples(st.text("ab ", max_size=4), st.booleans(), st.sampled_from(["", "x"])), max_size=6), st.data()
)
def test_a_revised_projection_is_that_of_the_edited_text(
    drawn: list[tuple[str, bool, str]], data: st.DataObject
) -> None:
    view = Projection.of([Part(text, is_markup, reads if is_markup else "") for text, is_markup, reads in drawn])
    edits: list[TextEdit] = []
    for prose in view._prose:
        start = data.draw(st.integers(prose.original_start, prose.original_start + prose.length))
        end = data.draw(st.integers(start, prose.original_start + prose.length))
        edits.append(TextEdit(start, end, data.draw(st.text("yz", max_size=2))))
        read = view.to_read(edits[-1])
        assert view.text[read.start : read.end] == view.original[start:end]
    made = view.original
    for edit in reversed(edits):
        made = made[: edit.start] + edit.replacement + made[edit.end :]
    assert view.revised(edits).original == made


def test_an_insertion_behind_markup_is_part_of_a_revised_text() -> None:
    view = Projection.of([Part("a"), Part("**", True), Part("[x]", True)])
    assert view.revised([TextEdit(3, 3, ",")]).original == "a**,[x]"
    assert view.revised([TextEdit(6, 6, ",")]).original == "a**[x],"
    assert view.to_read(TextEdit(6, 6, ",")).start == 1
