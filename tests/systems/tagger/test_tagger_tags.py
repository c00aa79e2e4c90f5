"""Tags and their vocabulary."""

from __future__ import annotations

from collections import Counter

import pytest

from errata.errors import DataError
from errata.systems.tagger.tags import DELETE, KEEP, Op, Tag, TagVocabulary


def test_vocabulary_keeps_the_most_frequent_tags():
    counts = Counter({Tag(Op.APPEND, ("the",)): 5, Tag(Op.REPLACE, ("a",)): 3, Tag(Op.CASE, ("upper",)): 1, DELETE: 9})
    vocabulary = TagVocabulary.learn(counts, size=4)
    assert vocabulary.tags == (KEEP, DELETE, Tag(Op.APPEND, ("the",)), Tag(Op.REPLACE, ("a",)))
    assert TagVocabulary.learn(counts, size=100, min_count=4).tags[2:] == (Tag(Op.APPEND, ("the",)),)


def test_vocabulary_survives_a_file(tmp_path):
    tags = (KEEP, DELETE, Tag(Op.APPEND, ("a b", '"')), Tag(Op.MERGE, ("",)), Tag(Op.SUFFIX, ("ies", "y")))
    TagVocabulary(tags).save(tmp_path / "tags.json")
    assert TagVocabulary.load(tmp_path / "tags.json").tags == tags


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a list of tags"),
        ('[["keep"], ["delete"], ["explode", "now"]]', "explode"),
        ('[["delete"], ["keep"]]', "begins with keep and delete"),
        ('[["keep"], ["delete"], ["keep"]]', "no tag twice"),
    ],
)
def test_bad_vocabulary_is_one_line(tmp_path, text, reason):
    path = tmp_path / "tags.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=reason):
        TagVocabulary.load(path)
