"""RobustGEC's para blocks, as cases and as sentences."""

from __future__ import annotations

import io

import pytest

from errata.errors import DataError, FormatError
from errata.formats.robustgec import RobustGEC, format_cases, parse_cases
from errata.model import AnnotatedSentence, Annotation, RobustCase, Sample, Sentence

PLAIN = "O-S This are it .\nO-T This is it .\nA1-S That are it .\nA1-T That is it .\n\nO-S Fine .\nO-T Fine .\n\n"
PREDICTED = "O-S This are .\nO-T This is .\nO-P This is .\nA1-S That are .\nA1-T That is .\nA1-P \n\n"


def lines(text: str) -> io.StringIO:
    return io.StringIO(text, newline="\n")


def test_cases_without_predictions() -> None:
    first, second = parse_cases(lines(PLAIN))
    assert first == RobustCase(Sample("This are it .", "This is it ."), (Sample("That are it .", "That is it ."),))
    assert second.variants == ()
    assert "".join(format_cases([first, second])) == PLAIN


def test_cases_with_predictions_that_may_be_empty() -> None:
    (case,) = parse_cases(lines(PREDICTED))
    assert [s.prediction for s in (case.original, *case.variants)] == ["This is .", ""]
    assert "".join(format_cases([case])) == PREDICTED


@pytest.mark.parametrize("text", [PLAIN, PREDICTED])
def test_as_sentences(text: str) -> None:
    sentences = list(RobustGEC().parse(lines(text)))
    assert sentences[1].meta == {"sample": "A1"}
    assert "".join(RobustGEC().format(sentences)) == text


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(lambda text: "\ufeff" + text.replace("\n", "\r\n"), id="BOM and CRLF"),
        pytest.param(lambda text: text.rstrip("\n"), id="no final newline"),
        pytest.param(lambda text: text.replace("\n\n", "\n"), id="no blank lines"),
    ],
)
def test_line_ends_do_not_matter(variant) -> None:  # type: ignore[no-untyped-def]
    assert list(parse_cases(lines(variant(PLAIN)))) == list(parse_cases(lines(PLAIN)))


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        ("O-S a\n\n", 2, "the case that ends here has no O-T"),
        ("O-S a\nO-T b\nA1-S c\n", 3, "the case that ends here has no A1-T"),
        ("A1-S a\n", 1, "A1-S comes where O-S is expected"),
        ("O-S a\nO-T a\nA2-S b\n", 3, "A2-S comes where A1-S is expected"),
        ("O-T a\n", 1, "O-T comes before O-S"),
        ("O-S a\nA1-T a\n", 2, "A1-T comes before A1-S"),
        ("O-S a\nO-T a\nO-T a\n", 3, "O-T comes twice or too late"),
        ("O-S a\nO-P a\nO-T a\n", 3, "O-T comes twice or too late"),
        ("O-S a\nO-X a\n", 2, "a line begins with O-S, O-T, O-P"),
        ("plain text\n", 1, "a line begins with O-S, O-T, O-P"),
    ],
)
def test_bad_blocks_are_named(text: str, number: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(parse_cases(lines(text), origin="x.para"))
    assert (caught.value.origin, caught.value.line) == ("x.para", number)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (AnnotatedSentence(Sentence(("a",)), (Annotation("0"),)), "not a sample of robustness cases"),
        (AnnotatedSentence(Sentence(("a",)), (), meta={"sample": "O"}), "a sample has annotators '0'"),
        (
            AnnotatedSentence(Sentence(("a",), "a\nb"), (Annotation("0", target="a"),), meta={"sample": "O"}),
            "line break",
        ),
    ],
)
def test_what_para_cannot_say_is_refused(sentence: AnnotatedSentence, message: str) -> None:
    with pytest.raises(DataError, match=message):
        "".join(RobustGEC().format([sentence]))
