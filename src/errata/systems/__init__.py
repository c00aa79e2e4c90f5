"""Everything that corrects or judges text."""

from errata.systems.base import SYSTEMS, Corrector, ProposedEdit, TokenCorrector, load_corrector

__all__ = ["SYSTEMS", "Corrector", "ProposedEdit", "TokenCorrector", "load_corrector"]
