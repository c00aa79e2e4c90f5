"""A pretrained encoder with fewer subwords: `python -m benchmarks.models.pruned FOLDER OUT --pieces 18000 TEXT…`.

FOLDER holds an encoder of transformers with a WordPiece tokenizer. OUT gets the same encoder with the marks, all single
characters, and the subwords that are most frequent in the texts; words with others are cut into more subwords. Weights
are written in half precision, and only the first positions are kept.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from errata.files import replacing_folder
from errata.formats.files import read_lines
from errata.networks.tokenizer import read_tokenizer

TABLE, POSITIONS = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"
BATCH = 20_000
_WORD = re.compile(r"\w+|[^\w\s]")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("texts", nargs="+", type=Path, help="plain text or TSV")
    parser.add_argument("--pieces", type=int, default=18_000, help="subwords to keep (18000)")
    parser.add_argument("--positions", type=int, default=130, help="rows of the position table to keep (130)")
    args = parser.parse_args()
    tokenizer = read_tokenizer(args.folder / "tokenizer.json")
    used = count_subwords(count_words(args.texts), tokenizer)
    described = json.loads((args.folder / "tokenizer.json").read_text(encoding="utf-8"))
    kept = choose(described, used, args.pieces)
    covered = sum(used[subword] for subword in kept) / used.total()
    print(f"{len(kept):,} of {tokenizer.get_vocab_size():,} subwords: {covered:.2%} of those in the texts")
    with replacing_folder(args.out) as beside:
        write(args.folder, beside, described, kept, args.positions)
    return 0


def count_words(paths: Iterable[Path]) -> Counter[str]:
    return Counter(word for path in paths for line in read_lines(path) for word in _WORD.findall(line))


def count_subwords(words: Counter[str], tokenizer: Tokenizer) -> Counter[str]:
    """How often each subword occurs."""
    used, items = Counter[str](), list(words.items())
    for first in range(0, len(items), BATCH):
        batch = items[first : first + BATCH]
        encoded = tokenizer.encode_batch([word for word, _ in batch], add_special_tokens=False)
        for (_, n), one in zip(batch, encoded, strict=True):
            used.update(dict.fromkeys(one.tokens, n))
    return used


def choose(described: dict[str, Any], used: Counter[str], size: int) -> list[str]:
    """The subwords to keep, in their old order: marks and characters first, then by frequency."""
    vocabulary: dict[str, int] = described["model"]["vocab"]
    marks = {token["content"] for token in described["added_tokens"]}
    needed = {one for one in vocabulary if one in marks or (len(one.removeprefix("##")) == 1 and one.isascii())}
    frequent = (one for one, _ in used.most_common() if one in vocabulary and one not in needed)
    chosen = needed | {one for one, _ in zip(frequent, range(size - len(needed)), strict=False)}
    return sorted(chosen, key=vocabulary.__getitem__)


def write(folder: Path, out: Path, described: dict[str, Any], kept: list[str], positions: int) -> None:
    """The encoder in `folder` with the subwords in `kept`."""
    old: dict[str, int] = described["model"]["vocab"]
    described["model"]["vocab"] = new = {subword: number for number, subword in enumerate(kept)}
    for token in described["added_tokens"]:
        token["id"] = new[token["content"]]
    for name in ("sep", "cls"):
        mark = described["post_processor"][name]
        mark[1] = new[mark[0]]
    (out / "tokenizer.json").write_text(json.dumps(described, ensure_ascii=False), encoding="utf-8")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    by_number = {number: subword for subword, number in old.items()}
    marks = {name: new[by_number[config[name]]] for name in ("bos_token_id", "eos_token_id", "pad_token_id")}
    config |= {"vocab_size": len(kept), "max_position_embeddings": positions, **marks}
    (out / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    weights = {name: tensor for name, tensor in load_file(folder / "model.safetensors").items() if "pooler" not in name}
    weights.pop("embeddings.position_ids", None)
    weights[TABLE] = weights[TABLE][torch.tensor([old[subword] for subword in kept])]
    weights[POSITIONS] = weights[POSITIONS][:positions]
    half = {name: tensor.half().contiguous() for name, tensor in weights.items()}
    save_file(half, out / "model.safetensors", metadata={"format": "pt"})


if __name__ == "__main__":
    sys.exit(main())
