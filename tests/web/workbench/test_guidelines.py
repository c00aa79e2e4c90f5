"""Templates: one for each kind and language, with every type of error that the taxonomy has."""

from __future__ import annotations

import re

import pytest

from errata.web.refusals import Refusal
from errata.web.workbench.guidelines import KINDS, LANGUAGES, template

MINOR = re.compile(r"^\| \*\*(.+?)\*\* \|", re.MULTILINE)
MAJOR = re.compile(r"^## ", re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_template_is_there(kind: str, language: str) -> None:
    text = template(kind, language)
    assert text.startswith("# ") and "[MC]" in text
    assert ("怎样" in text) == (language == "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_five_kinds_and_fourteen_forms_of_errors(language: str) -> None:
    text = template("rewrite", language)
    sections = [len(MINOR.findall(section)) for section in MAJOR.split(text)[1:]]
    assert sections == [3, 3, 3, 2, 3]


def test_others_are_refused() -> None:
    for kind, language in (("../rewrite", "en"), ("rewrite", "fr")):
        with pytest.raises(Refusal):
            template(kind, language)
