"""Templates of guidelines, one for each kind of project and language, in Markdown."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from errata.web.refusals import Refusal

KINDS = ("rewrite", "minimal")
LANGUAGES = ("en", "zh")


@cache
def template(kind: str, language: str) -> str:
    """The guidelines a project of this kind begins with."""
    if kind not in KINDS:
        raise Refusal(422, f"a project is of one of the kinds {', '.join(KINDS)}")
    if language not in LANGUAGES:
        raise Refusal(422, f"a project is in one of the languages {', '.join(LANGUAGES)}")
    return files(__package__).joinpath("templates", f"{kind}.{language}.md").read_text(encoding="utf-8")
