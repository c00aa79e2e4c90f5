"""Where a page comes from: sponsored domains, generic ones, country codes (CWEB, section 2)."""

from __future__ import annotations

from urllib.parse import urlsplit

from errata.crawl.drops import Drop

SPONSORED = frozenset({"gov", "edu", "mil", "int", "museum"})
GENERIC = frozenset({"com", "info", "net", "org"})
# Under a country code, `gov.cn` and `ac.uk` are what `gov` and `edu` are elsewhere.
_SPONSORED_BELOW = SPONSORED | {"ac"}
# Registers: where the texts of a run are kept apart. Pages from files have no domain.
REGISTERS = ("sponsored", "generic", "other", "local")
# Which domains are kept: those of the paper, or all.
DOMAINS = ("paper", "any")


def find_host(url: str) -> str:
    """The host of a web address, in lower case; nothing where there is none.

    >>> find_host("http://www.Example.ORG:80/page")
    'www.example.org'
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.rstrip(".")


def find_register(url: str, domains: str) -> str:
    """The register of a page by its address; a `Drop` where its domain is not kept.

    >>> [find_register(url, "paper") for url in ("http://www.nasa.gov/", "https://example.com/a")]
    ['sponsored', 'generic']
    >>> [find_register(url, "any") for url in ("http://www.gov.cn/", "http://example.de/", "http://a.blog/")]
    ['sponsored', 'other', 'other']
    """
    labels = find_host(url).split(".")
    ending = labels[-1]
    if len(labels) < 2 or not ending or ending.isdigit() or not ending.isascii():
        raise Drop("no-domain")
    if ending in SPONSORED:
        return "sponsored"
    if ending in GENERIC:
        return "generic"
    is_country = len(ending) == 2
    if domains == "any":
        return "sponsored" if is_country and len(labels) > 2 and labels[-2] in _SPONSORED_BELOW else "other"
    raise Drop("country-domain" if is_country else "other-domain")
