"""The routes under `/v2`. Parameters come in the query or in a form; what is refused is told in one line of text."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, TypeVar

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from errata.pipeline.documents import AUTO, Options
from errata.pipeline.protection import Protection
from errata.pipeline.views import GivenParts
from errata.text.language import UNDETERMINED, identify_language
from errata.text.projection import Projection
from errata.web.access import note
from errata.web.corrections import CorrectedText, correct_texts
from errata.web.languagetool.answer import (
    Detection,
    check_answer,
    configuration_answer,
    dump_answer,
    languages_answer,
    software,
)
from errata.web.languagetool.documentation import CHECK_GET, CHECK_POST, LIST_WORDS, PLAIN_TEXT, WORD_FORM
from errata.web.languagetool.form import read_parameters
from errata.web.languagetool.languages import detection_confidence, find_variant, is_auto, served, usual_variant
from errata.web.languagetool.request import Check, read_check, read_dictionaries
from errata.web.parts import Tools
from errata.web.refusals import Refusal
from errata.web.requests import read_body, wait_for
from errata.web.service import Service
from errata.web.settings import DEFAULT_PRESET, Settings
from errata.web.threads import Threads
from errata.web.words import DEFAULT, MAX_BATCH, WordStore

MAX_WORD = 200

Answer = TypeVar("Answer")


def add(app: FastAPI, tools: Tools) -> None:
    """Add the routes under `/v2`."""
    service, settings, words, lanes, database = (
        tools.service,
        tools.settings,
        tools.words,
        tools.lanes,
        tools.database,
    )
    router = APIRouter(prefix="/v2", tags=["LanguageTool"])

    async def answer(
        request: Request, work: Callable[[Threads, dict[str, str]], Coroutine[Any, Any, Answer]]
    ) -> Answer:
        """What `work` makes of the parameters of a request, in time and in the threads for it."""
        body = await read_body(request)
        texts = lanes.choose(body)

        async def read_and_work() -> Answer:
            content_type = request.headers.get("content-type", "")
            query = request.scope["query_string"]
            return await work(texts, await texts.run(read_parameters, query, content_type, body))

        return await wait_for(request, read_and_work(), settings.timeout)

    async def check(request: Request) -> Response:
        return await answer(request, partial(check_text, request))

    async def check_text(request: Request, texts: Threads, given: dict[str, str]) -> Response:
        asked = await texts.run(read_check, given, settings.max_length)
        own_words = await _words_of(asked, words, database, settings)
        language = AUTO if is_auto(asked.language) else find_variant(asked.language, service.languages).code
        preset = _picky_preset(service, language) if asked.is_picky else DEFAULT_PRESET
        if asked.is_wanted:
            protection = await texts.run(Protection, own_words)
            options = Options(frozenset(service.languages), language, preset, protection=protection)
            [corrected] = await correct_texts(
                service, lambda: [asked.view], GivenParts(), options, texts, messages=asked.messages
            )
        else:
            corrected = await texts.run(_unread, asked.view, language)
        body, n_edits = await texts.run(_write_answer, asked, corrected, service)
        n_characters = len(asked.view.original)
        note(request, language=corrected.language, preset=preset, characters=n_characters, edits=n_edits)
        return Response(body, media_type="application/json")

    router.api_route("/check", methods=["GET", "POST"], include_in_schema=False)(check)
    # For the schema alone, where the two differ: as routes, neither would know of the other's method.
    router.get("/check", **CHECK_GET)(check)
    router.post("/check", **CHECK_POST)(check)

    @router.get("/languages", summary="The languages that can be checked")
    async def languages() -> list[dict[str, str]]:
        return languages_answer(served(service.languages))

    @router.get("/maxtextlength", summary="The longest text, in characters", response_class=PlainTextResponse)
    async def max_text_length() -> PlainTextResponse:
        return PlainTextResponse(str(settings.max_length))

    @router.get("/info", summary="Who answers")
    async def info() -> dict[str, Any]:
        return {"software": software()}

    @router.get("/configinfo", summary="The rules of a language", responses=PLAIN_TEXT)
    async def configuration(language: str = "") -> dict[str, Any]:
        if not language:
            raise Refusal(400, "'language' parameter missing")
        return configuration_answer(find_variant(language, service.languages).code, settings.max_length)

    @router.get("/healthcheck", summary="OK", response_class=PlainTextResponse)
    async def health() -> PlainTextResponse:
        return PlainTextResponse("OK")

    @router.get("/words", **LIST_WORDS)
    async def list_words(request: Request) -> dict[str, list[str]]:
        async def find(_: Threads, given: dict[str, str]) -> list[str]:
            username = _user(given, settings)
            dictionaries = read_dictionaries(given) or (DEFAULT,)
            offset, limit = _number(given, "offset", 0), _number(given, "limit", 10)
            return await database.run(words.list, username, dictionaries, offset=offset, limit=limit)

        return {"words": await answer(request, find)}

    async def change(request: Request, how: Callable[[str, list[str], str], int]) -> bool:
        """Whether adding or deleting words changed anything."""

        async def do(texts: Threads, given: dict[str, str]) -> int:
            username, dictionary = _user(given, settings), _name(given, "dict")
            return await database.run(how, username, await texts.run(_new_words, given), dictionary)

        return await answer(request, do) > 0

    @router.post("/words/add", summary="Add a word", **WORD_FORM)
    async def add_word(request: Request) -> dict[str, bool]:
        return {"added": await change(request, words.add)}

    @router.post("/words/delete", summary="Delete a word", **WORD_FORM)
    async def delete_word(request: Request) -> dict[str, bool]:
        return {"deleted": await change(request, words.delete)}

    app.include_router(router)


def _picky_preset(service: Service, language: str) -> str:
    """The eager preset, where every model that may be asked has it."""
    asked = service.languages if language == AUTO else (language,)
    presets = {service.best_preset(one, "eager") for one in asked}
    return presets.pop() if len(presets) == 1 else DEFAULT_PRESET


def _unread(view: Projection, language: str) -> CorrectedText:
    """A text in which nothing was looked for."""
    return CorrectedText(view, identify_language(view.text, UNDETERMINED) if language == AUTO else language, (), (), ())


def _write_answer(asked: Check, corrected: CorrectedText, service: Service) -> tuple[bytes, int]:
    """The JSON of an answer, and how many edits are in it."""
    edits = [shown for shown in corrected.edits if asked.rules.allows(shown.explanation.rule)]
    answer = check_answer(corrected, edits, _detection(asked, corrected, service), asked.messages)
    return dump_answer(answer), len(edits)


def _detection(asked: Check, corrected: CorrectedText, service: Service) -> Detection:
    """What the text was checked as and what it looks like; where nobody can tell, the same, and not sure at all."""
    text = corrected.view.text
    if is_auto(asked.language):
        looks = corrected.language
        fallback = usual_variant(next(iter(service.languages)), asked.preferred)
    else:
        looks = identify_language(text, UNDETERMINED)
        fallback = find_variant(asked.language, service.languages)
    if looks == UNDETERMINED:
        return Detection(fallback, fallback, 0.0)
    detected = usual_variant(looks, asked.preferred)
    checked = detected if is_auto(asked.language) else fallback
    return Detection(checked, detected, detection_confidence(text, looks))


async def _words_of(asked: Check, words: WordStore, database: Threads, settings: Settings) -> list[str]:
    if asked.username is None:
        return []
    username = _user({"username": asked.username, "apiKey": asked.api_key or ""}, settings)
    return await database.run(words.list, username, asked.dictionaries or (DEFAULT,))


def _user(given: Mapping[str, str], settings: Settings) -> str:
    """The user name of a request; refused without one, or where its key is not the server's."""
    username = _name(given, "username")
    if not username:
        raise Refusal(400, "This end point needs a user id: give 'username' (and 'apiKey')")
    if settings.api_keys is not None:
        key = settings.api_keys.get(username)
        if key is None or not hmac.compare_digest(key.encode(), given.get("apiKey", "").encode()):
            raise Refusal(403, "the user name or the API key is wrong")
    return username


def _name(given: Mapping[str, str], name: str) -> str:
    value = given.get(name, "").strip()
    if len(value) > MAX_WORD or not value.isprintable():
        raise Refusal(400, f"'{name}' must be printable and have at most {MAX_WORD} characters")
    return value


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    value = given.get(name, "") or str(default)
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise Refusal(400, f"'{name}' must be a number, not '{value[:20]}'")
    return int(value)


def _new_words(given: Mapping[str, str]) -> list[str]:
    """The word of a request, or the words of one with `mode=batch`."""
    if given.get("mode") == "batch":
        found = given.get("words", "").split(maxsplit=MAX_BATCH)
        if len(found) > MAX_BATCH:
            raise Refusal(413, f"a request has at most {MAX_BATCH} words: send the others in the next one")
    else:
        found = [given["word"].strip()] if "word" in given else []
    if not found:
        raise Refusal(400, "Missing 'word' parameter")
    for word in found:
        if not word or len(word) > MAX_WORD or not word.isprintable() or any(map(str.isspace, word)):
            raise Refusal(400, f"a word has no white space and at most {MAX_WORD} printable characters")
    return found
