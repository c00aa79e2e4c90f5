"""A masked language model proposes words and judges variants: errata's own encoders, and those of transformers."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from encoder_tiny import WORDS

from errata.errors import DataError
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.learning import get_tongue
from errata.synth.perturb.proposers import make_proposer
from errata.synth.perturb.texts import Perturbation, Site, Text
from errata.training.loop import Outcome


@pytest.fixture(scope="module")
def counts() -> WordCounts:
    """Words that the encoder has read, as nouns."""
    counts = WordCounts("zh")
    for word in WORDS:
        counts.words[word] = counts.by_tag["NOUN"][word] = 1
    return counts.finish()


@pytest.fixture(scope="module")
def text() -> Text:
    return get_tongue("zh").analyse([tuple("苹果学校苹果苹果苹果。")])[0]


@pytest.fixture(params=["bert", "mpnet", "transformers"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    kind = "bert" if request.param == "transformers" else request.param
    own: Path = request.getfixturevalue(f"trained_{kind}")[0]
    return str(_as_bert(own, tmp_path / "bert") if request.param == "transformers" else own)


def _as_bert(own: Path, folder: Path) -> Path:
    """The same network as transformers writes it: its head has other names there."""
    import shutil

    from safetensors.torch import load_file
    from transformers import BertConfig, BertForMaskedLM

    config = BertConfig.from_pretrained(own)
    model = BertForMaskedLM(config)
    head = load_file(own / "head.safetensors")
    model.bert.load_state_dict(load_file(own / "model.safetensors"), strict=False)
    names = {
        "dense.weight": "0.weight",
        "dense.bias": "0.bias",
        "LayerNorm.weight": "2.weight",
        "LayerNorm.bias": "2.bias",
    }
    transform = {name: head[f"transform.{place}"] for name, place in names.items()}
    model.cls.predictions.transform.load_state_dict(transform)
    model.cls.predictions.bias.data.copy_(head["bias"])
    model.save_pretrained(folder)
    shutil.copy(own / "tokenizer.json", folder)
    return folder


def test_it_knows_what_is_hidden(folder: str, counts: WordCounts, text: Text) -> None:
    """The encoder has read pages that repeat one word: of 苹果学校苹果…, it expects 苹果 in the second place."""
    proposer = make_proposer("encoder", counts, folder)
    site = Site("substitute", 2, 4, 1, 2, "NOUN", "noun")
    [found] = proposer.propose(text, [site])
    assert found[0].words == ("苹", "果")
    assert all(len(one.words) == 2 for one in found)
    better, worse = (Perturbation("substitute", 2, 4, tuple(word)) for word in ("苹果", "音乐"))
    differences = proposer.differences(text, [(site, better), (site, worse)], is_learnt=False)
    assert differences[0] > max(0.0, differences[1])


def test_a_text_that_is_too_long(folder: str, counts: WordCounts) -> None:
    proposer = make_proposer("encoder", counts, folder)
    [text] = get_tongue("zh").analyse([tuple("苹果" * 40)])
    site = Site("substitute", 0, 2, 0, 1, "NOUN", "noun")
    assert proposer.propose(text, [site]) == [[]]
    change = Perturbation("substitute", 0, 2, ("学", "校"))
    assert proposer.differences(text, [(site, change)], is_learnt=False) == [-math.inf]


def test_an_encoder_without_its_head(trained: tuple[Path, Outcome], tmp_path: Path, counts: WordCounts) -> None:
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_bytes((trained[0] / name).read_bytes())
    with pytest.raises(DataError, match="lacks weights"):
        make_proposer("encoder", counts, str(tmp_path))
