"""Edits from pairs of Chinese texts, over characters or words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from errata.edits.parallel import annotate_in_parallel
from errata.edits.zh import words
from errata.edits.zh.align import Item, alignments
from errata.edits.zh.characters import strip_spaces
from errata.edits.zh.features import MAX_TOKENS, TokenTable
from errata.edits.zh.lexicon import Lexicon, load_lexicon
from errata.edits.zh.merge import merge
from errata.edits.zh.words import Words
from errata.errors import UnknownName, UsageError
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status, Tokens
from errata.text.tokens import NO_ERROR, NOT_ANNOTATABLE, join_tokens, split_characters

LEVELS = ("char", "word")
STRATEGIES = ("all", "first")
CHUNK = 256  # pairs handed to a worker at once

Pair = tuple[str, Sequence[str]]


class ChineseExtractor:
    """MuCGEC's edits as ChERRANT finds them: spans of characters with types M, R, S and W.

    `strategy` "all" gives every distinct cheapest edit list as an annotation of its own (`alignment` 0, 1, …), "first"
    one per target. `simplify` converts targets, not sources, to simplified characters. `lexicon` is a folder in
    ChERRANT's layout. `level` "word" cuts texts into words and adds parts of speech to the types (`M:NOUN`,
    `S:SPELL`). White space is no token; with `segmented` it is what separates the tokens, at either level.

    A target that reads 没有错误 ("no error") has no edits, and one that reads 无法标注 ("cannot be annotated") is an
    annotation with that status: corpora write them where a correction would stand.
    """

    language = "zh"

    def __init__(
        self,
        *,
        level: str = "char",
        strategy: str = "all",
        simplify: bool = False,
        lexicon: Path | None = None,
        segmented: bool = False,
        workers: int = 1,
    ) -> None:
        if level not in LEVELS:
            raise UnknownName("level", level, LEVELS)
        if strategy not in STRATEGIES:
            raise UnknownName("alignment strategy", strategy, STRATEGIES)
        if workers < 1:
            raise UsageError(f"the number of workers must be positive, not {workers}")
        self.level, self.strategy, self.simplify, self.segmented = level, strategy, simplify, segmented
        self.workers = workers
        self._lexicon_path = lexicon
        self._lexicon = load_lexicon(lexicon) if lexicon else Lexicon()
        self._table = TokenTable(self._lexicon)
        self._converter: Any = None

    @property
    def signature(self) -> str:
        parts = [f"level:{self.level}", f"alignments:{self.strategy}", f"lexicon:{self._lexicon.digest}"]
        parts += [f"pypinyin:{version('pypinyin')}"]
        parts += [f"seg:jieba-{version('jieba')}"] * (self.level == "word") + ["seg:given"] * self.segmented
        return "|".join(parts + [f"t2s:opencc-{version('opencc')}"] * self.simplify)

    def annotate(self, pairs: Iterable[Pair]) -> Iterator[AnnotatedSentence]:
        """One annotated sentence per (source, targets), in order; memory stays flat however many there are."""
        return map(self._annotate_pair, pairs) if self.workers == 1 else self._annotate_in_parallel(pairs)

    def edits(self, source: Words, target: Words) -> list[tuple[Edit, ...]]:
        """The distinct cheapest edit lists from one analysed text to the other, in the order they are found."""
        if len(self._table) > MAX_TOKENS:
            self._table = TokenTable(self._lexicon)
        numbers = self._table.intern(source.tokens), self._table.intern(target.tokens)
        found: dict[tuple[Edit, ...], None] = {}
        for items in alignments(*numbers, self._table, every=self.strategy == "all"):
            edits = (self._edit(item, source, target) for item in merge(items, source.tokens, target.tokens))
            found[tuple(edits)] = None
        return list(found)

    def analyse(self, text: str) -> Words:
        """The tokens of a text; at word level with their parts of speech."""
        if self.level == "char":
            return Words(tuple(text.split()) if self.segmented else _split_characters(text), ())
        return words.tag(text.split()) if self.segmented else words.segment(strip_spaces(text))

    def _annotate_pair(self, pair: Pair) -> AnnotatedSentence:
        text, targets = pair
        source = self.analyse(text)
        annotations: list[Annotation] = []
        for number, target in enumerate(targets):
            annotations.extend(self._annotate_target(str(number), source, target))
        return AnnotatedSentence(Sentence(source.tokens, text), tuple(annotations))

    def _annotate_target(self, annotator: str, source: Words, text: str) -> Iterator[Annotation]:
        bare = strip_spaces(text)
        if bare == NO_ERROR:
            yield Annotation(annotator)
        elif bare == NOT_ANNOTATABLE:
            yield Annotation(annotator, status=Status.NOT_ANNOTATABLE)
        else:
            target = self.analyse(self._simplified(text) if self.simplify else text)
            given = join_tokens(target.tokens, like=source.tokens)
            found = [()] if target.tokens == source.tokens else self.edits(source, target)
            for alignment, edits in enumerate(found):
                yield Annotation(annotator, edits, target=given, alignment=alignment)

    def _edit(self, item: Item, source: Words, target: Words) -> Edit:
        kind, start, end, target_start, target_end = item
        inserted = target.tokens[target_start:target_end]
        if self.level == "word":
            tags = target.tags[target_start:target_end] or source.tags[start:end]
            kind = words.word_type(kind, source.tokens[start:end], inserted, tags, self._table.is_alike)
        return Edit(start, end, inserted, kind)

    def _simplified(self, text: str) -> str:
        if self._converter is None:
            from opencc import OpenCC

            self._converter = OpenCC("t2s")
        simplified: str = self._converter.convert(text)
        return simplified

    def _annotate_in_parallel(self, pairs: Iterable[Pair]) -> Iterator[AnnotatedSentence]:
        options = {
            "level": self.level,
            "strategy": self.strategy,
            "simplify": self.simplify,
            "lexicon": self._lexicon_path,
            "segmented": self.segmented,
        }
        return annotate_in_parallel("zh", options, pairs, workers=self.workers, chunk=CHUNK)


def _split_characters(text: str) -> Tokens:
    # Placeholders begin with a bracket; without one, the quick way gives the same.
    return split_characters(text) if "[" in text else tuple(strip_spaces(text))
