"""Whose paths are whose: where programs ask, and where people's own work is kept."""

from __future__ import annotations

# Texts are corrected and words are kept here, for editors and programs; other sites too, where they are allowed.
APIS = ("/v1/", "/v2/")
# Accounts and people's work: for the server's own pages alone, and in nobody's cache. No slash at the end: it is safer
# to take too many paths for private than too few.
PRIVATE = ("/accounts", "/workbench/api")
# Whoever asks here is a program, and is answered as one.
PROGRAMS = (*APIS, *PRIVATE)
