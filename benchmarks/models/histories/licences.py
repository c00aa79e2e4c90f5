"""Licences of repositories, found by the words of their licence files, and whether they allow commercial use.

These are rules, no legal advice: `yes` where every licence in the file allows commercial use and changes, `no` where
one forbids either, `check` where a person has to read it: a licence that asks for the same licence of programs made
from it, a licence for a part of the repository, an unknown text, or none. A table says what a repository states
elsewhere, in its README for example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.models.histories.repositories import Repository

from errata.errors import FormatError
from errata.formats.files import read_lines

YES, CHECK, NO = "yes", "check", "no"
# SPDX identifier, or its beginning → what the text says, and whether it allows commercial use.
RULES: dict[str, tuple[re.Pattern[str], str]] = {
    "CC0-1.0": (re.compile(r"CC0[ -]1\.0|publicdomain/zero"), YES),
    "Unlicense": (re.compile(r"free and unencumbered software released into the public domain"), YES),
    "MIT": (re.compile(r"Permission is hereby granted, free of charge, to any person|\bMIT license", re.I), YES),
    "Apache-2.0": (re.compile(r"Apache License,?\s+Version 2\.0"), YES),
    "BSD": (re.compile(r"Redistribution and use in source"), YES),
    "ISC": (re.compile(r"Permission to use, copy, modify, and(?:/or)? distribute this software"), YES),
    "GPL": (re.compile(r"GNU (?:Lesser |Affero )?General Public License|\b[AL]?GPL ?v\d", re.I), CHECK),
    "GFDL": (re.compile(r"GNU Free Documentation License", re.I), CHECK),
    "MPL-2.0": (re.compile(r"Mozilla Public License,? (?:Version |v\. )?2\.0"), CHECK),
    "BUSL": (re.compile(r"Business Source License"), NO),
}
# Creative Commons: by its address, its name, or in short, with the conditions and the version.
_CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/licenses/(?P<path>by[a-z-]*)/(?P<path_version>\d\.\d)"
    r"|\bAttribution(?P<name>(?:-(?:NonCommercial|ShareAlike|NoDeriv\w*))*) (?P<name_version>\d\.\d)"
    r"|\bCC[ -](?P<short>BY(?:-(?:NC|SA|ND))*)[ -](?P<short_version>\d\.\d)",
    re.I,
)
# A condition that forbids commercial use or changes, in words or without a version. One edition of a book may have it
# while the others do not.
_FORBIDS = re.compile(
    r"\bCC[ -]BY(?:-SA)?-(?:NC|ND)\b|\bAttribution[ -]+(?:Non-?Commercial|No-?Deriv)"
    r"|\bnon-?commercial (?:use|purposes) only",
    re.I,
)
_CONDITIONS = {"noncommercial": "NC", "sharealike": "SA", "noderivs": "ND", "noderivatives": "ND"}
# Words with which a file begins that speaks of a part of the repository only, and how many characters are looked at.
_PARTLY = re.compile(
    r"all content except|with the exception of|some of the files|parts of this project are not|attempts to include all",
    re.I,
)
BEGINNING = 1000
# The licence of the whole repository; files such as LICENSE-CODE or LICENSE.python count only where there is none.
_MAIN = re.compile(r"(?:un)?licen[cs]e(?:\.(?:md|txt|rst|asc|adoc))?|(?:copying|copyright)(?:\.(?:md|txt))?", re.I)
_ANY = re.compile(r".*licen[cs]e(?!d|s).*", re.I)


@dataclass(frozen=True, slots=True)
class Licence:
    """Names by SPDX, the first line of the text (or where a table found it), and whether it allows commercial use."""

    names: tuple[str, ...]
    first_line: str
    commercial: str


def find_licence(repository: Repository, table: Mapping[str, Licence]) -> Licence:
    """The licence in the table, else the one that the licence files at the top of the newest commit have."""
    if repository.name in table:
        return table[repository.name]
    entries = (line.split(maxsplit=3) for line in repository.git("ls-tree", "HEAD").splitlines())
    files = [path for _, kind, _, path in entries if kind == "blob"]
    named = [path for path in files if _MAIN.fullmatch(path)] or [path for path in files if _ANY.fullmatch(path)]
    return read_licence("\n".join(repository.git("show", f"HEAD:{path}") for path in named))


def read_licence(text: str) -> Licence:
    """The licences that a text names, and what they allow together."""
    spaced = " ".join(text.split())
    names = sorted(
        {name for name, (words, _) in RULES.items() if words.search(spaced)} | set(_creative_commons(spaced))
    )
    first_line = next((line.strip(" \t#*=-\ufeff") for line in text.splitlines() if line.strip(" \t#*=-\ufeff")), "")
    answers = {allows(name) for name in names}
    allows_all = answers == {YES} and not _PARTLY.search(spaced[:BEGINNING])
    forbids = NO in answers or _FORBIDS.search(spaced)
    return Licence(tuple(names), first_line, NO if forbids else YES if allows_all else CHECK)


def _creative_commons(text: str) -> list[str]:
    found = []
    for match in _CREATIVE_COMMONS.finditer(text):
        version = match["path_version"] or match["name_version"] or match["short_version"]
        if match["name"] is not None:
            words = match["name"].lower().strip("-").split("-")
            conditions = "-".join(["BY", *(_CONDITIONS[word] for word in words if word)])
        else:
            conditions = (match["path"] or match["short"]).upper()
        found.append(f"CC-{conditions}-{version}")
    return found


def allows(name: str) -> str:
    """Whether a licence, by its SPDX identifier, allows commercial use.

    >>> [allows(name) for name in ("CC-BY-SA-4.0", "CC-BY-NC-4.0", "BSD-3-Clause", "GPL-3.0-only", "Nobody-1.0")]
    ['yes', 'no', 'yes', 'check', 'check']
    """
    if name.startswith("CC-BY"):
        return NO if {"NC", "ND"} & set(name.split("-")) else YES
    return next((allowed for rule, (_, allowed) in RULES.items() if name.startswith(rule)), CHECK)


def read_table(path: Path) -> dict[str, Licence]:
    """Licences by repository from a TSV: OWNER/NAME, SPDX identifier, and where it is stated."""
    table = {}
    for number, line in enumerate(read_lines(path), 1):
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) != 3:
            raise FormatError(
                str(path), number, "expected three columns: OWNER/NAME, SPDX identifier, where it is stated"
            )
        repository, name, stated = cells
        table[repository] = Licence((name,), stated, allows(name))
    return table
