"""What the schema says about routes whose parameters come in the query or in a form."""

from __future__ import annotations

from typing import Any

from errata.web.languagetool.request import CheckForm

_REASON = {"content": {"text/plain": {"schema": {"type": "string"}}}}
PLAIN_TEXT: dict[int | str, dict[str, Any]] = {
    400: {"description": "`Error:` and what is missing or makes no sense.", **_REASON},
    422: {"description": "Not used.", **_REASON},
}
_REFUSALS: dict[int | str, dict[str, Any]] = {
    **PLAIN_TEXT,
    403: {"description": "The key is wrong, there is no room for more words, or another site asks.", **_REASON},
    408: {"description": "The body did not come in time.", **_REASON},
    413: {"description": "The text is too long.", **_REASON},
    415: {"description": "The body is not a form, or it is compressed.", **_REASON},
    503: {
        "description": "Too busy, or shutting down; try again after the seconds in `Retry-After`.",
        "headers": {"Retry-After": {"schema": {"type": "integer"}}},
        **_REASON,
    },
    504: {"description": "The answer took longer than the server's time limit.", **_REASON},
}


def _query(properties: dict[str, Any], required: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": schema.get("description", ""),
            "schema": {key: value for key, value in schema.items() if key != "description"},
        }
        for name, schema in properties.items()
    ]


def _form(properties: dict[str, Any], required: list[str], **rules: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required, **rules}
    return {"required": True, "content": {"application/x-www-form-urlencoded": {"schema": schema}}}


def _strings(model: dict[str, Any]) -> dict[str, Any]:
    kept = ("description", "examples", "enum")
    return {
        name: {"type": "string", **{key: schema[key] for key in kept if key in schema}}
        for name, schema in model["properties"].items()
    }


_TEXT_OR_DATA = [{"required": ["text"]}, {"required": ["data"]}]
_CHECK = _strings(CheckForm.model_json_schema())
_NAME = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[!-~]+$"}
_NUMBER = {"type": "string", "pattern": "^[0-9]{1,9}$"}
_USER = {
    "username": {**_NAME, "description": "Whose dictionary it is."},
    "apiKey": {"type": "string", "description": "The user's key, where the server asks for one."},
}
_WORD = {
    "word": {**_NAME, "pattern": r"^\S+$", "description": "One word, without white space.", "examples": ["freinds"]},
    **_USER,
    "dict": {**_NAME, "description": "The dictionary; the unnamed one by default."},
    "mode": {
        "type": "string",
        "enum": ["batch"],
        "description": "`batch`: take the words of `words`, separated by spaces.",
    },
    "words": {"type": "string", "description": "With `mode=batch`."},
}
_LISTING = {
    **_USER,
    "offset": {**_NUMBER, "description": "How many words to pass over (0)."},
    "limit": {**_NUMBER, "description": "How many words to list (10)."},
    "dicts": {"type": "string", "description": "Dictionaries, separated by commas; the unnamed one by default."},
}

CHECK_GET: dict[str, Any] = {
    "summary": "Check a text",
    "operation_id": "check_get",
    "responses": _REFUSALS,
    "openapi_extra": {"parameters": _query(_CHECK, ["language"])},
}
CHECK_POST: dict[str, Any] = {
    "summary": "Check a text",
    "operation_id": "check_post",
    "responses": _REFUSALS,
    "openapi_extra": {
        "requestBody": _form(_CHECK, ["language"], oneOf=[{"required": ["text"]}, {"required": ["data"]}])
    },
}
LIST_WORDS: dict[str, Any] = {
    "summary": "A user's words",
    "responses": _REFUSALS,
    "openapi_extra": {"parameters": _query(_LISTING, ["username"])},
}
WORD_FORM: dict[str, Any] = {
    "responses": _REFUSALS,
    "openapi_extra": {"requestBody": _form(_WORD, ["username", "word"])},
}
