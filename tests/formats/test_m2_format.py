"""M2: what each dialect reads, writes and refuses."""

from __future__ import annotations

import io

import pytest

from errata.errors import DataError, FormatError
from errata.formats import get_format
from errata.formats.m2 import M2, CherrantM2, M2Scorer
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status

NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"


def parse(text: str, name: str = "m2", **options: bool) -> list[AnnotatedSentence]:
    return list(get_format(name, **options).parse(io.StringIO(text, newline="\n"), origin="dev.m2"))


def render(sentences: list[AnnotatedSentence], name: str = "m2") -> str:
    return "".join(get_format(name).format(sentences))


def edit_line(fields: str, annotator: str = "0") -> str:
    return f"A {fields}|||REQUIRED|||-NONE-|||{annotator}\n"


ERRANT = f"""\
S This are a sentence .
{edit_line("1 2|||R:VERB:SVA|||is")}{edit_line("2 3|||U:DET|||")}{NOOP}1

S

S Nobody looked .

"""


def test_errant_dialect_says_edits_noops_and_silence() -> None:
    first, empty, silent = parse(ERRANT.replace("S\n", "S \n"))
    assert first.annotations == (
        Annotation("0", (Edit(1, 2, ("is",), "R:VERB:SVA"), Edit(2, 3, (), "U:DET"))),
        Annotation("1"),
    )
    assert empty == AnnotatedSentence(Sentence(()))
    assert silent.annotations == ()


def test_m2scorer_dialect_splits_alternatives() -> None:
    text = "S a b\n" + edit_line("0 1|||ArtOrDet|||the||-NONE-||one of") + edit_line("1 2|||X|||-NONE-") + "\n"
    (sentence,) = parse(text, "m2scorer")
    assert sentence.annotations[0].edits == (
        Edit(0, 1, ("the",), "ArtOrDet", alternatives=((), ("one", "of"))),
        Edit(1, 2, (), "X"),
    )
    assert render([sentence], "m2scorer") == text
    assert parse(text)[0].annotations[0].edits[0].replacement == ("the||-NONE-||one", "of")  # literal for ERRANT


CHERRANT = f"""\
S 我 的 [缺失成分] 猫
T0-A0 我 的 小 猫
{edit_line("2 3|||S|||小")}T0-A1 我 的 小 猫
{edit_line("2 3|||R|||-NONE-")}{edit_line("2 2|||M|||小")}T1 没有错误
{NOOP}1
T2 无法标注
{NOOP.replace("noop", "NA")}2

"""


def test_cherrant_dialect_keeps_targets_alignments_and_marks() -> None:
    (sentence,) = parse(CHERRANT, "cherrant")
    first, second, correct, unclear = sentence.annotations
    assert (first.annotator, first.alignment, first.target) == ("0", 0, "我的小猫")
    assert (second.annotator, second.alignment, len(second.edits)) == ("0", 1, 2)
    assert correct == Annotation("1")
    assert unclear == Annotation("2", status=Status.NOT_ANNOTATABLE)
    assert render([sentence], "cherrant") == CHERRANT


def test_word_level_targets_keep_their_spaces() -> None:
    text = "S 今天 天气 好\nT0-A0 今天 天气 很 好\n" + edit_line("2 2|||M|||很") + "\n"
    (sentence,) = parse(text, "cherrant")
    assert sentence.annotations[0].target == "今天 天气 很 好"
    assert render([sentence], "cherrant") == text


@pytest.mark.parametrize("run", [" ", "  ", "   ", "    ", " \u3000 "])
def test_runs_of_spaces_only_separate_chinese_characters(run: str) -> None:
    text = f"S 我{run}的 猫 猫\nT0-A0 我{run}的 小{run}花 猫{run}\n" + edit_line(f"2 3|||S|||小{run}花") + "\n"
    sentences = parse(text, "cherrant")
    edits = (Edit(2, 3, ("小", "花"), "S"),)
    assert sentences[0].sentence.tokens == ("我", "的", "猫", "猫")
    assert sentences[0].annotations == (Annotation("0", edits, target="我的小花猫"),)
    written = render(sentences, "cherrant")
    assert written.startswith(f"S 我{run}的 猫 猫\nT0-A0 我 的 小 花 猫\n")
    assert parse(written, "cherrant") == sentences


