"""A tiny random BERT, in the files that Hugging Face publishes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from errata.networks.tokenizer import learn_wordpieces

WORDS = "the dog runs home He go goes and sees a cat . , Tokyo".split()
POSITIONS = 16


def write_encoder(folder: Path) -> Path:
    """Write the encoder, saved with a head; it ignores case."""

    import torch
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(1)
    tokenizer = learn_wordpieces(Counter(dict.fromkeys(WORDS, 3)), 120, lowercase=True)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=POSITIONS,
    )
    model = BertForMaskedLM(config)  # type: ignore[no-untyped-call]
    with torch.no_grad():  # fresh norms are all alike, and fresh weights too small for sentences to differ
        for name, weights in model.named_parameters():
            weights.normal_(1.0 if "LayerNorm.weight" in name else 0.0, 0.2)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
