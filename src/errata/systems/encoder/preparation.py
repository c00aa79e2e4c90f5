"""Everything an encoder's training needs on disk: tokenizer, packed text, sounds; keyed in the cache."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.errors import DataError
from errata.files import replacing_folder
from errata.networks.subwords import Subwords
from errata.networks.tokenizer import mark_id
from errata.systems.encoder.blocks import (
    count_characters,
    count_words,
    cut_blocks,
    read_chunks,
    stream_characters,
    stream_wordpieces,
)
from errata.systems.encoder.examples import BlockExamples, hold_out
from errata.systems.encoder.masking import Alphabet
from errata.systems.encoder.settings import EncoderData, EncoderSettings
from errata.systems.encoder.words import read_words
from errata.training.digests import key_of
from errata.training.packed import Packed, pack_once

if TYPE_CHECKING:
    from errata.training.settings import Recipe

log = logging.getLogger(__name__)

PACKING = 1  # goes up when other arrays are made from the same data
MARKS = (("[PAD]", "<pad>"), ("[UNK]", "<unk>"), ("[CLS]", "<s>"), ("[SEP]", "</s>"))
MASK = ("[MASK]", "<mask>")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What training works on."""

    subwords: Subwords
    train: BlockExamples
    dev: BlockExamples


def prepare(recipe: Recipe, cache: Path) -> Prepared:
    """Learn and pack what is not in the cache yet."""
    settings: EncoderSettings = recipe.model
    data: EncoderData = recipe.data
    key = _key(recipe)
    learnt = cache / f"encoder-subwords-{key}"
    if not learnt.is_dir():
        with replacing_folder(learnt) as beside:
            _learn_subwords(recipe).save(beside)
    subwords = Subwords.load(learnt, settings.backbone.positions)
    packed = pack_once(cache / f"encoder-text-{key}", lambda: _pack(recipe, subwords))
    train, dev = hold_out(len(packed["ids"]), data.dev_blocks)
    alphabet = _alphabet(recipe, subwords, cache / f"encoder-sounds-{key}")
    return Prepared(
        subwords,
        BlockExamples(packed, _whole_batches(train, recipe), settings.masking, alphabet),
        BlockExamples(packed, dev, settings.masking, alphabet),
    )


def _key(recipe: Recipe) -> str:
    """The name of everything that is made from the recipe's inputs and the settings that have a say in it."""
    settings: EncoderSettings = recipe.model
    backbone, plain = settings.backbone, recipe.as_dict()
    chosen = (backbone.name, backbone.positions, backbone.pieces, backbone.lowercase, plain["model"]["vocabulary"])
    return key_of(PACKING, recipe.digests(), recipe.language, chosen, plain["data"]["text"], plain["data"]["words"])


def _learn_subwords(recipe: Recipe) -> Subwords:
    settings: EncoderSettings = recipe.model
    positions = settings.backbone.positions
    if settings.vocabulary is not None:
        return Subwords.load(settings.vocabulary, positions)
    counts: Counter[str] = Counter()
    if settings.backbone.name is None:
        count = count_characters if recipe.language == "zh" else count_words
        counts = count(read_chunks(recipe.data.text))
    return Subwords(settings.backbone.tokenizer(counts, recipe.language), positions)


def _pack(recipe: Recipe, subwords: Subwords) -> Mapping[str, np.ndarray]:
    data: EncoderData = recipe.data
    chunks = read_chunks(data.text)
    if recipe.language == "zh":
        stream = stream_characters(chunks, subwords, read_words(data.words))
    else:
        stream = stream_wordpieces(chunks, subwords)
    packed = cut_blocks(stream, subwords, subwords.max_positions)
    if not len(packed["ids"]):
        raise DataError("data.text: there is not enough text to fill one input")
    return packed


def _whole_batches(blocks: np.ndarray, recipe: Recipe) -> np.ndarray:
    """The inputs without those that would make a smaller batch: `run.compile` compiles anew for another shape."""
    positions = recipe.model.backbone.positions
    size = min(max(1, recipe.batches.tokens // positions), recipe.batches.sentences or len(blocks))
    return blocks[: len(blocks) // size * size] if len(blocks) >= size else blocks


def _alphabet(recipe: Recipe, subwords: Subwords, sounds: Path) -> Alphabet:
    settings: EncoderSettings = recipe.model
    tokenizer = subwords.tokenizer
    mask = mark_id(tokenizer, *MASK, origin=subwords.origin)
    is_mark = np.zeros(tokenizer.get_vocab_size(), bool)
    is_mark[[mask, *(mark_id(tokenizer, *names, origin=subwords.origin) for names in MARKS)]] = True
    if recipe.language != "zh" or not settings.masking.corrupt:
        return Alphabet(is_mark, mask)
    packed: Packed = pack_once(sounds, lambda: _pack_sounds(subwords))
    return Alphabet(is_mark, mask, np.array(packed["alike"]), np.array(packed["n_alike"]))


def _pack_sounds(subwords: Subwords) -> Mapping[str, np.ndarray]:
    """The characters of the same sound, or nearly, of each; their frequency decides the order, as in the vocabulary."""
    from errata.synth.hanzi import MAX_ALIKE, sound_tables
    from errata.text.han import is_han

    vocabulary = subwords.tokenizer.get_vocab()
    characters = sorted((c for c in vocabulary if len(c) == 1 and is_han(c)), key=vocabulary.__getitem__)
    same, near = sound_tables(characters)
    alike = np.zeros((len(vocabulary), MAX_ALIKE), np.uint16)
    n_alike = np.zeros(len(vocabulary), np.int64)
    for character in characters:
        others = [vocabulary[c] for c in (same.get(character, "") + near.get(character, ""))[:MAX_ALIKE]]
        alike[vocabulary[character], : len(others)] = others
        n_alike[vocabulary[character]] = len(others)
    return {"alike": alike, "n_alike": n_alike}
