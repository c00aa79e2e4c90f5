"""JSON for machines, whatever the names of files are."""

from __future__ import annotations

import json
from typing import Any


def format_json(value: Any, indent: int | None = None) -> str:
    """The value as JSON in UTF-8; a byte of a file's name that is no UTF-8 is escaped, as `\\udce9`."""
    return json.dumps(value, ensure_ascii=False, indent=indent).encode("utf-8", "backslashreplace").decode("utf-8")
