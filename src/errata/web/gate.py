"""Who may ask: whoever calls the server by its name, and no page of another site.

A page from anywhere can make the browser that shows it send requests to a server on the same machine or network. It
cannot read the answers, unless its own name is made to mean that machine (DNS rebinding): then the browser takes page
and server for the same site. So the name in `Host` must be one of ours, and requests that a browser makes for a page
of another site are refused wherever something is written, corrected or private. `--cors` allows sites to ask the APIs,
and nothing else. Editors and other programs send no such headers.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from errata.web.paths import APIS, PRIVATE, PROGRAMS
from errata.web.refusals import SHOWN, Refusal, refusal_response

ALL = "*"
LOCAL = "localhost"
# What only looks: pages and health may be looked at from anywhere.
READING = frozenset({"GET", "HEAD", "OPTIONS"})
# What browsers say of requests that the page itself or the user makes; no page can say it of its own.
OWN_SITES = frozenset({"same-origin", "none"})
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:/?#@\[\]]+))(?::[0-9]*)?")


class Gate:
    """Lets requests in that call the server by one of `hosts`, and those of other sites that are in `origins`."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], origins: Collection[str]) -> None:
        self.app, self.origins = app, frozenset(origins)
        self.hosts = frozenset({LOCAL, *(host.lower() for host in hosts)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                check_address(scope["path"], scope["query_string"])
                self.check(scope["method"], scope["path"], Headers(scope=scope))
            except Refusal as refusal:
                await refusal_response(scope, refusal)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def check(self, method: str, path: str, headers: Headers) -> None:
        """Refuse what is not let in."""
        self._check_host(headers)
        if (path.startswith(PROGRAMS) or method not in READING) and not _is_of_our_site(headers):
            if not path.startswith(APIS):
                raise Refusal(403, "pages of other sites may not ask here: open the page on this server itself")
            if ALL not in self.origins and headers.get("origin") not in self.origins:
                hint = "start the server with --cors and their origin"
                raise Refusal(403, f"pages of other sites may not ask here: {hint}")

    def _check_host(self, headers: Headers) -> None:
        hosts = headers.getlist("host")
        for host in hosts:
            name = host_name(host)
            if name is None or len(hosts) > 1:
                raise Refusal(400, "the request has no proper Host")
            if not self._is_ours(name):
                shown = name[:SHOWN]
                raise Refusal(403, f"this server does not go by the name {shown!r}: start it with --allow-host {shown}")

    def _is_ours(self, name: str) -> bool:
        return name in self.hosts or ALL in self.hosts or _is_address(name)


def _is_of_our_site(headers: Headers) -> bool:
    """Whether no page of another site makes a browser ask."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if site is not None:
        return site in OWN_SITES
    # Browsers name the relation of sites to https and to their own machine only, and old ones never.
    return origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()


def check_address(path: str, query: bytes) -> None:
    """Refuse a NUL where an id or a name is expected: databases take none, and no id has one."""
    if "\0" in path or (path.startswith(PRIVATE) and (b"%00" in query or b"\0" in query)):
        raise Refusal(400, "the address has a NUL (%00) in it: take it out")


def host_name(host: str) -> str | None:
    """The name or address in a `Host` header, without the port; None where it is neither.

    >>> host_name("Localhost:8081"), host_name("[::1]:8081"), host_name("a b")
    ('localhost', '::1', None)
    """
    match = _HOST.fullmatch(host)
    return (match["address"] or match["name"]).lower().removesuffix(".") if match else None


def _is_address(name: str) -> bool:
    """Whether it is the IP address of a machine: no name stands between, so none can be made to mean another one.

    `0.0.0.0` and `::` are no machine's. Some browsers take them for the machine they run on, and tell less of the page
    that asks than they do for `127.0.0.1`.
    """
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return not (getattr(address, "ipv4_mapped", None) or address).is_unspecified
