from __future__ import annotations

import pytest
from test_documents import Replacing

from errata.systems.base import Corrector
from errata.systems.documents import DocumentCorrector
from errata.systems.languages import MultilingualCorrector


class Library:
    """Correctors by language, and which were asked for."""

    def __init__(self) -> None:
        self.loaded: list[str] = []

    def load(self, language: str) -> Corrector:
        self.loaded.append(language)
        return DocumentCorrector(Replacing({"go": "goes", "地": "的"}, language), name=language)


@pytest.mark.parametrize(
    ("text", "target", "loaded"),
    [
        ("he go", "he goes", ["en"]),
        ("我地书", "我的书", ["zh"]),
        ("he go\r\n我地书 go\n\n12\nhe go", "he goes\r\n我的书 go\n\n12\nhe goes", ["en", "zh"]),
        ("123 ...\n\n", "123 ...\n\n", []),
        ("", "", []),
        ("она пошла go\nhe go", "она пошла go\nhe goes", ["en"]),
        ("Je ne sais pas go", "Je ne sais pas go", []),
    ],
)
def test_every_line_has_its_corrector(text: str, target: str, loaded: list[str]) -> None:
    library = Library()
    answers = MultilingualCorrector(library.load).correct([text, text])
    assert [answer.target for answer in answers] == [target, target]
    assert library.loaded == loaded


def test_whole_texts_are_not_split() -> None:
    library = Library()
    (answer,) = MultilingualCorrector(library.load, is_whole=True).correct(["我地书\u2028he go"])
    assert library.loaded == ["zh"] and answer.target == "我的书\u2028he go"


def test_progress_counts_texts() -> None:
    seen: list[int] = []
    MultilingualCorrector(Library().load).correct(["a", "b\nc", ""], progress=seen.append)
    assert sum(seen) == 3
