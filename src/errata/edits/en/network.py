"""The English model's network in NumPy: word features, convolutions, tags and parser features.

A word's vector depends on four neighbours to each side and nothing else. So every distinct context is computed once:
in parallel text, whose sides share most of theirs, that saves nearly half of the work, and repeated phrases more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errata.edits.en._parse_c import convolve
from errata.edits.en.model_files import DEPTH, Floats, Maxout, ModelFiles, StringNumbers, read_norms

Ints = NDArray[np.int32]

# Word vectors are kept from batch to batch; 20,000 take 80 MB and cover a batch many times over.
MAX_WORDS = 20_000
PAD = 0  # the row of the zero vector that surrounds sentences


class WordVectors:
    """Context-free vectors: hash embeddings of norm, prefix, suffix and shape, mixed by one layer."""

    def __init__(self, files: ModelFiles) -> None:
        self._files = files
        self._numbers, self._norms = StringNumbers(), read_norms()
        self._rows: dict[str, int] = {}
        self.vectors: Floats = np.zeros((1, files.mixer.gain.size), np.float32)

    def rows(self, words: Sequence[str]) -> Ints:
        """The row of `vectors` for each word; new words are added."""
        if len(self._rows) > MAX_WORDS:
            self._rows.clear()
            self.vectors = self.vectors[:1]
        new = [word for word in dict.fromkeys(words) if word not in self._rows]
        if new:
            self._rows.update(zip(new, range(len(self.vectors), len(self.vectors) + len(new)), strict=True))
            self.vectors = np.concatenate([self.vectors, self._compute(new)])
        rows = self._rows
        return np.fromiter((rows[word] for word in words), np.int32, len(words))

    def _compute(self, words: list[str]) -> Floats:
        ids = np.array([self._features(word) for word in words], np.uint64)  # (words, columns)
        parts = [
            table[_hash_rows(ids[:, column], seed) % np.uint32(len(table))].sum(axis=1)
            for column, (table, seed) in enumerate(zip(self._files.tables, self._files.seeds, strict=True))
        ]
        return _apply(self._files.mixer, np.concatenate(parts, axis=1))

    def _features(self, word: str) -> tuple[int, int, int, int, int, int]:
        """Norm, prefix, suffix, shape, followed by a space (always, in tokenised text), is white space (never)."""
        numbers = self._numbers
        norm = self._files.norms.get(numbers[word]) or self._norms.get(word) or word.lower()
        return numbers[norm], numbers[word[0]], numbers[word[-3:]], numbers[word_shape(word)], 1, 0


def word_shape(word: str) -> str:
    """Letters as X or x, digits as d, at most four alike in a row: `word_shape("Mitchell's")` is `"Xxxxx'x"`."""
    if len(word) >= 100:
        return "LONG"
    shape = ""
    for char in word:
        kind = ("X" if char.isupper() else "x") if char.isalpha() else "d" if char.isdigit() else char
        if not shape.endswith(kind * 4):
            shape += kind
    return shape


def _hash_rows(ids: NDArray[np.uint64], seed: int) -> NDArray[np.uint32]:
    """Four row numbers for each id, (ids, 4), by thinc's variant of MurmurHash3."""
    constants = 0x87C37B91114253D5, 0x4CF5AD432745937F, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
    first, second, third, fourth = (np.uint64(constant) for constant in constants)
    a = ids * first
    a = ((a << np.uint64(31)) | (a >> np.uint64(33))) * second
    b = np.full_like(a, seed ^ 8)
    a = (a ^ b) + b
    b = b + a
    shift = np.uint64(33)
    for factor in (third, fourth):
        a, b = (a ^ (a >> shift)) * factor, (b ^ (b >> shift)) * factor
    a, b = a ^ (a >> shift), b ^ (b >> shift)
    a = a + b
    b = b + a
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    return np.stack([a & low, a >> half, b & low, b >> half], axis=1).astype(np.uint32)


