"""LanguageTool's API, over table correctors: the shape of answers, offsets, options, and what is refused."""

from __future__ import annotations

import gzip
import json
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_corrector import load_table

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.web.languagetool import form
from errata.web.languagetool.answer import MAX_SENTENCE

FORM_TYPE = "application/x-www-form-urlencoded"
TEXT = "😀 My freind go home."


def check(client: Any, text: str | None = None, **parameters: str) -> Any:
    given = {"language": "en-US", **parameters} | ({} if text is None else {"text": text})
    response = client.post("/v2/check", data=given)
    assert response.status_code == 200, response.text
    return response.json()


def found(answer: Any, text: str) -> list[tuple[str, str]]:
    """What the matches underline and offer, cut out of the text as a JavaScript client would."""
    wide = text.encode("utf-16-le")
    spans = [(one["offset"] * 2, (one["offset"] + one["length"]) * 2) for one in answer["matches"]]
    return [
        (wide[a:b].decode("utf-16-le"), one["replacements"][0]["value"])
        for (a, b), one in zip(spans, answer["matches"], strict=True)
    ]


def test_the_shape_of_an_answer(client: Any) -> None:
    answer = check(client, TEXT)
    assert answer["software"].keys() == {"name", "version", "buildDate", "apiVersion", "premium", "status"}
    assert answer["warnings"] == {"incompleteResults": False}
    assert answer["language"] == {
        "name": "English (US)",
        "code": "en-US",
        "detectedLanguage": {"name": "English (US)", "code": "en-US", "confidence": 0.99, "source": "script"},
    }
    assert answer["matches"][0] == {
        "message": "Possible spelling mistake. Did you mean “friend”?",
        "shortMessage": "Spelling",
        "replacements": [{"value": "friend"}],
        "offset": 6,
        "length": 6,
        "context": {"text": TEXT, "offset": 6, "length": 6},
        "sentence": TEXT,
        "type": {"typeName": "UnknownWord"},
        "rule": {
            "id": "ERRATA_SPELLING_RULE",
            "subId": "R:SPELL",
            "description": "Spelling",
            "issueType": "misspelling",
            "category": {"id": "TYPOS", "name": "Possible Typo"},
            "isPremium": False,
            "confidence": 0.9,
        },
        "ignoreForIncompleteSentence": True,
        "contextForSureMatch": -1,
    }
    assert found(answer, TEXT) == [("freind", "friend"), ("go", "goes")]
    assert answer["sentenceRanges"] == [[0, 21]]
    assert answer["extendedSentenceRanges"] == [
        {"from": 0, "to": 21, "detectedLanguages": [{"language": "en", "rate": 1.0}]}
    ]


def test_a_query_means_the_same_as_a_form(client: Any) -> None:
    given = {"language": "auto", "text": TEXT}
    asked = client.get("/v2/check", params=given)
    assert asked.status_code == 200 and asked.json() == client.post("/v2/check", data=given).json()
    assert client.post("/v2/check", params=given).json() == asked.json()
    assert client.post("/v2/check", files={name: (None, value) for name, value in given.items()}).json() == asked.json()


def test_a_form_need_not_be_percent_encoded(client: Any) -> None:
    content = f"language=en&text={TEXT}".encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert found(client.post("/v2/check", content=content, headers=headers).json(), TEXT)[0] == ("freind", "friend")


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("", []),
        ("Fine.", []),
        ("At school.", [("school", "the school")]),
        ("I very like it.", [("I very", "I")]),
        ("Good.\r\n\r\n𠮷 we go.", [("go", "goes")]),
    ],
)
def test_matches_cover_words(client: Any, text: str, matches: list[tuple[str, str]]) -> None:
    assert found(check(client, text), text) == matches


