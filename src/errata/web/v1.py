"""errata's own API: `POST /v1/correct` and `GET /v1/info`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response

import errata
from errata.edits.apply import apply_text_edits
from errata.pipeline.documents import AUTO, Options
from errata.pipeline.protection import Protection
from errata.pipeline.views import find_writing
from errata.text.utf16 import Utf16Offsets
from errata.web.access import note
from errata.web.corrections import CorrectedText, ShownEdit, correct_texts
from errata.web.json_body import read_json
from errata.web.long_json import dump, dump_items, dump_members
from errata.web.parts import Tools
from errata.web.refusals import Refusal, too_long
from errata.web.requests import read_body, wait_for
from errata.web.schemas import (
    CORRECT_BODY,
    MAX_VALUES,
    REFUSALS,
    CorrectAnswer,
    CorrectRequest,
    EditAnswer,
    InfoAnswer,
    ModelInfo,
    TextAnswer,
    UncheckedAnswer,
)
from errata.web.service import Service
from errata.web.threads import Threads


def add(app: FastAPI, tools: Tools) -> None:
    """Add the routes under `/v1`."""
    service, settings, lanes = tools.service, tools.settings, tools.lanes
    router = APIRouter(prefix="/v1", tags=["errata"])

    @router.post(
        "/correct",
        response_model=CorrectAnswer,
        responses=REFUSALS,
        openapi_extra=CORRECT_BODY,
        summary="Correct one text or several",
    )
    async def correct(request: Request) -> Response:
        content = await read_body(request)
        return await wait_for(request, answer(request, content), settings.timeout)

    async def answer(request: Request, content: bytes) -> Response:
        started, texts = time.perf_counter(), lanes.choose(content)
        body = await texts.run(_read, request.headers.get("content-type", ""), content, settings.max_length)
        if body.language != AUTO and body.language not in service.engines:
            raise Refusal(400, f"there is no model for {body.language!r} here: use {', '.join(service.languages)}")
        corrected = await _correct(service, body, texts)
        language = corrected[0].language if corrected else next(iter(service.languages))
        length, n_edits = sum(map(len, body.all_texts)), sum(len(one.edits) for one in corrected)
        note(request, language=language, preset=body.preset, characters=length, edits=n_edits)
        model = service.engines[language].name if language in service.engines else None
        return await texts.run(_response, corrected, started, language=language, model=model, preset=body.preset)

    @router.get("/info", summary="What this server serves")
    async def info() -> InfoAnswer:
        models = [
            ModelInfo(language=language, model=engine.name, presets=list(engine.presets))
            for language, engine in service.engines.items()
        ]
        return InfoAnswer(version=errata.__version__, models=models, max_length=settings.max_length)

    app.include_router(router)


def _read(content_type: str, content: bytes, max_length: int) -> CorrectRequest:
    """The request in a body; its texts have at most `max_length` characters together."""
    body = read_json(content_type, content, CorrectRequest, max_length + MAX_VALUES)
    length = sum(map(len, body.all_texts))
    if length > max_length:
        raise too_long(length, max_length)
    return body


async def _correct(service: Service, body: CorrectRequest, threads: Threads) -> list[CorrectedText]:
    writing = find_writing(body.markup)
    options = Options(
        languages=frozenset(service.languages),
        language=body.language,
        preset=body.preset,
        min_confidence=body.min_confidence,
        protection=await threads.run(Protection, body.dictionary, body.protect),
    )
    texts = body.all_texts
    return await correct_texts(
        service, lambda: [writing.read(text) for text in texts], writing, options, threads, messages=body.messages
    )


def _response(corrected: Sequence[CorrectedText], started: float, **about: Any) -> Response:
    results = [_text_answer(one) for one in corrected]
    answer = CorrectAnswer(results=results, seconds=round(time.perf_counter() - started, 4), **about)
    return Response(_dump(answer), media_type="application/json")


def _dump(answer: CorrectAnswer) -> bytes:
    """The JSON of an answer."""
    members = {name: dump(getattr(answer, name)) for name in CorrectAnswer.model_fields if name != "results"}
    return dump_members({**members, "results": dump_items(map(_dump_text, answer.results))})


def _dump_text(text: TextAnswer) -> bytes:
    lists = ("edits", "unchecked")
    members = {name: dump(getattr(text, name)) for name in TextAnswer.model_fields if name not in lists}
    items = {name: dump_items(item.model_dump_json().encode() for item in getattr(text, name)) for name in lists}
    return dump_members({**members, **items})


def _text_answer(corrected: CorrectedText) -> TextAnswer:
    source = corrected.view.original
    offsets = Utf16Offsets(source)
    return TextAnswer(
        source=source,
        target=apply_text_edits(source, [shown.edit for shown in corrected.edits]),
        language=corrected.language,
        edits=[_edit_answer(source, shown, offsets) for shown in corrected.edits],
        unchecked=list(_unchecked_answers(corrected, offsets)),
    )


def _unchecked_answers(corrected: CorrectedText, offsets: Utf16Offsets) -> Iterator[UncheckedAnswer]:
    """The sentences without a model, those of one language that follow each other as one stretch."""
    unchecked = frozenset(corrected.unchecked)
    for language, group in groupby(corrected.pieces, lambda piece: piece.language if piece in unchecked else None):
        if language is not None:
            pieces = list(group)
            start, end = corrected.view.original_span(pieces[0].start, pieces[-1].end)
            yield UncheckedAnswer(
                start=start, end=end, utf16_start=offsets[start], utf16_end=offsets[end], language=language
            )


def _edit_answer(source: str, shown: ShownEdit, offsets: Utf16Offsets) -> EditAnswer:
    edit = shown.edit
    return EditAnswer(
        start=edit.start,
        end=edit.end,
        utf16_start=offsets[edit.start],
        utf16_end=offsets[edit.end],
        original=source[edit.start : edit.end],
        replacement=edit.replacement,
        alternatives=list(edit.alternatives),
        type=shown.explanation.type,
        message=shown.explanation.message,
        confidence=None if edit.confidence is None else round(edit.confidence, 4),
    )
