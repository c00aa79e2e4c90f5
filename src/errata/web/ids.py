"""Ids of rows: 26 characters that sort by when they were made and cannot be guessed."""

from __future__ import annotations

import secrets

# Crockford's base 32: no letter that looks like a digit.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
N_TIME, N_RANDOM = 10, 16


def new_id(now: float) -> str:
    """An id made at `now` seconds since 1970: ten characters of milliseconds, then eighty random bits.

    >>> new_id(1.0)[:10], len(new_id(1.0)), new_id(1.0) < new_id(2.0)
    ('00000000z8', 26, True)
    """
    return _encode(int(now * 1000), N_TIME) + _encode(secrets.randbits(5 * N_RANDOM), N_RANDOM)


def _encode(number: int, length: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))
