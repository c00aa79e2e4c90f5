"""Tokens to subwords and subwords back to tokens, without loss where nothing was changed.

Tokenizers forget: case, rare characters, spaces. So the subwords of an answer that the source has too, in the same
order, give the source's own tokens back; only what differs is spelt out from subwords.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from errata.errors import DataError
from errata.model import Tokens
from errata.networks.tokenizer import MARKS, encode_word, mark_id, read_tokenizer, tokenizing
from errata.text.case import capitalise, like_case
from errata.text.tokens import split_characters

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER = "tokenizer.json"
WORD_BEGINS = ("Ġ", "▁")  # byte-level BPE, SentencePiece
CONTINUES = "##"  # word pieces
REMEMBERED = 500_000

Unit = tuple[int, ...]  # the subwords of one word, or one subword of Chinese


@dataclass(frozen=True, slots=True)
class Spelt:
    """An answer in tokens, and for each the range of subwords it was spelt with."""

    tokens: Tokens
    ranges: tuple[tuple[int, int], ...]


class TextSubwords:
    """What a network reads and writes, as tokens."""

    def __init__(self, tokenizer: Tokenizer, language: str, positions: int, origin: str = "the tokenizer") -> None:
        self.tokenizer, self.language, self.positions, self.origin = tokenizer, language, positions, origin
        tokenizer.encode_special_tokens = True  # somebody who writes [MASK] means these letters
        with tokenizing(f"{origin} cannot read a sentence"):
            marked = tokenizer.encode("a")
        inner = [place for place, is_mark in enumerate(marked.special_tokens_mask) if not is_mark]
        if not inner or inner[-1] + 1 == len(marked.ids):
            raise DataError(f"{origin} puts no end mark after a text: a decoder would not know when to stop")
        self.prefix, self.suffix = marked.ids[: inner[0]], marked.ids[inner[-1] + 1 :]
        self.end = self.suffix[-1]
        self.pad = mark_id(tokenizer, "[PAD]", "<pad>", origin=origin)
        self.unknown = next((n for n in map(tokenizer.token_to_id, ("[UNK]", "<unk>")) if n is not None), None)
        sample = self._cut("我" if language == "zh" else "word")
        self.folds_case = language != "zh" and self._cut("A") == self._cut("a")
        first = (tokenizer.id_to_token(sample[0]) if sample else None) or ""
        self._begin = next((mark for mark in WORD_BEGINS if first.startswith(mark)), None)
        # Chinese under a tokenizer of words with spaces is given whole: a space before each character is not Chinese.
        self.is_whole = language == "zh" and (self._begin is not None or len(sample) != 1)
        self._known: dict[str, Unit] = {}

    @classmethod
    def load(cls, folder: Path, language: str, positions: int) -> TextSubwords:
        """The tokenizer in a system folder."""
        return cls(read_tokenizer(folder / TOKENIZER), language, positions, str(folder / TOKENIZER))

    def save(self, folder: Path) -> None:
        self.tokenizer.save(str(folder / TOKENIZER))

    @property
    def room(self) -> int:
        """How many subwords a text may have between its marks."""
        return self.positions - len(self.prefix) - len(self.suffix)

    def unit(self, token: str) -> Unit:
        """The subwords of a token, at least one if the tokenizer knows a mark for the unknown."""
        known = self._known.get(token)
        if known is None:
            known = tuple(self._cut(token))
            # `##s` that somebody writes would be read as the end of the word before it.
            if self.unknown is not None and (not known or not self._begins(known[0])):
                known = (self.unknown,)
            if len(self._known) < REMEMBERED:
                self._known[token] = known
        return known

    def body(self, tokens: Sequence[str]) -> list[int]:
        """The subwords of a text without marks."""
        if self.is_whole:
            return list(self.tokenizer.encode("".join(tokens), add_special_tokens=False).ids)
        return [subword for token in tokens for subword in self.unit(token)]

    def marked(self, body: Sequence[int]) -> list[int]:
        """The subwords with the marks around them."""
        return [*self.prefix, *body, *self.suffix]

    def spell(self, answer: Sequence[int], tokens: Sequence[str]) -> Spelt | None:
        """The tokens of an answer to `tokens`; None if it has subwords that stand for no text."""
        if self.is_whole:
            return self._spell_whole(answer)
        source = [self.unit(token) for token in tokens]
        units = list(self._units(answer))
        # The capital of a first word says nothing of the word; elsewhere the source has the case.
        first = 1 if self.folds_case and tokens and tokens[0][1:].islower() else 0
        known = dict(zip(reversed(source[first:]), reversed(tokens[first:]), strict=True))
        if sum(map(self._is_unknown, units)) != sum(map(self._is_unknown, source)):
            return None  # which of the source's words they stand for cannot be told
        texts: list[Tokens | None] = []
        for unit in units:
            own = None if self._is_unknown(unit) else known.get(unit)
            texts.append(self._surface(unit) if own is None else (own,))
        for kind, a, a_end, b, b_end in SequenceMatcher(None, source, units, autojunk=False).get_opcodes():
            for step in range(b_end - b):
                if kind == "equal":
                    texts[b + step] = (tokens[a + step],)
                elif self.folds_case:
                    texts[b + step] = _in_case(texts[b + step], tokens[a + step] if a + step < a_end else "")
        if self.folds_case and tokens and tokens[0][:1].isupper() and texts and texts[0]:
            texts[0] = (capitalise(texts[0][0]), *texts[0][1:])
        out: list[str] = []
        ranges: list[tuple[int, int]] = []
        position = 0
        for unit, text in zip(units, texts, strict=True):
            if text is None:
                return None
            out.extend(text)
            ranges.extend([(position, position + len(unit))] * len(text))
            position += len(unit)
        return Spelt(tuple(out), tuple(ranges))

    def _is_unknown(self, unit: Unit) -> bool:
        return self.unknown in unit

    def _spell_whole(self, answer: Sequence[int]) -> Spelt | None:
        text = self.tokenizer.decode(list(answer), skip_special_tokens=False)
        if self.unknown in answer or "\ufffd" in text:
            return None
        out = split_characters(text)
        return Spelt(out, ((0, len(answer)),) * len(out))

    def _cut(self, token: str) -> list[int]:
        return encode_word(self.tokenizer, token, self.origin)

    def _units(self, answer: Sequence[int]) -> Iterator[Unit]:
        unit: list[int] = []
        for subword in answer:
            if unit and self._begins(subword):
                yield tuple(unit)
                unit = []
            unit.append(subword)
        if unit:
            yield tuple(unit)

    def _begins(self, subword: int) -> bool:
        text = self.tokenizer.id_to_token(subword) or ""
        if self.language == "zh":
            return True
        return text.startswith(self._begin) if self._begin else not text.startswith(CONTINUES)

    def _surface(self, unit: Unit) -> Tokens | None:
        if self.unknown in unit:
            return None
        if self._begin:
            text = self.tokenizer.decode(list(unit), skip_special_tokens=False)
        else:
            text = "".join((self.tokenizer.id_to_token(subword) or "").removeprefix(CONTINUES) for subword in unit)
        if "\ufffd" in text or any(subword in (self.pad, *self.prefix, *self.suffix) for subword in unit):
            return None
        return split_characters(text) if self.language == "zh" else tuple(text.split())


def _in_case(text: Tokens | None, model: str) -> Tokens | None:
    """New text in the case of the source's token that it replaces."""
    if not text or text == ("i",):
        return text and ("I",)
    return text if model == "I" else (like_case(model, text[0]), *text[1:])


def learn_bytes(words: Counter[str], size: int) -> Tokenizer:
    """Byte-level BPE of at most `size` subwords learnt from counted words: any text can be written with it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    def tokenizer_of(model: models.BPE) -> Tokenizer:
        tokenizer = Tokenizer(model)
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False)
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer

    # The trainer numbers characters in the order of a hash and breaks ties between merges by number: give them numbers.
    numbered = [*MARKS, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    learner = tokenizer_of(models.BPE())
    trainer = trainers.BpeTrainer(vocab_size=max(size, len(numbered)), special_tokens=numbered, show_progress=False)
    learner.train_from_iterator((word for word, n in sorted(words.items()) for _ in range(n)), trainer)
    merges = [tuple(pair) for pair in json.loads(learner.to_str())["model"]["merges"]]
    tokenizer = tokenizer_of(models.BPE(learner.get_vocab(), merges))
    tokenizer.add_special_tokens(list(MARKS))
    ends = [(mark, tokenizer.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return tokenizer
