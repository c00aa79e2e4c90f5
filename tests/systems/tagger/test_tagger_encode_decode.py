"""Edits to tags and back: the tags of a pair lead to its target."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.edits.pairing import align, pair_edits
from errata.model import Edit
from errata.systems.tagger.decode import Change, Draft, apply_tags, changes
from errata.systems.tagger.encode import Coverage, Phrases, count_tags, encode
from errata.systems.tagger.inventory import INVENTORIES, get_inventory
from errata.systems.tagger.tags import DELETE, KEEP, Op, Tag, TagVocabulary

MANY = 50
words = st.sampled_from(
    "go goes went walked a the The I to-day to day today well-known well known child children recieve 的 。".split()
)
sentences = st.lists(words, max_size=7).map(tuple)


@pytest.mark.parametrize(
    ("source", "target", "head", "chunks"),
    [
        ("I go", "Yesterday I have gone", ("Yesterday",), [(1, ("I", "have")), (1, ("gone",))]),
        ("a b c", "a c", (), [(1, ("a",)), (1, ()), (1, ("c",))]),
        ("some thing", "something", (), [(2, ("something",))]),
        ("well known", "well-known", (), [(2, ("well-known",))]),
        ("", "a b", ("a", "b"), []),
        ("a b", "", (), [(1, ()), (1, ())]),
        ("I goes teh", "I went to the", (), [(1, ("I",)), (1, ("went", "to")), (1, ("the",))]),
    ],
)
def test_alignment(lexicon, source, target, head, chunks):
    related = lexicon.inflections.are_related
    assert align(source.split(), target.split(), related=related, merges=True) == (head, chunks)


@given(sentences, sentences)
def test_pair_edits_lead_to_the_target(source, target):
    edits = pair_edits(source, target)
    assert apply_edits(source, edits) == target
    assert all(a.end < b.start for a, b in pairwise(edits))


@pytest.mark.parametrize(
    ("inventory", "source", "target", "passes"),
    [
        ("gector", "He go to school", "He goes to school", ["inflect VBZ"]),
        ("gector", "two child", "two children", ["inflect NNS"]),
        ("gector", "the usa", "The USA", ["case capital, case upper"]),
        ("gector", "to day", "today", ["merge "]),
        ("gector", "well-known", "well known", ["split"]),
        ("gector", "freind", "friend", ["spell"]),
        ("gector", "A dog", "The dog", ["replace the"]),
        ("gector", "go", "go to the", ["append to", "append the"]),
        ("gector", "alot", "a lot of", ["replace a", "append lot", "append of"]),
        ("pie", "he tries", "he tried to it", ["suffix s d", "append to it"]),
        ("lasertagger", "a b", "the big b c", ["replace the big, append c"]),
    ],
)
def test_tags_of_a_pair(lexicon, inventory, source, target, passes):
    edits = pair_edits(source.split(), target.split(), lexicon.inflections.are_related)
    allowed = Phrases(1) if inventory == "gector" else None
    tagged = encode(source.split(), edits, get_inventory(inventory, lexicon), allowed, MANY)
    assert [", ".join(str(tag) for tag in one.tags if tag != KEEP) for one in tagged] == passes


@pytest.mark.parametrize("name", INVENTORIES)
@given(source=sentences, target=sentences)
def test_decoded_tags_are_the_target(lexicon, name, source, target):
    inventory = get_inventory(name, lexicon)
    passes = encode(source, pair_edits(source, target), inventory, None, MANY)
    tokens, draft = source, Draft(source)
    for tagged in passes:
        assert tagged.tokens == tokens
        assert None not in tagged.tags
        draft.apply(list(changes(tokens, [(slot, tag, 0.9) for slot, tag in enumerate(tagged.tags)], inventory)))
        tokens = apply_tags(tokens, tagged.tags, inventory)
        assert draft.tokens == tokens
    assert tokens == target
    if name == "lasertagger":
        assert len(passes) == 1
    proposed = draft.edits()
    assert apply_edits(source, [one.edit for one in proposed]) == target
    assert all(0 < one.confidence <= 0.9 for one in proposed)


@pytest.mark.parametrize("name", INVENTORIES)
@given(source=sentences, target=sentences, size=st.integers(2, 6))
def test_small_vocabulary_says_what_it_misses(lexicon, name, source, target, size):
    inventory = get_inventory(name, lexicon)
    edits = pair_edits(source, target)
    counts = next(count_tags([(source, edits)], inventory, MANY))
    vocabulary = TagVocabulary.learn(counts, size)
    passes = encode(source, edits, inventory, vocabulary, MANY)
    reached = source
    for tagged in passes:
        assert all(0 <= label < len(vocabulary) or label == -100 for label in tagged.labels(vocabulary))
        reached = apply_tags(reached, [tag or KEEP for tag in tagged.tags], inventory)
    coverage = Coverage()
    coverage.add(passes)
    assert (coverage.share == 1.0) == (reached == target)


def test_edits_of_several_passes_are_one():
    draft = Draft(("I", "have", "alot", "friends"))
    draft.apply([Change(2, 3, ("a",), 0.5)])
    draft.apply([Change(3, 3, ("lot",), 0.8)])
    draft.apply([Change(4, 4, ("of",), 0.5), Change(5, 5, ("!",), 0.9)])
    first, second = draft.edits()
    assert (first.edit, round(first.confidence, 3)) == (Edit(2, 3, ("a", "lot", "of")), 0.2)
    assert (second.edit, second.confidence) == (Edit(4, 4, ("!",)), 0.9)


def test_undone_change_is_no_edit():
    draft = Draft(("a", "b"))
    draft.apply([Change(0, 1, ("c",), 0.9)])
    draft.apply([Change(0, 1, ("a",), 0.9)])
    assert draft.edits() == []


def test_tags_that_do_not_apply_do_nothing(lexicon):
    inventory = get_inventory("gector", lexicon)
    tags = [DELETE, Tag(Op.INFLECT, ("VBD",)), Tag(Op.SPLIT), Tag(Op.MERGE, ("",))]
    assert apply_tags(("xyz", "plain", "end"), tags, inventory) == ("xyz", "plain", "end")


def test_text_that_looks_like_a_tag_is_text(lexicon):
    inventory = get_inventory("gector", lexicon)
    source, target = ("$DELETE", "keep", "[SEP]"), ("$DELETE", "$KEEP", "[SEP]", "append the")
    tagged = encode(source, pair_edits(source, target), inventory, None, MANY)
    tokens = source
    for one in tagged:
        tokens = apply_tags(tokens, one.tags, inventory)
    assert tokens == target


def test_counts_name_every_pass(lexicon):
    inventory = get_inventory("gector", lexicon)
    example = (("go",), (Edit(1, 1, ("to", "the")),))
    assert next(count_tags([example], inventory, MANY, Phrases(1))) == {
        Tag(Op.APPEND, ("to",)): 1,
        Tag(Op.APPEND, ("the",)): 1,
    }
    assert next(count_tags([example], inventory, MANY, Phrases(2))) == {Tag(Op.APPEND, ("to", "the")): 1}


@pytest.mark.parametrize(
    ("source", "target", "tags"),
    [
        ("I like it Alot", "I like it A lot", "replace a lot"),
        ("alot", "a lot of", "replace a|append lot of"),  # three words are more than a tag may have here
        ("spite", "In spite of", "append In|append of"),
        ("well-known", "well known", "split"),
    ],
)
def test_phrases_are_one_step(lexicon, source, target, tags):
    inventory = get_inventory("gector", lexicon)
    tokens = tuple(source.split())
    edits = pair_edits(source.split(), target.split())
    passes = encode(tokens, edits, inventory, Phrases(2), MANY)
    assert "|".join(str(tag) for one in passes for tag in one.tags if tag != KEEP) == tags
    for one in passes:
        tokens = apply_tags(tokens, one.tags, inventory)
    assert tokens == tuple(target.split())
