"""spaCy's answers without spaCy: the same model, computed context by context and parsed in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from errata.edits.en._parse_c import parse
from errata.edits.en.analysis import Analysis
from errata.edits.en.attributes import AttributeRules, Key, Lemmatiser
from errata.edits.en.model_files import read_model
from errata.edits.en.network import Network
from errata.edits.en.spacy_analyser import SpacyAnalyser, find_model

CHUNK = 10_000  # words; bounds the parser features (4 KB a word) and keeps them near the processor
LIFTED = "||"  # marks labels of arcs that belong lower in the tree (Nivre and Nilsson 2005)

MAX_KNOWN = 200_000  # words with tag and dependency whose part of speech and lemma are remembered


class _Known(NamedTuple):
    pos: str
    lemma: str
    begins_pair: bool


class FastAnalyser:
    """Analyses tokenised text; raw text, whose spacing matters to the model, goes to spaCy."""

    def __init__(self, model: str | None = None) -> None:
        model = model or find_model()
        self._spacy = SpacyAnalyser(model)
        files = read_model(model)
        self._network, self._rules, self._lemmatiser = Network(files), AttributeRules(files), Lemmatiser(files)
        self._tags = files.tags
        self._labels = list(dict.fromkeys(label for _, label in files.moves))
        self._padding, self._bias = files.parser_lower[2], files.parser_lower[1]
        self._weights = np.ascontiguousarray(files.parser_upper[0].T)
        self._class_bias = files.parser_upper[1]
        self._moves = np.array([kind for kind, _ in files.moves], np.int32)
        self._move_labels = np.array([self._labels.index(label) for _, label in files.moves], np.int32)
        self._words: dict[tuple[str, str, str], _Known] = {}

    @property
    def signature(self) -> str:
        return self._spacy.signature

    def analyse_texts(self, texts: Sequence[str]) -> list[Analysis]:
        return self._spacy.analyse_texts(texts)

    def tokenise(self, texts: Sequence[str]) -> list[list[str]]:
        return self._spacy.tokenise(texts)

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Analysis]:
        analyses: list[Analysis] = []
        chunk: list[Sequence[str]] = []
        size = 0
        for sentence in sentences:
            chunk.append(sentence)
            size += len(sentence)
            if size >= CHUNK:
                analyses.extend(self._analyse_chunk(chunk))
                chunk, size = [], 0
        return analyses + self._analyse_chunk(chunk)

    def _analyse_chunk(self, sentences: list[Sequence[str]]) -> list[Analysis]:
        bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int32)
        if not bounds[-1]:
            return [self._analysis(words, [], [], []) for words in sentences]
        tags, rows, features = self._network.run(sentences)
        heads, labels = np.empty_like(rows), np.empty_like(rows)
        parse(
            features, rows, bounds, self._padding, self._bias, self._weights, self._class_bias,
            self._moves, self._move_labels, heads, labels,
        )  # fmt: skip
        tag_list, head_list, label_list = tags.tolist(), heads.tolist(), labels.tolist()
        spans = zip(sentences, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        return [
            self._analysis(words, tag_list[start:end], head_list[start:end], label_list[start:end])
            for words, start, end in spans
        ]

    def _analysis(self, words: Sequence[str], tags: list[int], heads: list[int], labels: list[int]) -> Analysis:
        names = [self._tags[tag] for tag in tags]
        deps = ["ROOT" if head < 0 else self._labels[label] for head, label in zip(heads, labels, strict=True)]
        heads = [i if head < 0 else head for i, head in enumerate(heads)]
        if any(LIFTED in dep for dep in deps):
            _lower_arcs(heads, deps)
        pos, lemmas = self._pos_and_lemmas(words, names, deps)
        return Analysis(list(words), names, pos, lemmas, deps, heads, [word.lower() for word in words])

    def _pos_and_lemmas(self, words: Sequence[str], tags: list[str], deps: list[str]) -> tuple[list[str], list[str]]:
        known = self._words
        try:
            found = [known[triple] for triple in zip(words, tags, deps, strict=True)]
        except KeyError:
            if len(known) > MAX_KNOWN:
                known.clear()
            for triple in zip(words, tags, deps, strict=True):
                if triple not in known:
                    known[triple] = self._known_word(*triple)
            found = [known[triple] for triple in zip(words, tags, deps, strict=True)]
        pos, lemmas = [word.pos for word in found], [word.lemma for word in found]
        if any(word.begins_pair for word in found):
            keys = [Key(tag, word.lower(), dep) for word, tag, dep in zip(words, tags, deps, strict=True)]
            for i, attributes in self._rules.of_pairs(keys).items():
                pos[i], lemmas[i] = attributes["POS"], self._lemma(words[i], attributes)
        return pos, lemmas

    def _known_word(self, word: str, tag: str, dep: str) -> _Known:
        attributes, begins_pair = self._rules.of_word(Key(tag, word.lower(), dep))
        return _Known(attributes["POS"], self._lemma(word, attributes), begins_pair)

    def _lemma(self, word: str, attributes: dict[str, str]) -> str:
        return attributes.get("LEMMA") or self._lemmatiser.lemma(word, attributes["POS"], attributes["MORPH"])


def _lower_arcs(heads: list[int], deps: list[str]) -> None:
    """Move each child labelled `x||y` below the first descendant of its head labelled `y`, in place.

    As in spaCy, arcs are moved one by one from left to right, and a head's children are looked for only within the
    stretch of words it governed at first.
    """
    reach = _reach(heads)
    for i, dep in enumerate(deps):
        if LIFTED in dep:
            deps_name, _, wanted = dep.partition(LIFTED)
            heads[i] = _first_descendant(heads[i], wanted, i, heads, deps, reach)
            deps[i] = deps_name


def _reach(heads: list[int]) -> list[tuple[int, int]]:
    """The first and last word below each word, itself included."""
    reach = [(i, i) for i in range(len(heads))]
    for i in range(len(heads)):
        ancestor = i
        while heads[ancestor] != ancestor:
            ancestor = heads[ancestor]
            first, last = reach[ancestor]
            reach[ancestor] = min(first, i), max(last, i)
    return reach


def _first_descendant(
    head: int, wanted: str, child: int, heads: list[int], deps: list[str], reach: list[tuple[int, int]]
) -> int:
    """The first word below `head` with that label, level by level; `head` itself if there is none."""
    level = [head]
    while level:
        below = [j for i in level for j in range(reach[i][0], reach[i][1] + 1) if heads[j] == i and j not in (i, child)]
        for j in below:
            if deps[j] == wanted:
                return j
        level = below
    return head