def test_a_run_of_spaces_between_words_is_a_token_in_cherrant_too() -> None:
    text = "S 今天    好\nT0-A0 今天    很 好\n" + edit_line("2 2|||M|||很") + "\n"
    (sentence,) = parse(text, "cherrant")
    assert sentence.sentence.tokens == ("今天", "  ", "好")
    assert sentence.annotations[0].target == "今天    很 好"
    assert render([sentence], "cherrant") == text


@pytest.mark.parametrize("source", ["我 的", "今天 好", "今天    好", ""])
def test_alignments_without_edits_keep_their_number(source: str) -> None:
    text = f"S {source}\nT0 没有错误\n{NOOP}0\nT0-A2 {source}\n{NOOP}0\n\n"
    (sentence,) = parse(text, "cherrant")
    assert sentence.annotations == (Annotation("0"), Annotation("0", alignment=2))
    assert render([sentence], "cherrant") == text


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ((Annotation("0"), Annotation("0")), "two corrections with the alignment 0"),
        ((Annotation("0", alignment=-1),), "numbers alignments from 0 to 999999999, this is -1"),
        ((Annotation("0", status=Status.NOT_ANNOTATABLE, alignment=1),), "has alignment 1 but the status"),
    ],
)
def test_alignments_that_cherrant_cannot_say_are_refused(annotations: tuple[Annotation, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        render([AnnotatedSentence(Sentence(("我",)), annotations)], "cherrant")


@pytest.mark.parametrize("space", [" ", "  "])
def test_cherrant_refuses_white_space_among_characters(space: str) -> None:
    sentence = AnnotatedSentence(Sentence(("我", space, "的")))
    assert parse(render([sentence])) == [sentence]
    with pytest.raises(DataError, match="contain white space"):
        render([sentence], "cherrant")


@pytest.mark.parametrize(
    ("lines", "number", "message"),
    [
        ("S a b c\n" + edit_line("7 5|||R:VERB|||goes"), 2, "edit span 7:5 runs backwards (A 7 5|||R:VERB|||goes)"),
        ("S a b c\n" + edit_line("2 4|||R|||x"), 2, "edit span 2:4 ends after the last of 3 tokens (A 2 4|||R|||x)"),
        ("S a\nA 0 1|||R|||x|||REQUIRED|||0\n", 2, "an A line has 6 fields separated by |||, this one 5"),
        ("S a\nA 0 1|||R|||x|||y|||REQUIRED|||-NONE-|||0\n", 2, "an A line has 6 fields separated by |||, this one 7"),
        (edit_line("0 1|||R|||x"), 1, "an A line comes before any S line"),
        ("S a\n" + edit_line("zero 1|||R|||x"), 2, "is not two numbers"),
        ("S a\n" + edit_line("0|||R|||x"), 2, "is not two numbers"),
        ("S a\n" + edit_line("-1 -1|||R|||x"), 2, "neither an edit nor a noop"),
        ("S a\n" + edit_line("0 1|||noop|||x"), 2, "neither an edit nor a noop"),
        ("S a\n" + edit_line("0 1|||R|||x") + NOOP + "0\n", 3, "noop contradicts another line of annotator '0'"),
        (f"S a\n{NOOP}0\n" + edit_line("0 1|||R|||x"), 3, "annotator '0' has an edit after a noop"),
        (f"S a\n{NOOP}0\n{NOOP}0\n", 3, "noop contradicts"),
        ("S a\nT0-A0 b\n", 2, "a T line belongs to ChERRANT's dialect"),
        ("S a\n\nB 0 1\n", 3, "a line of M2 begins with 'S ' or 'A '"),
        ("Sentence\n", 1, "a line of M2 begins with"),
    ],
)
def test_bad_lines_are_named(lines: str, number: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(lines)
    assert (caught.value.origin, caught.value.line) == ("dev.m2", number)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "number", "message"),
    [
        ("T0-A0 a\n", 1, "a T line comes before any S line"),
        ("S 我\n" + edit_line("0 1|||S|||你"), 2, "an A line without a T line above it"),
        ("S 我\nTx\n", 2, "a T line reads"),
        (f"S 我\nT0-A{'9' * 5000} 我\n", 2, "a T line reads"),
        ("S 我\nT0 你\n", 2, "a T line without -Am says"),
        ("S 我\nT0-A0 你\n" + edit_line("0 1|||S|||你") + "T0-A0 你\n", 4, "comes a second time"),
        ("S 我\nT0-A0 你\n" + edit_line("0 1|||S|||你", "1"), 3, "annotator '1' below the T line of '0'"),
        ("S 我\nT0-A0 你\n\nS 我\n", 3, "T0-A0 changes the sentence that ends here, but no A line says how"),
        ("S 我\nT0 无法标注\n" + NOOP + "0\n", 3, "noop contradicts"),
        ("S 我\nT0-A0 你\n" + NOOP.replace("noop", "NA") + "0\n", 3, "type 'NA' below a T line"),
    ],
)
def test_bad_t_lines_are_named(lines: str, number: int, message: str) -> None:
    with pytest.raises(FormatError, match=r"dev\.m2:\d+: ") as caught:
        parse(lines, "cherrant")
    assert caught.value.line == number
    assert message in str(caught.value)


def test_lenient_reading_keeps_edits_beyond_the_end() -> None:
    text = "S a\n" + edit_line("0 9|||R|||x") + "\n"
    sentences = parse(text, strict=False)
    assert sentences[0].annotations[0].edits == (Edit(0, 9, ("x",), "R"),)
    assert "".join(M2(strict=False).format(sentences)) == text
    with pytest.raises(DataError, match="ends after token 1"):
        render(sentences)


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(lambda text: "\ufeff" + text, id="BOM"),
        pytest.param(lambda text: "\ufeff" + text.replace("\n", "\r\n"), id="BOM and CRLF"),
        pytest.param(lambda text: text.rstrip("\n"), id="no final newline"),
        pytest.param(lambda text: "\n\n" + text + "\n\n \n", id="more blank lines"),
        pytest.param(lambda text: text.replace("\n\n", "\n"), id="no blank lines"),
        pytest.param(lambda text: text.replace("S \n", "S\n"), id="S alone"),
    ],
)
def test_line_ends_and_blank_lines_do_not_matter(variant) -> None:  # type: ignore[no-untyped-def]
    assert parse(variant(ERRANT)) == parse(ERRANT)


