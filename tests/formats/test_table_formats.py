"""Parallel text and MuCGEC's TSV."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from errata.errors import AlignmentError, DataError, FormatError
from errata.formats import get_format
from errata.formats.parallel import pair_sentences, zip_lines
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status

MUCGEC = "1\t我 是学生\t我是学生。\t我是一名学生。\n2\t你好\t没有错误\n3\t乱\t无法标注\n4\t没有人看过\n"


def parse(text: str, name: str) -> list[AnnotatedSentence]:
    return list(get_format(name).parse(io.StringIO(text, newline="\n"), origin="x.tsv"))


def render(sentences: list[AnnotatedSentence], name: str) -> str:
    return "".join(get_format(name).format(sentences))


def test_mucgec_reads_marks_and_uneven_rows() -> None:
    first, correct, unclear, silent = parse(MUCGEC, "mucgec")
    assert first.sentence == Sentence(("我", "是", "学", "生"), "我 是学生", "1")  # the space is in the text alone
    assert [(a.annotator, a.target) for a in first.annotations] == [("0", "我是学生。"), ("1", "我是一名学生。")]
    assert correct.annotations == (Annotation("0"),)
    assert unclear.annotations == (Annotation("0", status=Status.NOT_ANNOTATABLE),)
    assert silent.annotations == ()
    assert render([first, correct, unclear, silent], "mucgec") == MUCGEC


@pytest.mark.parametrize("line", ["", "1", "no tab at all"])
def test_mucgec_needs_an_id_and_a_source(line: str) -> None:
    with pytest.raises(FormatError, match=r"x\.tsv:2: a row has an id, a source and references"):
        parse(f"1\t好\n{line}\n", "mucgec")


def test_mucgec_refuses_a_correction_that_reads_like_a_mark() -> None:
    with pytest.raises(DataError, match="taken for a mark"):
        render([AnnotatedSentence(Sentence(("对",)), (Annotation("0", target="没有错误"),))], "mucgec")


def test_mucgec_numbers_sentences_without_id() -> None:
    assert render([AnnotatedSentence(Sentence(("好",)))], "mucgec") == "1\t好\n"


def test_parallel_rows_may_be_uneven_and_empty() -> None:
    text = "a b\ta c\ta d\n\nI deleted it all\t\nno reference\n"
    first, empty, deleted, alone = parse(text, "parallel")
    assert [a.target for a in first.annotations] == ["a c", "a d"]
    assert empty == AnnotatedSentence(Sentence((), ""))
    assert [a.target for a in deleted.annotations] == [""]
    assert alone.annotations == ()
    assert render([first, empty, deleted, alone], "parallel") == text


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ("two words", ("two", "words")),
        ("我们去吧", ("我", "们", "去", "吧")),
        ("我们 去 吧", ("我们", "去", "吧")),
        ("用[缺失成分]写", ("用", "[缺失成分]", "写")),
        (" ", ()),
    ],
)
def test_parallel_tokens(source: str, tokens: tuple[str, ...]) -> None:
    assert parse(source, "parallel")[0].sentence == Sentence(tokens, source)


def test_parallel_applies_edits() -> None:
    edits = (Edit(0, 1, ("You",)), Edit(0, 1, ("You",)), Edit(2, 2, ("away",)))
    sentence = AnnotatedSentence(Sentence(("I", "go")), (Annotation("0", edits), Annotation("1")))
    assert render([sentence], "parallel") == "I go\tYou go away\tI go\n"


def test_parallel_applies_edits_to_characters_without_spaces() -> None:
    sentence = AnnotatedSentence(Sentence(("我", "好")), (Annotation("0", (Edit(1, 1, ("很",)),)),))
    assert render([sentence], "parallel") == "我好\t我很好\n"


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\rb"])
def test_cells_cannot_hold_tabs_and_line_breaks(text: str) -> None:
    with pytest.raises(DataError, match="tab or line break"):
        render([AnnotatedSentence(Sentence(("a", "b"), text))], "parallel")


def write(folder: Path, **files: str) -> dict[str, Path]:
    paths = {name: folder / f"{name}.txt" for name in files}
    for name, text in files.items():
        paths[name].write_bytes(text.encode())
    return paths


def test_line_parallel_files_keep_empty_lines(tmp_path: Path) -> None:
    paths = write(tmp_path, source="\ufeffa b\r\nc d\r\n", hyp="a\n\n", ref="x\ny")
    first, second = pair_sentences(paths["source"], [paths["hyp"], paths["ref"]])
    assert first == AnnotatedSentence(
        Sentence(("a", "b"), "a b"), (Annotation("0", target="a"), Annotation("1", target="x"))
    )
    assert [a.target for a in second.annotations] == ["", "y"]


def test_files_of_different_length_are_refused(tmp_path: Path) -> None:
    paths = write(tmp_path, source="a\nb\nc\nd\n", hyp="a\n\nc\n")
    message = r"hyp\.txt has 3 lines, \S*source\.txt 4: files must be parallel; first empty line in \S*hyp\.txt is 2$"
    with pytest.raises(AlignmentError, match=message):
        list(zip_lines([paths["source"], paths["hyp"]]))


def test_files_of_different_length_without_empty_lines(tmp_path: Path) -> None:
    paths = write(tmp_path, source="a\nb", ref="a\nb", hyp="a\nb\nc")
    with pytest.raises(AlignmentError, match=r"hyp\.txt has 3 lines, \S*source\.txt 2: files must be parallel$"):
        list(zip_lines([paths["source"], paths["ref"], paths["hyp"]]))
