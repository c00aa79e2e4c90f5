"""The fifty sentences of each language."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def read_pairs(language: str) -> list[tuple[str, str]]:
    """Source and target of every line."""
    lines = (HERE / f"pairs.{language}.tsv").read_text("utf-8").splitlines()
    return [(source, target) for source, target in (line.split("\t") for line in lines)]