def _apply(layer: Maxout, inputs: Floats) -> Floats:
    width = layer.gain.size
    scores = inputs @ layer.weights.T + layer.bias
    best = scores.reshape(len(inputs), -1, width).max(axis=1)
    centred = best - best.mean(axis=1, keepdims=True)
    scale = 1 / np.sqrt(best.var(axis=1, keepdims=True) + np.float32(1e-8))
    result: Floats = (centred * scale * layer.gain + layer.offset).astype(np.float32)
    return result


class Network:
    """From words to tags and parser features."""

    def __init__(self, files: ModelFiles) -> None:
        self._words = WordVectors(files)
        self._layers = [(_neighbour_weights(layer), layer) for layer in files.convolutions]
        self._tagger = (np.ascontiguousarray(files.tagger[0].T), files.tagger[1])
        self._parser_input = (np.ascontiguousarray(files.parser_input[0].T), files.parser_input[1])
        self._parser_lower = np.ascontiguousarray(files.parser_lower[0].T)

    def run(self, sentences: Sequence[Sequence[str]]) -> tuple[Ints, Ints, Floats]:
        """For all words of all sentences, one after the other: tag numbers, and which row of the features is theirs.

        Returns (tags (words,), rows (words,), parser features (contexts, 8 × 64 × 2)).
        """
        layout, positions = self._lay_out(sentences)
        contexts: NDArray[Any]
        used, contexts = np.unique(layout, return_inverse=True)  # the padding stays row 0
        vectors: Floats = self._words.vectors[used]
        for weights, layer in self._layers:
            contexts, unique = _distinct_contexts(contexts, len(vectors))
            projected = vectors @ weights
            deeper = np.empty((len(unique), vectors.shape[1]), np.float32)
            convolve(projected, vectors, unique, layer.bias, layer.gain, layer.offset, deeper)
            vectors = deeper
        distinct, numbers = np.unique(contexts[positions], return_inverse=True)
        rows: Ints = numbers.astype(np.int32)
        vectors = vectors[distinct]  # without the padding between sentences
        tags: Ints = (vectors @ self._tagger[0] + self._tagger[1]).argmax(axis=1).astype(np.int32)
        features: Floats = np.dot(vectors @ self._parser_input[0] + self._parser_input[1], self._parser_lower)
        return tags[rows], rows, features

    def _lay_out(self, sentences: Sequence[Sequence[str]]) -> tuple[Ints, NDArray[np.int64]]:
        """Rows of word vectors with padding around each sentence, and the positions of the words in them."""
        words = [word for sentence in sentences for word in sentence]
        lengths = np.array([len(sentence) for sentence in sentences])
        gaps = np.repeat(np.arange(1, len(sentences) + 1) * DEPTH, lengths)
        positions = np.arange(len(words)) + gaps
        layout = np.full(len(words) + DEPTH * (len(sentences) + 1), PAD, np.int32)
        layout[positions] = self._words.rows(words)
        return layout, positions


def _neighbour_weights(layer: Maxout) -> Floats:
    """(width, 3 × pieces × width): what a word contributes as left neighbour, as the word itself, as right one."""
    width = layer.gain.size
    parts = layer.weights.reshape(-1, 3, width).transpose(2, 1, 0)  # (in, neighbour, pieces × width)
    return np.ascontiguousarray(parts.reshape(width, -1))


def _distinct_contexts(rows: NDArray[Any], n_rows: int) -> tuple[Ints, Ints]:
    """The number of each position's (left, centre, right) context, and the distinct contexts, (contexts, 3)."""
    around = np.concatenate([[PAD], rows, [PAD]]).astype(np.int64)
    keys = (around[:-2] * n_rows + around[1:-1]) * n_rows + around[2:]
    distinct, numbers = np.unique(keys, return_inverse=True)
    outer, right = np.divmod(distinct, n_rows)
    left, centre = np.divmod(outer, n_rows)
    return numbers.astype(np.int32), np.stack([left, centre, right], axis=1).astype(np.int32)
