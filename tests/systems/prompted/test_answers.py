"""What is a correction and what is chatter; templates; journals."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError, ErrataError, FormatError
from errata.systems.prompted.answers import Reason, judge
from errata.systems.prompted.journal import Answer, Journal
from errata.systems.prompted.prompted import glue_hyphens
from errata.systems.prompted.template import Template, load_template, parse_template, template_names

SOURCE = "He go to school every days ."
TARGET = "He goes to school every day ."


@pytest.mark.parametrize(
    "answer",
    [
        TARGET,
        f"  {TARGET}\n",
        f'"{TARGET}"',
        f"“{TARGET}”",
        f"**{TARGET}**",
        f"```\n{TARGET}\n```",
        f"```text\n{TARGET}\n```",
        f"Here is the corrected sentence:\n\n{TARGET}",
        f'Sure! Here\'s the corrected version:\n"{TARGET}"',
        f"Corrected sentence: {TARGET}",
        f"The corrected sentence is: {TARGET}",
        f"Sentence: {TARGET}",
        f"{TARGET}\n\nExplanation: 'go' must agree with 'He'.",
        f"<think>he, goes</think>\n{TARGET}",
    ],
)
def test_chatter_is_taken_away(answer: str) -> None:
    judged = judge(SOURCE, answer)
    assert (judged.text, judged.reason) == (TARGET, None)


@pytest.mark.parametrize(
    "answer", ["改正后的句子：我喜欢苹果。", "好的，以下是修改后的句子：\n我喜欢苹果。", "「我喜欢苹果。」"]
)
def test_chinese_chatter_is_taken_away(answer: str) -> None:
    assert judge("我喜欢平果。", answer).text == "我喜欢苹果。"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", Reason.EMPTY),
        ("``` ```", Reason.TOO_DIFFERENT),
        ("I'm sorry, but I can't help with that.", Reason.REFUSAL),
        ("As an AI language model, I cannot do it.", Reason.REFUSAL),
        ("他每天去学校上学，从来不迟到。", Reason.LANGUAGE),
        (" ".join([TARGET] * 5), Reason.TOO_LONG),
        ("Quantum physics fully unifies much.", Reason.TOO_DIFFERENT),
    ],
)
def test_what_is_no_correction_changes_nothing(answer: str, reason: Reason) -> None:
    judged = judge(SOURCE, answer)
    assert (judged.text, judged.reason) == (SOURCE, reason)


def test_saying_that_all_is_well_is_an_answer() -> None:
    for answer in ("The sentence is already correct.", "No errors."):
        assert judge(TARGET, answer) == judge(TARGET, TARGET)


def test_an_answer_cut_off_is_none() -> None:
    assert judge(SOURCE, "He goes to", is_complete=False).reason is Reason.CUT_OFF


def test_what_the_sentence_has_itself_is_kept() -> None:
    for source in ('"Go home ."', "Sorry , I am late .", "Corrected version: two .", "Sentence: one ."):
        assert judge(source, source).text == source


@given(st.text(max_size=60), st.text(max_size=60))
def test_there_is_always_an_answer(source: str, answer: str) -> None:
    judged = judge(source, answer)
    assert judged.text == source or judged.reason is None


@pytest.mark.parametrize("name", template_names())
def test_templates_come_back(name: str) -> None:
    template = load_template(name)
    assert parse_template(template.as_toml(), name) == template
    assert "Ein Satz" in template.messages("Ein Satz")[-1]["content"]
    assert template.prompt("Ein Satz").count("Ein Satz") == 1


def test_examples_are_turns_of_the_chat() -> None:
    template = Template("Q {sentence}", "S", "A {sentence}", (("a", "b"),))
    assert [(m["role"], m["content"]) for m in template.messages("x")] == [
        ("system", "S"),
        ("user", "Q a"),
        ("assistant", "A b"),
        ("user", "Q x"),
    ]
    assert template.prompt("x") == "S\n\nQ a\nA b\n\nQ x\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user = 'no slot'", "user must contain {sentence} once"),
        ("user = '{sentence}'\nusr = 'x'", "unexpected keyword argument 'usr'"),
        ("user = ", "template t"),
        ("user = '{sentence}'\n[[examples]]\nsource = 'x'", "an example lacks 'target'"),
    ],
)
def test_bad_templates_are_one_line(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_template(text, "t")
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_unknown_template_is_one_line() -> None:
    with pytest.raises(ErrataError, match="unknown template 'enn'; did you mean 'en'"):
        load_template("enn")


@pytest.mark.parametrize(
    ("text", "source", "tokens"),
    [
        ("a well-known story.", "a well known story .", "a well-known story ."),
        ("a well-known story.", "a well - known story .", "a well - known story ."),
        ("state-of-the-art", "state of the art", "state-of-the-art"),
        ("one - two -three", "one two", "one - two - three"),
    ],
)
def test_compounds_are_cut_as_in_the_source(text: str, source: str, tokens: str) -> None:
    assert glue_hyphens(text, source.split()) == tuple(tokens.split())


def test_a_journal_remembers(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.add("a", Answer("x\ny", n_prompt=3))
    journal.add("b", Answer("是"))
    journal.close()
    again = Journal(path)
    assert (again.get("a"), again.get("b"), again.get("c")) == (Answer("x\ny", n_prompt=3), Answer("是"), None)


def test_a_torn_line_is_asked_for_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.add("a", Answer("x"))
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key": "b", "te')
    again = Journal(path)
    assert len(again) == 1 and "incomplete" in caplog.text
    assert path.read_bytes() == whole


def test_a_damaged_journal_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text("[]\n")
    with pytest.raises(FormatError, match=r"journal.jsonl:1: the line is no answer"):
        Journal(path)