WORDS = st.lists(st.sampled_from(["go", "freind", "very", "school", "I", "boom", ",", "\n"]), max_size=10)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS)
def test_matches_cover_words_and_make_the_corrected_text(client: Any, words: list[str]) -> None:
    text = " ".join(words)
    answer = check(client, text)
    made = [
        TextEdit(one["offset"], one["offset"] + one["length"], one["replacements"][0]["value"])
        for one in answer["matches"]
    ]
    assert apply_text_edits(text, made) == load_table("en").correct([text])[0].target
    for old, _ in found(answer, text):
        assert old and old == old.strip()


def test_context_is_cut_around_a_match(client: Any) -> None:
    text = "a😀" * 40 + "\nMy freind " + "b" * 80
    [match] = check(client, text)["matches"]
    shown = match["context"]
    assert shown["text"].startswith("...") and shown["text"].endswith("...") and "\n" not in shown["text"]
    cut = shown["text"].encode("utf-16-le")[2 * shown["offset"] :][: 2 * shown["length"]]
    assert cut.decode("utf-16-le") == "freind"


@pytest.mark.parametrize(
    ("parameters", "code", "detected"),
    [
        ({"language": "auto"}, "en-US", "en-US"),
        ({"language": "AUTO", "preferredVariants": "de-DE,en-GB"}, "en-GB", "en-GB"),
        ({"language": "en-gb"}, "en-GB", "en-US"),
        ({"language": "en"}, "en", "en-US"),
        ({"language": "en_AU"}, "en-AU", "en-US"),
    ],
)
def test_english_variants(client: Any, parameters: dict[str, str], code: str, detected: str) -> None:
    told = check(client, "We go.", **parameters)["language"]
    assert (told["code"], told["detectedLanguage"]["code"]) == (code, detected)


@pytest.mark.parametrize(
    ("text", "language", "code", "detected", "confidence"),
    [
        ("他做家。", "en-GB", "en-GB", "zh-CN", 0.99),
        ("We go.", "zh", "zh", "en-US", 0.99),
        ("Je ne sais pas pourquoi il est venu hier soir.", "auto", "en-US", "en-US", 0),
        ("私は昨日学校に行きました。", "auto", "en-US", "en-US", 0),
        ("Это очень хороший день.", "zh-CN", "zh-CN", "zh-CN", 0),
        ("123", "en-AU", "en-AU", "en-AU", 0),
    ],
)
def test_what_a_text_looks_like(
    client: Any, text: str, language: str, code: str, detected: str, confidence: float
) -> None:
    answer = check(client, text, language=language)
    told = answer["language"]
    assert (told["code"], told["detectedLanguage"]["code"]) == (code, detected)
    assert told["detectedLanguage"]["confidence"] == confidence
    assert answer["warnings"]["incompleteResults"] == (language == "auto")


def test_chinese(client: Any) -> None:
    text = "他做家。我很好。"
    answer = check(client, text, language="auto")
    assert answer["language"]["code"] == "zh-CN"
    assert found(answer, text) == [("做", "作"), ("很好", "好")]
    assert answer["matches"][0]["message"] == "可能有同音或近音的错别字。是否应为“作”？"
    assert answer["sentenceRanges"] == [[0, 4], [4, 8]]


@pytest.mark.parametrize(
    ("text", "rule", "type_name"),
    [
        ("My freind.", "ERRATA_SPELLING_RULE", "UnknownWord"),
        ("It is an pear.", "ERRATA_A_OR_AN", "Other"),
        ("It is quite.", "ERRATA_CONFUSED_WORD", "Other"),
        ("他做家。", "ERRATA_ZH_CHARACTER", "Other"),
    ],
)
def test_only_words_in_no_dictionary_are_unknown(client: Any, text: str, rule: str, type_name: str) -> None:
    [match] = check(client, text, language="auto")["matches"]
    assert (match["rule"]["id"], match["type"]["typeName"]) == (rule, type_name)


