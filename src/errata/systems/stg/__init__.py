"""Switch-Tagger-Generator (Xu et al., 2022): re-order, tag, fill in; one pass, no iteration."""

from errata.systems.stg.stg import SwitchTagGenerate

__all__ = ["SwitchTagGenerate"]
