"""How much few bits change an encoder's states: `python -m benchmarks.models.bits ENCODER`.

ENCODER is a pretrained encoder as in a recipe (a folder, a Hugging Face name, `package:…`) whose layers have the names
that `errata.networks.bits` knows. Its matrices are rounded by kind, and the states of CoNLL-14 sentences are compared
with those of the unrounded encoder: the root of the mean square of the difference, over that of the states. The last
line rounds not the matrices but what they are multiplied with, as our own kernels do where weights have 4 or 5 bits.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from benchmarks.speed.history import shared_folder
from torch import nn

from errata.networks.bits import Bits
from errata.networks.encoder import load_backbone
from errata.networks.quantised import BLOCK, PLANES, dequantise, quantise
from errata.networks.shrink import MIN_SIZE
from errata.networks.subwords import Subwords, pad_batch

ATTENTION, FEED_FORWARD, TABLE, OTHER = 4, 5, 6, 8  # marks: the bits that `Bits.of` gives to each kind
KINDS = {"attention": {ATTENTION}, "feed-forward": {FEED_FORWARD}, "both": {ATTENTION, FEED_FORWARD}, "table": {TABLE}}


def kinds(encoder: nn.Module) -> dict[str, int]:
    """The kind of every matrix that an export rounds, by its name."""
    marks = Bits(layers=FEED_FORWARD, attention=ATTENTION, tables=TABLE, heads=OTHER)
    table = encoder.get_input_embeddings().weight  # type: ignore[operator]
    tables = {f"encoder.{name}" for name, weights in encoder.named_parameters() if weights is table}
    matrices = [name for name, one in encoder.named_parameters() if one.ndim == 2 and one.numel() >= MIN_SIZE]
    return {name: marks.of(f"encoder.{name}", tables) for name in matrices}


def round_rows(rows: torch.Tensor) -> torch.Tensor:
    """Rows in 8 bits, with a scale for each block."""
    blocks = rows.reshape(-1, BLOCK)
    steps = blocks.abs().amax(-1, keepdim=True).clamp(min=1e-20) / 127
    return ((blocks / steps).round() * steps).reshape(rows.shape)


@contextmanager
def rounding_rows(encoder: nn.Module) -> Iterator[None]:
    """Meanwhile linear maps get rounded rows."""
    maps = [module for module in encoder.modules() if isinstance(module, nn.Linear)]
    hooks = [module.register_forward_pre_hook(lambda _, rows: (round_rows(rows[0]),)) for module in maps]
    yield
    for hook in hooks:
        hook.remove()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder")
    parser.add_argument("--file", type=Path, default=shared_folder() / "oracles/errant/conll14.src.txt")
    parser.add_argument("--sentences", type=int, default=32)
    options = parser.parse_args()
    encoder, tokenizer, _ = load_backbone(options.encoder)
    subwords = Subwords(tokenizer, 256)
    lines = [line.split() for line in options.file.read_text(encoding="utf-8").splitlines() if line]
    arrays = pad_batch([subwords.encode(line) for line in lines[: options.sentences]], subwords.pad)
    ids, mask = torch.from_numpy(arrays["ids"]), torch.from_numpy(arrays["mask"])

    def states() -> torch.Tensor:
        with torch.inference_mode():
            embedded = encoder.eval().get_input_embeddings()(ids)  # type: ignore[operator]
            found: torch.Tensor = encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state[mask.bool()]
            return found

    expected = states()

    def gap() -> str:
        return f"{float((states() - expected).square().mean().sqrt() / expected.square().mean().sqrt()):.2%}"

    _print_table(encoder, gap)
    with rounding_rows(encoder):
        print(f"rows in 8 bits: {gap()}")


def _print_table(encoder: nn.Module, gap: Callable[[], str]) -> None:
    found, original = kinds(encoder), {name: weights.data for name, weights in encoder.named_parameters()}
    print(f"| bits | {' | '.join(KINDS)} |")
    for bits in PLANES:
        rounded = {name: torch.from_numpy(dequantise(quantise(original[name].numpy(), bits))) for name in found}
        gaps = []
        for chosen in KINDS.values():
            for name, weights in encoder.named_parameters():
                weights.data = rounded[name] if found.get(name) in chosen else original[name]
            gaps.append(gap())
        print(f"| {bits} | {' | '.join(gaps)} |", flush=True)
    for name, weights in encoder.named_parameters():
        weights.data = original[name]


if __name__ == "__main__":
    main()
