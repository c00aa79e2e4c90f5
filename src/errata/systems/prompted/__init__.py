"""Correction by a prompted large language model: behind an OpenAI-compatible endpoint, or in this process."""

from errata.systems.prompted.prompted import Prompted

__all__ = ["Prompted"]
