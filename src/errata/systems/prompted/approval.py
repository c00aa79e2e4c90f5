"""Who may receive text and keys. The user decides that, never the folder of a model.

A folder may come from anywhere, so its manifest is not trusted. Text goes to an endpoint only if the user allows it:
for a call (`allow_network=True`, `--allow-network`) or by name (`ERRATA_ALLOW_ENDPOINT`). A key goes only

- to the service it belongs to (`OPENAI_API_KEY` to https://api.openai.com), or
- to an endpoint the user lists in `ERRATA_ALLOW_ENDPOINT`: `https://host` gets `ERRATA_API_KEY`, and
  `OPENAI_API_KEY=https://host` gets that key; entries are separated by spaces.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from errata.errors import UsageError

log = logging.getLogger(__name__)

ALLOWED = "ERRATA_ALLOW_ENDPOINT"
OWN_KEY = "ERRATA_API_KEY"
# The service that each key belongs to. The key goes nowhere else unless the user says so.
HOMES: Mapping[str, str] = {
    "OPENAI_API_KEY": "https://api.openai.com",
    "ANTHROPIC_API_KEY": "https://api.anthropic.com",
    "DASHSCOPE_API_KEY": "https://dashscope.aliyuncs.com",
    "DEEPSEEK_API_KEY": "https://api.deepseek.com",
    "GEMINI_API_KEY": "https://generativelanguage.googleapis.com",
    "GROQ_API_KEY": "https://api.groq.com",
    "MISTRAL_API_KEY": "https://api.mistral.ai",
    "OPENROUTER_API_KEY": "https://openrouter.ai",
    "TOGETHER_API_KEY": "https://api.together.xyz",
}
# Stricter than URLs: no user names, only ASCII, nothing that two programs could read differently.
_ENDPOINT = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(/[\w.~%/-]*)?", re.I | re.A)
_KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
_PORTS = {"http": "80", "https": "443"}


def origin_of(address: str) -> str:
    """Scheme, host and port of an address, in the form in which they are compared; `ValueError` if it is not plain.

    >>> origin_of("https://API.openai.com:443/v1")
    'https://api.openai.com'
    """
    match = _ENDPOINT.fullmatch(address)
    if match is None:
        raise ValueError(f"{address!r} is no plain address: it must begin with http:// or https:// and a host")
    scheme, host, port = match[1].lower(), match[2].lower(), match[3]
    return f"{scheme}://{host}" + (f":{port}" if port and port != _PORTS[scheme] else "")


def check_key_variable(name: str) -> None:
    """Raise `ValueError` unless a variable is named like an API key: a manifest could ask for any other secret."""
    if not _KEY_NAME.fullmatch(name):
        raise ValueError(f"key_variable must end in _API_KEY, which {name!r} does not")


@dataclass(frozen=True, slots=True)
class Approvals:
    """The pairs (variable, origin) that `ERRATA_ALLOW_ENDPOINT` allows."""

    listed: frozenset[tuple[str, str]]

    @classmethod
    def of_environment(cls) -> Approvals:
        """The approvals in the environment."""
        found = set()
        for entry in os.environ.get(ALLOWED, "").split():
            variable, equals, address = entry.rpartition("=")
            try:
                if equals:
                    check_key_variable(variable)
                found.add((variable or OWN_KEY, origin_of(address)))
            except ValueError as error:
                raise UsageError(f"{ALLOWED}: {error}") from error
        return cls(frozenset(found))

    def has_endpoint(self, origin: str) -> bool:
        return any(one == origin for _, one in self.listed)

    def has_key(self, variable: str, origin: str) -> bool:
        return (variable, origin) in self.listed


def require_approval(folder: Path, endpoint: str, key_variable: str | None, *, allow_network: bool) -> None:
    """Raise `UsageError` unless the user allows the system in `folder` to send text and its key to its endpoint.

    The message names the endpoint.
    """
    origin, approvals = origin_of(endpoint), Approvals.of_environment()
    if not allow_network and not approvals.has_endpoint(origin):
        raise UsageError(
            f"{folder} would send your text to {endpoint}: to allow that, give --allow-network "
            f"(in Python allow_network=True) or set {ALLOWED}={origin}"
        )
    if key_variable not in (None, OWN_KEY, _home_key(origin)) and not approvals.has_key(str(key_variable), origin):
        raise UsageError(
            f"{folder} would send {key_variable} to {origin}, where it does not belong: leave key_variable out, "
            f"or set {ALLOWED}={key_variable}={origin} to allow it"
        )


def find_key(endpoint: str, key_variable: str | None) -> str | None:
    """The key for an endpoint, None if no key is set. A key that may not go there is not sent, with a warning."""
    origin = origin_of(endpoint)
    home = _home_key(origin)
    variable = key_variable or home or OWN_KEY
    key = os.environ.get(variable)
    if not key:
        return None
    if variable != home and not Approvals.of_environment().has_key(variable, origin):
        log.warning("%s is not sent to %s; to send it, set %s=%s=%s", variable, origin, ALLOWED, variable, origin)
        return None
    if origin.startswith("http:") and not is_loopback(origin):
        raise UsageError(f"{variable} would go unencrypted to {origin}: use https")
    return key


def is_loopback(origin: str) -> bool:
    """Whether an origin is on this machine."""
    match = _ENDPOINT.fullmatch(origin)
    host = match[2].strip("[]").lower() if match else ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _home_key(origin: str) -> str | None:
    return next((variable for variable, home in HOMES.items() if home == origin), None)
