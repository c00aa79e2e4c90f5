"""A causal language model proposes words and judges variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.errors import DataError, UsageError
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.learning import get_tongue
from errata.synth.perturb.proposers import make_proposer
from errata.synth.perturb.texts import Perturbation, Site

SENTENCES = ("She goes to school by bus .", "He goes to work by train .", "We received a letter from the school .")


@pytest.fixture(scope="module")
def counts() -> WordCounts:
    tongue = get_tongue("en")
    counts = WordCounts("en")
    for text in tongue.analyse([tongue.split(sentence) for sentence in SENTENCES]):
        counts.add(text)
    return counts.finish()


def test_proposals_are_words_of_the_right_tag(lm_folder: Path, counts: WordCounts) -> None:
    proposer = make_proposer("lm", counts, str(lm_folder))
    [text] = get_tongue("en").analyse([tuple(SENTENCES[0].split())])
    sites = [Site("substitute", 5, 6, 5, 6, "NN", "noun"), Site("delete", 5, 6, 5, 6, "NN")]
    found, deletion = proposer.propose(text, sites)
    assert [one.words for one in deletion] == [()]
    assert {word for one in found for word in one.words} <= {"work", "train", "letter", "school"}
    assert [one.weight for one in found] == sorted((one.weight for one in found), reverse=True)


def test_what_it_has_read_is_more_probable(lm_folder: Path, counts: WordCounts) -> None:
    proposer = make_proposer("lm", counts, str(lm_folder))
    [text] = get_tongue("en").analyse([("He", "goes", "to", "work", "by", "bus", ".")])
    site = Site("substitute", 5, 6, 5, 6, "NN", "noun")
    changes = [Perturbation("substitute", 5, 6, (word,)) for word in ("train", "from")]
    good, bad = proposer.differences(text, [(site, change) for change in changes], is_learnt=False)
    assert good > 0 > bad
    # One by one and together the differences are the same.
    assert proposer.differences(text, [(site, changes[1])], is_learnt=True) == pytest.approx([bad], abs=1e-3)
    assert proposer.differences(text, [], is_learnt=True) == []


def test_chinese_has_no_default_model() -> None:
    with pytest.raises(UsageError, match="name one"):
        make_proposer("lm", WordCounts("zh"))


def test_a_folder_without_a_causal_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="cannot be read"):
        make_proposer("lm", WordCounts("en"), str(tmp_path))
