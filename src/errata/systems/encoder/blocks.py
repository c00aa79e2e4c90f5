"""Running text as dense inputs of one length, and where words start in them.

Paragraphs follow each other, an end mark between them, and are cut where an input is full: no place is padding, and all
batches have one shape.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from errata.formats.files import read_line_batches
from errata.networks.subwords import Subwords
from errata.systems.encoder.words import CODE_POINTS, WordList

log = logging.getLogger(__name__)

# Characters worked on at once: arrays of some megabytes, which stay near the processor.
CHUNK = 1 << 19
BATCH_BYTES = 1 << 20  # read at once
TEXT = (".txt", ".txt.xz", ".txt.gz")
NEWLINE, BYTE_ORDER_MARK = ord("\n"), 0xFEFF
# Subwords and whether a word starts at each; every paragraph ends with the end mark.
Stream = Iterator[tuple[np.ndarray, np.ndarray]]


def text_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files; a folder stands for the plain text in it."""
    for path in paths:
        yield from sorted(file for file in path.iterdir() if file.name.endswith(TEXT)) if path.is_dir() else (path,)


def read_chunks(paths: Iterable[Path]) -> Iterator[list[str]]:
    """The lines of plain text, some hundred thousand characters of them at a time; each ends with a newline."""
    for path in text_files(paths):
        lines: list[str] = []
        n_characters = 0
        for batch in read_line_batches(path, BATCH_BYTES):
            lines += batch
            n_characters += sum(map(len, batch))
            if n_characters >= CHUNK:
                yield lines
                lines, n_characters = [], 0
        if lines:
            yield [*lines[:-1], lines[-1].rstrip("\n") + "\n"]


def code_points(lines: Sequence[str]) -> np.ndarray:
    """The code points of lines."""
    return np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), np.uint32)


def count_characters(chunks: Iterable[Sequence[str]]) -> Counter[str]:
    """How often each character occurs, white space excepted."""
    total = np.zeros(CODE_POINTS, np.int64)
    for lines in chunks:
        total += np.bincount(code_points(lines), minlength=CODE_POINTS)
    return Counter({chr(c): int(total[c]) for c in np.flatnonzero(total) if not _is_blank(int(c))})


def count_words(chunks: Iterable[Sequence[str]]) -> Counter[str]:
    """How often each string between spaces occurs."""
    counts: Counter[str] = Counter()
    for lines in chunks:
        for line in lines:
            counts.update(line.split())
    return counts


def stream_characters(chunks: Iterable[Sequence[str]], subwords: Subwords, words: WordList) -> Stream:
    """Chinese text: a subword for each character but white space, as a tagger reads it."""
    ids = np.zeros(CODE_POINTS, np.int32)
    is_known = np.zeros(CODE_POINTS, bool)
    is_kept = np.ones(CODE_POINTS, bool)
    ids[NEWLINE], is_known[NEWLINE] = subwords.end, True
    for lines in chunks:
        codes = code_points(lines)
        for code in np.unique(codes[~is_known[codes]]).tolist():
            ids[code], is_known[code] = subwords.word(chr(code))[0][0], True
            is_kept[code] = not _is_blank(code)
        keep = is_kept[codes]
        starts = words.starts(codes)[keep]
        yield _without_empty(ids[codes[keep]], starts, codes[keep] == NEWLINE)


def stream_wordpieces(chunks: Iterable[Sequence[str]], subwords: Subwords) -> Stream:
    """Text with spaces: the subwords of the tokenizer."""
    for lines in chunks:
        encodings = subwords.tokenizer.encode_batch(
            [line.strip("\ufeff\r\n") for line in lines], add_special_tokens=False
        )
        ids: list[np.ndarray] = []
        starts: list[np.ndarray] = []
        for encoding in encodings:
            if encoding.ids:
                ids.append(np.array([*encoding.ids, subwords.end]))
                starts.append(np.diff(np.array([-1, *encoding.word_ids, -1])) != 0)
        if ids:
            yield np.concatenate(ids), np.concatenate(starts)


def cut_blocks(stream: Stream, subwords: Subwords, positions: int) -> Mapping[str, np.ndarray]:
    """The arrays of `BlockExamples`: subwords (inputs, positions), and a bit for each where a word starts."""
    room = positions - 2  # a start mark and an end mark around each
    dtype = np.uint16 if subwords.tokenizer.get_vocab_size() <= 1 << 16 else np.int32
    blocks, bits = [np.zeros((0, positions), dtype)], [np.zeros((0, -(-positions // 8)), np.uint8)]
    rest, rest_starts = np.zeros(0, dtype), np.zeros(0, bool)
    for ids, starts in stream:
        rest, rest_starts = np.concatenate([rest, ids.astype(dtype)]), np.concatenate([rest_starts, starts])
        n_full = len(rest) // room
        block = np.empty((n_full, positions), dtype)
        block[:, 0], block[:, -1] = subwords.start, subwords.end
        block[:, 1:-1] = rest[: n_full * room].reshape(n_full, room)
        is_start = np.ones((n_full, positions), bool)
        is_start[:, 2:-1] = rest_starts[: n_full * room].reshape(n_full, room)[:, 1:]
        blocks.append(block)
        bits.append(np.packbits(is_start, axis=1))
        rest, rest_starts = rest[n_full * room :], rest_starts[n_full * room :]
    packed = {"ids": np.concatenate(blocks), "starts": np.concatenate(bits)}
    log.info("%d inputs of %d subwords; the last %d subwords fill none", len(packed["ids"]), positions, len(rest))
    return packed


def _without_empty(ids: np.ndarray, starts: np.ndarray, is_end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Without the ends of empty paragraphs."""
    keep = ~is_end
    keep[1:] |= ~is_end[:-1]
    return ids[keep], starts[keep]


def _is_blank(code: int) -> bool:
    return chr(code).isspace() or code == BYTE_ORDER_MARK
