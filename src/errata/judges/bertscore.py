"""BERTScore (Zhang et al. 2020): how alike two sentences are by the vectors of their subwords.

Each subword of one sentence is matched with the most similar one of the other, by the cosine of their vectors.
Precision is the mean over the candidate, recall over the reference, and F1 stands for both. Marks around a sentence may
be matched but do not count, as in the authors' bert_score. There is no idf and no rescaling with a baseline.
"""

from __future__ import annotations

from errata.judges.token_vectors import SubwordVectors


def bertscore(candidate: SubwordVectors, reference: SubwordVectors) -> float:
    """F1 of greedy matching; two empty sentences are alike (1), an empty one and another are not (0)."""
    if not (len(candidate.is_word) and len(reference.is_word)):
        return float(len(candidate.is_word) == len(reference.is_word))
    similarities = candidate.vectors @ reference.vectors.T  # (candidate's subwords, reference's subwords)
    precision = similarities.max(axis=1)[candidate.is_word].mean(dtype=float)
    recall = similarities.max(axis=0)[reference.is_word].mean(dtype=float)
    total = precision + recall
    return float(2 * precision * recall / total) if total > 0 else 0.0
