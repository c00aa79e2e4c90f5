"""Ids of rows: 26 characters that sort by when they were made and cannot be guessed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

# Crockford's base 32: no letter that looks like a digit.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
N_TIME, N_RANDOM = 10, 16
# Bits between one id of a sequence and the next, and those the first may have: room for 2³⁹ ids.
STEP_BITS, FIRST_BITS = 40, 79


def new_id(now: float) -> str:
    """An id made at `now` seconds since 1970: ten characters of milliseconds, then eighty random bits.

    >>> new_id(1.0)[:10], len(new_id(1.0)), new_id(1.0) < new_id(2.0)
    ('00000000z8', 26, True)
    """
    return _encode(int(now * 1000), N_TIME) + _encode(secrets.randbits(5 * N_RANDOM), N_RANDOM)


def id_sequence(now: float) -> Iterator[str]:
    """Ids made at `now` that sort in the order in which they are taken.

    >>> ids = id_sequence(1.0)
    >>> next(ids) < next(ids) < next(ids)
    True
    """
    time, number = _encode(int(now * 1000), N_TIME), secrets.randbits(FIRST_BITS)
    while True:
        yield time + _encode(number, N_RANDOM)
        number += 1 + secrets.randbits(STEP_BITS)


def _encode(number: int, length: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))
