"""File formats of grammatical error correction: read, write, detect.

from errata.formats import read_corpus, write_corpus
corpus = read_corpus("dev.m2")                    # format detected
write_corpus(corpus, "dev.jsonl")                 # format from the suffix
"""

from errata.formats.base import FORMATS, Format, get_format
from errata.formats.corpora import read_corpus, write_corpus
from errata.formats.detect import detect_format
from errata.formats.files import iter_sentences

__all__ = ["FORMATS", "Format", "detect_format", "get_format", "iter_sentences", "read_corpus", "write_corpus"]
