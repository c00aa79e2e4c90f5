"""The fifty sentences of each language."""

from __future__ import annotations

from errata.training.shipped import FOLDER


def read_pairs(language: str) -> list[tuple[str, str]]:
    """Source and target of every line."""
    lines = (FOLDER / "data" / f"seq2seq-pairs.{language}.tsv").read_text("utf-8").splitlines()
    return [(source, target) for source, target in (line.split("\t") for line in lines)]
