"""The network's cache and the beam search, against the obvious ways of doing the same."""

from __future__ import annotations

import itertools

import pytest
import torch

from errata.systems.seq2seq.beam import beam_search
from errata.systems.seq2seq.network import EncoderDecoder, NetworkConfig

END, LIMIT = 2, 4


@pytest.fixture(scope="module")
def network() -> EncoderDecoder:
    torch.manual_seed(1)
    made = EncoderDecoder(NetworkConfig(6, 16, 2, 2, 2, 32, 12, dropout=0.1)).eval()
    for weights in made.parameters():
        weights.data *= 8  # opinions, so that beams differ
    return made


IDS = torch.tensor([[3, 4, 5, 2], [5, 3, 2, 0]])
MASK = torch.tensor([[1, 1, 1, 1], [1, 1, 1, 0]])


def test_one_subword_after_the_other_is_the_whole_at_once(network: EncoderDecoder) -> None:
    written = torch.tensor([[2, 3, 4, 5], [2, 5, 5, 3]])
    with torch.inference_mode():
        whole = network(IDS, MASK, written)
        session = network.begin(IDS, MASK, 1)
        for place in range(written.shape[1]):
            assert torch.allclose(session.step(written[:, place]), whole[:, place], atol=1e-4)


def test_padding_changes_nothing(network: EncoderDecoder) -> None:
    written = torch.tensor([[2, 5, 5]])
    with torch.inference_mode():
        alone = network(IDS[1:, :3], MASK[1:, :3], written)
        assert torch.allclose(network(IDS[1:], MASK[1:], written), alone, atol=1e-4)


def best_answer(network: EncoderDecoder, row: int) -> list[int]:
    """The likeliest of all sequences, each scored as a whole."""
    scored: dict[tuple[int, ...], float] = {}
    for length in range(LIMIT):
        for answer in itertools.product([n for n in range(6) if n != END], repeat=length):
            logits = network(IDS[row : row + 1], MASK[row : row + 1], torch.tensor([[END, *answer]]))
            target = torch.tensor([[*answer, END]])
            scored[answer] = float(logits.log_softmax(-1).gather(-1, target[..., None]).sum())
    return list(max(scored, key=lambda answer: scored[answer]))


def search(network: EncoderDecoder, rows: slice, beam: int, penalty: float) -> list[list[int] | None]:
    with torch.inference_mode():
        return beam_search(
            network, IDS[rows], MASK[rows], start=[END], end=END, beam=beam, length_penalty=penalty, limit=LIMIT
        )


def test_a_beam_as_wide_as_all_finds_the_best_answer(network: EncoderDecoder) -> None:
    with torch.inference_mode():
        assert search(network, slice(0, 2), 130, 0.0) == [best_answer(network, 0), best_answer(network, 1)]


@pytest.mark.parametrize("penalty", [0.0, 1.0])
@pytest.mark.parametrize("beam", [1, 3])
def test_sentences_do_not_disturb_each_other(network: EncoderDecoder, beam: int, penalty: float) -> None:
    alone = [search(network, slice(n, n + 1), beam, penalty)[0] for n in range(2)]
    assert search(network, slice(0, 2), beam, penalty) == alone