def test_duplicate_and_unknown_edits_are_kept() -> None:
    text = (
        "S a b\n" + 2 * edit_line('1 1|||M:PUNCT|||"') + edit_line("0 1|||UNK|||a") + edit_line("2 2|||UNK|||") + "\n"
    )
    (sentence,) = parse(text)
    assert len(sentence.annotations[0].edits) == 4
    assert sentence.annotations[0].edits[3] == Edit(2, 2, (), "UNK")
    assert render([sentence]) == text


def test_each_sentence_has_its_own_annotators() -> None:
    text = f"S a\n{edit_line('0 1|||R|||b', '3')}{NOOP}1\n\nS b\n{NOOP}teacher\n\n"
    first, second = parse(text, "m2scorer")
    assert [a.annotator for a in first.annotations] == ["3", "1"]
    assert [a.annotator for a in second.annotations] == ["teacher"]
    assert render([first, second], "m2scorer") == text


@pytest.mark.parametrize(
    ("fields", "edit"),
    [
        ("REQUIRED|||-NONE-", Edit(0, 1, ("x",), "R")),
        ("OPTIONAL|||-NONE-", Edit(0, 1, ("x",), "R", is_required=False)),
        ("REQUIRED|||see above", Edit(0, 1, ("x",), "R", comment="see above")),
        ("3|||-NONE-", Edit(0, 1, ("x",), "R", severity="3")),
    ],
)
def test_the_middle_fields_survive(fields: str, edit: Edit) -> None:
    text = f"S a\nA 0 1|||R|||x|||{fields}|||0\n\n"
    (sentence,) = parse(text)
    assert sentence.annotations[0].edits == (edit,)
    assert render([sentence]) == text


@pytest.mark.parametrize("correction", ["|", "||", "x|", "|x", "| ||", "x || y"])
def test_pipes_in_a_correction_survive(correction: str) -> None:
    text = f"S a\n{edit_line(f'0 1|||R|||{correction}')}\n"
    assert render(parse(text)) == text


