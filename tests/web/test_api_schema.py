"""Whatever the schema allows, and much that it does not, gets an answer and never an internal error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from table_server import table_server as run_table_server

WITH_INPUT = (
    "POST /v1/correct",
    "GET /v2/check",
    "POST /v2/check",
    "GET /v2/configinfo",
    "GET /v2/words",
    "POST /v2/words/add",
    "POST /v2/words/delete",
)
WITHOUT = (
    *("GET /v1/info", "GET /v2/languages", "GET /v2/maxtextlength", "GET /v2/info", "GET /v2/healthcheck"),
    *("GET /healthz", "GET /readyz", "GET /metrics"),
)
EXAMPLES = 12


def read_operations(address: str) -> dict[str, Any]:
    """The operations of the schema of a server, by name."""
    schemathesis = pytest.importorskip("schemathesis", reason="pip install schemathesis")
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    found = [result.ok() for result in schema.get_all_operations()]
    return {operation.label: operation for operation in found}


@pytest.fixture(scope="module")
def operations(table_server: str) -> dict[str, Any]:
    return read_operations(table_server)


@pytest.fixture(scope="module")
def narrow_operations() -> Iterator[dict[str, Any]]:
    """Those of a server whose limits every client meets."""
    with run_table_server(max_length=10, max_words=2, max_users=1, access_log=False) as server:
        yield read_operations(server.address)


def test_every_operation_is_tested(operations: dict[str, Any]) -> None:
    assert set(operations) == {*WITH_INPUT, *WITHOUT}


@pytest.mark.parametrize(
    ("label", "mode"),
    [(label, mode) for label in WITH_INPUT for mode in ("positive", "negative")]
    + [(one, "positive") for one in WITHOUT],
)
def test_no_request_is_an_internal_error(operations: dict[str, Any], label: str, mode: str) -> None:
    ask_much(operations[label], mode)


@pytest.mark.parametrize("label", WITH_INPUT)
def test_what_goes_beyond_a_limit_is_refused_as_the_schema_says(narrow_operations: dict[str, Any], label: str) -> None:
    ask_much(narrow_operations[label], "positive")


def ask_much(operation: Any, mode: str) -> None:
    """Whatever is asked gets an answer that the schema tells of."""
    from schemathesis import GenerationMode, checks

    @given(operation.as_strategy(generation_mode=GenerationMode(mode)))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def answers(case: Any) -> None:
        response = case.call()
        wanted = [checks.not_a_server_error, checks.status_code_conformance, checks.content_type_conformance]
        case.validate_response(response, checks=[*wanted, checks.response_schema_conformance])

    answers()
