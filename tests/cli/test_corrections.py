from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.cli.corrections import CorrectedLine, correct_input
from errata.cli.inputs import Input
from errata.cli.watching import Watched
from errata.edits.apply import apply_text_edits
from errata.model import Correction, Edit, TextEdit, Tokens
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import Options
from errata.pipeline.sentences import Progress, SentenceCorrector
from errata.systems.base import ProposedEdit


class Doubling:
    """A corrector that writes every `a` twice."""

    name, language = "doubling", "en"

    def correct(
        self, sentences: Sequence[str], *, markup: str = "none", progress: Progress | None = None
    ) -> list[Correction]:
        answers = []
        for text in sentences:
            answers.append(Correction(text, tuple([TextEdit(i, i + 1, "aa") for i, c in enumerate(text) if c == "a"])))
            if progress:
                progress(len(text))
        return answers


def lines_of(text: str, markup: str, size: int) -> list[CorrectedLine]:
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    batches = [lines[i : i + size] for i in range(0, len(lines), size)]
    return list(correct_input(Doubling(), Input("x.txt", markup), batches, lambda: None))


@settings(deadline=None)
@given(st.text("ab\n\r*`\ufeff", max_size=30), st.sampled_from(["none", "text", "markdown"]), st.integers(1, 4))
def test_lines_are_the_text(text: str, markup: str, size: int) -> None:
    lines = lines_of(text, markup, size)
    assert "".join(line.source for line in lines) == text
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    for line in lines:
        assert apply_text_edits(line.correction.source, line.correction.edits) == line.correction.target
        assert not {"\n", "\r"} & set(line.correction.source)
    if markup != "markdown":
        assert "".join(line.target for line in lines) == text.replace("a", "aa")


@pytest.mark.parametrize("markup", ["none", "text", "markdown"])
def test_columns_begin_after_a_byte_order_mark(markup: str) -> None:
    first, second = lines_of("\ufeffab\r\nba", markup, 9)
    assert (first.before, first.end, first.correction.edits[0].start) == ("\ufeff", "\r\n", 0)
    assert (second.before, second.end, second.correction.edits[0].start) == ("", "", 1)


@pytest.mark.parametrize("markup", ["none", "text", "markdown"])
def test_every_kind_of_line_end_counts(markup: str) -> None:
    lines = lines_of("a\rb\r\na\n\r\ra", markup, 9)
    assert [line.end for line in lines] == ["\r", "\r\n", "\n", "\r", "\r", ""]
    assert [(line.number, line.correction.source) for line in lines if line.correction.edits] == [
        (1, "a"),
        (3, "a"),
        (6, "a"),
    ]


def test_more_is_asked_for_when_the_rest_is_written() -> None:
    seen: list[str] = []
    batches = iter([["a\n", "b\n"], ["c\n"]])
    for line in correct_input(Doubling(), Input("-"), batches, lambda: seen.append("flush")):
        seen.append(line.target)
    assert seen == ["aa\n", "b\n", "flush", "c\n", "flush"]


def test_bytes_are_watched() -> None:
    seen: list[int] = []
    texts = ["a", "好", ""] * 100
    answers = Watched(Doubling(), seen.append).correct(texts)
    assert [answer.target for answer in answers] == ["aa", "好", ""] * 100
    assert sum(seen) == 7 * 100 and len(seen) == 200 and min(seen) > 0


def test_one_long_text_is_watched_while_it_is_corrected() -> None:
    """The model tells how far the bar is when it is asked about the last sentence."""
    seen: list[int] = []

    class Looking:
        kind, language, max_tokens = "looking", "en", 50

        def propose_each(self, sentences: Iterable[Tokens]) -> Iterator[list[ProposedEdit]]:
            for tokens in sentences:
                shown.append(sum(seen))
                yield [ProposedEdit(Edit(0, 1, ("We",)), 0.9)] if tokens[0] == "He" else []

    shown: list[int] = []
    text = " ".join(f"{'He' if n % 2 else 'I'} counted to {n}." for n in range(1000))
    corrector = SentenceCorrector(Looking(), name="looking")  # type: ignore[arg-type]
    pipeline = Pipeline("looking", lambda _: corrector, Options(frozenset({"en"}), "en"))
    (answer,) = Watched(pipeline, seen.append).correct([text])
    assert answer.target == text.replace("He", "We")
    assert sum(seen) == len(text) + 1
    assert shown == sorted(shown) and shown[0] == 0
    assert 0.2 * len(text) < shown[500] < 0.5 * len(text) and 0.7 * len(text) < shown[-1] < len(text)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("-", ["It is\nso.\n", "And\nthen\n\n", "no\n", "end"]),
        ("x.txt", ["It is\nso.\nAnd\nthen\n\n", "no\n", "end"]),
    ],
    ids=["a pipe at every sentence", "a file at blank lines"],
)
def test_paragraphs_are_corrected_whole(name: str, texts: list[str]) -> None:
    seen: list[str] = []

    class Listening(Doubling):
        def correct(
            self, sentences: Sequence[str], *, markup: str = "none", progress: Progress | None = None
        ) -> list[Correction]:
            seen.extend(sentences)
            return super().correct(sentences, progress=progress)

    batches = [["It is\n", "so.\n", "And\n"], ["then\n"], ["\n", "no\n"], [], ["end"]]
    lines = list(correct_input(Listening(), Input(name, "text"), batches, lambda: None))
    assert seen == texts
    assert [line.number for line in lines] == [1, 2, 3, 4, 5, 6, 7]


def test_a_line_is_in_the_language_of_its_paragraph() -> None:
    first = "He have visited all of the big cities in the south with his friend"
    text = f"{first}\nle roi de la ville et la reine\n\n2\nJe ne sais pas."
    lines = lines_of(text, "text", 9)
    assert [line.language for line in lines] == ["en", "en", "", "", "und"]
    assert [line.language for line in lines_of(text, "none", 9)] == ["en", "und", "", "", "und"]


def test_many_short_lines_are_gathered_at_once() -> None:
    batches = [["ab\n"]] * 60_000  # quadratic, this would take minutes
    assert len(list(correct_input(Doubling(), Input("x.txt", "text"), batches, lambda: None))) == 60_000
