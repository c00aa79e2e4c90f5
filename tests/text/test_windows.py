"""Long texts are read a window at a time, with the same result."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errata.text import literals, windows
from errata.text.language import identify_language
from errata.text.literals import literal_spans

PIECES = ["`", "`a b`", "``", "a.py ", "see ", "www.a.b ", "，", "a@b.cd", "\n", "x_y ", "der ", "und ", "我", " "]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=40), size=st.integers(16, 40))
def test_windows_change_no_result(pieces: list[str], size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A gap after every few pieces: only a run without any is cut where it may be.
    text = "".join(piece + " " * (number % 3 == 0) for number, piece in enumerate(pieces))
    monkeypatch.setattr(windows, "WINDOW", len(text) + 1)
    whole = literal_spans(text), identify_language(text)
    monkeypatch.setattr(windows, "WINDOW", size)
    assert "".join(text[a:b] for a, b in windows.windows(text)) == text
    assert (literal_spans(text), identify_language(text)) == whole
    assert whole[0] == [match.span() for match in literals._LITERAL.finditer(text)]
