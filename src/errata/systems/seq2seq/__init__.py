"""Sequence to sequence: correction as translation from text with errors to text without."""

from errata.systems.seq2seq.seq2seq import Seq2Seq

__all__ = ["Seq2Seq"]
