"""Sequence tagging: one small edit per token, applied in parallel, over a few passes (GECToR, PIE, LaserTagger)."""

from errata.systems.tagger.tagger import Tagger

__all__ = ["Tagger"]
