"""errata: a workbench for grammatical error correction in English and Chinese."""

from __future__ import annotations

from errata.errors import (
    AlignmentError,
    DataError,
    ErrataError,
    FormatError,
    MissingExtra,
    UnknownName,
    UsageError,
)
from errata.model import (
    AnnotatedSentence,
    Annotation,
    Corpus,
    Correction,
    Counts,
    Edit,
    Score,
    Sentence,
    TextEdit,
)

__version__ = "0.1.0"

__all__ = [
    "AlignmentError",
    "AnnotatedSentence",
    "Annotation",
    "Corpus",
    "Correction",
    "Counts",
    "DataError",
    "Edit",
    "ErrataError",
    "FormatError",
    "MissingExtra",
    "Score",
    "Sentence",
    "TextEdit",
    "UnknownName",
    "UsageError",
    "__version__",
]
