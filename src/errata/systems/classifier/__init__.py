"""Classifiers of sentences: is there an error, and of which of FCGEC's types (Xu et al., 2022, section 3.1)."""

from errata.systems.classifier.classifier import Classifier, Judgement

__all__ = ["Classifier", "Judgement"]