@pytest.mark.parametrize("correction", ["x| ||y", "x|| |y", " | ||-NONE-", "x|| | ", "|x||y|", "x || | y | || z"])
def test_pipes_beside_the_separator_of_alternatives_survive(correction: str) -> None:
    sentences = parse(f"S a\n{edit_line(f'0 1|||R|||{correction}')}\n", "m2scorer")
    assert len(sentences[0].annotations[0].edits[0].replacements) == correction.count("||") + 1
    assert parse(render(sentences, "m2scorer"), "m2scorer") == sentences


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("S a  b", ("a", "b")),
        ("S a   b", ("a", " ", "b")),  # spaCy keeps superfluous spaces as a token
        ("S a     b", ("a", "   ", "b")),
        ("S  a b ", ("a", "b")),
        ("S a\tb\u3000c", ("a", "b", "c")),
    ],
)
def test_white_space_of_the_source_survives(line: str, tokens: tuple[str, ...]) -> None:
    (sentence,) = parse(line)
    assert sentence.sentence.tokens == tokens
    assert render([sentence]) == line + "\n\n"


@pytest.mark.parametrize(
    "edit",
    [
        Edit(0, 1, ("a|||b",), "R"),
        Edit(0, 1, ("a b",), "R"),
        Edit(0, 1, ("-NONE-",), "R"),
        Edit(0, 1, ("a",), "R|"),
        Edit(0, 1, ("a",), "noop"),
        Edit(0, 1, ("a",), "R", comment="-NONE-"),
        Edit(0, 1, ("a",), "R", comment="two\nlines"),
        Edit(0, 1, ("a",), "R", is_required=False, severity="1"),
    ],
)
def test_what_m2_cannot_say_is_refused(edit: Edit) -> None:
    with pytest.raises(DataError):
        render([AnnotatedSentence(Sentence(("x",)), (Annotation("0", (edit,)),))])


@pytest.mark.parametrize("tokens", [("a b",), ("",), (" ", "a")])
def test_tokens_with_white_space_are_refused(tokens: tuple[str, ...]) -> None:
    with pytest.raises(DataError, match="tokens"):
        render([AnnotatedSentence(Sentence(tokens))])


@pytest.mark.parametrize("name", ["m2", "m2scorer", "cherrant"])
def test_a_corrected_text_alone_needs_extraction(name: str) -> None:
    with pytest.raises(DataError, match="errata extract"):
        render([AnnotatedSentence(Sentence(("a",)), (Annotation("0", target="b"),))], name)
    unchanged = AnnotatedSentence(Sentence(("我", "们")), (Annotation("0", target="我们"),))
    assert "noop" in render([unchanged], name)


@pytest.mark.parametrize("text", ["我们 在 a b 中。", "我 们 在 a b 中 。", " 我们在 ab中。\t"])
def test_spaces_between_chinese_characters_are_no_correction(text: str) -> None:
    sentence = Sentence(tuple("我们在ab中。"), text)
    for target in ("我们在ab中。", text):
        assert "noop" in render([AnnotatedSentence(sentence, (Annotation("0", target=target),))], "cherrant")
    with pytest.raises(DataError, match="errata extract"):
        render([AnnotatedSentence(sentence, (Annotation("0", target="我们在a中。"),))], "cherrant")


def test_cherrant_numbers_its_annotators() -> None:
    with pytest.raises(DataError, match="'teacher' is a name"):
        "".join(CherrantM2().format([AnnotatedSentence(Sentence(("我",)), (Annotation("teacher"),))]))


def test_targets_are_made_of_edits_where_they_are_missing() -> None:
    sentence = AnnotatedSentence(Sentence(("我", "们")), (Annotation("0", (Edit(1, 2, ("的",), "S"),)),))
    assert "T0-A0 我 的\n" in render([sentence], "cherrant")


def test_other_dialects_pool_alignments_and_drop_alternatives() -> None:
    (sentence,) = parse(CHERRANT, "cherrant")
    assert render([sentence], "m2").count("|||0\n") == 3
    alternative = AnnotatedSentence(Sentence(("a",)), (Annotation("0", (Edit(0, 1, ("b",), "R", (("c",),)),)),))
    assert "|||b|||" in render([alternative], "m2")
    assert "|||b||c|||" in "".join(M2Scorer().format([alternative]))
