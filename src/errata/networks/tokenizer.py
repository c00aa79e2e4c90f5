"""Tokenizers: read from a pretrained encoder, or learnt for one that is trained from scratch.

All are `tokenizers.Tokenizer`s. They put a start and an end mark around a sentence, never truncate or pad, and cut a
word by itself as they would inside a sentence.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import DataError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Only so many of the most frequent characters get a subword, and at most a quarter of the subwords are characters.
MAX_ALPHABET = 1000
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def learn_wordpieces(words: Counter[str], size: int, *, lowercase: bool = False) -> Tokenizer:
    """At most `size` subwords learnt from counted words; the same words give the same subwords in the same order."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    def tokenizer_of(vocabulary: dict[str, int] | None) -> Tokenizer:
        tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return tokenizer

    learner, frequency = tokenizer_of(None), Counter[str]()
    for word, n in words.items():
        frequency.update(dict.fromkeys(learner.normalizer.normalize_str(word), n))
    ranked = sorted(frequency, key=lambda c: (-frequency[c], c))
    alphabet = sorted(c for c in ranked[: min(MAX_ALPHABET, size // 4)] if not c.isspace())
    # The trainer numbers characters in the order of a hash and breaks ties between merges by number. So we number them
    # first, as special tokens; the result keeps the numbers and forgets that they were special.
    numbered = [*MARKS, *alphabet, *(f"##{c}" for c in alphabet)]
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=numbered, show_progress=False)
    known = frozenset(alphabet)
    common = sorted((w, n) for w, n in words.items() if known.issuperset(learner.normalizer.normalize_str(w)))
    learner.train_from_iterator((word for word, n in common for _ in range(n)), trainer)
    return _marked(tokenizer_of(learner.get_vocab()))


def learn_characters(characters: Counter[str], size: int) -> Tokenizer:
    """A subword for each of the most frequent characters, at most `size` with the marks."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    ranked = sorted((c for c in characters if len(c) == 1), key=lambda c: (-characters[c], c))
    kept = [*MARKS, *ranked[: size - len(MARKS)]]
    tokenizer = Tokenizer(models.WordLevel({subword: i for i, subword in enumerate(kept)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    return _marked(tokenizer)


def read_tokenizer(file: Path) -> Tokenizer:
    """The tokenizer in a `tokenizer.json`."""
    from tokenizers import Tokenizer

    if not file.is_file():  # opening a pipe would wait for ever
        raise DataError(f"{file} is missing, or is no file")
    with tokenizing(f"{file} is not a readable tokenizer"):
        return whole_words(Tokenizer.from_file(str(file)))


@contextmanager
def tokenizing(fault: str) -> Iterator[None]:
    """A block that uses a tokenizer; where the library fails, a `DataError` says `fault` and why.

    The library raises bare `Exception`, and for some damaged files a panic of its Rust code, which is no `Exception`.
    """
    try:
        yield
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(f"{fault}: {reason}") from error


def encode_word(tokenizer: Tokenizer, word: str, origin: str) -> list[int]:
    """The subwords of a word by itself; `DataError` names `origin` where the tokenizer fails."""
    with tokenizing(f"{origin} cannot cut {word!r} into subwords"):
        ids: list[int] = tokenizer.encode([word], is_pretokenized=True, add_special_tokens=False).ids
        return ids


def whole_words(tokenizer: Tokenizer) -> Tokenizer:
    """The tokenizer without truncation and padding; a byte-level one puts a space before every word.

    `tokenizer.json` files carry the settings of whoever saved them: sentence-transformers truncates at 128 subwords.
    """
    from tokenizers import Tokenizer

    # Only the state of this step: describing the whole tokenizer takes ten times as long as everything else here.
    step = json.loads(tokenizer.pre_tokenizer.__getstate__()) if tokenizer.pre_tokenizer else None
    if _put_space_before(step):
        described: dict[str, Any] = json.loads(tokenizer.to_str())
        tokenizer = Tokenizer.from_str(json.dumps({**described, "pre_tokenizer": step}))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def whole_tokens(tokenizer: Tokenizer) -> Tokenizer:
    """The tokenizer cutting no token: `n't` becomes `n ##' ##t`, where BERT's has three words, and so has 王小明."""
    from tokenizers import Tokenizer, pre_tokenizers

    described: dict[str, Any] = json.loads(tokenizer.to_str())
    if (normaliser := described.get("normalizer")) and "handle_chinese_chars" in normaliser:
        normaliser["handle_chinese_chars"] = False
    whole = Tokenizer.from_str(json.dumps(described))
    whole.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return whole


def keep_pieces(tokenizer: Tokenizer, words: Counter[str], size: int) -> Tokenizer:
    """The tokenizer with `size` of its subwords: marks, ASCII characters, and those most frequent in counted words.

    Words with others are cut into more subwords, or are unknown. Only tokenizers of word pieces can do with fewer.
    """
    from tokenizers import Tokenizer

    described: dict[str, Any] = json.loads(tokenizer.to_str())
    if described["model"]["type"] != "WordPiece":
        raise DataError(f"a tokenizer of kind {described['model']['type']} cannot do with fewer subwords")
    vocabulary: dict[str, int] = described["model"]["vocab"]
    used: Counter[str] = Counter()
    for word, n in words.items():
        used.update(dict.fromkeys(tokenizer.encode(word, add_special_tokens=False).tokens, n))
    marks = {*MARKS, described["model"]["unk_token"], *(token["content"] for token in described["added_tokens"])}
    needed = {one for one in vocabulary if one in marks or (len(one.removeprefix("##")) == 1 and one.isascii())}
    ranked = sorted((one for one in used if one in vocabulary and one not in needed), key=lambda one: (-used[one], one))
    chosen = sorted(needed | set(ranked[: max(0, size - len(needed))]), key=vocabulary.__getitem__)
    described["model"]["vocab"] = new = {subword: number for number, subword in enumerate(chosen)}
    for token in described["added_tokens"]:
        token["id"] = new[token["content"]]
    step = described["post_processor"]
    if step["type"] == "TemplateProcessing":
        for text, mark in step["special_tokens"].items():
            mark["ids"] = [new[text]]
    else:  # BERT's
        for name in ("sep", "cls"):
            step[name][1] = new[step[name][0]]
    return Tokenizer.from_str(json.dumps(described))


def mark_id(tokenizer: Tokenizer, *names: str, origin: str = "the tokenizer") -> int:
    """The number of the first of these marks the tokenizer knows, as in `mark_id(t, "[PAD]", "<pad>")`."""
    for name in names:
        number = tokenizer.token_to_id(name)
        if number is not None:
            return int(number)
    raise DataError(f"{origin} has none of the marks {', '.join(names)}")


def _put_space_before(step: Any) -> bool:
    """Turn on the space before the first word in a described pre-tokenizer; return whether that changed anything."""
    if not isinstance(step, dict):
        return False
    changed = [_put_space_before(inner) for inner in step.get("pretokenizers", ())]
    if step.get("type") == "ByteLevel" and not step.get("add_prefix_space"):
        step["add_prefix_space"] = True
        return True
    return any(changed)


def _marked(tokenizer: Tokenizer) -> Tokenizer:
    from tokenizers import processors

    marks = [(mark, tokenizer.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    return tokenizer
