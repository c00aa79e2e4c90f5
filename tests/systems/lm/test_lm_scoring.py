"""Scores of the language-model corrector, beside those of the model run plainly on one text after the other."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers

from errata.systems.lm.causal import Causal, load_causal
from errata.systems.lm.scoring import Scorer

ASKED = [
    (
        "She go to school by bus.",
        [
            "She goes to school by bus.",
            "She go at school by bus.",
            "She go to school by",
            "Sh",
            "She go to school by. No",
        ],
    ),
    ("He go to work.", ["He goes to work.", "She go to work.", "He go to work."]),
    ("We received a letter from the school.", []),
    ("They", ["They go to the park on Sunday.", "He"]),
    ("He go to work.", ["He went to work."]),
]
TINY = {"vocab_size": 320, "bos_token_id": None, "eos_token_id": 0}
SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}


@pytest.fixture(scope="module")
def causal(lm_folder: Path) -> Causal:
    return load_causal(str(lm_folder))


def score_plainly(causal: Causal, pieces: list[int]) -> float:
    ids = torch.tensor([pieces])
    with torch.no_grad():
        shares = causal.model(ids).logits[0, :-1].float().log_softmax(-1)
    return -float(shares.gather(1, ids[0, 1:, None]).sum())


def assert_scores_are_plain(scorer: Scorer, causal: Causal, tolerance: float = 1e-5) -> None:
    for (original, others), (loss, losses) in zip(ASKED, scorer.score_all(ASKED), strict=True):
        assert set(losses) == set(others)
        for text, found in [(original, loss), *losses.items()]:
            plain = score_plainly(causal, scorer.pieces(text))
            assert found == pytest.approx(plain, rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("lag", [1e9, float("inf")])
@pytest.mark.parametrize("pack_pieces", [1, 24, 1024])
@pytest.mark.parametrize("batch_pieces", [8, 96, 8192])
def test_what_is_run_together_changes_no_score(causal: Causal, batch_pieces: int, pack_pieces: int, lag: float) -> None:
    scorer = Scorer(causal, margin=1e9, lag=lag, batch_pieces=batch_pieces, pack_pieces=pack_pieces)
    assert_scores_are_plain(scorer, causal)


def test_probabilities_of_a_few_places_at_once(causal: Causal) -> None:
    scorer = Scorer(causal, margin=1e9)
    scorer.head_places = 3
    assert_scores_are_plain(scorer, causal)


@pytest.mark.parametrize(
    ("config", "splits"),
    [
        (transformers.GPT2Config(**TINY, n_embd=32, n_layer=2, n_head=4), True),
        # It bounds its logits after the head.
        (transformers.Gemma2Config(**TINY, **SMALL, head_dim=8, final_logit_softcapping=0.01), False),
    ],
)
def test_other_models(causal: Causal, config: transformers.PretrainedConfig, splits: bool) -> None:
    torch.manual_seed(2)
    other = Causal(transformers.AutoModelForCausalLM.from_config(config).eval(), causal.tokenizer)
    scorer = Scorer(other, margin=1e9, lag=1e9)
    assert scorer._splits is splits
    assert_scores_are_plain(scorer, other)


def test_what_costs_least_is_run_together(causal: Causal) -> None:
    from errata.systems.lm.scoring import _Row

    rows = [_Row(n, "", [0] * length, 2, length) for n, length in enumerate((20, 12, 8))]

    def divide(run_pieces: int) -> list[list[int]]:
        batches = Scorer(causal, margin=1.0, run_pieces=run_pieces)._batches([(row, len(row.pieces)) for row in rows])
        return [[row.sentence for pack in batch for row, _ in pack] for batch in batches]

    assert divide(1) == [[0], [1], [2]]
    assert divide(5) == [[0], [2, 1]]
    assert divide(1024) == [[2, 1, 0]]


def test_hopeless_alternatives_are_not_run(causal: Causal) -> None:
    scorer = Scorer(causal, margin=0.5)
    _, losses = scorer.score("She goes to school by bus.", ["She goes at school by bus.", "She went to school by bus."])
    assert not losses


# What is looked at: the changed word, and two subwords that follow in both.
LOOKS = [
    ("She goes to school by bus.", "She go to school by bus."),
    ("She go to school by bus.", "She goes to school by bus."),
    ("He goes to work by train.", "He goes by work by train."),
    ("He goes by work by train.", "He goes to work by train."),
    ("We received a letter from the school.", "We received letter from the school."),
]


@pytest.mark.parametrize(("original", "other"), LOOKS)
def test_alternatives_that_stay_behind_are_given_up(causal: Causal, original: str, other: str) -> None:
    pieces, others = (Scorer(causal, margin=1.0).pieces(text) for text in (original, other))
    n_same = next(n for n in range(1, len(pieces) + 1) if pieces[-n] != others[-n]) - 1
    ours, theirs = pieces[: len(pieces) - n_same + 2], others[: len(others) - n_same + 2]
    behind = score_plainly(causal, theirs) - score_plainly(causal, ours)
    for lag in (behind - 0.01, behind + 0.01):
        _, losses = Scorer(causal, margin=1e9, lag=lag).score(original, [other])
        assert set(losses) == ({other} if behind <= lag else set())
        for found in losses.values():
            assert found == pytest.approx(score_plainly(causal, others), rel=1e-5)


def test_products_of_shorter_numbers(lm_folder: Path, causal: Causal) -> None:
    shorter = load_causal(str(lm_folder), precision="bfloat16")
    kinds = {name: weight.dtype for name, weight in shorter.model.named_parameters()}
    assert kinds["lm_head.weight"] == kinds["model.layers.0.mlp.up_proj.weight"] == torch.bfloat16
    assert kinds["model.embed_tokens.weight"] == kinds["model.norm.weight"] == torch.float32
    scorer = Scorer(shorter, margin=1e9, lag=1e9)
    assert_scores_are_plain(scorer, shorter, 2e-2)
    assert_scores_are_plain(scorer, causal, 2e-2)
