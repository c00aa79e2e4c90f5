"""English edits, after ERRANT 3.0.2: alignment, merging and classification over words."""

from errata.edits.en.extractor import EnglishExtractor

__all__ = ["EnglishExtractor"]
