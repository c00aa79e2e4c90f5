"""Tests are called the same in every process, whatever their parameters hold."""

from __future__ import annotations

import gzip

import pytest

NAMED = {"packed": gzip.compress(b"a page"), "no letters": b"\xff", "many bytes": b"a" * 101, "a long text": "长" * 101}
PLAIN = {"few bytes": b"a page", "a text": "长", "a number": 3}


@pytest.mark.parametrize("value", [*NAMED.values(), *PLAIN.values()], ids=[*NAMED, *PLAIN])
def test_names_hold_no_packed_bytes(request: pytest.FixtureRequest, value: object) -> None:
    config = request.config
    name = config.hook.pytest_make_parametrize_id(config=config, val=value, argname="content")
    assert name == ("content" if value in NAMED.values() else None)
