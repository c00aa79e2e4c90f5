"""How alike two texts are in meaning: the cosine of their vectors under a pretrained encoder (Sentence-BERT)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from errata.errors import MissingExtra
from errata.judges.vectors import SentenceVectors, TorchVectors, cosines
from errata.networks.encoder import load_pretrained, load_tokenizer, longest_input
from errata.networks.subwords import Subwords
from errata.text.tokens import split_raw

POSITIONS = 512  # the longest input in subwords of encoders that state no limit


@cache
def load_sentence_vectors(model: str, device: str = "cpu") -> SentenceVectors:
    """The encoder called `model`: a package, folder or Hugging Face name. A sentence's vector is the mean of states."""
    try:
        from errata.judges.sentence_model import SentenceModel
    except ImportError as error:
        raise MissingExtra(str(error.name), "train") from error
    tokenizer = load_tokenizer(model)
    encoder, hidden = load_pretrained(model, tokenizer.get_vocab_size(), 1)
    subwords = Subwords(tokenizer, longest_input(encoder.config) or POSITIONS, model)
    return SentenceVectors(TorchVectors(SentenceModel(encoder, hidden, "mean").eval(), device), subwords)


def measure_similarities(vectors: SentenceVectors, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """The cosine of each pair of texts; a text that occurs twice is read once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    rows = dict(zip(texts, vectors([split_raw(text) for text in texts]), strict=True)) if texts else {}
    if not pairs:
        return np.zeros(0)
    return cosines(np.array([rows[one] for one, _ in pairs]), np.array([rows[other] for _, other in pairs]))