def test_messages_in_the_mother_tongue(client: Any) -> None:
    assert "是否应为" in check(client, TEXT, motherTongue="zh-CN")["matches"][0]["message"]
    assert "Did you mean" in check(client, TEXT, motherTongue="de")["matches"][0]["message"]


@pytest.mark.parametrize("tongue", ["", "zh-CN", "en"])
def test_categories_are_named_in_the_language_of_the_text(client: Any, tongue: str) -> None:
    for text, name in (("My freind.", "Possible Typo"), ("他做家。", "错别字")):
        [match] = check(client, text, language="auto", motherTongue=tongue)["matches"]
        assert match["rule"]["category"] == {"id": "TYPOS", "name": name}


@pytest.mark.parametrize(
    ("parameters", "rules"),
    [
        ({}, ["ERRATA_SPELLING_RULE", "ERRATA_AGREEMENT"]),
        ({"disabledRules": "ERRATA_SPELLING_RULE, OTHER"}, ["ERRATA_AGREEMENT"]),
        ({"disabledCategories": "GRAMMAR,TYPOS"}, []),
        (
            {"disabledCategories": "TYPOS", "enabledRules": "ERRATA_SPELLING_RULE"},
            ["ERRATA_SPELLING_RULE", "ERRATA_AGREEMENT"],
        ),
        ({"enabledRules": "ERRATA_SPELLING_RULE", "enabledOnly": "true"}, ["ERRATA_SPELLING_RULE"]),
        ({"enabledCategories": "GRAMMAR", "enabledOnly": "true"}, ["ERRATA_AGREEMENT"]),
        ({"enabledRules": "ANOTHER"}, ["ERRATA_SPELLING_RULE", "ERRATA_AGREEMENT"]),
        ({"level": "picky"}, ["ERRATA_SPELLING_RULE", "ERRATA_AGREEMENT"]),
    ],
)
def test_rules_and_categories(client: Any, parameters: dict[str, str], rules: list[str]) -> None:
    text = "My freind, he go."
    assert [match["rule"]["id"] for match in check(client, text, **parameters)["matches"]] == rules


@pytest.mark.parametrize(("mode", "n_matches"), [("", 2), ("all", 2), ("allButTextLevelOnly", 2), ("textLevelOnly", 0)])
@pytest.mark.parametrize("language", ["en-GB", "auto"])
def test_modes(client: Any, mode: str, n_matches: int, language: str) -> None:
    asked = client.get("/metrics").text
    answer = check(client, "My freind, he go.", mode=mode, language=language)
    assert len(answer["matches"]) == n_matches
    assert answer["language"]["code"] == ("en-GB" if language == "en-GB" else "en-US")
    assert answer["language"]["detectedLanguage"]["code"] == "en-US" and not answer["warnings"]["incompleteResults"]
    if mode == "textLevelOnly":
        sentences = [line for line in asked.splitlines() if line.startswith("errata_sentences_total")]
        assert all(line in client.get("/metrics").text for line in sentences)  # no model was asked


def test_a_long_sentence_is_cut_around_each_match(client: Any) -> None:
    text = "word " * 150 + "freind " + "word " * 200
    [match] = check(client, text)["matches"]
    assert len(match["sentence"]) < 1100 and "word freind word" in match["sentence"]


FIELDS = st.dictionaries(st.text(max_size=20), st.text(max_size=60), max_size=6)


