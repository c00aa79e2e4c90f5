"""errata: a workbench for grammatical error correction in English and Chinese.

>>> import errata
>>> errata.correct("It depends of the weather.").target
'It depends on the weather.'
>>> errata.score(["He go home ."], ["He goes home ."], ["He goes home ."]).value
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import (
    AlignmentError,
    DataError,
    ErrataError,
    FormatError,
    MissingExtra,
    PluginError,
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
    from errata.analysis.statistics import corpus_stats
    from errata.edits.extraction import extract
    from errata.formats.corpora import read_corpus, write_corpus
    from errata.metrics.comparison import compare
    from errata.metrics.scoring import score
    from errata.pipeline.load import correct, load_corrector
    from errata.robustness.evaluation import robust
    from errata.training.run import train

__version__ = "0.1.0"

# What errata does, each verb with the module it comes from: `import errata` waits for none of them.
_VERBS = {
    "correct": "errata.pipeline.load",
    "load_corrector": "errata.pipeline.load",
    "extract": "errata.edits.extraction",
    "score": "errata.metrics.scoring",
    "compare": "errata.metrics.comparison",
    "robust": "errata.robustness.evaluation",
    "corpus_stats": "errata.analysis.statistics",
    "read_corpus": "errata.formats.corpora",
    "write_corpus": "errata.formats.corpora",
    "train": "errata.training.run",
}

__getattr__ = lazy_members(__name__, _VERBS)

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
    "PluginError",
    "Score",
    "Sentence",
    "TextEdit",
    "UnknownName",
    "UsageError",
    "__version__",
    "compare",
    "corpus_stats",
    "correct",
    "extract",
    "load_corrector",
    "read_corpus",
    "robust",
    "score",
    "train",
    "write_corpus",
]
