"""Parameters of the query and of the body, read as UTF-8 whether percent-encoded or not (`curl -d` does not)."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

from errata.web.refusals import Refusal

MAX_FIELDS = 100


async def parameters(request: Request) -> dict[str, str]:
    """The parameters of a request by name; the body's win over the query's."""
    given = dict(request.query_params.items())
    if request.method == "POST":
        if request.headers.get("content-type", "").startswith("multipart/"):
            form = await request.form(max_files=0, max_fields=MAX_FIELDS)
            given |= {name: value for name, value in form.items() if isinstance(value, str)}
        else:
            given |= _parse(await request.body())
    return given


def _parse(body: bytes) -> dict[str, str]:
    try:
        fields = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise Refusal(400, f"the form has more than {MAX_FIELDS} fields") from error
    return dict(fields)
