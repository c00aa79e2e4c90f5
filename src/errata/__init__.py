"""errata: a workbench for grammatical error correction in English and Chinese.

>>> import errata
>>> errata.correct("He go home.").target
'He goes home.'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from errata.registry import lazy_members

if TYPE_CHECKING:
    from errata.pipeline.load import correct, load_corrector

__version__ = "0.1.0"

__getattr__ = lazy_members(__name__, {"correct": "errata.pipeline.load", "load_corrector": "errata.pipeline.load"})

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
    "correct",
    "load_corrector",
]
