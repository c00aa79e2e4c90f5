"""Ensembles: several systems propose edits, votes or learnt weights decide which are made."""

from errata.systems.ensemble.ensemble import Ensemble

__all__ = ["Ensemble"]
