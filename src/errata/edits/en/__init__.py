"""English edits, after ERRANT 3.0.2: alignment, merging and classification over words."""

from typing import TYPE_CHECKING

from errata.registry import lazy_members

if TYPE_CHECKING:
    from errata.edits.en.extractor import EnglishExtractor

__all__ = ["EnglishExtractor"]

__getattr__ = lazy_members(__name__, {"EnglishExtractor": "errata.edits.en.extractor"})
