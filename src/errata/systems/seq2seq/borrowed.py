"""The encoder of a tagger for an encoder-decoder: its subwords, as many as are wanted, and a table that fits them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from errata.errors import DataError
from errata.networks.encoder import replace_table
from errata.networks.subwords import TOKENIZER, Subwords
from errata.networks.tokenizer import keep_pieces, whole_tokens
from errata.systems.installed import find_model
from errata.systems.manifest import MANIFEST, read_manifest
from errata.systems.seq2seq.subwords import CONTINUES, TextSubwords
from errata.systems.tagger.borrowing import borrow_encoder, borrow_subwords
from errata.training.digests import file_digest


def digest_tagger(name: str) -> str:
    """What tells one tagger from another: its description, and how it cuts words."""
    folder = find_model(name)
    return file_digest(folder / MANIFEST) + file_digest(folder / TOKENIZER)


def check_tagger(name: str, language: str, positions: int) -> Subwords:
    """How a tagger cuts words; `DataError` if it is of another language or takes less."""
    folder = find_model(name)
    theirs = borrow_subwords(folder)
    if (spoken := read_manifest(folder)["language"]) != language:
        raise DataError(f"{name} corrects {spoken}, the recipe's language is {language}")
    if positions > theirs.max_positions:
        raise DataError(
            f"the encoder of {name} takes {theirs.max_positions} subwords, backbone.positions asks for {positions}"
        )
    return theirs


def choose_subwords(
    theirs: Subwords, language: str, positions: int, words: Counter[str], pieces: int | None
) -> TextSubwords:
    """The subwords of a tagger, cutting no token; the `pieces` most frequent in `words`, or all."""
    tokenizer = whole_tokens(theirs.tokenizer)
    return TextSubwords(tokenizer if pieces is None else keep_pieces(tokenizer, words, pieces), language, positions)


def borrow_for(name: str, subwords: TextSubwords) -> tuple[Any, int]:
    """The encoder of a tagger with a table for these subwords, and its width.

    A tagger read `n't` as `n ' t`. Here it is one token, `n ##' ##t`, so signs inside a token begin with the vectors
    that they have alone.
    """
    import torch
    from torch import nn

    folder = find_model(name)
    encoder, hidden, _ = borrow_encoder(folder)
    numbers = borrow_subwords(folder).tokenizer.get_vocab()
    ours = subwords.tokenizer.get_vocab()
    if strange := sorted(text for text in ours if _standing_for(text, numbers) not in numbers):
        raise DataError(f"model.vocabulary has subwords that {name} does not have: {strange[0]!r}")
    rows = [numbers[_standing_for(text, numbers)] for text in sorted(ours, key=ours.__getitem__)]
    old: nn.Embedding = encoder.get_input_embeddings()  # type: ignore[operator]
    table = nn.Embedding(len(rows), hidden, padding_idx=None if old.padding_idx is None else subwords.pad)
    with torch.no_grad():
        table.weight.copy_(old.weight[torch.tensor(rows)])
    replace_table(encoder, table)
    return encoder, hidden


def _standing_for(text: str, numbers: dict[str, int]) -> str:
    """The subword whose vector another begins with."""
    alone = text.removeprefix(CONTINUES)
    return alone if alone in numbers and not alone.isalnum() else text
