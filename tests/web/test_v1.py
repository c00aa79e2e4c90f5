"""`POST /v1/correct`, over table correctors."""

from __future__ import annotations

from typing import Any

import pytest
from table_corrector import load_table

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit


def correct(client: Any, **body: Any) -> Any:
    response = client.post("/v1/correct", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_one_text(client: Any) -> None:
    answer = correct(client, text="😀 We go home.")
    assert {key: answer[key] for key in ("language", "model", "preset")} == {
        "language": "en",
        "model": "table-en",
        "preset": "balanced",
    }
    [result] = answer["results"]
    assert result["target"] == "😀 We goes home." and result["language"] == "en"
    assert result["edits"] == [
        {
            "start": 5,
            "end": 7,
            "utf16_start": 6,
            "utf16_end": 8,
            "original": "go",
            "replacement": "goes",
            "alternatives": [],
            "type": "R:VERB:SVA",
            "message": "The verb may not agree with its subject. Did you mean “goes”?",
            "confidence": 0.9,
        }
    ]
    assert 0 <= answer["seconds"] < 10


def test_several_texts_each_in_its_language(client: Any) -> None:
    answer = correct(client, texts=["We go.", "他做家。", "", "123"])
    assert [one["target"] for one in answer["results"]] == ["We goes.", "他作家。", "", "123"]
    assert [one["language"] for one in answer["results"]] == ["en", "zh", "en", "en"]
    assert answer["results"][1]["edits"][0]["message"].startswith("可能有同音")


def test_paragraphs_in_two_languages(client: Any) -> None:
    text = "We go.\r\n他做家。\n\nMy freind."
    [result] = correct(client, text=text)["results"]
    assert result["target"] == "We goes.\r\n他作家。\n\nMy friend."
    [only] = correct(client, text=text, language="en")["results"]
    assert only["target"] == "We goes.\r\n他做家。\n\nMy friend."


def test_a_wrapped_sentence_is_one(client: Any) -> None:
    text = "We go to the house of a good freind who lives in the next street and\r\nwe go home.\n\nWe go"
    answer = client.post("/v2/check", data={"text": text, "language": "en"}).json()
    assert answer["sentenceRanges"] == [[0, 81], [83, 88]]
    [result] = correct(client, text=text)["results"]
    assert result["target"] == text.replace("go ", "goes ").replace("freind", "friend")[:-2] + "goes"


def test_edits_make_the_target_of_any_document(client: Any) -> None:
    text = "I very like school. 😀😀 My freind go\tto school!  \u2028\r\n Very good, i go. " * 5
    [result] = correct(client, text=text)["results"]
    edits = [TextEdit(edit["start"], edit["end"], edit["replacement"]) for edit in result["edits"]]
    assert apply_text_edits(text, edits) == result["target"] != text
    wide = text.encode("utf-16-le")
    for edit in result["edits"]:
        assert wide[2 * edit["utf16_start"] : 2 * edit["utf16_end"]].decode("utf-16-le") == edit["original"]


def test_a_document_is_corrected_as_a_corrector_alone_does_it(client: Any) -> None:
    text = 'I very like school. My freind go there. (We go.) "I go!" said he.\nVery well'
    assert correct(client, text=text)["results"][0]["target"] == load_table("en").correct([text])[0].target


@pytest.mark.parametrize(
    ("options", "target"),
    [
        ({"min_confidence": 0.5}, "I very like my friend at Very."),
        ({"min_confidence": 0.95}, "I very like my freind at Very."),
        ({"dictionary": ["freind"]}, "I like my freind at Very."),
        ({"protect": ["my freind"]}, "I like my freind at Very."),
        ({"messages": "zh"}, "I like my friend at Very."),
    ],
)
def test_options(client: Any, options: dict[str, Any], target: str) -> None:
    assert correct(client, text="I very like my freind at Very.", **options)["results"][0]["target"] == target


def test_markdown_is_left_alone(client: Any) -> None:
    text = "We **go** to `freind` at [freind](http://freind.org/go).\n\n```\ngo\n```\n"
    [result] = correct(client, text=text, markup="markdown")["results"]
    assert result["target"] == text.replace("**go**", "**goes**").replace("[freind]", "[friend]")


def test_prose_does_not_become_markup(client: Any) -> None:
    text = "dash boom\n"
    assert correct(client, text=text)["results"][0]["target"] == "- bang\n"
    assert correct(client, text=text, markup="markdown")["results"][0]["target"] == "dash bang\n"


def test_a_heading_goes_on_without_a_full_stop(client: Any) -> None:
    text = "# Two dog\n\n- one dog\n- **a freind**\n"
    assert correct(client, text=text)["results"][0]["target"].startswith("# Two dogs.\n\n- one dogs.\n")
    [result] = correct(client, text=text, markup="markdown")["results"]
    assert result["target"] == "# Two dogs\n\n- one dogs\n- **a friend**\n"
    assert [edit["replacement"] for edit in result["edits"]] == ["dogs", "dogs", "friend"]
    assert [edit["type"] for edit in result["edits"][:2]] == ["R:NOUN:NUM"] * 2


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({}, 422, "either text or texts"),
        ({"text": "a", "texts": []}, 422, "either text or texts"),
        ({"text": 3}, 422, "text:"),
        ({"text": "a", "language": "de"}, 422, "language:"),
        ({"text": "a", "preset": "bold"}, 422, "preset:"),
        ({"text": "a", "min_confidence": 2}, 422, "min_confidence:"),
        ({"text": "a", "min_confidence": -1}, 422, "min_confidence:"),
        ({"text": "a", "min_confidence": True}, 422, "min_confidence:"),
        ({"text": "a", "min_confidence": "0.5"}, 422, "min_confidence:"),
        ({"text": "a", "min_confidence": None}, 422, "min_confidence:"),
        ({"text": "a", "protect": ["b", " \t"]}, 422, "protect.1: Value error, the phrase is blank"),
        ({"text": "a", "dictionary": [""]}, 422, "dictionary.0:"),
        ({"text": "a", "colour": 2}, 422, "colour:"),
        ({"text": "We go.", "preset": "eager"}, 400, "no preset 'eager'"),
        ({"text": "a" * 2001}, 413, "limit of 2000 characters (it's 2001"),
        ({"texts": ["a" * 1000] * 3}, 413, "limit of 2000"),
        ({"texts": ["a"] * 1001}, 422, "at most 1000"),
        ({"text": "a", "x": [[]] * 30_000}, 413, "the JSON has more than 43000 values"),
        ({"text": "a", **{f"k{n}": 0 for n in range(9000)}}, 422, "k4: there is no such field"),
        ({"text": "a", "dictionary": [1] * 9000}, 422, "dictionary.0: it should be a text"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(
    client: Any, body: dict[str, Any], status: int, reason: str
) -> None:
    response = client.post("/v1/correct", json=body)
    assert (response.status_code, list(response.json())) == (status, ["detail"])
    assert reason in response.json()["detail"]


@pytest.mark.parametrize(("half", "offset"), [("\\ud83d", 5), ("\\udc00", 5), ("\\u0000", 5)])
def test_half_a_character_is_no_reason_to_fail(client: Any, half: str, offset: int) -> None:
    body = f'{{"text": "{half} We go."}}'.encode()
    response = client.post("/v1/correct", content=body, headers={"Content-Type": "application/json"})
    [result] = response.json()["results"]
    assert [edit["start"] for edit in result["edits"]] == [offset]
    assert result["source"] == ("\0" if half == "\\u0000" else "\ufffd") + " We go."


@pytest.mark.parametrize("field", ["dictionary", "protect"])
def test_half_a_character_stands_in_no_phrase(client: Any, field: str) -> None:
    body = f'{{"text": "a", "{field}": ["\\ud800"]}}'.encode()
    response = client.post("/v1/correct", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 422 and f"{field}.0" in response.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b'"a"', b'{"text": "\xff"}', b"\x00", b'{"text": NaN}'),
        *(b'{"text": "a", "min_confidence": %s}' % number for number in (b"NaN", b"Infinity", b"-Infinity", b'"nan"')),
    ],
)
def test_a_body_that_is_no_json_object_is_refused(client: Any, body: bytes) -> None:
    response = client.post("/v1/correct", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= response.status_code < 500 and response.json()["detail"]


@pytest.mark.parametrize("path", ["/v1/correct", "/v2/check"])
def test_a_correction_may_be_longer_than_the_limit(client: Any, path: str) -> None:
    text = ("We go home. " * 167)[:1999] + "."
    is_ours = path.startswith("/v1")
    sent = {"json": {"text": text}} if is_ours else {"data": {"language": "en-US", "text": text}}
    answer = client.post(path, **sent)
    assert answer.status_code == 200
    if is_ours:
        assert len(answer.json()["results"][0]["target"]) > 2000


def test_broken_json_is_told_where_it_breaks(client: Any) -> None:
    response = client.post(
        "/v1/correct", content=b'{"text": "We go."  x}', headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 422
    assert response.json()["detail"].startswith("JSON decode error at character 19: ")


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_must_say_that_it_is_json(client: Any, content_type: str | None) -> None:
    headers = {"Content-Type": content_type} if content_type else {}
    response = client.post("/v1/correct", content=b'{"text": "We go."}', headers=headers)
    assert response.status_code == 415 and "Content-Type: application/json" in response.json()["detail"]


def test_info(client: Any) -> None:
    answer = client.get("/v1/info").json()
    assert answer["max_length"] == 2000
    assert answer["models"] == [
        {"language": "en", "model": "table-en", "presets": ["balanced"]},
        {"language": "zh", "model": "table-zh", "presets": ["balanced"]},
    ]
