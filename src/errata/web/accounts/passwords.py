"""Passwords: what is taken for one, and how it is kept (Argon2id)."""

from __future__ import annotations

import secrets
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from errata.web.accounts.names import fold_name
from errata.web.refusals import Refusal

MIN_LENGTH, MAX_LENGTH = 10, 200
# Argon2id as OWASP recommends it (Password Storage Cheat Sheet): 46 MiB, one pass, one lane. It takes about 60 ms of
# one core. Passwords that were hashed otherwise are hashed again when their owner logs in.
MEMORY_KIB, N_PASSES, N_LANES = 47_104, 1, 1
# Well-known ones with ten characters or more: rows of keys, words with digits behind them, and our own name.
COMMON = frozenset(
    """
    0000000000 0123456789 0987654321 1029384756 1111111111 1122334455 123123123123 1234512345 1234554321 1234567890
    1234567891 12345678910 123456789a 123456789q 1234qwerasdf 12qwaszx12 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
    9876543210 987654321a a123456789 aa12345678 aa123456789 aaaaaaaaaa abc1234567 abcd123456 abcdefghij abcdefghijk
    access1234 admin12345 administrator asdfasdfasdf asdfghjkl1 asdfghjkl; basketball changeme123 charlie123
    chocolate1 computer123 correctme1 errata1234 errata12345 football123 hello12345 iloveyou12 iloveyou123 jennifer123
    letmein123 letmein1234 liverpool1 manchester michael123 mypassword myspace123 p@ssw0rd123 passw0rd123 password00
    password01 password10 password11 password12 password123 password1234 password12345 princess123 q1w2e3r4t5
    q1w2e3r4t5y6 qazwsxedcrfv qq123456789 qwe123456789 qwer123456 qwerty1234 qwerty12345 qwerty123456 qwertyuiop
    qwertyuiop123 qwertyuiop[] secret1234 starwars123 sunshine123 superman123 test123456 testtest123 trustno1234
    unknown123 welcome123 welcome1234 woaini1314 woaini1314520 woaini5201314 zaq12wsxcde3 zxcvbnm123 zxcvbnm1234
    """.split()
)


class Passwords:
    """Hashes passwords and compares them with what is kept; each takes as long as the other."""

    def __init__(self, *, memory_kib: int = MEMORY_KIB, n_passes: int = N_PASSES) -> None:
        self._hasher = PasswordHasher(time_cost=n_passes, memory_cost=memory_kib, parallelism=N_LANES)
        self._of_nobody = self.hash(secrets.token_hex())

    def hash(self, password: str) -> str:
        return self._hasher.hash(_normalise(password))

    def verify(self, kept: str | None, password: str) -> bool:
        """Whether it is the password; None is that of nobody, which takes the same time and is never right."""
        try:
            self._hasher.verify(self._of_nobody if kept is None else kept, _normalise(password))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether it was hashed in another way than passwords are now."""
        return self._hasher.check_needs_rehash(kept)


def check_password(password: str, name: str) -> str:
    """The new password of somebody; refused where others would guess it."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise Refusal(422, f"password: give {MIN_LENGTH} to {MAX_LENGTH} characters")
    simple = fold_name(password)
    if simple in COMMON or len(set(simple)) == 1:
        raise Refusal(422, "password: many people use this one, so it is tried first; choose another")
    if simple == fold_name(name):
        raise Refusal(422, "password: it is the name; choose another")
    return password


def _normalise(password: str) -> str:
    """The same characters from every keyboard: some systems send é as one, some as two."""
    return unicodedata.normalize("NFKC", password)
