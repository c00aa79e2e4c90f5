"""Edits: find them in parallel text, give them types, apply them."""

from errata.edits.apply import apply_edits
from errata.edits.base import Extractor, get_extractor

__all__ = ["Extractor", "apply_edits", "get_extractor"]
