"""A tiny language model that has read a few sentences, in a folder."""

from __future__ import annotations

from pathlib import Path

SENTENCES = (
    "She goes to school by bus.",
    "He goes to work by train.",
    "They go to the park on Sunday.",
    "We received a letter from the school.",
)


def write_language_model(folder: Path) -> Path:
    """Train the model and write it to a folder."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    learner.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learner.train_from_iterator(
        SENTENCES,
        trainers.BpeTrainer(
            vocab_size=320, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet, show_progress=False
        ),
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=learner, eos_token="<|endoftext|>")
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=128,
        bos_token_id=None,
        eos_token_id=0,
    )
    model = LlamaForCausalLM(config)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    rows = [torch.tensor([[0, *tokenizer.encode(text)]]) for text in SENTENCES]
    for _ in range(40):
        loss = sum(model(row, labels=row).loss for row in rows)
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
