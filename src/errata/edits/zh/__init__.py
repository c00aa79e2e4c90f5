"""Chinese edits: MuCGEC's spans over characters as ChERRANT finds them, and spans over words."""

from errata.edits.zh.extractor import ChineseExtractor

__all__ = ["ChineseExtractor"]
