"""Correction by a language model alone: confusion sets propose, the probability of the sentence decides."""

from errata.systems.lm.corrector import LanguageModelCorrector

__all__ = ["LanguageModelCorrector"]
