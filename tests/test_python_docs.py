"""The Python on the pages runs and prints what they say; `ERRATA_REFRESH_DOCS=1` writes it there."""

from __future__ import annotations

from pathlib import Path

import pytest

from doc_examples import check_snippets
from errata.systems.installed import BUNDLED, bundled_models

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    "python.md",
    "edits.md",
    "edits-chinese.md",
    "formats/index.md",
    "robust.md",
    "meta.md",
    *(
        f"metrics/{name}.md"
        for name in ("index", "exact-match", "gleu", "green", "cleme", "cleme2", "gotoscorer", "maxmatch")
    ),
]
# Their examples correct text.
NEED_MODELS = {"python.md"}


@pytest.mark.parametrize("page", PAGES)
def test_snippets(page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    if page in NEED_MODELS and bundled_models() != BUNDLED:
        pytest.skip("the bundled models are not here")
    monkeypatch.chdir(ROOT)

    def run(program: str) -> str:
        exec(compile(program, page, "exec"), {})
        return capsys.readouterr().out

    check_snippets(ROOT / "docs" / page, run)
