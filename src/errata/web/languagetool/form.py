"""Parameters of the query and of the body, read as UTF-8 whether percent-encoded or not (`curl -d` does not)."""

from __future__ import annotations

from email.message import Message
from urllib.parse import parse_qsl

from fastapi import Request

from errata.web.refusals import Refusal

MAX_FIELDS = 100
ENCODINGS = ("utf-8", "utf8", "us-ascii")


async def parameters(request: Request) -> dict[str, str]:
    """The parameters of a request by name; the body's win over the query's."""
    given = dict(request.query_params.items())
    if request.method == "POST":
        content_type = Message()
        content_type["Content-Type"] = request.headers.get("content-type", "")
        if content_type.get_content_maintype() == "multipart":
            given |= await _read_multipart(request, content_type.get_content_charset("utf-8"))
        else:
            body = await request.body()
            if body and content_type.get_content_subtype() == "json":
                raise Refusal(415, "send a form (application/x-www-form-urlencoded or multipart/form-data), not JSON")
            given |= _parse(body)
    return given


async def _read_multipart(request: Request, encoding: str) -> dict[str, str]:
    if encoding not in ENCODINGS:
        raise Refusal(400, "the form must be in UTF-8")
    form = await request.form(max_files=0, max_fields=MAX_FIELDS)
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _parse(body: bytes) -> dict[str, str]:
    try:
        fields = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise Refusal(400, f"the form has more than {MAX_FIELDS} fields") from error
    return dict(fields)
