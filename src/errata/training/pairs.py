"""Sentences with edits, from whatever files a recipe names, in the tokens a tagger works on."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.edits.apply import apply_edits
from errata.edits.pairing import Related, pair_edits
from errata.edits.texts import target_text
from errata.errors import DataError, FormatError
from errata.formats.files import iter_sentences, read_lines
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status, Tokens
from errata.text.tokens import is_char_level, join_tokens, split_characters, split_raw, split_tokens
from errata.text.words import tokenise_words

log = logging.getLogger(__name__)

Example = tuple[Tokens, tuple[Edit, ...]]
# Whether what was read from a file (a source and its target, or a clean sentence) is wanted.
Keep = Callable[[Path, Sequence[Tokens]], bool]


@dataclass(frozen=True, slots=True)
class DevSentence:
    """A source with the edits of each annotator."""

    tokens: Tokens
    references: tuple[tuple[Edit, ...], ...]


def read_examples(
    paths: Iterable[Path],
    language: str,
    *,
    tokenise: bool = False,
    columns: tuple[int, int] | None = None,
    related: Related | None = None,
    keep: Keep | None = None,
) -> Iterator[Example]:
    """A source and its edits for every annotation; raw English text is cut into words when `tokenise`.

    `columns` are those of source and target in `.tsv` files (1 is the first); without it all others are references.
    What `keep` refuses is left out.
    """
    skipped: Counter[str] = Counter()
    for path in paths:
        is_table = columns is not None and ".tsv" in path.suffixes
        for sentence in _read_columns(path, columns) if is_table and columns else iter_sentences(path):
            if not sentence.annotations:
                skipped["without annotation"] += 1
            for annotation in sentence.annotations:
                if annotation.status is not Status.ANNOTATED:
                    skipped["not annotatable"] += 1
                    continue
                tokens, edits = _example(sentence, annotation, language, tokenise, related)
                if keep is None or keep(path, (tokens, apply_edits(tokens, edits))):
                    yield tokens, edits
    for reason, count in skipped.items():
        log.warning("%d sentences left out: %s", count, reason)


def _read_columns(path: Path, columns: tuple[int, int]) -> Iterator[AnnotatedSentence]:
    for number, line in enumerate(read_lines(path), 1):
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) < max(columns):
            raise FormatError(str(path), number, f"no column {max(columns)}: the line has {len(cells)}")
        source, target = (cells[column - 1] for column in columns)
        yield AnnotatedSentence(Sentence(split_raw(source), source), (Annotation(target=target),))


def read_dev(paths: Iterable[Path], language: str, *, tokenise: bool = False) -> list[DevSentence]:
    """Every sentence with all its references."""
    found = []
    for path in paths:
        for sentence in iter_sentences(path):
            usable = [one for one in sentence.annotations if one.status is Status.ANNOTATED and not one.alignment]
            examples = [_example(sentence, one, language, tokenise, None) for one in usable]
            tokens = examples[0][0] if examples else split_text(_raw(sentence), language, tokenise)
            found.append(DevSentence(tokens, tuple(edits for _, edits in examples)))
    return found


def read_clean(paths: Iterable[Path], language: str, *, keep: Keep | None = None) -> Iterator[Tokens]:
    """The sentences of plain text files, one a line, as tokens; empty lines and what `keep` refuses are left out."""
    for path in paths:
        for line in read_lines(path):
            tokens = split_text(line.strip("\ufeff\r\n"), language, True)
            if tokens and (keep is None or keep(path, (tokens,))):
                yield tokens


def split_text(text: str, language: str, tokenise: bool) -> Tokens:
    """Characters for Chinese; for English words, cut where spaces are or by the tokeniser."""
    if language == "zh":
        return split_characters(text)
    return tuple(tokenise_words(text)) if tokenise else split_tokens(text)


def _example(
    sentence: AnnotatedSentence, annotation: Annotation, language: str, tokenise: bool, related: Related | None
) -> Example:
    tokens = sentence.sentence.tokens
    is_aligned = annotation.target is None and (is_char_level(tokens) if language == "zh" else not tokenise)
    if is_aligned and annotation.operations is None:
        apply_edits(tokens, annotation.edits)  # raises when they overlap
        return tokens, annotation.edits
    source = split_text(_raw(sentence), language, tokenise)
    target = split_text(target_text(sentence.sentence, annotation), language, tokenise)
    return source, pair_edits(source, target, related)


def _raw(sentence: AnnotatedSentence) -> str:
    given = sentence.sentence.text
    return join_tokens(sentence.sentence.tokens) if given is None else given


def write_dev(sentences: Sequence[DevSentence], path: Path) -> None:
    """Keep the dev set beside the packed data: it travels with them."""
    rows = (
        [one.tokens, [[[e.start, e.end, e.replacement] for e in edits] for edits in one.references]]
        for one in sentences
    )
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def load_dev(path: Path) -> list[DevSentence]:
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    return [
        DevSentence(
            tuple(tokens), tuple(tuple(Edit(a, b, tuple(words)) for a, b, words in edits) for edits in references)
        )
        for tokens, references in rows
    ]
