"""Tokens that open something: sent once, kept as digests, so that a copy of the database opens nothing."""

from __future__ import annotations

import hashlib
import secrets

N_BYTES = 32


def new_token() -> str:
    """256 random bits in 43 characters that need no quoting in an address."""
    return secrets.token_urlsafe(N_BYTES)


def digest(token: str) -> str:
    """What is kept of a token, or of anything else that is looked up and not read."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
