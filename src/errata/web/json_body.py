"""JSON of clients: parsed if it is not made of too many values, and told where it is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from email.message import Message
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from errata.web.refusals import Refusal

Model = TypeVar("Model", bound=BaseModel)

# Faults that are told at a time.
MAX_FAULTS = 5


# What the library would say in words of its own.
_WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "string_type": "it should be a text",
    "string_unicode": "it has half a character (a lone surrogate)",
    "bool_type": "it should be true or false",
    "int_type": "it should be a whole number",
    "int_parsing": "it should be a whole number",
    "int_parsing_size": "it should be a smaller number",
    "int_from_float": "it should be a whole number",
    "float_type": "it should be a number",
    "float_parsing": "it should be a number",
    "finite_number": "it should be a finite number",
    "list_type": "it should be a list",
    "dict_type": "it should be an object",
    "model_type": "it should be an object",
    "model_attributes_type": "it should be an object",
    "json_invalid": "it is no JSON",
}
_OURS = re.compile(r"^(?:Input|String|List)(?= should)")


class TooManyValues(ValueError):
    """JSON has more values than any request needs."""


def parse_json(content: bytes | str, max_values: int) -> Any:
    """The value that JSON stands for; refused where more than `max_values` may be in it.

    The parser lets no other thread run meanwhile: a megabyte of `[],[],…` would hold up everybody for a third of a
    second. Marks within strings count too, so `max_values` should be larger than the text.
    """
    text = content.decode(json.detect_encoding(content)) if isinstance(content, bytes) else content
    if sum(map(text.count, ",[{")) > max_values:
        raise TooManyValues(f"the JSON has more than {max_values} values")
    return json.loads(text)


def read_json(content_type: str, content: bytes, model: type[Model], max_values: int) -> Model:
    """The body of a request as a model, or a refusal that says what is wrong with it."""
    if not _is_json(content_type):
        raise Refusal(415, "send JSON, and say so: Content-Type: application/json")
    try:
        data = parse_json(content, max_values)
    except json.JSONDecodeError as error:
        raise Refusal(422, f"JSON decode error at character {error.pos}: {error.msg}") from error
    except TooManyValues as error:
        raise Refusal(413, str(error)) from error
    except (ValueError, RecursionError) as error:  # no text, a number of thousands of digits, too deep
        raise Refusal(400, "there was an error parsing the body") from error
    try:
        return model.model_validate(_shorten(data, model))
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        raise Refusal(422, describe_faults(faults)) from error


def describe_faults(faults: Sequence[Any]) -> str:
    """The first of the faults that were found, in one line."""
    return "; ".join(_describe(fault) for fault in faults[:MAX_FAULTS])


def is_deeper(value: Any, n_levels: int) -> bool:
    """Whether lists and objects stand in each other more than `n_levels` deep.

    What is read can be so deep that it cannot be written again.
    """
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return n_levels == 0 or any(is_deeper(one, n_levels - 1) for one in inner)


def _is_json(content_type: str) -> bool:
    header = Message()
    header["Content-Type"] = content_type
    subtype = header.get_content_subtype()
    return header.get_content_maintype() == "application" and (subtype == "json" or subtype.endswith("+json"))


def _shorten(data: Any, model: type[BaseModel]) -> Any:
    """The data without most of the fields that the model does not have: each would be a fault of its own."""
    if not isinstance(data, dict):
        return data
    unknown = [name for name in data if name not in model.model_fields][MAX_FAULTS:]
    return {name: data[name] for name in data.keys() - set(unknown)} if unknown else data


def _describe(fault: Any) -> str:
    """What is wrong and where; the input itself is left out: it may be long, or no text at all."""
    place = ".".join(str(name)[:100] for name in fault["loc"])
    words = _WORDS.get(fault["type"]) or _OURS.sub("it", fault["msg"]).replace(" after validation", "")
    return f"{place or 'body'}: {words}"