@given(fields=FIELDS, n_before=st.integers(0, 5))
def test_a_form_is_read_as_it_was_written(fields: dict[str, str], n_before: int) -> None:
    plain = {"a" * n_before + name: value for name, value in fields.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(form, "PIECE_BYTES", 8)  # so that escapes lie across the ends of pieces
        assert form.read_parameters(urlencode(plain).encode(), "", b"") == plain
        assert form.read_parameters(b"", FORM_TYPE, urlencode(plain, quote_via=quote).encode()) == plain


@pytest.mark.parametrize(
    "encoded", [b"a=%", b"a=%4", b"a=%zz%", b"a", b"&&a=b&", b"=b", b"a=b=c", b"a=%ff", b"a=1&a=2", b""]
)
def test_a_form_that_is_not_quite_one_is_read_as_others_do(encoded: bytes) -> None:
    others = dict(parse_qsl(encoded.decode(), keep_blank_values=True))
    assert form.read_parameters(encoded, "", b"") == form.read_parameters(b"", FORM_TYPE, encoded) == others


def test_annotated_text(client: Any) -> None:
    parts = [
        {"text": "😀 We "},
        {"markup": "<b>"},
        {"text": "go"},
        {"markup": "</b>"},
        {"text": " home."},
        {"markup": "<p>", "interpretAs": "\n\n"},
        {"text": "My freind"},
        {"markup": "<go/>", "interpretAs": " go"},
        {"text": "."},
    ]
    whole = "".join(part.get("text", part.get("markup", "")) for part in parts)
    answer = check(client, data=json.dumps({"annotation": parts}))
    assert found(answer, whole) == [("go", "goes"), ("freind", "friend")]
    assert answer["matches"][0]["sentence"] == "😀 We go home."
    assert answer["matches"][0]["context"]["text"].startswith("😀 We <b>go</b> home.<p>My freind<go/>")
    ends = [whole.encode("utf-16-le")[2 * a : 2 * b].decode("utf-16-le") for a, b in answer["sentenceRanges"]]
    assert ends == ["😀 We <b>go</b> home.", "My freind<go/>."]
    assert check(client, data='{"text": "We go."}')["matches"][0]["offset"] == 3
    assert check(client, data='{"annotation": []}')["matches"] == []


def test_half_a_character_in_json_is_no_reason_to_fail(client: Any) -> None:
    answer = check(client, data='{"text": "\\ud83d We go."}')
    assert answer["matches"][0]["offset"] == 5


@pytest.mark.parametrize(
    ("given", "status", "reason"),
    [
        ({"text": "a"}, 400, "Missing 'language' parameter"),
        ({"language": "en"}, 400, "Missing 'text' or 'data' parameter"),
        ({"language": "en", "text": "a", "data": "{}"}, 400, "Set only 'text' or 'data'"),
        ({"language": "xx", "text": "a"}, 400, "'xx' is not a language code known to this server"),
        ({"language": "en", "text": "a", "preferredVariants": "en-GB"}, 400, "didn't specify 'language=auto'"),
        ({"language": "en", "text": "a", "level": "mad"}, 400, "'level' is 'default' or 'picky'"),
        ({"language": "en", "text": "a", "enabledOnly": "true"}, 400, "must specify enabled rules"),
        (
            {"language": "en", "text": "a", "enabledOnly": "true", "enabledRules": "A", "disabledRules": "B"},
            400,
            "cannot specify disabled rules",
        ),
        ({"language": "en", "data": "{"}, 400, "Could not parse JSON"),
        ({"language": "en", "data": "[" * 2_500}, 400, "Could not parse JSON"),
        ({"language": "en", "data": "[" * 100_000}, 413, "'data' has more parts than a text of 2000 characters"),
        ({"language": "x" * 9999, "text": "a"}, 400, f"'{'x' * 100}' is not a language code"),
        ({"language": "en", "text": "a", "mode": "textlevelonly"}, 400, "'mode' must be one of all, textLevelOnly,"),
        ({"language": "en", "data": "[]"}, 400, "requires either 'text' or 'annotation'"),
        ({"language": "en", "data": '{"text": 3}'}, 400, "'text' must be a string"),
        ({"language": "en", "data": '{"annotation": {}}'}, 400, "must be a list"),
        ({"language": "en", "data": '{"annotation": [{}]}'}, 400, "Only either 'text' or 'markup'"),
        ({"language": "en", "data": '{"annotation": [{"text": "a", "interpretAs": "b"}]}'}, 400, "only 'markup' can"),
        ({"language": "en", "text": "a" * 2001}, 413, "limit of 2000 characters (it's 2001 characters)"),
        ({"language": "en", "text": "a", "username": "x" * 300}, 400, "'username'"),
    ],
)
def test_what_makes_no_sense_is_refused_as_languagetool_does(
    client: Any, given: dict[str, str], status: int, reason: str
) -> None:
    response = client.post("/v2/check", data=given)
    assert response.status_code == status
    assert response.text.startswith("Error: ") and reason in response.text
    assert response.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize("charset", ["undefined", "utf-7", "unicode_escape", "latin-1"])
def test_a_form_in_another_encoding_is_refused(client: Any, charset: str) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="level"\r\n\r\n\\ud800+2AA-\r\n--x--\r\n'
    headers = {"Content-Type": f"multipart/form-data; boundary=x; charset={charset}"}
    response = client.post("/v2/check?language=en&text=a", content=body, headers=headers)
    assert response.status_code == 400 and response.text == "Error: the form must be in UTF-8"


def test_multipart_is_so_in_capitals_too(client: Any) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nWe go.\r\n--x--\r\n'
    headers = {"Content-Type": "Multipart/Form-Data; charset=UTF-8; boundary=x"}
    response = client.post("/v2/check?language=en", content=body, headers=headers)
    assert found(response.json(), "We go.") == [("go", "goes")]


def test_json_is_told_what_is_taken(client: Any) -> None:
    response = client.post("/v2/check", json={"language": "en", "text": "a"})
    assert response.status_code == 415 and "application/x-www-form-urlencoded" in response.text
    empty = client.post("/v2/check?language=en&text=a", headers={"Content-Type": "application/json"})
    assert empty.status_code == 200


@pytest.mark.parametrize("path", ["/v1/correct", "/v2/check"])
def test_a_compressed_body_is_refused(client: Any, path: str) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    response = client.post(path, content=gzip.compress(b'{"text": "a"}'), headers=headers)
    assert response.status_code == 415 and "Content-Encoding" in response.text


def test_what_markup_reads_counts_too(client: Any) -> None:
    parts = [{"markup": "<x>", "interpretAs": "We go. " * 300}]
    response = client.post("/v2/check", data={"language": "en", "data": json.dumps({"annotation": parts})})
    assert response.status_code == 413 and "(it's 2100 characters)" in response.text


def test_a_form_with_too_many_fields_is_refused(client: Any) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    response = client.post("/v2/check", content="a=b&" * 1000, headers=headers)
    assert response.status_code == 400 and "more than 100 fields" in response.text


def test_what_else_clients_ask(client: Any) -> None:
    codes = [one["longCode"] for one in client.get("/v2/languages").json()]
    assert {"en-US", "en-GB", "zh-CN"} < set(codes)
    assert client.get("/v2/maxtextlength").text == "2000"
    assert client.get("/v2/healthcheck").text == "OK"
    assert client.get("/v2/info").json()["software"]["name"] == "errata"
    rules = client.get("/v2/configinfo", params={"language": "en-US"}).json()["rules"]
    assert {"ERRATA_SPELLING_RULE", "ERRATA_AGREEMENT"} < {rule["ruleId"] for rule in rules}
    assert client.get("/v2/configinfo").text.startswith("Error: 'language'")
    nothing = client.get("/v2/nothing")
    assert nothing.status_code == 404 and nothing.text == "Error: there is nothing at /v2/nothing"


def test_a_sentence_without_end_is_not_repeated_in_every_match(client: Any) -> None:
    text = " ".join(["freind"] * 250)
    answer = check(client, text)
    assert len(answer["matches"]) == 250
    assert all(len(match["sentence"]) <= MAX_SENTENCE + len("freind") for match in answer["matches"])
    assert all("freind" in match["sentence"] for match in answer["matches"])
