"""Parameters of the query and of the body, read as UTF-8 whether percent-encoded or not (`curl -d` does not)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine
from email.message import Message
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

from starlette.datastructures import FormData, Headers
from starlette.formparsers import MultiPartException, MultiPartParser

from errata.web.refusals import Refusal

MAX_FIELDS = 100
PIECE_BYTES = 32 * 1024
ENCODINGS = ("utf-8", "utf8", "us-ascii")

Result = TypeVar("Result")


def read_parameters(query: bytes, content_type: str, body: bytes) -> dict[str, str]:
    """The parameters of a request by name; the body's win over the query's."""
    parameters = _parse(query)
    kind = Message()
    kind["Content-Type"] = content_type
    if not body:
        return parameters
    if kind.get_content_maintype() == "multipart":
        return parameters | _read_multipart(content_type, kind.get_content_charset("utf-8"), body)
    if kind.get_content_subtype() == "json":
        raise Refusal(415, "send a form (application/x-www-form-urlencoded or multipart/form-data), not JSON")
    return parameters | _parse(body)


def _read_multipart(content_type: str, encoding: str, body: bytes) -> dict[str, str]:
    if encoding not in ENCODINGS:
        raise Refusal(400, "the form must be in UTF-8")

    async def whole() -> AsyncGenerator[bytes, None]:
        yield body

    headers = Headers({"Content-Type": content_type})
    # The body has a limit already, and a part of it may be as long as it.
    parser = MultiPartParser(headers, whole(), max_files=0, max_fields=MAX_FIELDS, max_part_size=len(body))
    try:
        form: FormData = _finish(parser.parse())
    except MultiPartException as error:
        raise Refusal(400, error.message) from error
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _finish(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that waits for nothing: the body is here, and there are no files to write."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    raise RuntimeError("reading a form waits for something")


def _parse(encoded: bytes) -> dict[str, str]:
    fields = encoded.split(b"&", MAX_FIELDS)
    if len(fields) > MAX_FIELDS:
        raise Refusal(400, f"the form has more than {MAX_FIELDS} fields")
    pairs = (field.partition(b"=") for field in fields if field)
    return {_decode(name): _decode(value) for name, _, value in pairs}


def _decode(encoded: bytes) -> str:
    """What was percent-encoded, or was not.

    It is done in pieces because other threads can run only in between: a megabyte at once takes a tenth of a second.
    """
    encoded = encoded.replace(b"+", b" ")
    pieces: list[bytes] = []
    start = 0
    while start < len(encoded):
        end = start + PIECE_BYTES
        split_escape = encoded.rfind(b"%", end - 2, end)
        end = end if split_escape < 0 else split_escape
        pieces.append(unquote_to_bytes(encoded[start:end]))
        start = end
    return b"".join(pieces).decode("utf-8", "replace")
